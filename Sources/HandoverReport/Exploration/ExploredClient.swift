import HandoverJSON
import HandoverScenario

/// What an exploration or a swarm was made of: all that must be the same in each part of it.
public struct ExploredClient: Hashable, Sendable {
  /// The profile's name.
  public var profile: String
  /// How many hosts there are.
  public var hosts: Int
  /// How many calls there are at once at the most.
  public var calls: Int
  /// What may happen, as the command line names it.
  public var acts: String
  /// What of it does not happen, as the command line names it.
  public var without: [String]
  /// The names of the defects that the client was given.
  public var defects: [String]

  /// Describes a client.
  public init(
    profile: String, hosts: Int, calls: Int, acts: String, without: [String] = [],
    defects: [String]
  ) {
    self.profile = profile
    self.hosts = hosts
    self.calls = calls
    self.acts = acts
    self.without = without
    self.defects = defects
  }

  func write(into json: inout JSONText) {
    json.member("profile", profile)
    json.member("hosts", hosts)
    json.member("calls", calls)
    json.member("acts", acts)
    // Mostly nothing is left out, and nothing is said of it.
    if !without.isEmpty { Self.write(without, as: "without", into: &json) }
    Self.write(defects, as: "defects", into: &json)
  }

  private static func write(_ words: [String], as key: String, into json: inout JSONText) {
    json.key(key)
    json.beginArray()
    for word in words { json.value(word) }
    json.endArray()
  }

  static let keys = ["profile", "hosts", "calls", "acts", "without", "defects"]

  init(_ fields: JSONFields) throws(InputError) {
    profile = try fields.text("profile")
    hosts = try fields.number("hosts", in: 1...1_000)
    calls = try fields.number("calls", in: 1...1_000)
    acts = try fields.text("acts")
    without = []
    if fields.optional("without") != nil {
      for value in try fields.elements("without") {
        without.append(try fields.line.text(value, as: "what is left out"))
      }
    }
    defects = []
    for value in try fields.elements("defects") {
      defects.append(try fields.line.text(value, as: "a defect"))
    }
  }
}
