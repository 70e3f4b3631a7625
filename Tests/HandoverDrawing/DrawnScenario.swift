import HandoverEngine
package import HandoverScenario

/// A scenario drawn from a seed: the text of a file, which the reader reads like any other.
package struct DrawnScenario: Sendable {
  /// What kind of story it tells.
  package enum Kind: String, Sendable, CaseIterable {
    /// Calls, each on a host of its own, with every end foretold from the documents.
    case calls
    /// Requests over the platform, with and without a dispatcher, every end foretold.
    case requests
    /// Calls with every word of the format; only what holds in every run is known.
    case anyCalls = "any-calls"
    /// The same through interceptors.
    case chains
    /// Requests with every word of the format.
    case anyRequests = "any-requests"
  }

  package let kind: Kind
  package let seed: UInt64
  var profiles: [String]
  var flags = #"["Reachable"]"#
  /// What else is said of the beginning.
  var initial: [String] = []
  var hosts: [String] = []
  var config: [String] = []
  /// What comes first at one instant.
  let order: DrawnOrder
  /// What stands in the entries, beside the time of each in microseconds.
  var timeline: [(at: Int, text: String)] = []
  var expectations: [String] = []
  /// Rules that the scenario itself breaks, by the call that is named, nil where none is, and what
  /// is said of it.
  var excuses: [(call: String?, what: String)] = []

  /// Draws one of any kind.
  package init(seed: UInt64) {
    var draw = Draw(seed: seed, part: 2)
    self.init(draw.pick(Kind.allCases), seed: seed)
  }

  /// Draws one of a kind.
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

  /// The name of the scenario, which says how to draw it again.
  package var id: String { "drawn/\(kind.rawValue)-\(seed)" }

  /// The file.
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

  /// Whether the scenario asks for what is wrong.
  func excuses(_ finding: Finding) -> Bool {
    // What is drawn may well have no effect.
    finding.kind == .faultWithoutEffect
      || excuses.contains { excuse in
        let names = excuse.call.map {
          "\(finding.expected) \(finding.seen)".contains("call \"\($0)\"")
        }
        return names != false && finding.seen.hasPrefix(excuse.what)
      }
  }

  /// The scenario as the reader reads it; nil where it does not, and why.
  package func read() -> (scenario: Scenario?, problems: [String]) {
    let reading = ScenarioReader.read(file: "\(id).json", bytes: Array(text.utf8))
    return (reading.scenario, reading.diagnostics.map(\.description))
  }
}
