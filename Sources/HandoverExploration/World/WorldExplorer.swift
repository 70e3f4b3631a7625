import HandoverCore
import HandoverSimulation

/// The result of the exploration of a world.
package enum WorldVerdict: Hashable, Sendable {
  /// Every reachable state was visited, the invariants hold in all of them, and the world recovers
  /// from each of them.
  case closed
  /// An invariant is violated.
  ///
  /// The first value is a shortest sequence. `accepted` is a shortest sequence that the caller
  /// accepted, or `nil` if there is none.
  case broken(WorldCounterexample, accepted: WorldCounterexample?)
  /// The exploration was stopped before it found a violation, which proves nothing.
  ///
  /// `growing` lists the quantities that exceeded the bounds of the setup.
  case stopped(ExplorationVerdict.Stop, growing: [Growth])
}

/// Explores the whole state space of a world, breadth first.
///
/// A world consists of the client, the device, the monitor's callbacks, the network, its servers
/// and their answers. The exploration is untimed: any pending event or armed timer may come next,
/// but no event overtakes an earlier one on the same connection. This includes every behavior of a
/// real world. Invariants that hold here therefore hold there, for sequences of any length. A
/// violation may need an order that no clock allows, so callers replay it before they show it.
package struct WorldExplorer: ~Copyable {
  let setup: WorldSetup
  var search: BreadthFirst<WorldExpander>
  private var found = Found()

  /// The violations found so far, and their number.
  private struct Found {
    static let maximumTries = 1_000

    var shortest: WorldCounterexample?
    var accepted: WorldCounterexample?
    var tries = 0
    /// The state in which the last violation happened.
    var parent: UInt32?
  }

  /// Creates an exploration that has not visited any state.
  package init(_ setup: WorldSetup) {
    self.setup = setup
    search = BreadthFirst { WorldExpander(setup) }
  }

  /// The progress so far.
  package var figures: ExplorationFigures { search.exploration.figures }

  /// Limits how much of the frontier stays in memory; by default, all of it does.
  package func limitFrontier(to room: FrontierRoom) {
    search.limitFrontier(to: room)
  }

  /// Explores until the state space is exhausted, an invariant is violated, or a limit is reached.
  ///
  /// A later call continues an exploration that was stopped.
  ///
  /// - Parameters:
  ///   - limits: The limits at which the exploration stops.
  ///   - team: The workers.
  ///   - isAccepted: Whether a counterexample ends the search. If not, the search continues,
  ///     without expanding the states after the violation.
  ///   - shouldContinue: Called every few thousand transitions; returns whether to continue.
  /// - Returns: The verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some WorkerPool = SingleWorker(),
    accepting isAccepted: (WorldCounterexample) -> Bool = { _ in true },
    shouldContinue: (ExplorationFigures) -> Bool = { _ in true }
  ) -> WorldVerdict {
    let (setup, exploration) = (setup, search.exploration)
    var found = found
    let end = search.run(
      limits, team, isEndless: { $0.isEndless(setup) },
      judge: { broken in
        // One violation per state is enough.
        guard broken.parent != found.parent, let action = WorldAction(broken.action) else {
          return false
        }
        found.parent = broken.parent
        let one = WorldCounterexample(exploration.ways, to: broken.parent, action, broken.violation)
        found.shortest = found.shortest ?? one
        found.tries += 1
        if isAccepted(one) { found.accepted = one }
        return found.accepted != nil || found.tries >= Found.maximumTries
      }, shouldContinue: shouldContinue)
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
  /// Creates the sequence that leads to a state, with the action that violates an invariant there.
  init(_ ways: ParentLinks, to state: UInt32, _ last: WorldAction, _ violation: WorldViolation) {
    var actions = ways.path(to: state).compactMap { WorldAction($0) }
    let read = NetworkCategory(rawValue: actions.removeFirst().subject) ?? .unknown
    self.init(initialRead: read, actions: actions + [last], violation: violation)
  }
}

/// The maximum, over the visited states, of each quantity that might grow without bound.
struct WorldGrowth: GrowthRecord {
  private var calls = 0
  private var connections = 0
  private var facts = 0
  private var callbacks = 0

  mutating func observe(_ survey: borrowing WorldSurvey) {
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

  mutating func merge(_ other: WorldGrowth) {
    calls = max(calls, other.calls)
    connections = max(connections, other.connections)
    facts = max(facts, other.facts)
    callbacks = max(callbacks, other.callbacks)
  }

  /// Whether a quantity exceeds its bound so far that the state space is considered infinite.
  func isEndless(_ setup: WorldSetup) -> Bool {
    beyond(setup).contains { $0.size >= 2 * $0.bound }
  }

  /// Returns the quantities that exceed the bounds of a setup.
  func beyond(_ setup: WorldSetup) -> [Growth] {
    var grown: [Growth] = []
    func check(_ name: String, _ size: Int, _ bound: Int) {
      if size > bound { grown.append(Growth(name: name, size: size, bound: bound)) }
    }
    let connectionBound = setup.client.hosts + setup.client.calls
    check("calls", calls, setup.client.calls)
    check("connections", connections, connectionBound)
    // A connection can be made, drained, pinged and lost; a call has messages, an end and a token.
    check("pending events", facts, 4 * connectionBound + 3 * setup.client.calls)
    // In addition to the bounded callbacks, one may have been missed and one reread.
    check("pending callbacks", callbacks, setup.maximumPending + 3)
    return grown
  }
}

extension WorldSetup {
  /// Performs an action in a network with or without an injected fault.
  func perform(_ action: WorldAction, on world: inout ExploredWorld, seen: borrowing WorldSurvey) {
    if let fault, action.kind == .received || action.kind == .releasedReceived,
      fault.loses(seen.facts[Int(action.subject)].kind)
    {
      return world.loseFact(Int(action.subject))
    }
    world.perform(action, seen: seen)
  }
}
