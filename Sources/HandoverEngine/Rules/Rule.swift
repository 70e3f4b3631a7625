import HandoverCore
import HandoverTrace

/// A rule that holds in every run of a contract.
///
/// It is given the records of a run one by one, together with what is known of the run up to the
/// record before, and tells at once what breaks it. What it keeps are its obligations: what it
/// waits for and would tell if it did not come. Two runs of which a rule keeps the same, and of
/// which the same is known, are to it the same run.
///
/// What a rule has no eyes for it leaves out; a rule that hears nothing costs nothing.
protocol Rule: Hashable, Sendable {
  /// Which rule it is.
  static var identifier: RuleIdentifier { get }

  /// The rule before the first record.
  init()

  /// The instant of the records so far is over; the next record is of a later one.
  mutating func instantIsOver(_ run: inout ObservedRun)

  /// The client has given all orders that follow from what it was told last.
  mutating func stepIsOver(_ run: inout ObservedRun)

  // A record, before what is known of the run takes it in.

  mutating func handle(_ event: ClientCore.Event, _ run: inout ObservedRun)
  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun)
  mutating func handle(_ fact: WorldFact, _ run: inout ObservedRun)
  mutating func handle(_ fact: ChainFact, _ run: inout ObservedRun)
  mutating func handle(_ fact: RequestFact, _ run: inout ObservedRun)

  /// A record is of an instant before that of the records so far.
  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun)

  /// The client was closed, and there is no further record.
  ///
  /// - Parameters:
  ///   - leaks: what the backend says is still there.
  ///   - run: what is known of the run.
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun)
}

extension Rule {
  @inline(__always)
  mutating func instantIsOver(_ run: inout ObservedRun) {}
  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ event: ClientCore.Event, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ fact: WorldFact, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ fact: ChainFact, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ fact: RequestFact, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {}
}

extension Rule {
  /// Tells that this rule was broken now: what should have been, and what was.
  func broken(_ run: inout ObservedRun, _ expected: TimedText, _ seen: TimedText) {
    run.broken(Self.identifier, expected, seen)
  }
}
