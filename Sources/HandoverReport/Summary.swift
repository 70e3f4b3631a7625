public import HandoverCore
public import HandoverEngine

/// What came out of a run in sum; every report takes its totals from here.
public struct Summary: Hashable, Sendable {
  /// How many scenarios were run.
  public private(set) var scenarios = 0
  /// How many cases went as expected.
  public private(set) var passed = 0
  /// How many cases failed.
  public private(set) var failed = 0
  /// How many cases did all they must and not all that is wished.
  public private(set) var nonStrict = 0
  /// How many cases asked for what the backend does not show.
  public private(set) var unsupported = 0
  /// How many cases have no verdict.
  public private(set) var errors = 0
  /// Whether the run was interrupted, so that only a part of it is told.
  public var wasInterrupted = false
  /// How long all cases were in virtual time.
  public private(set) var length = Interval.zero
  private var lengths: [Lengths] = []

  private struct Lengths: Hashable {
    var profile: String
    var intervals: [Interval]
  }

  /// How long it took from a change of the network to the end of a call, on one profile.
  public struct Figures: Hashable, Sendable {
    /// The profile's name.
    public var profile: String
    /// The one in the middle; of an even number, halfway between the two, rounded down.
    public var median: Interval
    /// The longest.
    public var worst: Interval
    /// Of how many calls.
    public var calls: Int
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
    for result in result.cases { add(result) }
  }

  private mutating func add(_ result: CaseResult) {
    switch result.verdict {
    case .passed: passed += 1
    case .failed: failed += 1
    case .nonStrict: nonStrict += 1
    case .unsupported: unsupported += 1
    case .error: errors += 1
    }
    length = length + Interval(microseconds: result.endedAt.microseconds)
    guard !result.changeToEnd.isEmpty else { return }
    if let place = lengths.firstIndex(where: { $0.profile == result.profile }) {
      lengths[place].intervals += result.changeToEnd
    } else {
      lengths.append(Lengths(profile: result.profile, intervals: result.changeToEnd))
    }
  }

  /// How many cases were run.
  public var cases: Int { passed + failed + nonStrict + unsupported + errors }

  /// Whether all cases went as expected; those that are only wished for or not shown do not count.
  public var isGood: Bool { failed == 0 && errors == 0 }

  /// The figures of each profile that has some, in the order of ``Profile/all``; others follow by
  /// name.
  public var figures: [Figures] {
    lengths.map { Self.figures($0.profile, $0.intervals) }.sorted {
      (Self.rank($0.profile), $0.profile) < (Self.rank($1.profile), $1.profile)
    }
  }

  /// The sum on one line.
  public var line: String {
    "\(passed) passed, \(failed) failed, \(nonStrict) non-strict, \(unsupported) unsupported, "
      + VisibleText.counted(errors, "error") + " (" + VisibleText.counted(scenarios, "scenario")
      + ", " + VisibleText.counted(cases, "case") + ")"
  }

  private static func rank(_ profile: String) -> Int {
    Profile.all.firstIndex { $0.name == profile } ?? Profile.all.count
  }

  private static func figures(_ profile: String, _ intervals: [Interval]) -> Figures {
    let sorted = intervals.sorted()
    let upper = sorted[sorted.count / 2]
    let lower = sorted[(sorted.count - 1) / 2]
    // Added as a difference, so that two long ones do not overflow.
    let half = (upper.microseconds - lower.microseconds) / 2
    return Figures(
      profile: profile, median: Interval(microseconds: lower.microseconds + half),
      worst: sorted[sorted.count - 1], calls: sorted.count)
  }
}
