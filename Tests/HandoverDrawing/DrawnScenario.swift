import HandoverEngine
package import HandoverScenario

/// A random scenario generated from a seed: the text of a file, which the reader reads like any
/// other.
package struct DrawnScenario: Sendable {
  /// The kind of scenario.
  package enum Kind: String, Sendable, CaseIterable {
    /// Calls, each with its own host, whose ends are all predicted from the specifications.
    case calls
    /// Requests over the platform, with and without a dispatcher, whose ends are all predicted.
    case requests
    /// Calls with every key and value of the format; only the invariants are checked.
    case anyCalls = "any-calls"
    /// Calls of the previous kind, through interceptors.
    case chains
    /// Requests with every key and value of the format.
    case anyRequests = "any-requests"
  }

  package let kind: Kind
  package let seed: UInt64
  var profiles: [String]
  var flags = #"["Reachable"]"#
  /// Further members of the initial state.
  var initial: [String] = []
  var hosts: [String] = []
  var config: [String] = []
  /// The order of events at one instant.
  let order: DrawnOrder
  /// The content of the entries, with their times in microseconds.
  var timeline: [(at: Int, text: String)] = []
  var expectations: [String] = []
  /// Violations that the scenario itself causes, each with its call, or `nil` if the violation has
  /// none, and its message.
  var excuses: [(call: String?, what: String)] = []

  /// Creates a scenario of a random kind.
  package init(seed: UInt64) {
    var draw = Draw(seed: seed, part: 2)
    self.init(draw.pick(Kind.allCases), seed: seed)
  }

  /// Creates a scenario of the given kind.
  package init(_ kind: Kind, seed: UInt64) {
    self.init(kind, seed: seed, profiles: [])
    var draw = Draw(seed: seed)
    switch kind {
    case .calls: CallStory.write(in: &self, &draw)
    case .requests: RequestStory.write(in: &self, &draw)
    case .anyCalls: AnyCallStory.write(in: &self, withChain: false, &draw)
    case .chains: AnyCallStory.write(in: &self, withChain: true, &draw)
    case .anyRequests: AnyRequestStory.write(in: &self, &draw)
    }
  }

  private init(_ kind: Kind, seed: UInt64, profiles: [String]) {
    self.kind = kind
    self.seed = seed
    self.profiles = profiles
    var draw = Draw(seed: seed, part: 1)
    order = DrawnOrder(&draw)
  }

  /// The name of the scenario, from which it can be generated again.
  package var id: String { "drawn/\(kind.rawValue)-\(seed)" }

  /// The contents of the file.
  package var text: String {
    let config = config + (order.text.map { ["\"order\": \($0)"] } ?? [])
    let names = profiles.map { "\"\($0)\"" }.joined(separator: ", ")
    let entries = timeline.map { "    { \"at\": \(time($0.at)), \($0.text) }" }
    return """
      {
        "format": 1,
        "id": "\(id)",
        "profiles": [\(names)],
        "initial": { \((["\"flags\": \(flags)"] + initial).joined(separator: ", ")) },
        "hosts": { \(hosts.joined(separator: ", ")) },
        "config": { \(config.joined(separator: ", ")) },
        "timeline": [
      \(entries.joined(separator: ",\n"))
        ],
        "expect": [
      \(expectations.map { "    { \($0) }" }.joined(separator: ",\n"))
        ]
      }

      """
  }

  /// Whether the scenario itself causes a finding.
  func excuses(_ finding: Finding) -> Bool {
    // A random fault may have no effect.
    finding.kind == .faultWithoutEffect
      || excuses.contains { excuse in
        let names = excuse.call.map {
          "\(finding.expected) \(finding.seen)".contains("call \"\($0)\"")
        }
        return names != false && finding.seen.hasPrefix(excuse.what)
      }
  }

  /// Returns the scenario as the reader reads it, or `nil` and the problems.
  package func read() -> (scenario: Scenario?, problems: [String]) {
    let reading = ScenarioReader.read(file: "\(id).json", bytes: Array(text.utf8))
    return (reading.scenario, reading.diagnostics.map(\.description))
  }
}
