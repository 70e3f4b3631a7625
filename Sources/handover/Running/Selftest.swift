import Dispatch
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReference
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

/// A test of mutants, which runs each on scenarios and searches for it with an exploration.
///
/// Several mutants are tested in parallel.
struct Selftest: Sendable {
  /// A mutant with the outcome of its test.
  struct Outcome: Sendable {
    var mutant: Mutant
    /// The results of the scenarios that were run.
    var kills: [Kill] = []
    /// The scenarios that must kill the mutant and do not exist.
    var missing: [String] = []
    /// The number of actions in the shortest counterexample, or `nil` if none was found or searched
    /// for.
    var actions: Int?
    /// Whether an exploration has searched for the mutant.
    var isExplored = false
    /// The signal that ended the mutant's thread.
    var crash: String?

    /// The reason why the mutant survives, or `nil` if it is killed as it should be.
    var survival: String? {
      // A mutant that crashes in the middle of a run is detected.
      if crash != nil { return nil }
      if let one = missing.first { return "the scenario \(one) is missing" }
      for one in kills where mutant.scenarios.contains(one.scenario) {
        if let breakdown = one.breakdown { return "\(one.scenario) has no verdict: \(breakdown)" }
        if !one.isDetected { return "\(one.scenario) passes" }
      }
      if !kills.contains(where: \.isDetected) { return "no scenario detects it" }
      if let item = mutant.items.first(where: { !shows($0) }) {
        return "no expectation that shows \(item) fails"
      }
      guard isExplored else { return nil }
      switch mutant.depth {
      case .actions(let bound, _):
        return (actions ?? .max) > bound
          ? "an exploration of \(bound) actions does not find it" : nil
      case .unseen:
        return actions.map {
          "an exploration finds it after \($0) actions, but the list says it is not explored"
        }
      }
    }

    /// Returns whether a scenario shows that the mutant violates a requirement.
    private func shows(_ item: String) -> Bool { kills.contains { $0.shows(item) } }
  }

  private var scenarios: [String: Scenario] = [:]  // lookup only
  private let sorted: [Scenario]
  private let isTotal: Bool
  private let explores: Explored

  /// The explorations that search for mutants.
  enum Explored: Sendable {
    case none
    /// Explorations of a client's states, which take little time.
    case states
    /// Explorations of states, and explorations against the model.
    case all
  }

  /// Creates a self-test with scenarios.
  ///
  /// - Parameters:
  ///   - scenarios: All scenarios.
  ///   - isTotal: Whether each mutant is run on all scenarios instead of only those that it names.
  ///   - explores: The explorations that search for mutants.
  init(_ scenarios: [Scenario], isTotal: Bool = false, explores: Explored = .states) {
    sorted = scenarios
    for scenario in scenarios { self.scenarios[scenario.id] = scenario }
    self.isTotal = isTotal
    self.explores = explores
  }

  /// Tests mutants; a mutant that crashes its thread does not affect the others.
  ///
  /// - Parameters:
  ///   - mutants: The mutants.
  ///   - jobs: The number of mutants that run in parallel.
  ///   - shouldContinue: A closure that is called before each mutant with the number of finished
  ///     mutants and the number of survivors. The test stops if it returns `false`.
  /// - Returns: The outcomes in the order of the mutants, without those that were not tested.
  func run(
    _ mutants: [Mutant], jobs: Int, shouldContinue: @escaping @Sendable (Int, Int) -> Bool
  ) -> [Outcome] {
    let board = MutantQueue(State(count: mutants.count))
    GuardedWorkers.run(jobs: min(jobs, mutants.count)) {
      board.state.withLock { $0.next(shouldContinue) }
    } work: { index in
      let outcome = outcome(of: mutants[index])
      board.state.withLock { $0.finish(index, outcome) }
    } lost: { index, fault in
      board.state.withLock {
        $0.finish(index, Outcome(mutant: mutants[index], crash: "\(fault)"))
      }
    }
    return board.state.withLock { $0.outcomes.compactMap(\.self) }
  }

  private func outcome(of mutant: Mutant) -> Outcome {
    var outcome = Outcome(mutant: mutant)
    outcome.missing = mutant.scenarios.filter { scenarios[$0] == nil }
    let played = isTotal ? sorted : mutant.scenarios.compactMap { scenarios[$0] }
    outcome.kills = Mutant.tried(mutant, on: played)
    explore(&outcome)
    return outcome
  }

