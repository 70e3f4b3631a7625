import Dispatch
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverFaults
import HandoverReference
import HandoverReport
import HandoverScenario
import HandoverSimulation
import HandoverTrace
import Synchronization

/// Faults, each played on scenarios and looked for by an exploration, several at once.
struct Selftest: Sendable {
  /// A fault, and what became of it.
  struct Outcome: Sendable {
    var fault: PlantedFault
    /// One for each scenario that was played.
    var convictions: [Conviction] = []
    /// The scenarios that must convict it and are not there.
    var missing: [String] = []
    /// How many acts the shortest counterexample has; nil where none was found, or looked for.
    var acts: Int?
    /// Whether an exploration has looked for it.
    var isExplored = false
    /// The signal that ended the thread on which it was played.
    var crash: String?

    /// Why it survives, in words; nil where it is convicted as it should be.
    var survival: String? {
      // Whoever traps in the middle of a run has not passed for right.
      if crash != nil { return nil }
      if let one = missing.first { return "there is no scenario \(one)" }
      for one in convictions where fault.scenarios.contains(one.scenario) {
        if let breakdown = one.breakdown { return "\(one.scenario) has no verdict: \(breakdown)" }
        if !one.isConvicted { return "\(one.scenario) passes" }
      }
      if !convictions.contains(where: \.isConvicted) { return "no scenario convicts it" }
      if let item = fault.items.first(where: { !shows($0) }) {
        return "no expectation that shows \(item) fails"
      }
      guard isExplored else { return nil }
      switch fault.depth {
      case .acts(let bound, _):
        return (acts ?? .max) > bound ? "an exploration of \(bound) acts does not find it" : nil
      case .unseen:
        return acts.map { "an exploration finds it after \($0) acts, and the list does not say so" }
      }
    }

    /// Whether a scenario convicts it of breaking an item.
    private func shows(_ item: String) -> Bool { convictions.contains { $0.shows(item) } }
  }

  private var scenarios: [String: Scenario] = [:]  // lookup only
  private let sorted: [Scenario]
  private let isTotal: Bool
  private let explores: Explored

  /// Which explorations look for faults.
  enum Explored: Sendable {
    case none
    /// Those of the states of a client, which take no time.
    case states
    /// Those against the model too.
    case all
  }

  /// Takes the scenarios.
  ///
  /// - Parameters:
  ///   - scenarios: all that there are.
  ///   - isTotal: whether each fault is played on all of them, and not only on those it names.
  ///   - explores: which explorations look for them.
  init(_ scenarios: [Scenario], isTotal: Bool = false, explores: Explored = .states) {
    sorted = scenarios
    for scenario in scenarios { self.scenarios[scenario.id] = scenario }
    self.isTotal = isTotal
    self.explores = explores
  }

  /// Plays faults; one that ends its thread by a fault costs the others nothing.
  ///
  /// - Parameters:
  ///   - faults: the faults.
  ///   - jobs: how many at once.
  ///   - goesOn: is asked before each fault, with how many are done and how many of them survive.
  /// - Returns: what became of each, in their order; those that were not played are left out.
  func run(
    _ faults: [PlantedFault], jobs: Int, goesOn: @escaping @Sendable (Int, Int) -> Bool
  ) -> [Outcome] {
    let board = Board(State(count: faults.count))
    GuardedTeam.run(jobs: min(jobs, faults.count)) {
      board.state.withLock { $0.next(goesOn) }
    } work: { index in
      let outcome = outcome(of: faults[index])
      board.state.withLock { $0.finish(index, outcome) }
    } lost: { index, fault in
      board.state.withLock {
        $0.finish(index, Outcome(fault: faults[index], crash: "\(fault)"))
      }
    }
    return board.state.withLock { $0.outcomes.compactMap(\.self) }
  }

  private func outcome(of fault: PlantedFault) -> Outcome {
    var outcome = Outcome(fault: fault)
    outcome.missing = fault.scenarios.filter { scenarios[$0] == nil }
    let played = isTotal ? sorted : fault.scenarios.compactMap { scenarios[$0] }
    outcome.convictions = PlantedFault.tried(fault, on: played)
    explore(&outcome)
    return outcome
  }

