package import HandoverMachines

/// A kind of event of a random run.
package enum SwarmEvent: String, Hashable, Sendable, CaseIterable {
  /// Calls of each kind start.
  case calls
  case cancels
  case messages
  case disconnects
  /// The device goes to another network, with a callback or without.
  case flags
  case paths
  /// The application goes to the background and comes back.
  case app
  case servers
  case names
  case transports
  /// Callbacks are lost, late and repeated.
  case callbacks
}

/// What one random run is made of: which kinds of events it has, how often, and how fast they come.
///
/// A run that has everything rarely gets far into anything; with kinds left out others do.
package struct SwarmOptions: Hashable, Sendable {
  /// How often each kind comes, beside each other; zero where the run has none of it.
  package let weights: [SwarmEvent: Int]  // lookup only
  /// About how long it is from one event to the next.
  package let pace: Interval
  /// Whether calls have deadlines, and wait for tokens, and whether connections are pinged.
  package let hasDeadlines: Bool
  package let hasTokens: Bool
  package let hasKeepalive: Bool

  /// Draws the options of a run.
  package init(_ setup: ExplorationSetup, seed: UInt64) {
    var draw = SwarmDraw(seed: seed, part: 1)
    var weights: [SwarmEvent: Int] = [:]  // lookup only
    for event in SwarmEvent.allCases {
      let weight = [1, 2, 4, 8][draw.below(4)]
      let isOn = draw.chance(60)
      let isPossible = event != .callbacks || setup.profile.policy.monitorsReachability
      weights[event] = event == .calls ? 8 : isOn && isPossible ? weight : 0
    }
    self.weights = weights
    let paces: [Interval] = [
      .milliseconds(10), .milliseconds(300), .seconds(2), .seconds(10), .seconds(40),
    ]
    pace = paces[draw.below(paces.count)]
    hasDeadlines = draw.chance(50) && setup.extras.contains(.deadlines)
    hasTokens = draw.chance(30) && setup.extras.contains(.tokens)
    hasKeepalive = draw.chance(40) && setup.extras.contains(.keepalive)
  }

  /// The kinds that the run has, the most frequent first, in one line.
  package var text: String {
    let kinds = SwarmEvent.allCases.filter { (weights[$0] ?? 0) > 0 }
    let on = kinds.map { "\($0.rawValue) \(weights[$0] ?? 0)" }.joined(separator: ", ")
    let extras = [
      hasDeadlines ? "deadlines" : nil, hasTokens ? "tokens" : nil,
      hasKeepalive ? "keepalive" : nil,
    ].compactMap { $0 }
    return on + (extras.isEmpty ? "" : "; with " + extras.joined(separator: ", "))
      + "; \(pace.text) from one to the next"
  }
}

/// Draws of one seed, the same for ever.
struct SwarmDraw {
  private var generator: SeededGenerator

  init(seed: UInt64, part: UInt64) {
    generator = SeededGenerator(seed: seed).forked(label: part)
  }

  /// A number from zero to below a count.
  mutating func below(_ count: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(max(1, count) - 1)))
  }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: Element...) -> Element { elements[below(elements.count)] }
}
