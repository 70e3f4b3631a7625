import HandoverCore
import HandoverTrace

/// All invariants in the order of their numbers, and the set of those that a profile has.
///
/// This type is the only list of invariants. A new invariant needs a type, a case of
/// ``RuleIdentifier``, a property here, and a line in each function whose records it handles.
struct RuleList: Hashable, Sendable {
  private var callEndsOnce = CallEndsOnceRule()
  private var categoryChange = CategoryChangeRule()
  private var sameCategory = SameCategoryRule()
  private var sharedChannel = SharedChannelRule()
  private var waiting = WaitingRule()
  private var sending = SendingRule()
  private var requestLimits = RequestLimitsRule()
  private var aliveness = AlivenessRule()
  private var chainOrder = ChainOrderRule()
  private var channelStates = ChannelStatesRule()
  /// One bit for each invariant that the profile has, at the position of its number.
  private var holding: UInt32 = 0

  /// Creates a list in which no invariant is active.
  init() {}

  /// Creates the invariants of a profile in their state before the first record.
  init(_ identifiers: [RuleIdentifier]) {
    for identifier in identifiers { holding |= Self.bit(identifier) }
  }

  /// Resets the invariants to their state before the first record; reuses their memory.
  mutating func restart() {
    callEndsOnce.restart()
    categoryChange.restart()
    sameCategory.restart()
    sharedChannel.restart()
    waiting.restart()
    sending.restart()
    requestLimits.restart()
    aliveness.restart()
    chainOrder.restart()
    channelStates.restart()
  }

  @inline(__always)
  private func holds(_ identifier: RuleIdentifier) -> Bool {
    holding & Self.bit(identifier) != 0
  }

  @inline(__always)
  private static func bit(_ identifier: RuleIdentifier) -> UInt32 {
    1 << UInt32(truncatingIfNeeded: identifier.rawValue)
  }
}

