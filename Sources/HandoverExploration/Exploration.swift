package import HandoverMachines

/// How far an exploration has come.
package struct ExplorationFigures: Hashable, Sendable {
  /// States seen, each once.
  package var states = 0
  /// Acts tried, each in each state where it can happen.
  package var transitions = 0
  /// The length of the longest of all shortest ways to a state, in acts.
  package var depth = 0
  /// States of that depth, of which the next ones are sought.
  package var frontier = 0
  /// The most there were of them at one depth.
  package var widest = 0

  package init() {}
}

/// A shortest way to a broken rule.
package struct Counterexample: Hashable, Sendable {
  /// What the monitor read first; Unknown where the read failed.
  package var initialRead: NetworkCategory
  /// What happened then, in order; the last act broke the rule.
  package var acts: [Act]
  /// What was broken.
  package var breach: Breach
}

/// What came of an exploration.
package enum ExplorationVerdict: Hashable, Sendable {
  /// Every state that can be reached was seen, and the rules hold in all of them.
  case closed
  /// A rule is broken: a shortest sequence, and a shortest one that can be played in time, where
  /// one was found.
  case broken(Counterexample, playable: Counterexample?)
  /// It was stopped, and what it has seen keeps the rules: that proves nothing.
  ///
  /// `growing` names what went beyond what the setup allows; with anything in it the exploration
  /// does not close at all.
  case stopped(Stop, growing: [Growth])

  /// Why it was stopped.
  package enum Stop: Hashable, Sendable {
    case depth
    case states
    /// There is no end to something.
    case growth
    case fromOutside
  }
}

/// Something that a setup does not bound, and that has grown.
package struct Growth: Hashable, Sendable {
  /// What it is, in words.
  package var name: String
  /// How large it has become, and how large it may be where an exploration closes.
  package var size: Int
  package var bound: Int
}

/// Where an exploration is left although it has not closed.
package struct ExplorationLimits: Hashable, Sendable {
  /// The longest ways that are tried, in acts; nil for all.
  package var depth: Int?
  /// How many states there may be, of about 60 bytes each.
  package var states: Int

  package init(depth: Int? = nil, states: Int = 10_000_000) {
    self.depth = depth
    self.states = states
  }
}

