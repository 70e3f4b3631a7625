package import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The summary of a run, from which every report takes its totals.
package struct Summary: Hashable, Sendable {
  /// The number of scenarios that ran.
  package internal(set) var scenarios = 0
  /// The number of cases that passed.
  package internal(set) var passed = 0
  /// The number of cases that passed in everything that the backend can show.
  package internal(set) var passedPartially = 0
  /// The number of cases that failed.
  package internal(set) var failed = 0
  /// The number of failed cases that are known to fail; they do not count as failures.
  package internal(set) var failedAsExpected = 0
  /// The number of cases that passed, but missed a recommendation.
  package internal(set) var nonStrict = 0
  /// The number of cases that need a feature that the backend does not have.
  package internal(set) var unsupported = 0
  /// The number of cases without a verdict.
  package internal(set) var errors = 0
  /// The number of cases on a profile that their scenario does not name.
  ///
  /// Only the invariants of every run apply to them.
  package internal(set) var unnamed = 0
  /// Whether the run was interrupted, so that its results are incomplete.
  package var wasInterrupted = false
  /// The number of planned cases that did not finish because the run was interrupted.
  package var unfinished = 0
  /// The names of these cases, in the order of the plan; some may be unknown.
  package var unfinishedNames: [String] = []
  /// The wall-clock time at which the run ended, since 1970, or zero if it is unknown.
  package var ended = Instant.zero
  /// The total duration of all cases in virtual time.
  package internal(set) var length = Interval.zero
  /// The calls that hung for too long, without those of cases that are known to fail.
  package internal(set) var hangs = Hangs()
  /// Whether cases ran several times in real time.
  package internal(set) var isRepeated = false
  /// The cases that had different results in repeated runs, with these results.
  package internal(set) var flaky: [String] = []
  private var lengths: [Lengths] = []

  private struct Lengths: Hashable {
    var profile: String
    var variant: TransportVariant?
    var intervals: [Interval] = []
    var neverEnded = 0
  }

  /// The calls that hung for longer than ``Gates/maxHang``.
  package struct Hangs: Hashable, Sendable {
    /// The number of hangs.
    package var calls = 0
    /// The longest hang that ended, or `nil` if none ended.
    package var worst: Interval?
    /// The number of calls that never ended.
    package var neverEnded = 0

    /// The longest hang as text, or `nil` if none ended.
    ///
    /// It is rounded up, so that a hang above the limit is never shown as the limit.
    var worstText: String? { worst.map { HumanTime.measured($0, .up) } }

    /// Creates a summary without hangs.
    package init() {}

    /// Creates a summary of hangs.
    init(_ hangs: some Sequence<HungCall>) {
      for hang in hangs { add(hang) }
    }

    mutating func add(_ hang: HungCall) {
      calls += 1
      if hang.hasEnded {
        worst = max(worst ?? .zero, hang.lasted)
      } else {
        neverEnded += 1
      }
    }

    /// Returns a summary: `HANGS: 3 calls, worst 17.0 s`.
    ///
    /// - Parameter gates: the thresholds of the run.
    /// - Returns: one line, or `nil` if hangs were not checked.
    package func line(_ gates: Gates) -> String? {
      guard let maxHang = gates.maxHang else { return nil }
      guard calls > 0 else { return "HANGS: none longer than \(HumanTime.measured(maxHang, .up))" }
      let parts = [
        counted(calls, "call"), worstText.map { "worst \($0)" },
        neverEnded > 0 ? "\(neverEnded) never ended" : nil,
      ]
      return "HANGS: " + parts.compactMap { $0 }.joined(separator: ", ")
    }
  }

  /// The times from a network change to the end of a call, on a profile or one of its variants.
  package struct Figures: Hashable, Sendable {
    /// The profile's name.
    package var profile: String
    /// The variant of the transport, or `nil` for the plain transport.
    package var variant: TransportVariant?
    /// The median, or `nil` if no call ended.
    ///
    /// For an even number of calls, it is the mean of the two middle values, rounded down.
    package var median: Interval?
    /// The 95th percentile, or `nil` if no call ended.
    package var percentile95: Interval?
    /// The maximum, or `nil` if no call ended.
    package var worst: Interval?
    /// The number of calls that ended.
    package var calls: Int
    /// The number of calls that never ended after a change.
    package var neverEnded: Int

    /// The profile with its variant: `sockets + keepalive 10s/5s`.
    package var name: String { variant.map { "\(profile) + \($0.name)" } ?? profile }

    /// The number of calls that ended and of calls that never ended, as text.
    package var count: String {
      let ended = calls == 0 ? "no call ended" : counted(calls, "call")
      return neverEnded == 0 ? ended : "\(ended), \(neverEnded) never ended"
    }

    /// The figures in one line, without rounding: `median 1s, worst 2s (3 calls, 1 never ended)`.
    package var line: String {
      guard let median, let worst else { return count }
      return "median \(median.text), worst \(worst.text) (\(count))"
    }
  }

  /// The counts with their keys in reports for programs.
  static var counts: [Count] {
    [
      Count("scenarios", \.scenarios), Count("passed", \.passed),
      Count("as_far_as_seen", \.passedPartially, isAlwaysThere: false), Count("failed", \.failed),
      Count("failed_as_expected", \.failedAsExpected), Count("non_strict", \.nonStrict),
      Count("unsupported", \.unsupported), Count("errors", \.errors),
      Count("unnamed", \.unnamed, isAlwaysThere: false),
      Count("unfinished", \.unfinished, isAlwaysThere: false),
    ]
  }

  struct Count {
    var key: String
    var count: WritableKeyPath<Summary, Int>
    /// Whether every report has the count.
    ///
    /// Other counts are omitted if they are zero, or were added in a later version.
    var isAlwaysThere: Bool

    init(
      _ key: String, _ count: WritableKeyPath<Summary, Int>, isAlwaysThere: Bool = true
    ) {
      self.key = key
      self.count = count
      self.isAlwaysThere = isAlwaysThere
    }
  }

  /// Creates an empty summary.
  package init() {}

  /// Creates a summary of results.
  package init(_ results: some Sequence<ScenarioResult>) {
    for result in results { add(result) }
  }

  /// Adds the results of a scenario.
  package mutating func add(_ result: ScenarioResult) {
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

  /// Counts a case by its verdict.
  mutating func tally(_ verdict: Verdict) {
    switch verdict {
    case .passed: passed += 1
    case .passedPartially: passedPartially += 1
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

  /// Adds the times after which calls ended, and the number of calls that never did.
  mutating func addFigures(
    _ intervals: [Interval], neverEnded: Int, _ profile: String, _ variant: TransportVariant? = nil
  ) {
    let found = lengths.firstIndex { $0.profile == profile && $0.variant == variant }
    let index = found ?? lengths.endIndex
    if found == nil { lengths.append(Lengths(profile: profile, variant: variant)) }
    lengths[index].intervals += intervals
    lengths[index].neverEnded += neverEnded
  }

  /// The number of cases that ran.
  package var cases: Int {
    passed + passedPartially + failed + failedAsExpected + nonStrict + unsupported + errors
  }

  /// Whether no case failed; missed recommendations and unsupported features do not count as
  /// failures.
  package var isGood: Bool { failed == 0 && errors == 0 }

  /// Whether cases ran, but none of them had an expectation.
  package var expectsNothing: Bool { cases > 0 && unnamed == cases }

  /// The figures of each profile that has any, in the order of ``Profile/all``.
  ///
  /// Other profiles follow by name. The variants of a profile follow the profile.
  package var figures: [Figures] {
    lengths.map(Self.figures).sorted {
      (Self.rank($0.profile), $0.profile, Self.rank($0.variant), $0.name)
        < (Self.rank($1.profile), $1.profile, Self.rank($1.variant), $1.name)
    }
  }

  /// The summary in one line.
  package var line: String {
    let known = failedAsExpected == 0 ? "" : " (\(failedAsExpected) failed as expected)"
    let partly = passedPartially == 0 ? "" : "\(passedPartially) passed in part, "
    return "\(passed) passed, \(partly)\(failed) failed\(known), \(nonStrict) non-strict, "
      + "\(unsupported) unsupported, "
      + counted(errors, "error") + " (" + counted(scenarios, "scenario")
      + ", " + counted(cases, "case") + ")"
  }

  /// The description of an interrupted run.
  var interruption: String {
    "interrupted: only completed cases are counted; "
      + "\(counted(unfinished, "case")) did not finish" + unfinishedList
  }

  /// The maximum number of unfinished cases named in a sentence.
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
    // Adding half the difference avoids an overflow of the sum of two long durations.
    figures.percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
    let half = (upper.microseconds - lower.microseconds) / 2
    figures.median = Interval(microseconds: lower.microseconds + half)
    return figures
  }
}
