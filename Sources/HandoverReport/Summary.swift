public import HandoverCore
public import HandoverEngine
import HandoverScenario

/// What came out of a run in sum; every report takes its totals from here.
public struct Summary: Hashable, Sendable {
  /// How many scenarios were run.
  public internal(set) var scenarios = 0
  /// How many cases went as expected.
  public internal(set) var passed = 0
  /// How many cases went as expected as far as the backend shows it.
  public internal(set) var asFarAsSeen = 0
  /// How many cases failed.
  public internal(set) var failed = 0
  /// How many cases failed that are known to; they are no failures.
  public internal(set) var failedAsExpected = 0
  /// How many cases did all they must and not all that is recommended.
  public internal(set) var nonStrict = 0
  /// How many cases asked for what the backend does not show.
  public internal(set) var unsupported = 0
  /// How many cases have no verdict.
  public internal(set) var errors = 0
  /// How many cases were run on a profile that their scenario does not name, so that nothing is
  /// expected of them but the rules of every run.
  public internal(set) var unnamed = 0
  /// Whether the run was interrupted, so that only a part of it is told.
  public var wasInterrupted = false
  /// How many cases were to be run and came to no end, because the run was interrupted.
  public var unfinished = 0
  /// The names of these cases, in the order of the plan; fewer where not all are known.
  public var unfinishedNames: [String] = []
  /// How long all cases were in virtual time.
  public internal(set) var length = Interval.zero
  /// The calls that hung for too long, but for those of cases that are known to fail.
  public internal(set) var hangs = Hangs()
  /// Whether cases were played several times in real time.
  public internal(set) var isRepeated = false
  /// The cases that did not come to the same each time, with what they came to.
  public internal(set) var flaky: [String] = []
  private var lengths: [Lengths] = []

  private struct Lengths: Hashable {
    var profile: String
    var variant: TransportVariant?
    var intervals: [Interval] = []
    var neverEnded = 0
  }

  /// The calls that hung for longer than ``Gates/maxHang``.
  public struct Hangs: Hashable, Sendable {
    /// How many there are.
    public var calls = 0
    /// The longest hang that came to an end; nil where none did.
    public var worst: Interval?
    /// How many never ended.
    public var neverEnded = 0

    /// No calls.
    public init() {}

    /// These calls.
    init(_ hangs: some Sequence<CallHang>) {
      for hang in hangs { add(hang) }
    }

    mutating func add(_ hang: CallHang) {
      calls += 1
      if hang.hasEnded {
        worst = max(worst ?? .zero, hang.lasted)
      } else {
        neverEnded += 1
      }
    }

    /// The sum in words: `HANGS: 3 calls, worst 17.0 s`.
    ///
    /// - Parameter gates: what the cases were to keep.
    /// - Returns: one line; nil where nobody looked for calls that hang.
    public func line(_ gates: Gates) -> String? {
      guard let maxHang = gates.maxHang else { return nil }
      guard calls > 0 else { return "HANGS: none longer than \(HumanTime.measured(maxHang, .up))" }
      let parts = [
        VisibleText.counted(calls, "call"), worst.map { "worst \(HumanTime.measured($0, .up))" },
        neverEnded > 0 ? "\(neverEnded) never ended" : nil,
      ]
      return "HANGS: " + parts.compactMap { $0 }.joined(separator: ", ")
    }
  }

  /// How long it took from a change of the network to the end of a call, on one profile or on a
  /// variant of it.
  public struct Figures: Hashable, Sendable {
    /// The profile's name.
    public var profile: String
    /// The variant of the transport; nil for the plain one.
    public var variant: TransportVariant?
    /// The one in the middle; of an even number, halfway between the two, rounded down; nil where
    /// no call ended.
    public var median: Interval?
    /// As long as 95 of 100 at most; nil where no call ended.
    public var percentile95: Interval?
    /// The longest; nil where no call ended.
    public var worst: Interval?
    /// Of how many calls.
    public var calls: Int
    /// How many calls never ended after a change.
    public var neverEnded: Int

    /// The profile with its variant: `sockets + keepalive 10s/5s`.
    public var name: String { variant.map { "\(profile) + \($0.name)" } ?? profile }

    /// How many calls they are of, and how many never ended.
    public var count: String {
      let ended = calls == 0 ? "no call ended" : VisibleText.counted(calls, "call")
      return neverEnded == 0 ? ended : "\(ended), \(neverEnded) never ended"
    }

    /// All of it on one line, exactly: `median 1s, worst 2s (3 calls, 1 never ended)`.
    public var line: String {
      guard let median, let worst else { return count }
      return "median \(median.text), worst \(worst.text) (\(count))"
    }
  }

  /// What is counted, by its key in a report for programs.
  static var counts: [Count] {
    [
      Count("scenarios", \.scenarios), Count("passed", \.passed),
      Count("as_far_as_seen", \.asFarAsSeen, isAlwaysThere: false), Count("failed", \.failed),
      Count("failed_as_expected", \.failedAsExpected), Count("non_strict", \.nonStrict),
      Count("unsupported", \.unsupported), Count("errors", \.errors),
      Count("unnamed", \.unnamed, isAlwaysThere: false),
      Count("unfinished", \.unfinished, isAlwaysThere: false),
    ]
  }

  struct Count {
    var key: String
    var count: WritableKeyPath<Summary, Int>
    /// Whether every report has it; some are only there where they are more than zero, or came
    /// with a later version.
    var isAlwaysThere: Bool