/// Walks the whole state space of a client, breadth first, in a network that may do anything.
///
/// Each state is looked at once, in its ``CanonicalForm``, and from each everything happens that
/// can. When no act leads anywhere new, the rules hold for sequences of any length: the network is
/// more general than every real one, and any timer may fire while it is armed. A broken rule is
/// found by a shortest sequence of acts.
package struct Explorer: ~Copyable {
  /// The states of one depth: their forms behind each other.
  struct Level {
    var bytes: ContiguousArray<UInt8> = []
    var starts: ContiguousArray<Int> = []
    var numbers: ContiguousArray<UInt32> = []

    mutating func removeAll() {
      bytes.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
    }
  }

  let setup: ExplorationSetup
  private let form: CanonicalForm
  private var client: ClientCore
  private var rules: StepRules
  private var base = ClientSurvey()
  private var expected: ContiguousArray<Interval>
  private var after = ClientSurvey()
  private var log = EffectLog<ClientEffect>(reserving: 64)
  private var acts: ContiguousArray<Act> = []
  private var bytes: ContiguousArray<UInt8> = []
  var visited = VisitedStates()
  /// How each state was reached: from which one, and by which act; the first ones by a read.
  var parents: ContiguousArray<UInt32> = []
  var ways: ContiguousArray<Act> = []
  var level = Level()
  var next = Level()
  /// The first state of the level that was not looked at.
  var place = 0
  var growth = GrowthWatch()
  /// The first sequence that broke a rule, and the first one that can be played in time; they are
  /// not always the same, because here timers fire in orders that no clock allows.
  private var shortest: Counterexample?
  private var playable: Counterexample?
  private var sequencesTried = 0
  private static let sequencesToTry = 1_000
  /// How far it has come.
  package internal(set) var figures = ExplorationFigures()

  /// Makes an exploration that has seen nothing.
  package init(_ setup: ExplorationSetup) {
    self.setup = setup
    form = CanonicalForm(setup)
    client = setup.makeClient()
    rules = StepRules(setup)
    expected = rules.expected
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// Once it was stopped, it goes on where it was.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - goesOn: is asked every few thousand transitions whether to go on; the way for time, which
  ///     does not pass in here, and for whoever shows how far it has come.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    if parents.isEmpty { begin() }
    while !level.starts.isEmpty {
      if let depth = limits.depth, figures.depth >= depth { return stopped(.depth) }
      while place < level.starts.count {
        expand(place)
        place += 1
        if let shortest, playable != nil || sequencesTried >= Self.sequencesToTry {
          return .broken(shortest, playable: playable)
        }
        if visited.count > limits.states { return stopped(.states) }
        if place & 1_023 == 0, !goesOn(figures) { return stopped(.fromOutside) }
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
    return shortest.map { .broken($0, playable: nil) } ?? .closed
  }

  private func stopped(_ why: ExplorationVerdict.Stop) -> ExplorationVerdict {
    if let shortest { return .broken(shortest, playable: nil) }
    return .stopped(why, growing: growth.beyond(setup))
  }

  private mutating func begin() {
    for read in setup.initialReads {
      client = setup.makeClient()
      log.removeAll()
      client.stepTampered(
        .reachability(.initialRead(ClientCore.flags(of: read))), at: CanonicalForm.present,
        into: &log)
      client.survey(into: &after, at: CanonicalForm.present)
      remember(from: .max, by: Act(.callback, place: Int(read.rawValue)))
    }
    swap(&level, &next)
    figures.frontier = level.starts.count
    figures.widest = figures.frontier
  }

  /// Tries every act in a state of the level.
  private mutating func expand(_ place: Int) {
    form.read(
      level.bytes, from: level.starts[place], hosts: setup.hosts, into: &base, &expected)
    setup.list(base, at: CanonicalForm.present, into: &acts)
    for index in 0..<acts.count {
      let act = acts[index]
      figures.transitions += 1
      client.restore(base, at: CanonicalForm.present)
      log.removeAll()
      client.perform(act, seen: base, at: CanonicalForm.present, into: &log)
      client.survey(into: &after, at: CanonicalForm.present)
      rules.expected = expected
      if let breach = rules.check(act, base, after, log, at: CanonicalForm.present) {
        note(counterexample(to: level.numbers[place], act, breach))
        if playable != nil { return }
      } else {
        remember(from: level.numbers[place], by: act)
      }
    }
  }

  private mutating func note(_ counterexample: Counterexample) {
    shortest = shortest ?? counterexample
    sequencesTried += 1
    if PlayedPath(counterexample, setup).obstacle == nil { playable = counterexample }
  }

  /// Keeps the state that the client has come to, where it is a new one.
  private mutating func remember(from parent: UInt32, by act: Act) {
    bytes.removeAll(keepingCapacity: true)
    form.write(after, rules.expected, at: CanonicalForm.present, into: &bytes)
    guard visited.insert(StateDigest(of: bytes)) else { return }
    figures.states += 1
    growth.see(after)
    next.starts.append(next.bytes.count)
    next.numbers.append(UInt32(truncatingIfNeeded: parents.count))
    next.bytes.append(contentsOf: bytes)
    parents.append(parent)
    ways.append(act)
  }

  private func counterexample(
    to state: UInt32, _ last: Act, _ breach: Breach
  ) -> Counterexample {
    var acts = [last]
    var state = state
    while parents[Int(state)] != .max {
      acts.append(ways[Int(state)])
      state = parents[Int(state)]
    }
    return Counterexample(
      initialRead: ways[Int(state)].category, acts: acts.reversed(), breach: breach)
  }
}

/// The largest of what a state has of each thing that might grow for ever.
struct GrowthWatch {
  var calls = 0
  var connections = 0
  var queued = 0
  var lateSends = 0
  var mean = Interval.zero

  mutating func see(_ state: ClientSurvey) {
    calls = max(calls, state.callsInUse)
    connections = max(connections, state.connectionsInUse)
    for call in state.calls { queued = max(queued, Int(call.queuedMessages)) }
    for host in state.hosts {
      mean = max(mean, host.mean)
      lateSends = max(lateSends, host.lateSends)
    }
  }

  /// Whether something has grown so far beyond what a setup allows that nobody waits for its end.
  func isEndless(_ setup: ExplorationSetup) -> Bool {
    beyond(setup).contains { $0.size >= 2 * $0.bound + 16 }
  }

  /// What has grown beyond the bounds of a setup.
  func beyond(_ setup: ExplorationSetup) -> [Growth] {
    var grown: [Growth] = []
    func look(_ name: String, _ size: Int, _ bound: Int) {
      if size > bound { grown.append(Growth(name: name, size: size, bound: bound)) }
    }
    look("calls", calls, setup.calls)
    // Each host has one of its own, and each other one drains for a call.
    look("connections", connections, setup.hosts + setup.calls)
    look("messages that wait for a connection", queued, 0)
    look("calls that are still to be sent after their end", lateSends, 0)
    look(
      "seconds of backoff", Int(mean.microseconds / 1_000_000),
      Int(setup.configuration.backoff.maximum.microseconds / 1_000_000))
    return grown
  }
}