// Passes each record to the invariants that it concerns, in the order of their numbers. Other
// invariants are skipped, because there are ten invariants and thousands of records. Data that
// several invariants need is looked up once.
extension RuleList {
  @inline(__always)
  mutating func instantIsOver(_ run: inout ObservedRun) {
    if holds(.requestLimits) { requestLimits.instantIsOver(&run) }
  }

  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun) {
    if holds(.aliveness) { aliveness.timeRanBack(to: instant, &run) }
  }

  /// Handles the end of a step; in most steps no invariant waits for anything.
  ///
  /// Inactive invariants receive no records and are therefore never open.
  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) {
    if categoryChange.isOpen || sameCategory.isOpen || sharedChannel.isOpen || waiting.isOpen {
      closeStep(&run)
    }
  }

  private mutating func closeStep(_ run: inout ObservedRun) {
    if categoryChange.isOpen { categoryChange.stepIsOver(&run) }
    if sameCategory.isOpen { sameCategory.stepIsOver(&run) }
    if sharedChannel.isOpen { sharedChannel.stepIsOver(&run) }
    if waiting.isOpen { waiting.stepIsOver(&run) }
  }

  @inline(__always)
  mutating func handle(_ event: ClientCore.Event, _ run: inout ObservedRun) {
    switch event {
    case .reachability(let event):
      if holds(.categoryChange) { categoryChange.handle(event, &run) }
      if holds(.sameCategory) { sameCategory.handle(event, &run) }
      if holds(.waiting) { waiting.handle(event, &run) }
    case .pool(let event):
      if holds(.waiting) { waiting.handle(event, &run) }
    }
  }

  @inline(__always)
  mutating func channelCreated(_ channel: ChannelID, _ run: inout ObservedRun) {
    if holds(.sharedChannel) { sharedChannel.channelCreated(channel, &run) }
    if holds(.aliveness) { aliveness.channelCreated(channel, &run) }
  }

  @inline(__always)
  mutating func channelMoved(
    _ channel: ChannelID, from: ChannelState, to: ChannelState, _ run: inout ObservedRun
  ) {
    let isAlive = run.state.isAlive(channel)
    if holds(.waiting) { waiting.channelMoved(channel, isAlive: isAlive, from: from, to: to, &run) }
    if holds(.aliveness) {
      aliveness.channelMoved(channel, isAlive: isAlive, from: from, to: to, &run)
    }
    if holds(.channelStates) {
      channelStates.channelMoved(channel, isAlive: isAlive, from: from, to: to, &run)
    }
  }

  @inline(__always)
  mutating func channelDestroyed(_ channel: ChannelID, _ run: inout ObservedRun) {
    if holds(.sameCategory) { sameCategory.channelDestroyed(channel, &run) }
    if holds(.waiting) { waiting.channelDestroyed(channel, &run) }
    if holds(.aliveness) { aliveness.channelDestroyed(channel, &run) }
  }

  @inline(__always)
  mutating func callBound(
    _ id: CallID, to channel: ChannelID, isNew: Bool, _ run: inout ObservedRun
  ) {
    if holds(.sharedChannel) { sharedChannel.callBound(id, to: channel, isNew: isNew, &run) }
  }

  @inline(__always)
  mutating func connectionOpened(for channel: ChannelID, _ run: inout ObservedRun) {
    let isAlive = run.state.isAlive(channel)
    if holds(.sharedChannel) {
      sharedChannel.connectionOpened(for: channel, isAlive: isAlive, &run)
    }
    if holds(.waiting) { waiting.connectionOpened(for: channel, isAlive: isAlive, &run) }
    if holds(.aliveness) { aliveness.connectionOpened(for: channel, isAlive: isAlive, &run) }
  }

  @inline(__always)
  mutating func connectionClosed(_ connection: ConnectionID, _ run: inout ObservedRun) {
    if holds(.aliveness) { aliveness.connectionClosed(connection, &run) }
  }

  @inline(__always)
  mutating func pinged(_ connection: ConnectionID, _ run: inout ObservedRun) {
    if holds(.aliveness) { aliveness.pinged(connection, &run) }
  }

  mutating func notified(_ change: CategoryChange, _ run: inout ObservedRun) {
    if holds(.categoryChange) { categoryChange.notified(change, &run) }
    if holds(.sameCategory) { sameCategory.notified(change, &run) }
  }

  @inline(__always)
  mutating func sent(
    _ part: SentPart, of id: CallID, on connection: ConnectionID, _ run: inout ObservedRun
  ) {
    let call = run.unfinished(id)
    if holds(.sending) { sending.sent(part, of: id, call, on: connection, &run) }
    if holds(.aliveness) { aliveness.sent(part, of: id, call, on: connection, &run) }
  }

  @inline(__always)
  mutating func observed(_ id: CallID, _ run: inout ObservedRun) {
    if holds(.callEndsOnce) { callEndsOnce.observed(id, run.unfinished(id), &run) }
  }

  @inline(__always)
  mutating func callEnded(_ id: CallID, _ end: CallEnd, _ run: inout ObservedRun) {
    let call = run.unfinished(id)
    if holds(.callEndsOnce) { callEndsOnce.callEnded(id, call, end, &run) }
    if holds(.categoryChange) { categoryChange.callEnded(id, call, end, &run) }
    if holds(.waiting) { waiting.callEnded(id, call, end, &run) }
  }

  @inline(__always)
  mutating func runEnded(_ run: inout ObservedRun) {
    if holds(.waiting) { waiting.runEnded(&run) }
  }

  @inline(__always)
  mutating func handle(_ fact: ChainFact, _ run: inout ObservedRun) {
    if holds(.chainOrder) { chainOrder.handle(fact, &run) }
  }

  @inline(__always)
  mutating func handle(_ fact: RequestFact, _ run: inout ObservedRun) {
    if holds(.requestLimits) { requestLimits.handle(fact, &run) }
  }

  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {
    if holds(.requestLimits) { requestLimits.finish(leaks, &run) }
    if holds(.aliveness) { aliveness.finish(leaks, &run) }
  }
}