  private func explore(_ outcome: inout Outcome) {
    guard explores != .none else { return }
    let fault = outcome.fault
    switch fault.depth {
    case .acts(let bound, let walk):
      guard explores == .all || walk.isOfStates else { return }
      outcome.isExplored = true
      outcome.acts = Self.acts(fault, walk, within: bound)
    case .unseen:
      guard explores == .all, let profile = scenarios[fault.scenarios.first ?? ""]?.profiles.first
      else { return }
      outcome.isExplored = true
      let walk = PlantedFault.Walk(profile.name, against: ModelGroup.allCases)
      outcome.acts = Self.acts(fault, walk, within: 1)
    }
  }

  /// How long the shortest counterexample to a client with a fault is; nil where there is none.
  static func acts(_ fault: PlantedFault, _ walk: PlantedFault.Walk, within bound: Int) -> Int? {
    if case .model(let groups) = walk.judge {
      guard let profile = Profile.named(walk.profile) else { return nil }
      var explorer = ModelExplorer(profile, groups, against: FaultyBackend([fault]))
      guard case .differs(let found) = explorer.run(depth: bound) else { return nil }
      return found.acts.count
    }
    guard let setup = ExplorationSetup(fault, walk) else { return nil }
    var explorer = Explorer(setup)
    guard case .broken(let shortest, _) = explorer.run(ExplorationLimits(depth: bound)) else {
      return nil
    }
    return shortest.acts.count
  }

  /// What the threads share.
  private final class Board: Sendable {
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }
  }

  private struct State {
    var outcomes: [Outcome?]
    private var begun = 0
    private var done = 0
    private var survivors = 0

    init(count: Int) { outcomes = Array(repeating: nil, count: count) }

    mutating func next(_ goesOn: (Int, Int) -> Bool) -> Int? {
      guard begun < outcomes.count, goesOn(done, survivors) else { return nil }
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
  /// The exploration that finds a fault; nil where its profile is none of calls.
  init?(_ fault: PlantedFault, _ walk: PlantedFault.Walk) {
    guard case .rules(let hosts, let calls, let isPlain) = walk.judge,
      let profile = Profile.named(walk.profile)
    else { return nil }
    self.init(profile, hosts: hosts, calls: calls, extras: isPlain ? .plain : .full)
    alter(fault.alter)
  }
}

extension Selftest {
  /// Whether the documents' sentences hold of what the built-in client does in all scenarios.
  ///
  /// - Returns: how many histories were judged, and the first sentence that does not hold of one.
  func reference() -> (histories: Int, broken: String?) {
    var worker = Worker(SimulatedBackend(), keeps: .traces)
    var count = 0
    for scenario in sorted {
      for (profile, result) in zip(scenario.profiles, worker.run(scenario).cases)
      where !profile.rules.contains(.requestLimits) {
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

  /// The most calls that a scenario starts at one instant.
  private static func started(_ scenario: Scenario) -> Int {
    var (most, count, last) = (0, 0, Instant.zero)
    for entry in scenario.script.entries {
      guard case .startCall = entry.action else { continue }
      count = entry.at == last ? count + 1 : 1
      (most, last) = (max(most, count), entry.at)
    }
    return most
  }

  /// The scenario in which most calls end, for the order of hashes.
  var crowded: Scenario? {
    sorted.filter { $0.script.calls.count < 1_000 }
      .max { Self.started($0) < Self.started($1) }
  }
}

extension SelftestReport.Row {
  /// What became of a fault, for people.
  init(_ outcome: Selftest.Outcome) {
    let fault = outcome.fault
    self.init(
      name: fault.name, sentence: fault.sentence, kind: fault.kind.rawValue, items: fault.items,
      scenarios: fault.scenarios)
    switch fault.depth {
    case .acts(let bound, let walk):
      (self.bound, acts) = (bound, outcome.acts)
      exploration = "\(walk.command) --defect \(fault.name)"
    case .unseen(let reason): unseen = reason.rawValue
    }
    reasonWithoutItem = fault.reasonWithoutItem
    survival = outcome.survival
    crash = outcome.crash
    let first = outcome.convictions.first(where: \.isConvicted)
    conviction = first.flatMap { one in
      one.finding.map { "\(one.scenario) [\(one.profile ?? "")]: \($0.expected); seen: \($0.seen)" }
    }
  }
}
