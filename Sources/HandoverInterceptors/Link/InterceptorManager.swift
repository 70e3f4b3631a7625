public import HandoverCore

/// Forwards the decisions of its interceptor in both directions (L50, `GRPCInterceptorManager`).
///
/// A manager belongs to one interceptor of one call. Forwarding takes effect in order after the
/// interceptor's method returns. Forwarding never fails; operations that the rules forbid are
/// dropped and recorded as a ``ChainFinding``.
public struct InterceptorManager: Hashable, Sendable {
  /// The name of the interceptor, for findings and traces.
  public let name: String
  /// The instant of the work that the interceptor is doing.
  public internal(set) var now = Instant.zero
  /// Whether the interceptor has left the chain.
  public private(set) var isShutDown = false
  /// Whether the base interceptor itself closes the call on a cancel, as in later gRPC code (I18).
  public let closesOnCancel: Bool
  /// Whether a close was forwarded to the previous interceptor (I16).
  public private(set) var hasClosed = false

  private var previous: LinkID?
  /// The state of the call from the view of the next interceptor.
  private var phase = RequestSendingPhase.initialized
  /// Whether the next interceptor closed; after a cancel it may still be working.
  private var nextHasClosed = false
  /// Whether the caller or the next interceptor notified this interceptor of the end of the call.
  var hasReceivedEnd = false
  private var hasForwardedMessage = false
  /// The decisions of the interceptor during its current work.
  var outbox: ShortQueue<Outgoing> = []

  /// A decision of an interceptor; rare cases are indirect to keep the type small.
  enum Outgoing: Hashable, Sendable {
    case request(ChainRequest)
    case response(ChainResponse)
    case shutDown
    case renewNext
    indirect case ask(String)
    indirect case note(InterceptorNote)
    case finding(ChainFinding.Kind)
  }

  init(name: String, closesOnCancel: Bool = false) {
    self.name = name
    self.closesOnCancel = closesOnCancel
  }

  /// Sets the interceptor that receives responses; it can be set only once.
  ///
  /// - Returns: whether it was set; `false` keeps the previous value.
  @discardableResult
  mutating func setPreviousInterceptor(_ link: LinkID) -> Bool {
    guard previous == nil, !isShutDown else { return false }
    previous = link
    return true
  }

  /// Leaves the chain; from now on nothing is forwarded in either direction (I22).
  ///
  /// An interceptor calls this function at the end of its call, so that its neighbors can be
  /// released. By then it must have forwarded the close, and the next interceptor must have closed,
  /// been cancelled or never been started. Anything still open can never be closed later, so this
  /// function reports it (I24).
  public mutating func shutDown() {
    guard !isShutDown else { return }
    isShutDown = true
    if !hasClosed { outbox.append(.finding(.closeNotForwarded)) }
    if phase == .started || phase == .halfClosed { outbox.append(.finding(.nextLeftRunning)) }
    previous = nil
    outbox.append(.shutDown)
  }

  // MARK: Toward the transport

  /// Starts the call on the next interceptor, which is created now if necessary (I4).
  public mutating func startNextInterceptor(_ start: CallStart) {
    guard sends(phase == .initialized, else: .startedTwice) else { return }
    phase = .started
    outbox.append(.request(.start(start)))
  }

  /// Forwards a message to the next interceptor, which holds it until the start (I27).
  public mutating func writeNextInterceptor(_ message: Message) {
    guard sends(phase < .halfClosed, else: .writtenAfterFinish) else { return }
    outbox.append(.request(.write(message)))
  }

  /// Notifies the next interceptor that no more messages follow.
  public mutating func finishNextInterceptor() {
    guard
      sends(
        phase == .started,
        else: phase == .initialized ? .finishedBeforeStart : .finishedTwice)
    else { return }
    phase = .halfClosed
    outbox.append(.request(.finish))
  }

  /// Cancels the call on the next interceptor; also legal before the start (I21).
  public mutating func cancelNextInterceptor() {
    guard passes(true, else: .forwardedAfterShutDown) else { return }
    phase = .finished
    outbox.append(.request(.cancel))
  }

  /// Handles a cancel as the base interceptor does: forwards the cancel and does nothing else
  /// (L50).
  ///
  /// In later gRPC code the base interceptor then also closes toward the caller and leaves the
  /// chain. The close of the transport then arrives too late to be a second close (I18, I19).
  /// ``closesOnCancel`` selects the behavior.
  public mutating func forwardCancel() {
    cancelNextInterceptor()
    if closesOnCancel { closeCancelled() }
  }

  /// Allows the next interceptor to deliver up to `count` more messages.
  public mutating func receiveNextInterceptorMessages(_ count: Int) {
    guard passes(true, else: .forwardedAfterShutDown) else { return }
    outbox.append(.request(.receiveNextMessages(count)))
  }

  /// Returns whether something may be sent; nothing may be sent after a close was forwarded.
  private mutating func sends(_ condition: Bool, else finding: ChainFinding.Kind) -> Bool {
    passes(condition && !hasClosed, else: hasClosed ? .forwardedAfterClose : finding)
  }

