import HandoverCore
import HandoverExploration

/// The progress of an exploration on the terminal, with a time limit.
struct ExplorationProgress {
  private let began = ContinuousClock.now
  private let time: Duration?
  private let states: Int
  private var shown = ContinuousClock.now
  private let isShown = StandardStream.error.isTerminal
  /// The number of states at each depth that was begun.
  private var levels: [Int: Int] = [:]
  private var outlook = ExplorationOutlook()
  /// The progress at the first report; restored states took no time in this process.
  private var first: ExplorationFigures?

  init(_ budget: ExplorationBudget) {
    time = budget.time
    states = budget.states
  }

  var isTimeOver: Bool {
    time.map { ContinuousClock.now - began > $0 } ?? false
  }

  /// Returns the number of states at each depth of an exploration that began in this process.
  func levels(of figures: ExplorationFigures) -> [Int] {
    var levels = (0...figures.depth).map { self.levels[$0] ?? 0 }
    levels[figures.depth] = figures.frontier
    // If it was stopped within a depth, some states of the next depth exist.
    let rest = figures.states - levels.reduce(0, +)
    return rest > 0 ? levels + [rest] : levels
  }

  /// Shows the progress and records the number of states at a depth.
  mutating func update(with figures: ExplorationFigures) {
    levels[figures.depth] = figures.frontier
    if figures.depth == 1, levels[0] == nil { levels[0] = figures.states - figures.frontier }
    show(figures)
  }

  /// Shows what the exploration waits for, and the time waited until now.
  func showWait(for what: String, _ length: Duration) {
    guard isShown, length > .milliseconds(500) else { return }
    let line = "waiting for \(what), \(length.components.seconds) s"
    StandardStream.showTransient(String(line.prefix((StandardStream.error.columnCount ?? 80) - 1)))
  }

  /// Shows the progress, at most once in 100 ms.
  ///
  /// The exploration calls this function every few thousand transitions.
  mutating func show(_ figures: ExplorationFigures) {
    guard isShown else { return }
    outlook.update(with: figures)
    let first = first ?? figures
    self.first = first
    let now = ContinuousClock.now
    guard now - shown > .milliseconds(100) else { return }
    shown = now
    let (seconds, attoseconds) = (now - began).components
    let milliseconds = max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    let rate = Int64(figures.transitions - first.transitions) / milliseconds
    var parts = [
      "\(figures.zones > 0 ? figures.zones : figures.states)"
        + (figures.zones > 0 ? " zones" : " states"),
      "depth \(figures.depth)", "frontier \(figures.frontier)", "\(rate) transitions/ms",
    ]
    if let left = left(figures, since: first, milliseconds) { parts.append(left) }
    let line = parts.joined(separator: ", ")
    StandardStream.showTransient(String(line.prefix((StandardStream.error.columnCount ?? 80) - 1)))
  }

  /// Returns the remaining time, estimated from the sizes of the depths, which shrink towards the
  /// end.
  ///
  /// The budget limits the estimate.
  private func left(
    _ figures: ExplorationFigures, since first: ExplorationFigures, _ milliseconds: Int64
  ) -> String? {
    let seen = max(figures.states, figures.zones)
    let done = Int64(seen - max(first.states, first.zones))
    let tried = Int64(figures.transitions - first.transitions)
    guard milliseconds > 2_000, done > 0, tried > 0 else { return nil }
    let rate = max(1, done * 1_000 / milliseconds)
    var most = max(0, Int64(states - seen) * 1_000 / rate)
    if let time { most = min(most, max(0, time.components.seconds * 1_000 - milliseconds)) }
    if figures.zones == 0, let expected = outlook.transitionsExpected {
      let more = Int64(max(0, expected - figures.transitions))
      let left = milliseconds * (more * 1_000 / tried) / 1_000
      if left < most { return "about \(Self.words(left)) left" }
    }
    return "at most \(Self.words(most)) left"
  }

  private static func words(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    return seconds < 60 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }

  func clear() {
    StandardStream.clearTransient()
  }
}

