public import HandoverCore
import HandoverJSON
public import HandoverScenario
public import HandoverTrace

/// What came out of a case, from the best to the worst; the worst part decides the whole.
public enum Verdict: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// Everything expected was seen.
  case passed
  /// Everything expected that can be seen was seen; something else cannot.
  case asFarAsSeen
  /// Something that is only recommended was not seen.
  case nonStrict
  /// The backend declared beforehand that it cannot show anything of what is expected.
  case unsupported
  /// The case failed, and somebody wrote down that it does: a known finding, and no failure.
  case failedAsExpected
  /// Something expected was not seen, or a rule was broken.
  case failed
  /// The harness or the backend broke: there is no verdict.
  case error

  /// Whether one verdict is better than the other.
  public static func < (left: Verdict, right: Verdict) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The verdict as reports write it.
  public var name: String {
    switch self {
    case .passed: "OK"
    case .asFarAsSeen: "OK AS FAR AS SEEN"
    case .nonStrict: "NON-STRICT"
    case .unsupported: "UNSUPPORTED"
    case .failedAsExpected: "KNOWN"
    case .failed: "FAILED"
    case .error: "ERROR"
    }
  }
}

/// One thing that was not as it should be.
public struct Finding: Hashable, Sendable {
  /// What kind of thing.
  public enum Kind: Hashable, Sendable {
    /// An expectation that did not hold.
    case expectation
    /// An expectation that no instant of the run decided.
    case neverEvaluated
    /// A fault that had no effect on any profile.
    case faultWithoutEffect
    /// A rule that holds in every run, by its number.
    case invariant(Int)
    /// A call that hung for longer than ``Gates/maxHang`` after a change of the network.
    case hang
    /// A case that is known to fail and did not.
    case unexpectedPass
    /// A case that did not come to the same each time it was played in real time.
    case flaky
    /// An expectation of which the backend shows a part, and that part holds.
    case partlySeen
    /// Something the backend cannot show.
    case unsupported
    /// The harness or the backend broke.
    case breakdown
  }

  /// The kind.
  public var kind: Kind
  /// How much it weighs.
  public var verdict: Verdict
  /// What should have been, with its times.
  public var expectedText: TimedText
  /// What was, with its times.
  public var seenText: TimedText
  /// When; nil where no instant can be named.
  public var at: Instant?
  /// Where the expectation or the fault stands in the file.
  public var position: TextPosition?

  /// How many things of one kind are told of a case; one more says how many there are besides.
  static let maximumCount = 1_000

  /// Says that there are more findings than are told.
  static func more(
    _ count: Int, _ kind: Kind, _ verdict: Verdict, expected: String
  ) -> Finding {
    Finding(
      kind: kind, verdict: verdict, expected: expected,
      seen: "\(count) more do not; the first \(maximumCount) are told", at: nil, position: nil)
  }

  /// What should have been, with times as scenarios write them; programs read this.
  public var expected: String {
    get { expectedText.text }
    set { expectedText = TimedText(newValue) }
  }

  /// What was, with times as scenarios write them; programs read this.
  public var seen: String {
    get { seenText.text }
    set { seenText = TimedText(newValue) }
  }

  /// Makes a finding.
  public init(
    kind: Kind, verdict: Verdict, expectedText: TimedText, seenText: TimedText, at: Instant?,
    position: TextPosition?
  ) {
    self.kind = kind
    self.verdict = verdict
    self.expectedText = expectedText
    self.seenText = seenText
    self.at = at
    self.position = position
  }

  /// Makes a finding without times.
  public init(
    kind: Kind, verdict: Verdict, expected: String, seen: String, at: Instant?,
    position: TextPosition?
  ) {
    self.init(
      kind: kind, verdict: verdict, expectedText: TimedText(expected), seenText: TimedText(seen),
      at: at, position: position)
  }
}

