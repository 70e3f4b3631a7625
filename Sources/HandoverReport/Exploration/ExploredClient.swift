import HandoverCore
import HandoverScenario

/// The parameters of an exploration or of random testing, which must be equal in all its shards.
package struct ExploredClient: Hashable, Sendable {
  /// The profile's name.
  package var profile: String
  /// The number of hosts.
  package var hosts: Int
  /// The maximum number of simultaneous calls.
  package var calls: Int
  /// The possible actions, in the notation of the command line.
  package var actions: String
  /// The excluded actions, in the notation of the command line.
  package var without: [String]
  /// The names of the bugs injected into the client.
  package var defects: [String]

  /// Creates a description.
  package init(
    profile: String, hosts: Int, calls: Int, actions: String, without: [String] = [],
    defects: [String]
  ) {
    self.profile = profile
    self.hosts = hosts
    self.calls = calls
    self.actions = actions
    self.without = without
    self.defects = defects
  }

  func write(into json: inout JSONText) {
    json.member("profile", profile)
    json.member("hosts", hosts)
    json.member("calls", calls)
    json.member("acts", actions)
    // Usually no action is excluded, and the member is omitted.
    if !without.isEmpty { Self.write(without, as: "without", into: &json) }
    Self.write(defects, as: "defects", into: &json)
  }

  private static func write(_ phrases: [String], as key: String, into json: inout JSONText) {
    json.array(key, of: phrases) { $0.value($1) }
  }

  static let keys = ["profile", "hosts", "calls", "acts", "without", "defects"]

  init(_ fields: JSONFields) throws(InputError) {
    profile = try fields.text("profile")
    hosts = try fields.number("hosts", in: 1...1_000)
    calls = try fields.number("calls", in: 1...1_000)
    actions = try fields.text("acts")
    without = []
    if fields.optional("without") != nil {
      for value in try fields.elements("without") {
        without.append(try fields.line.text(value, as: "an exclusion"))
      }
    }
    defects = []
    for value in try fields.elements("defects") {
      defects.append(try fields.line.text(value, as: "a defect"))
    }
  }
}
