import Foundation
import HandoverCore
import Testing

@Suite("The schema of scenarios")
struct SchemaTests {
  @Test("The schema is a valid draft-07 schema")
  func draft() throws {
    let judge = try Judge([])
    #expect(judge.schema.verdict == .accepted, "\(judge.schema.errors)")
  }

  @Test("The schema accepts every scenario of the repository, its documentation and its tests")
  func good() throws {
    let (bundled, documented) = (try GoodSamples.bundled(), try GoodSamples.documented())
    let samples = bundled + documented + (try GoodSamples.ofTests())
    #expect(bundled.count > 100 && documented.count > 3)
    #expect(samples.count - bundled.count - documented.count > 5)
    let judge = try Judge(
      samples.map { Judge.Request(name: $0.name, text: $0.text, errors: true) })
    for answer in judge.answers where answer.verdict != .accepted {
      Issue.record("\(answer.name): \(answer.errors.map(\.description))")
    }
  }

  @Test("The schema is at the location that the bundled scenarios name")
  func reference() throws {
    for file in try Repository.files(under: "Scenarios", kind: "json") {
      let document = try JSONReader.read(try Repository.bytes(file))
      let named = document.root.members.first { $0.key.text == "$schema" }?.value.text
      let position = URL(filePath: try #require(named), relativeTo: file).standardizedFileURL
      #expect(position.path == Repository.schema.path, "\(file.path)")
    }
  }

  @Test("The sample editor settings select the schema for every scenario")
  func editor() throws {
    let object = try JSONSerialization.jsonObject(
      with: try Data(contentsOf: Repository.editorSettings))
    let settings = try #require(object as? [String: Any])
    let schemas = try #require(settings["json.schemas"] as? [[String: Any]])
    let entry = try #require(schemas.first)
    #expect(entry["fileMatch"] as? [String] == ["Scenarios/**/*.json"])
    let position = try #require(entry["url"] as? String)
    let file = Repository.root.appending(path: position).standardizedFileURL
    #expect(file.path == Repository.schema.path)
  }
}

extension Judge.Complaint: CustomStringConvertible {
  var description: String { "\(pointer.isEmpty ? "/" : pointer): \(message)" }
}
