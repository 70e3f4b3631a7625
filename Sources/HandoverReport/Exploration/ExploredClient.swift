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
  /// The names of the defects that the client was given.
  public var defects: [String]

  /// Describes a client.
  public init(profile: String, hosts: Int, calls: Int, acts: String, defects: [String]) {
    self.profile = profile
    self.hosts = hosts
    self.calls = calls
    self.acts = acts
    self.defects = defects
  }

  func write(into json: inout JSONText) {
    json.member("profile", profile)
    json.member("hosts", hosts)
    json.member("calls", calls)
    json.member("acts", acts)
    json.key("defects")
    json.beginArray()
    for defect in defects { json.value(defect) }
    json.endArray()
  }

  static let keys = ["profile", "hosts", "calls", "acts", "defects"]

  init(_ fields: JSONFields) throws(InputError) {
    profile = try fields.text("profile")
    hosts = try fields.number("hosts", in: 1...1_000)
    calls = try fields.number("calls", in: 1...1_000)
    acts = try fields.text("acts")
    defects = []
    for value in try fields.elements("defects") {
      defects.append(try fields.line.text(value, as: "a defect"))
    }
  }
}
