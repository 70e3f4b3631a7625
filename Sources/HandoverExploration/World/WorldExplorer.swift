import HandoverCore
import HandoverSimulation

/// What came of the exploration of a world.
package enum WorldVerdict: Hashable, Sendable {
  /// Every state that can be reached was seen, the rules hold in all of them, and from each the
  /// world heals.
  case closed
  /// A rule is broken: a shortest sequence, and a shortest one that was accepted, where one was
  /// found.
  case broken(WorldCounterexample, accepted: WorldCounterexample?)
  /// It was stopped, and what it has seen keeps the rules: that proves nothing.
  ///
  /// `growing` names what went beyond what a setup allows.
  case stopped(ExplorationVerdict.Stop, growing: [Growth])
}

/// Walks the whole state space of a world, breadth first: the client, the device, the monitor's
/// callbacks, the network, its servers and their answers.
///
/// It is untimed: of everything that is under way or armed anything may come next, as far as it
/// does not overtake what is before it on its own connection. That is more than any real world
/// does, so that rules that hold here hold there, for sequences of any length. What is broken here
/// may need an order that no clock allows, and is played before it is shown.
package struct WorldExplorer: ~Copyable {
  let setup: WorldSetup
  var search: BreadthFirst<WorldExpander>
  private var found = Found()

  /// What was found of broken rules, and how often something was.
  private struct Found {
    static let maximumTries = 1_000

    var shortest: WorldCounterexample?
    var accepted: WorldCounterexample?
    var tries = 0
    /// The state after which the last one broke.
    var parent: UInt32?
  }

  /// Makes an exploration that has seen nothing.
  package init(_ setup: WorldSetup) {
    self.setup = setup
    search = BreadthFirst { WorldExpander(setup) }
  }

  /// How far it has come.
  package var figures: ExplorationFigures { search.ledger.figures }

  /// Says how much of its frontier stays in memory; without it, all does.
  package func limitFrontier(to room: FrontierRoom) {
    search.limitFrontier(to: room)
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// Once it was stopped, it goes on where it was.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - team: who works.
  ///   - isAccepted: whether the search ends with a counterexample; another one is sought
  ///     otherwise, for which no state after the broken rule is looked at.
  ///   - goesOn: is asked every few thousand transitions whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some Team = Alone(),
    accepting isAccepted: (WorldCounterexample) -> Bool = { _ in true },
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> WorldVerdict {
    let (setup, ledger) = (setup, search.ledger)
    var found = found
    let end = search.run(
      limits, team, isEndless: { $0.isEndless(setup) },
      judge: { broken in
        // Of each state one is enough.
        guard broken.parent != found.parent, let act = WorldAct(broken.act) else { return false }
        found.parent = broken.parent
        let one = WorldCounterexample(ledger.ways, to: broken.parent, act, broken.breach)
        found.shortest = found.shortest ?? one
        found.tries += 1
        if isAccepted(one) { found.accepted = one }
        return found.accepted != nil || found.tries >= Found.maximumTries
      }, goesOn: goesOn)
    self.found = found
    switch end {
    case .closed: return found.shortest.map { .broken($0, accepted: nil) } ?? .closed
    case .decided:
      return found.shortest.map { .broken($0, accepted: found.accepted) } ?? .closed
    case .stopped(let why):
      if let shortest = found.shortest { return .broken(shortest, accepted: nil) }
      return .stopped(why, growing: search.growth.beyond(setup))
    }
  }
}

extension WorldCounterexample {
  /// The sequence that leads to a state, and the act that breaks a rule there.
  init(_ ways: Ways, to state: UInt32, _ last: WorldAct, _ breach: WorldBreach) {
    var acts = ways.path(to: state).compactMap { WorldAct($0) }
    let read = NetworkCategory(rawValue: acts.removeFirst().subject) ?? .unknown
    self.init(initialRead: read, acts: acts + [last], breach: breach)
  }
}

/// The largest of what a world has of each thing that might grow for ever.
struct WorldGrowth: GrowthRecord {
  private var calls = 0
  private var connections = 0
  private var facts = 0
  private var callbacks = 0

  mutating func see(_ survey: borrowing WorldSurvey) {
    calls = max(calls, survey.client.callsInUse)
    connections = max(connections, survey.client.connectionsInUse)
    facts = max(facts, survey.facts.count)
    callbacks = max(callbacks, survey.callbacks.count)
  }

  var sizes: [Int] {
    get { [calls, connections, facts, callbacks] }
    set {
      (calls, connections, facts, callbacks) = (newValue[0], newValue[1], newValue[2], newValue[3])
    }
  }

  mutating func see(_ other: WorldGrowth) {
    calls = max(calls, other.calls)
    connections = max(connections, other.connections)
    facts = max(facts, other.facts)
    callbacks = max(callbacks, other.callbacks)
  }

  /// Whether something has grown so far that nobody waits for its end.
  func isEndless(_ setup: WorldSetup) -> Bool {
    beyond(setup).contains { $0.size >= 2 * $0.bound }
  }

  /// What has grown beyond the bounds of a setup.
  func beyond(_ setup: WorldSetup) -> [Growth] {
    var grown: [Growth] = []
    func look(_ name: String, _ size: Int, _ bound: Int) {
      if size > bound { grown.append(Growth(name: name, size: size, bound: bound)) }
    }
    let connectionBound = setup.client.hosts + setup.client.calls
    look("calls", calls, setup.client.calls)
    look("connections", connections, connectionBound)
    // Of each connection it is made, drained, pinged and lost, of each call a message and its end.
    look("facts on their way", facts, 4 * connectionBound + 3 * setup.client.calls)
    // Beside those that are bounded, one that was missed and one read afresh.
    look("callbacks on their way", callbacks, setup.atOnce + 3)
    return grown
  }
}

extension WorldSetup {
  /// Lets an act happen, in a network that may be broken.
  func perform(_ act: WorldAct, on world: inout ExploredWorld, seen: borrowing WorldSurvey) {
    if let fault, act.kind == .heard || act.kind == .releasedHeard,
      fault.loses(seen.facts[Int(act.subject)].kind)
    {
      return world.loseFact(Int(act.subject))
    }
    world.perform(act, seen: seen)
  }
}
