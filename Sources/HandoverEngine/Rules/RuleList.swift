import HandoverCore
import HandoverTrace

/// All rules there are, in the order of their numbers, and which of them a contract has.
///
/// The one list: a new rule is a type, a case of ``RuleIdentifier``, a property here, and a line
/// wherever it has to hear something.
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
  /// One bit for each rule that holds, by its number.
  private var holding: UInt32 = 0

  /// Rules of no contract.
  init() {}

  /// The rules of a contract, before the first record.
  init(_ identifiers: [RuleIdentifier]) {
    for identifier in identifiers { holding |= Self.bit(identifier) }
  }

  /// The same rules before the first record; their room is used again.
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

// Who hears what. Rules are told in the order of their numbers; one that a record does not concern
// is not asked, because there are ten of them and thousands of records. What several of them want
// to know of a record is looked up once.
extension RuleList {
  @inline(__always)
  mutating func instantIsOver(_ run: inout ObservedRun) {
    if holds(.requestLimits) { requestLimits.instantIsOver(&run) }
  }

  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun) {
    if holds(.aliveness) { aliveness.timeRanBack(to: instant, &run) }
  }

  /// A step is over; mostly nobody waits for anything.
  ///
  /// A rule that does not hold hears nothing, so that it never does.
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