  /// Returns whether a request may be forwarded, and records a violation if it is illegal.
  private mutating func passes(_ condition: Bool, else finding: ChainFinding.Kind) -> Bool {
    guard !isShutDown else {
      outbox.append(.finding(.forwardedAfterShutDown))
      return false
    }
    // In `finished` every request may be ignored (I17).
    guard phase != .finished else { return false }
    guard condition else {
      outbox.append(.finding(finding))
      return false
    }
    return true
  }

  /// Whether the call of the next interceptor is over, because it closed or was cancelled.
  public var nextHasEnded: Bool { phase == .finished }

  /// Whether the interceptor knows that the call is over but has not closed.
  ///
  /// An interceptor that cancelled the next one may still wait for the close of that one, and owes
  /// nothing until then.
  var owesClose: Bool { hasReceivedEnd && (phase != .finished || nextHasClosed) }

  /// Records that the next interceptor forwarded its close and accepts no more requests.
  mutating func nextClosed() {
    phase = .finished
    nextHasClosed = true
    hasReceivedEnd = true
  }

  /// Creates the rest of the chain again for another attempt.
  ///
  /// The function is legal only after the close of the next interceptor, even if that one was
  /// cancelled. Two attempts therefore never exist at the same time. The new interceptors have
  /// received no requests yet.
  public mutating func renewNextInterceptor() {
    guard !isShutDown, !hasClosed else {
      outbox.append(.finding(isShutDown ? .forwardedAfterShutDown : .forwardedAfterClose))
      return
    }
    guard nextHasClosed else {
      outbox.append(.finding(.renewedBeforeClose))
      return
    }
    phase = .initialized
    nextHasClosed = false
    hasReceivedEnd = false
    hasForwardedMessage = false
    outbox.append(.renewNext)
  }

  // MARK: Toward the caller

  /// Forwards the headers of the server to the previous interceptor.
  public mutating func forwardPreviousInterceptor(initialMetadata: Metadata?) {
    guard passesToPrevious() else { return }
    if hasForwardedMessage { outbox.append(.finding(.metadataAfterMessage)) }
    outbox.append(.response(.initialMetadata(initialMetadata)))
  }

  /// Forwards a message to the previous interceptor.
  public mutating func forwardPreviousInterceptor(message: Message) {
    guard passesToPrevious() else { return }
    hasForwardedMessage = true
    outbox.append(.response(.message(message)))
  }

  /// Forwards a message in the deprecated form, which no interceptor accepts (I30).
  public mutating func forwardPreviousInterceptor(rawMessage: [UInt8]) {
    guard passesToPrevious() else { return }
    outbox.append(.response(.rawMessage(rawMessage)))
  }

  /// Closes the call toward the previous interceptor; everything forwarded later is dropped (I16).
  public mutating func forwardPreviousInterceptorClose(_ close: CallClose) {
    guard passesToPrevious(closing: true) else { return }
    hasClosed = true
    previous = nil
    outbox.append(.response(.close(close)))
  }

  /// Notifies the previous interceptor that a message was sent.
  public mutating func forwardPreviousInterceptorDidWrite() {
    guard passesToPrevious() else { return }
    outbox.append(.response(.writeDone))
  }

  private mutating func passesToPrevious(closing: Bool = false) -> Bool {
    if hasClosed {
      outbox.append(.finding(closing ? .closedTwice : .forwardedAfterClose))
      return false
    }
    guard !isShutDown else {
      outbox.append(.finding(.forwardedAfterShutDown))
      return false
    }
    return previous != nil
  }

  // MARK: The environment

  /// Asks the environment a question; ``Interceptor/didReceiveAnswer(_:to:_:)`` receives the
  /// answer.
  public mutating func ask(_ question: String) {
    outbox.append(.ask(question))
  }

  /// Reports a note to listeners of the chain; it has no effect on the call.
  public mutating func note(_ note: InterceptorNote) {
    outbox.append(.note(note))
  }
}

/// The state of a call, as its requests determine it (I17).
///
/// initialized → started → halfClosed → finished; every state may change directly to finished.
enum RequestSendingPhase: UInt8, Hashable, Sendable, Comparable {
  case initialized
  case started
  case halfClosed
  case finished

  static func < (left: RequestSendingPhase, right: RequestSendingPhase) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The identity of an interceptor in one chain: its position and a serial number.
public struct LinkID: Hashable, Sendable {
  /// The position, counted from zero; the caller comes before the first interceptor, at -1.
  public let position: Int32
  /// A number that no other interceptor of the call has or had.
  public let serial: UInt32

  /// Creates an identifier.
  init(position: Int, serial: UInt32) {
    self.position = Int32(truncatingIfNeeded: position)
    self.serial = serial
  }

  /// The caller, which is not an interceptor but receives responses like one.
  static let user = LinkID(position: -1, serial: 0)
}

/// A note that an interceptor reports to listeners.
public enum InterceptorNote: Hashable, Sendable {
  /// A line for a log.
  case text(String)
  /// An increment of a named counter.
  case count(String, Int)
  /// A named duration.
  case duration(String, Interval)
}
