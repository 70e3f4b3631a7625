import HandoverCore
import HandoverScenario

/// The template of a new scenario.
struct ScenarioTemplate {
  let id: String
  /// The content of the file, in its canonical layout.
  let bytes: [UInt8]
  /// Whether the scenario is valid; a given title may be invalid.
  let isGood: Bool

  /// The content of a template, as members and elements of its JSON.
  struct Story {
    var title: String
    /// The members `initial`, `hosts` and `config`.
    var setup: [String]
    var timeline: [String]
    var expectations: [String]
    var remarks: [String]
  }

  /// Creates the scenario of a file.
  ///
  /// - Parameters:
  ///   - file: The path of the file, which determines the id.
  ///   - title: The title, or `nil` for the title of the template.
  ///   - profiles: The profiles of the scenario, either all with requests or all without.
  init(file: String, title: String?, profiles: [Profile]) {
    let position = ScenarioPlace(file)
    id = position.id
    let story: Story =
      switch profiles.first?.client.work ?? .calls {
      case .calls: .ofCalls(profiles)
      case .requests: .ofRequests(profiles)
      }
    let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let schema = position.schema.map { "\"$schema\": \(JSONText.quoted($0))," } ?? ""
    let text = """
      {\(schema) "format": 1, "id": \(JSONText.quoted(id)),
      "title": \(JSONText.quoted(title ?? story.title)), "profiles": [\(names)],
      \(story.setup.joined(separator: ",")),
      "timeline": [\(story.timeline.joined(separator: ","))],
      "expect": [\(story.expectations.joined(separator: ","))],
      "comment": [\((Self.remarks + story.remarks).map(JSONText.quoted).joined(separator: ","))]}
      """
    let raw = Array(text.utf8)
    isGood = ScenarioReader.read(file: file, bytes: raw).scenario != nil
    bytes = (try? JSONReader.read(raw)).map(CanonicalText.of) ?? raw
  }

  /// The comments for every template.
  private static let remarks = [
    "JSON has no comments. The key comment, and keys that begin with x-, are remarks.",
    "Times have a unit: us, ms, s, min or h. Time is virtual, so expected times are exact.",
    "An expectation without profiles applies to all. level: must (default) or should.",
    "To cite the requirements that the scenario shows, add source.",
  ]
}

extension ScenarioTemplate.Story {
  /// Returns an expectation for some of the profiles with a comment, or `nil` if there are none.
  static func expectation(_ profiles: [Profile], _ what: String, _ remark: String) -> String? {
    guard !profiles.isEmpty else { return nil }
    let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return "{ \"profiles\": [\(names)], \(what), \"comment\": \(JSONText.quoted(remark)) }"
  }
}