/// How much of what a scenario expects a backend shows.
///
/// Each expectation counts once; one of which only a part can be seen counts as two, of which one
/// is seen.
public struct Sight: Hashable, Sendable {
  /// How much was seen.
  public var seen = 0
  /// Out of how much.
  public var all = 0

  /// Nothing was expected.
  public init() {}

  mutating func count(seen: Int, of all: Int) {
    self.seen += seen
    self.all += all
  }

  /// Whether something was not seen.
  public var isPartial: Bool { seen < all }

  /// Both numbers: `5 of 6`.
  public var text: String { "\(seen) of \(all)" }
}

/// How a log tells the lines of programs that play the servers from those of what is under test.
public enum ServerLog {
  /// What such a line begins with.
  public static let label = "the server: "
}

/// How one call of a case came out.
public struct CallOutcome: Hashable, Sendable {
  /// The call's name.
  public var id: String
  /// Its end; nil where it had none when the run was over, or was never started.
  public var end: CallEnd?
  /// The text beside its status, in the client's own words; nil where it had no end.
  public var message: String?
  /// When it ended.
  public var endedAt: Instant?
}

/// What came out of a scenario on one profile.
public struct CaseResult: Sendable {
  /// The scenario's id.
  public var id: String
  /// The scenario's file.
  public var file: String
  /// The profile's name.
  public var profile: String
  /// What came out.
  public var verdict: Verdict
  /// What was not as it should be, in the order of the file.
  public var findings: [Finding]
  /// How the calls came out, in the order of the script.
  public var calls: [CallOutcome]
  /// From a move of the device to the end of each call that it ended.
  public var changeToEnd: [Interval]
  /// How much of what was expected the backend shows.
  public var sight = Sight()
  /// How many calls never ended after a move of the device that nothing else followed.
  public var neverEnded = 0
  /// The calls that hung for longer than ``Gates/maxHang``, in the order of the script.
  public var hangs: [CallHang] = []
  /// When the run was over.
  public var endedAt: Instant
  /// The digest of the trace.
  public var digest: Digest?
  /// The trace; kept where something was not as it should be, or on request.
  public var trace: Trace?
  /// The expectations that were decided and held, by their places in the scenario, in the order of
  /// the decisions; kept on request.
  public var held: [Int] = []
  /// The cells of transitions that the run came through; kept on request.
  package var cells = TransitionCells()
  /// Where it is written that the case fails, such as `known.txt:3`; nil where it is to pass.
  public var knownFrom: String?
  /// The variant of the transport that the case was played on; nil where it is the plain one.
  public var variant: TransportVariant?
  /// What the backend wrote for people meanwhile, the latest of it; kept where the case failed or
  /// came to no verdict.
  public var log = ""
  /// How long the run took in real time; nil where nobody looked at a clock.
  public var took: Interval?
  /// What came out each time, where the case was played several times in real time.
  public var repetitions: [Verdict] = []
}

extension CaseResult {
  /// A case that came to no verdict, because what ran it broke.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - profile: the profile.
  ///   - reason: what broke it.
  public init(of scenario: Scenario, on profile: Profile, brokenBy reason: String) {
    let finding = Finding(
      kind: .breakdown, verdict: .error, expected: "the harness plays the scenario", seen: reason,
      at: nil, position: nil)
    self.init(
      id: scenario.id, file: scenario.file, profile: profile.name, verdict: .error,
      findings: [finding], calls: [], changeToEnd: [], endedAt: .zero, digest: nil, trace: nil)
  }
}

/// What came out of a scenario on the profiles it was run on.
public struct ScenarioResult: Sendable {
  /// The scenario.
  public var scenario: Scenario
  /// One result for each profile.
  public var cases: [CaseResult]
  /// One result for each profile and each variant of the transport that it can have.
  ///
  /// Only the rules that hold in every run were looked at, and what broke one is told by the plain
  /// case too.
  public var variants: [CaseResult] = []
}