  private func explore(_ outcome: inout Outcome) {
    guard explores != .none else { return }
    let mutant = outcome.mutant
    switch mutant.depth {
    case .actions(let bound, let walk):
      guard explores == .all || walk.exploresStates else { return }
      outcome.isExplored = true
      outcome.actions = Self.actions(mutant, walk, within: bound)
    case .unseen:
      guard explores == .all, let profile = scenarios[mutant.scenarios.first ?? ""]?.profiles.first
      else { return }
      outcome.isExplored = true
      let walk = Mutant.Walk(profile.name, against: ModelGroup.allCases)
      outcome.actions = Self.actions(mutant, walk, within: 1)
    }
  }

  /// Returns the length of the shortest counterexample for a mutant, or `nil` if there is none.
  static func actions(_ mutant: Mutant, _ walk: Mutant.Walk, within bound: Int) -> Int? {
    if case .model(let groups) = walk.judge {
      guard let profile = Profile.named(walk.profile) else { return nil }
      var explorer = ModelExplorer(profile, groups, against: FaultyBackend([mutant]))
      guard case .differs(let found) = explorer.run(depth: bound) else { return nil }
      return found.actions.count
    }
    guard let setup = ExplorationSetup(mutant, walk) else { return nil }
    var explorer = Explorer(setup)
    guard case .broken(let shortest, _) = explorer.run(ExplorationLimits(depth: bound)) else {
      return nil
    }
    return shortest.actions.count
  }

  /// The state that the threads share.
  private final class MutantQueue: Sendable {
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }
  }

  private struct State {
    var outcomes: [Outcome?]
    private var begun = 0
    private var done = 0
    private var survivors = 0

    init(count: Int) { outcomes = Array(repeating: nil, count: count) }

    mutating func next(_ shouldContinue: (Int, Int) -> Bool) -> Int? {
      guard begun < outcomes.count, shouldContinue(done, survivors) else { return nil }
      begun += 1
      return begun - 1
    }

    mutating func finish(_ index: Int, _ outcome: Outcome) {
      outcomes[index] = outcome
      done += 1
      if outcome.survival != nil { survivors += 1 }
    }
  }
}

extension ExplorationSetup {
  /// Creates the exploration that finds a mutant, or returns `nil` if its profile has no calls.
  init?(_ mutant: Mutant, _ walk: Mutant.Walk) {
    guard case .rules(let hosts, let calls, let isPlain) = walk.judge,
      let profile = Profile.named(walk.profile)
    else { return nil }
    self.init(profile, hosts: hosts, calls: calls, extras: isPlain ? .plain : .full)
    alter(mutant.alter)
  }
}

extension Selftest {
  /// Checks the built-in client's behavior in all scenarios against the independent reference
  /// checker.
  ///
  /// - Returns: The number of histories that were checked, and the first violation.
  func reference() -> (histories: Int, broken: String?) {
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    var count = 0
    for scenario in sorted {
      for (profile, result) in zip(scenario.profiles, worker.run(scenario).cases)
      where profile.client.work == .calls {
        guard let trace = result.trace else { continue }
        count += 1
        let terms = Terms(profile, idle: scenario.script.configuration.idle, isTimed: true)
        if let broken = Reference.judge(trace.records, terms) {
          let at = Interval(microseconds: broken.at).text
          return (count, "\(scenario.id) [\(profile.name)] at \(at): \(broken.sentence.text)")
        }
      }
    }
    return (count, nil)
  }

  /// Returns the largest number of calls that a scenario starts at one instant.
  private static func started(_ scenario: Scenario) -> Int {
    var (most, count, last) = (0, 0, Instant.zero)
    for entry in scenario.script.entries {
      guard case .startCall = entry.action else { continue }
      count = entry.at == last ? count + 1 : 1
      (most, last) = (max(most, count), entry.at)
    }
    return most
  }

  /// The scenario with the largest number of simultaneous calls, for the hash order test.
  var crowded: Scenario? {
    sorted.filter { $0.script.calls.count < 1_000 }
      .max { Self.started($0) < Self.started($1) }
  }
}

extension SelftestReport.Row {
  /// Creates a row for people from the outcome of a mutant.
  init(_ outcome: Selftest.Outcome) {
    let mutant = outcome.mutant
    self.init(
      name: mutant.name, sentence: mutant.sentence, kind: mutant.kind.rawValue, items: mutant.items,
      scenarios: mutant.scenarios)
    switch mutant.depth {
    case .actions(let bound, let walk):
      (self.bound, actions) = (bound, outcome.actions)
      exploration = "\(walk.command) --defect \(mutant.name)"
    case .unseen(let reason): unseen = reason.rawValue
    }
    reasonWithoutItem = mutant.reasonWithoutItem
    survival = outcome.survival
    crash = outcome.crash
    let first = outcome.kills.first(where: \.isDetected)
    detection = first.flatMap { one in
      one.finding.map { "\(one.scenario) [\(one.profile ?? "")]: \($0.expected); seen: \($0.seen)" }
    }
  }
}
