import HandoverCore
import HandoverTrace

/// A rule that holds in every run of a contract.
///
/// It is given the records of a run one by one, together with what is known of the run up to the
/// record before, and tells at once what breaks it. What it keeps are its obligations: what it
/// waits for and would tell if it did not come. Two runs of which a rule keeps the same, and of
/// which the same is known, are to it the same run.
///
/// A record is taken apart and looked up once for all rules (``RuleList``), so that a rule is told
/// of what it is about. What a rule has no eyes for it leaves out; a rule that hears nothing costs
/// nothing.
protocol Rule: Hashable, Sendable {
  /// Which rule it is.
  static var identifier: RuleIdentifier { get }

  /// The rule before the first record.
  init()

  /// Becomes the rule before the first record; its room is used again.
  mutating func restart()

  /// The instant of the records so far is over; the next record is of a later one.
  mutating func instantIsOver(_ run: inout ObservedRun)

  /// Whether it waits for something that the orders of a step must bring.
  var isOpen: Bool { get }

  /// The client has given all orders that follow from what it was told last, and the rule waits for
  /// something: whatever is missing will not come.
  mutating func stepIsOver(_ run: inout ObservedRun)

  // A record, before what is known of the run takes it in. Of a call that was introduced and has
  // not ended the place is given, of another nil; of a channel whether it has not been destroyed.

  mutating func handle(_ event: ConnectivityMonitor.Event, _ run: inout ObservedRun)
  mutating func handle(_ event: ChannelPool.Event, _ run: inout ObservedRun)
  mutating func channelCreated(_ channel: ChannelID, _ run: inout ObservedRun)
  mutating func channelMoved(
    _ channel: ChannelID, isAlive: Bool, from: ChannelState, to: ChannelState,
    _ run: inout ObservedRun)
  mutating func channelDestroyed(_ channel: ChannelID, _ run: inout ObservedRun)
  mutating func callBound(
    _ id: CallID, to channel: ChannelID, isNew: Bool, _ run: inout ObservedRun)
  mutating func connectionOpened(for channel: ChannelID, isAlive: Bool, _ run: inout ObservedRun)
  mutating func connectionClosed(_ connection: ConnectionID, _ run: inout ObservedRun)
  /// The observers of the monitor were notified.
  mutating func notified(_ change: CategoryChange, _ run: inout ObservedRun)
  /// A part of a call was sent.
  mutating func sent(
    _ part: SentPart, of id: CallID, _ call: Int?, on connection: ConnectionID,
    _ run: inout ObservedRun)
  mutating func pinged(_ connection: ConnectionID, _ run: inout ObservedRun)
  /// A call was given something, or asks for its token.
  mutating func observed(_ id: CallID, _ call: Int?, _ run: inout ObservedRun)
  mutating func callEnded(_ id: CallID, _ call: Int?, _ end: CallEnd, _ run: inout ObservedRun)
  mutating func runEnded(_ run: inout ObservedRun)
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
  mutating func restart() { self = Self() }
  @inline(__always)
  mutating func instantIsOver(_ run: inout ObservedRun) {}
  @inline(__always)
  var isOpen: Bool { false }
  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ event: ConnectivityMonitor.Event, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ event: ChannelPool.Event, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func channelCreated(_ channel: ChannelID, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func channelMoved(
    _ channel: ChannelID, isAlive: Bool, from: ChannelState, to: ChannelState,
    _ run: inout ObservedRun
  ) {}
  @inline(__always)
  mutating func channelDestroyed(_ channel: ChannelID, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func callBound(
    _ id: CallID, to channel: ChannelID, isNew: Bool, _ run: inout ObservedRun
  ) {}
  @inline(__always)
  mutating func connectionOpened(for channel: ChannelID, isAlive: Bool, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func connectionClosed(_ connection: ConnectionID, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func notified(_ change: CategoryChange, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func sent(
    _ part: SentPart, of id: CallID, _ call: Int?, on connection: ConnectionID,
    _ run: inout ObservedRun
  ) {}
  @inline(__always)
  mutating func pinged(_ connection: ConnectionID, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func observed(_ id: CallID, _ call: Int?, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func callEnded(_ id: CallID, _ call: Int?, _ end: CallEnd, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func runEnded(_ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ fact: ChainFact, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func handle(_ fact: RequestFact, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun) {}
  @inline(__always)
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {}
}

/// A part of a call that a client sends.
enum SentPart: BitwiseCopyable, Hashable, Sendable {
  case request
  case messages
  /// The end of the requests.
  case end
  case reset
}

extension Rule {
  /// Tells that this rule was broken now: what should have been, and what was.
  func broken(_ run: inout ObservedRun, _ expected: TimedText, _ seen: TimedText) {
    run.broken(Self.identifier, expected, seen)
  }
}
