import HandoverCore
import HandoverJSON
import HandoverScenario
import HandoverTrace

/// The scenario that authors start from.
struct ScenarioTemplate {
  let id: String
  /// The file, in its canonical layout.
  let bytes: [UInt8]
  /// Whether it can be read; a title may be none.
  let isGood: Bool

  /// What happens in a template, as members and elements of its JSON.
  struct Story {
    var title: String
    /// The members `initial`, `hosts` and `config`.
    var setup: [String]
    var timeline: [String]
    var expectations: [String]
    var remarks: [String]
  }

  /// Makes the scenario of a file.
  ///
  /// - Parameters:
  ///   - file: the file, whose place gives the id.
  ///   - title: the title; nil takes that of the story.
  ///   - profiles: what it is replayed on, all of requests or none.
  init(file: String, title: String?, profiles: [Profile]) {
    let place = ScenarioPlace(file)
    id = place.id
    let story: Story =
      profiles.contains(where: \.makesRequests) ? .ofRequests(profiles) : .ofCalls(profiles)
    let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let schema = place.schema.map { "\"$schema\": \(JSONText.quoted($0))," } ?? ""
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

  /// Remarks on every scenario.
  private static let remarks = [
    "JSON has no comments: comment, and keys that begin with x-, mean nothing and may be anywhere.",
    "Times have a unit: us, ms, s, min or h. They are virtual, so an expected time is exact.",
    "An expectation without profiles is for all of them. level should is a wish, must is the rule.",
    "To keep the scenario with the others, add source: the items of the documents that it shows.",
  ]
}

extension ScenarioTemplate.Story {
  /// An expectation that is meant for some of the profiles, with a remark; nil where it is meant
  /// for none.
  static func expectation(_ profiles: [Profile], _ what: String, _ remark: String) -> String? {
    guard !profiles.isEmpty else { return nil }
    let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return "{ \"profiles\": [\(names)], \(what), \"comment\": \(JSONText.quoted(remark)) }"
  }
}
