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
// is not asked, because there are ten of them and thousands of records.
extension RuleList {
  @inline(__always)
  mutating func instantIsOver(_ run: inout ObservedRun) {
    if holds(.requestLimits) { requestLimits.instantIsOver(&run) }
  }

  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun) {
    if holds(.aliveness) { aliveness.timeRanBack(to: instant, &run) }
  }

  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) {
    if holds(.categoryChange) { categoryChange.stepIsOver(&run) }
    if holds(.sameCategory) { sameCategory.stepIsOver(&run) }
    if holds(.sharedChannel) { sharedChannel.stepIsOver(&run) }
    if holds(.waiting) { waiting.stepIsOver(&run) }
  }

  @inline(__always)
  mutating func handle(_ event: ClientCore.Event, _ run: inout ObservedRun) {
    if case .reachability = event {
      if holds(.categoryChange) { categoryChange.handle(event, &run) }
      if holds(.sameCategory) { sameCategory.handle(event, &run) }
    }
    if holds(.waiting) { waiting.handle(event, &run) }
  }

  @inline(__always)
  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {
    switch effect {
    case .notify:
      break
    case .channelCreated, .callBound:
      if holds(.sharedChannel) { sharedChannel.handle(effect, &run) }
      if holds(.aliveness) { aliveness.handle(effect, &run) }
    case .channelMoved:
      if holds(.waiting) { waiting.handle(effect, &run) }
      if holds(.aliveness) { aliveness.handle(effect, &run) }
      if holds(.channelStates) { channelStates.handle(effect, &run) }
    case .channelDestroyed:
      if holds(.sameCategory) { sameCategory.handle(effect, &run) }
      if holds(.waiting) { waiting.handle(effect, &run) }
      if holds(.aliveness) { aliveness.handle(effect, &run) }
    case .openConnection:
      if holds(.waiting) { waiting.handle(effect, &run) }
      if holds(.aliveness) { aliveness.handle(effect, &run) }
    case .closeConnection, .sendPing:
      if holds(.aliveness) { aliveness.handle(effect, &run) }
    case .startStream, .sendMessages, .finishStream, .resetStream:
      if holds(.sending) { sending.handle(effect, &run) }
      if holds(.aliveness) { aliveness.handle(effect, &run) }
    case .fetchToken, .deliverMessage:
      if holds(.callEndsOnce) { callEndsOnce.handle(effect, &run) }
    case .endCall:
      if holds(.callEndsOnce) { callEndsOnce.handle(effect, &run) }
      if holds(.categoryChange) { categoryChange.handle(effect, &run) }
      if holds(.waiting) { waiting.handle(effect, &run) }
    }
  }

  @inline(__always)
  mutating func handle(_ fact: WorldFact, _ run: inout ObservedRun) {
    if case .runEnded = fact, holds(.waiting) { waiting.handle(fact, &run) }
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