extension ExplorationFigures {
  /// The size of the explored part as text.
  var seen: String {
    // Zones are not explored in breadth-first order unless an invariant is violated.
    let zones = zones > 0 ? "\(counted(zones, "zone")), " : ""
    let depth = self.zones > 0 && depth == 0 ? "" : ", depth \(depth)"
    return "\(counted(states, "state")), \(zones)\(counted(transitions, "transition"))\(depth)"
  }
}

/// The text about an exploration.
struct ExplorationText {
  var setup: ExplorationSetup
  var time: ExploredTime
  var figures: ExplorationFigures

  var seen: String { figures.seen }

  private var bounds: String {
    "\(setup.profile.name), \(counted(setup.hosts, "host")), "
      + "up to \(counted(setup.calls, "simultaneous call"))"
      + Self.leftOut(of: setup)
  }

  /// Returns the exclusions of a client's exploration as text.
  static func leftOut(of setup: ExplorationSetup) -> String {
    leftOut(
      ExploredPart.names(of: .full.subtracting(setup.extras)), isPlain: setup.extras.isEmpty)
  }

  /// Returns exclusions as text; the text is empty if nothing is excluded.
  static func leftOut(_ names: [String], isPlain: Bool) -> String {
    if isPlain { return ", plain actions" }
    return names.isEmpty ? "" : ", without \(names.joined(separator: " and "))"
  }

  var closed: String {
    """
    complete: \(seen): the invariants hold for sequences of any length.
    (\(bounds); \(time.sentence))
    """
  }

  /// Returns the text for a stopped search.
  ///
  /// If `isFound` is true, a violation was found, and the search for a shortest sequence was
  /// stopped.
  func stopped(
    _ why: ExplorationVerdict.Stop, _ growing: [Growth], isFound: Bool = false
  ) -> String {
    guard growing.isEmpty else {
      let names = growing.map { "\($0.name) (\($0.size))" }.joined(separator: ", ")
      return """
        not complete: \(seen), and these grow without limit: \(names).
        No violation so far. This proves nothing.
        (\(bounds))
        """
    }
    let result =
      isFound
      ? "An invariant is violated. Continue the exploration to see a shortest sequence."
      : "No violation so far. This proves nothing."
    return """
      stopped \(why.reason): \(seen).
      \(result)
      (\(bounds))
      """
  }

  func broken(_ counterexample: Counterexample) -> String {
    let violation = counterexample.violation
    var lines = [
      "invariant \(violation.rule.rawValue) is violated after "
        + "\(counted(counterexample.actions.count, "action")): "
        + "\(violation.sentence).",
      "(\(seen), \(bounds))", "",
    ]
    lines.append(actions(of: counterexample))
    return lines.joined(separator: "\n")
  }

  func actions(of counterexample: Counterexample) -> String {
    Self.actions(
      counterexample.actions.map { $0.sentence(in: setup) }, of: setup.profile,
      after: counterexample.initialRead)
  }

  /// Returns the actions of a sequence, after the first read of the profile's monitor.
  static func actions(
    _ sentences: [String], of profile: Profile, after read: NetworkCategory
  ) -> String {
    guard profile.policy.monitorsReachability else {
      return numbered(sentences).joined(separator: "\n")
    }
    let first =
      read == .unknown ? "the monitor's first read fails" : "the monitor reads \(read)"
    return numbered([first] + sentences, from: 0).joined(separator: "\n")
  }

  /// Returns a line for each action of a sequence.
  static func numbered(_ actions: [String], from first: Int = 1) -> [String] {
    actions.enumerated().map { index, action in
      let number = String(first + index)
      return String(repeating: " ", count: max(0, 4 - number.count)) + "\(number). \(action)"
    }
  }
}

extension ExplorationVerdict.Stop {
  /// The limit at which an exploration was stopped, or the reason.
  var reason: String {
    switch self {
    case .depth: "at the limit of --depth"
    case .states: "at the number of states of --budget"
    case .growth, .fromOutside: "at the time of --budget"
    case .frontier(let problem): "because it \(problem.text)"
    }
  }

  /// The exit status of an exploration that was stopped for this reason.
  var exitStatus: ExitStatus {
    if case .frontier = self { .badInput } else { .failure }
  }
}
