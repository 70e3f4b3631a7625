import HandoverCore
import HandoverTrace

/// An invariant of every run of a profile.
///
/// The invariant receives the records of a run one by one, with the state of the run before each
/// record. It reports violations immediately. Its stored properties are obligations: the events
/// that it waits for, and whose absence is a violation. For an invariant, two runs are the same if
/// its stored properties and the states of the runs are equal.
///
/// ``RuleList`` decodes and looks up each record once for all invariants. An invariant implements
/// only the functions for the records that it needs; the default implementations cost nothing.
protocol Rule: Hashable, Sendable {
  /// The identifier of the invariant.
  static var identifier: RuleIdentifier { get }

  /// Creates the invariant in its state before the first record.
  init()

  /// Resets the invariant to its state before the first record; reuses its memory.
  mutating func restart()

  /// Handles the end of the current instant; the next record has a later instant.
  mutating func instantIsOver(_ run: inout ObservedRun)

  /// Whether the invariant waits for an effect that must occur in the current step.
  var isOpen: Bool { get }

  /// Handles the end of a step if ``isOpen`` is `true`.
  ///
  /// The client has issued all effects of the latest event, so missing effects will not follow.
  mutating func stepIsOver(_ run: inout ObservedRun)

  // The functions below handle a record before it changes the state of the run. `call` is the
  // position of a call that was introduced and has not ended, or `nil`. `isAlive` tells whether a
  // channel has not been destroyed.

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
  /// Handles a notification of the monitor's observers.
  mutating func notified(_ change: CategoryChange, _ run: inout ObservedRun)
  /// Handles a part of a call that the client sent.
  mutating func sent(
    _ part: SentPart, of id: CallID, _ call: Int?, on connection: ConnectionID,
    _ run: inout ObservedRun)
  mutating func pinged(_ connection: ConnectionID, _ run: inout ObservedRun)
  /// Handles a delivery to a call, or a request for its token.
  mutating func observed(_ id: CallID, _ call: Int?, _ run: inout ObservedRun)
  mutating func callEnded(_ id: CallID, _ call: Int?, _ end: CallEnd, _ run: inout ObservedRun)
  mutating func runEnded(_ run: inout ObservedRun)
  mutating func handle(_ fact: ChainFact, _ run: inout ObservedRun)
  mutating func handle(_ fact: RequestFact, _ run: inout ObservedRun)

  /// Handles a record whose instant is earlier than that of the records so far.
  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun)

  /// Handles the closing of the client; no records follow.
  ///
  /// - Parameters:
  ///   - leaks: the resources that the backend reports as still existing.
  ///   - run: the state of the run.
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
  /// Reports a violation of this invariant at the current instant, with the expected and the
  /// observed behavior.
  func broken(_ run: inout ObservedRun, _ expected: TimedText, _ seen: TimedText) {
    run.broken(Self.identifier, expected, seen)
  }
}
