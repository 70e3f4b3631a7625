package import HandoverCore

/// A kind of event in a random run.
package enum SwarmEvent: String, Hashable, Sendable, CaseIterable {
  /// Calls of each kind start.
  case calls
  case cancels
  case messages
  case disconnects
  /// The device changes its network, with or without a callback.
  case flags
  case paths
  /// The app goes to the background and returns.
  case app
  case servers
  case names
  case transports
  /// Callbacks are lost, delayed or repeated.
  case callbacks
}

/// The composition of one random run: the kinds of events, their frequency, and their pace.
///
/// A run with all kinds of events rarely gets far with any kind. A run without some kinds gets
/// further with the other kinds (swarm testing).
package struct SwarmOptions: Hashable, Sendable {
  /// The relative frequency of each kind; zero if the run does not have it.
  package let weights: [SwarmEvent: Int]  // lookup only
  /// The approximate time between two events.
  package let pace: Interval
  /// Whether calls have deadlines, whether calls wait for tokens, and whether connections send
  /// pings.
  package let hasDeadlines: Bool
  package let hasTokens: Bool
  package let hasKeepalive: Bool

  /// Generates the options of a run at random from a seed.
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

  /// A one-line description of the options, with the event kinds and their weights.
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

/// A random number generator whose results for a seed never change between versions.
struct SwarmDraw {
  private var generator: SeededGenerator

  init(seed: UInt64, part: UInt64) {
    generator = SeededGenerator(seed: seed).forked(label: part)
  }

  /// Returns a number from zero to `count` - 1.
  mutating func below(_ count: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(max(1, count) - 1)))
  }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: Element...) -> Element { elements[below(elements.count)] }
}
