import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("The scenarios of this repository")
struct CorpusTests {
  @Test("The repository contains scenarios")
  func areThere() {
    #expect(Corpus.paths.count > 250)
  }

  @Test("Each scenario is named like its file, has a title, and cites what it verifies")
  func names() throws {
    for path in Corpus.paths {
      let reading = try Corpus.reading(path)
      let scenario = try #require(reading.scenario, "\(path): \(reading.diagnostics)")
      #expect(scenario.id == String(path.dropLast(".json".count)))
      #expect(scenario.title?.isEmpty == false, "\(path) has no title")
      #expect(!scenario.sources.isEmpty, "\(path) cites nothing")
      #expect(!scenario.expectations.isEmpty, "\(path) expects nothing")
    }
  }

  @Test("All titles are different")
  func titles() throws {
    var files: [String: String] = [:]
    for path in Corpus.paths {
      guard let title = try Corpus.reading(path).scenario?.title else { continue }
      let other = files.updateValue(path, forKey: title)
      #expect(other == nil, "\(path) and \(other ?? "") are both called \(title)")
    }
  }

  @Test("Each scenario names its profiles, and has expectations on every one")
  func profiles() throws {
    for path in Corpus.paths {
      let scenario = try #require(try Corpus.reading(path).scenario)
      let text = String(decoding: try Corpus.bytes(path), as: UTF8.self)
      #expect(text.contains("\n  \"profiles\": ["), "\(path)")
      for profile in scenario.profiles {
        #expect(
          scenario.expectations.contains { $0.level == .must && $0.profiles.contains(profile) },
          "\(path) demands nothing on \(profile.name)")
      }
    }
  }

  @Test("Each scenario has the same layout")
  func layout() throws {
    for path in Corpus.paths {
      let text = String(decoding: try Corpus.bytes(path), as: UTF8.self)
      let depth = path.split(separator: "/").count
      let up = String(repeating: "../", count: depth)
      let schema = "\(up)Fixtures/Schemas/scenario-1.schema.json"
      #expect(text.hasPrefix("{\n  \"$schema\": \"\(schema)\",\n  \"format\": 1,\n"), "\(path)")
      #expect(text.hasSuffix("\n}\n"), "\(path)")
      let keys = text.matches(of: /\n  "([a-z]+)":/).map { String($0.output.1) }
      let order = [
        "format", "id", "title", "source", "profiles", "initial", "networks", "hosts", "config",
        "timeline", "expect",
      ]
      #expect(keys == order.filter(keys.contains), "\(path)")
      let entries = text.split(separator: "\n").filter { $0.hasPrefix("    ") }
      #expect(entries.allSatisfy { $0.hasPrefix("    { ") }, "\(path)")
      #expect(!text.contains(/[ ]\n|\t|\{"|[^ {\n]\}|\[ |[^ ] \]/), "\(path)")
    }
  }
}