    init(
      _ key: String, _ count: WritableKeyPath<Summary, Int>, isAlwaysThere: Bool = true
    ) {
      self.key = key
      self.count = count
      self.isAlwaysThere = isAlwaysThere
    }
  }

  /// A sum of nothing.
  public init() {}

  /// The sum of some results.
  public init(_ results: some Sequence<ScenarioResult>) {
    for result in results { add(result) }
  }

  /// Takes the results of a scenario in.
  public mutating func add(_ result: ScenarioResult) {
    scenarios += 1
    for one in result.cases {
      add(one)
      if !result.scenario.profiles.contains(where: { $0.name == one.profile }) { unnamed += 1 }
    }
    for result in result.variants { addFigures(result) }
  }

  private mutating func add(_ result: CaseResult) {
    tally(result.verdict)
    length = length + Interval(microseconds: result.endedAt.microseconds)
    if result.verdict != .failedAsExpected { for hang in result.hangs { hangs.add(hang) } }
    if !result.repetitions.isEmpty { isRepeated = true }
    if result.isFlaky { flaky.append("\(result.name): \(result.repetitionsText)") }
    addFigures(result)
  }

  /// Counts a case with a verdict.
  mutating func tally(_ verdict: Verdict) {
    switch verdict {
    case .passed: passed += 1
    case .asFarAsSeen: asFarAsSeen += 1
    case .failedAsExpected: failedAsExpected += 1
    case .failed: failed += 1
    case .nonStrict: nonStrict += 1
    case .unsupported: unsupported += 1
    case .error: errors += 1
    }
  }

  private mutating func addFigures(_ result: CaseResult) {
    guard !result.changeToEnd.isEmpty || result.neverEnded > 0 else { return }
    addFigures(result.changeToEnd, neverEnded: result.neverEnded, result.profile, result.variant)
  }

  /// Takes in how soon some calls ended, and how many never did.
  mutating func addFigures(
    _ intervals: [Interval], neverEnded: Int, _ profile: String, _ variant: TransportVariant? = nil
  ) {
    let found = lengths.firstIndex { $0.profile == profile && $0.variant == variant }
    let index = found ?? lengths.endIndex
    if found == nil { lengths.append(Lengths(profile: profile, variant: variant)) }
    lengths[index].intervals += intervals
    lengths[index].neverEnded += neverEnded
  }

  /// How many cases were run.
  public var cases: Int {
    passed + asFarAsSeen + failed + failedAsExpected + nonStrict + unsupported + errors
  }

  /// Whether all cases went as expected; those that are only recommended or not shown do not count.
  public var isGood: Bool { failed == 0 && errors == 0 }

  /// Whether cases were run, and nothing was expected of any of them.
  public var expectsNothing: Bool { cases > 0 && unnamed == cases }

  /// The figures of each profile that has some, in the order of ``Profile/all``; others follow by
  /// name.
  ///
  /// The variants of a profile stand below it.
  public var figures: [Figures] {
    lengths.map(Self.figures).sorted {
      (Self.rank($0.profile), $0.profile, Self.rank($0.variant), $0.name)
        < (Self.rank($1.profile), $1.profile, Self.rank($1.variant), $1.name)
    }
  }

  /// The sum on one line.
  public var line: String {
    let known = failedAsExpected == 0 ? "" : " (\(failedAsExpected) failed as expected)"
    let partly = asFarAsSeen == 0 ? "" : "\(asFarAsSeen) passed as far as seen, "
    return "\(passed) passed, \(partly)\(failed) failed\(known), \(nonStrict) non-strict, "
      + "\(unsupported) unsupported, "
      + VisibleText.counted(errors, "error") + " (" + VisibleText.counted(scenarios, "scenario")
      + ", " + VisibleText.counted(cases, "case") + ")"
  }

  /// What is told of a run that was interrupted.
  var interruption: String {
    "interrupted: what was finished is counted; "
      + "\(VisibleText.counted(unfinished, "case")) came to no end" + unfinishedList
  }

  /// How many of the cases that came to no end are named in a sentence.
  private static let namedUnfinished = 5

  private var unfinishedList: String {
    guard !unfinishedNames.isEmpty else { return "" }
    let names = unfinishedNames.prefix(Self.namedUnfinished).map { VisibleText.of($0) }
    let more = unfinished - names.count
    return ": " + names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private static func rank(_ profile: String) -> Int {
    Profile.known.firstIndex { $0.name == profile } ?? Profile.known.count
  }

  private static func rank(_ variant: TransportVariant?) -> Int64 {
    switch variant {
    case nil: -1
    case .keepalive(let time, _): time.microseconds / 2
    case .userTimeout(let timeout): .max / 2 + timeout.microseconds / 2
    }
  }

  private static func figures(_ lengths: Lengths) -> Figures {
    let sorted = lengths.intervals.sorted()
    var figures = Figures(
      profile: lengths.profile, variant: lengths.variant, median: nil, percentile95: nil,
      worst: sorted.last,
      calls: sorted.count, neverEnded: lengths.neverEnded)
    guard !sorted.isEmpty else { return figures }
    let upper = sorted[sorted.count / 2]
    let lower = sorted[(sorted.count - 1) / 2]
    // Added as a difference, so that two long ones do not overflow.
    figures.percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
    let half = (upper.microseconds - lower.microseconds) / 2
    figures.median = Interval(microseconds: lower.microseconds + half)
    return figures
  }
}
