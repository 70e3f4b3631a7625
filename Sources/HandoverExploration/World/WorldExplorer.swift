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
  private struct Level: ~Copyable {
    var bytes = FormBytes(reserving: 1 << 16)
    var starts: ContiguousArray<Int> = []
    var numbers: ContiguousArray<UInt32> = []

    mutating func removeAll() {
      bytes.removeAll()
      starts.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
    }
  }

  private let setup: WorldSetup
  private let form: WorldForm
  private let alphabet: WorldAlphabet
  private let healing: WorldHealing
  private var rules: WorldRules
  private var world: ExploredWorld
  private var base = WorldState()
  private var after = WorldState()
  private var scratch = WorldSurvey()
  private var acts: ContiguousArray<WorldAct> = []
  private let visited = VisitedStates()
  private var parents: ContiguousArray<UInt32> = []
  private var ways: ContiguousArray<WorldAct> = []
  private var level = Level()
  private var next = Level()
  private var place = 0
  private var growth = WorldGrowth()
  /// What was found last, what was found first, and how often something was.
  private var found: WorldCounterexample?
  private var shortest: WorldCounterexample?
  private var tries = 0
  private static let maximumTries = 1_000
  /// How far it has come.
  package private(set) var figures = ExplorationFigures()

  /// Makes an exploration that has seen nothing.
  package init(_ setup: WorldSetup) {
    self.setup = setup
    form = WorldForm(setup)
    alphabet = WorldAlphabet(setup)
    healing = WorldHealing(setup)
    rules = WorldRules(setup)
    world = setup.makeWorld(setup.initialReads[0])
    base.expected = rules.initial
    after.expected = rules.initial
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// Once it was stopped, it goes on where it was.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - isAccepted: whether the search ends with a counterexample; another one is sought
  ///     otherwise, for which no state after the broken rule is looked at.
  ///   - goesOn: is asked every few thousand transitions whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(),
    accepting isAccepted: (WorldCounterexample) -> Bool = { _ in true },
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> WorldVerdict {
    if parents.isEmpty { begin() }
    while !level.starts.isEmpty {
      if let depth = limits.depth, figures.depth >= depth { return stopped(.depth) }
      while place < level.starts.count {
        expand(place)
        place += 1
        if let found {
          shortest = shortest ?? found
          tries += 1
          self.found = nil
          if isAccepted(found) { return .broken(shortest ?? found, accepted: found) }
          if tries >= Self.maximumTries { return .broken(shortest ?? found, accepted: nil) }
        }
        if figures.states > limits.states { return stopped(.states) }
        if place & 255 == 0, !goesOn(figures) { return stopped(.fromOutside) }
      }
      guard !next.starts.isEmpty else { break }
      swap(&level, &next)
      next.removeAll()
      place = 0
      figures.depth += 1
      figures.frontier = level.starts.count
      figures.widest = max(figures.widest, figures.frontier)
      if growth.isEndless(setup) { return stopped(.growth) }
      if !goesOn(figures) { return stopped(.fromOutside) }
    }
    return shortest.map { .broken($0, accepted: nil) } ?? .closed
  }

  private func stopped(_ why: ExplorationVerdict.Stop) -> WorldVerdict {
    if let shortest { return .broken(shortest, accepted: nil) }
    return .stopped(why, growing: growth.beyond(setup))
  }

  private mutating func begin() {
    for read in setup.initialReads {
      world = setup.makeWorld(read)
      world.survey(into: &after.survey)
      after.expected = rules.initial
      after.lostCalls = 0
      remember(from: .max, by: WorldAct(.flags, Int(read.rawValue)))
    }
    world = setup.makeWorld(setup.initialReads[0])
    swap(&level, &next)
    figures.frontier = level.starts.count
    figures.widest = figures.frontier
  }

  /// Tries every act in a state of the level.
  private mutating func expand(_ place: Int) {
    form.read(level.bytes, from: level.starts[place], into: &base)
    alphabet.list(base.survey, into: &acts)
    rules.look(at: base)
    for index in 0..<acts.count {
      let act = acts[index]
      figures.transitions += 1
      world.restore(base.survey)
      setup.perform(act, on: &world, seen: base.survey)
      world.survey(into: &after.survey)
      if let breach = rules.checkStep(act, base, &after, world.records) {
        note(level.numbers[place], act, breach)
      } else {
        remember(from: level.numbers[place], by: act)
      }
    }
  }

  private mutating func note(_ state: UInt32, _ act: WorldAct, _ breach: WorldBreach) {
    found = found ?? counterexample(to: state, act, breach)
  }

  /// Keeps the state that the world has come to, where it is a new one, and heals it.
  private mutating func remember(from parent: UInt32, by act: WorldAct) {
    let start = next.bytes.count
    form.write(after, into: &next.bytes)
    guard visited.insert(StateDigest(of: next.bytes, from: start)) else {
      return next.bytes.removeAll(from: start)
    }
    figures.states += 1
    growth.see(after.survey)
    next.starts.append(start)
    next.numbers.append(UInt32(truncatingIfNeeded: parents.count))
    parents.append(parent)
    ways.append(act)
    if let breach = healing.heal(&world, after, &scratch), parent != .max {
      note(parent, act, breach)
    }
  }

  private func counterexample(
    to state: UInt32, _ last: WorldAct, _ breach: WorldBreach
  ) -> WorldCounterexample {
    var acts = [last]
    var state = state
    while parents[Int(state)] != .max {
      acts.append(ways[Int(state)])
      state = parents[Int(state)]
    }
    return WorldCounterexample(
      initialRead: NetworkCategory(rawValue: ways[Int(state)].subject) ?? .unknown,
      acts: acts.reversed(), breach: breach)
  }
}

/// The largest of what a world has of each thing that might grow for ever.
struct WorldGrowth {
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
