public import HandoverCore

/// Forwards what its interceptor decides, in both directions (L50, `GRPCInterceptorManager`).
///
/// A manager accompanies one interceptor of one call. What is forwarded happens after the
/// interceptor's method returns, in order. Forwarding never fails; what the rules forbid is dropped
/// and kept as a ``ChainFinding``.
public struct InterceptorManager: Hashable, Sendable {
  /// The name of the interceptor, for findings and traces.
  public let name: String
  /// The instant of the work that the interceptor is doing.
  public internal(set) var now = Instant.zero
  /// Whether the interceptor has left the chain.
  public private(set) var isShutDown = false
  /// Whether the base interceptor closes by itself on a cancel, as it does in the later code (I18).
  public let closesOnCancel: Bool
  /// Whether a close was forwarded to the previous link (I16).
  public private(set) var hasClosed = false

  private var previous: LinkID?
  /// How far the call has come as the next link knows it.
  private var phase = RequestPhase.initialized
  /// Whether the next link closed; one that was cancelled may still be at work.
  private var nextHasClosed = false
  /// Whether the interceptor was told that the call is over: by the user or by the next link.
  var hasHeardEnd = false
  private var hasForwardedMessage = false
  /// What the interceptor decided during its present work.
  var outbox: ShortQueue<Outgoing> = []

  /// Something an interceptor decided; what is not forwarded lies apart, to keep this small.
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

  /// Sets the link that responses go to; it can be set once.
  ///
  /// - Returns: whether it was set; false leaves the link that was there.
  @discardableResult
  mutating func setPreviousInterceptor(_ link: LinkID) -> Bool {
    guard previous == nil, !isShutDown else { return false }
    previous = link
    return true
  }

  /// Leaves the chain: at once nothing is forwarded any more in either direction (I22).
  ///
  /// An interceptor calls it when its call is over, so that its neighbours can be released: it has
  /// forwarded the close, and the next link has closed, was cancelled or never started. What it
  /// left open it can never close any more, so that this is the time to tell it (I24).
  public mutating func shutDown() {
    guard !isShutDown else { return }
    isShutDown = true
    if !hasClosed { outbox.append(.finding(.closeNotForwarded)) }
    if phase == .started || phase == .halfClosed { outbox.append(.finding(.nextLeftRunning)) }
    previous = nil
    outbox.append(.shutDown)
  }

  // MARK: Towards the transport

  /// Starts the call on the next link, which is made now where it is not yet there (I4).
  public mutating func startNextInterceptor(_ start: CallStart) {
    guard sends(phase == .initialized, else: .startedTwice) else { return }
    phase = .started
    outbox.append(.request(.start(start)))
  }

  /// Gives the next link a message to send; before the start it waits for it (I27).
  public mutating func writeNextInterceptor(_ message: Message) {
    guard sends(phase < .halfClosed, else: .writtenAfterFinish) else { return }
    outbox.append(.request(.write(message)))
  }

  /// Tells the next link that no message follows.
  public mutating func finishNextInterceptor() {
    guard
      sends(
        phase == .started,
        else: phase == .initialized ? .finishedBeforeStart : .finishedTwice)
    else { return }
    phase = .halfClosed
    outbox.append(.request(.finish))
  }

  /// Tells the next link that the call is to end; also before the start (I21).
  public mutating func cancelNextInterceptor() {
    guard passes(true, else: .forwardedAfterShutDown) else { return }
    phase = .finished
    outbox.append(.request(.cancel))
  }

  /// Does with a cancel what the base interceptor does: forwards it, and nothing else (L50).
  ///
  /// In the later code it then closes towards the user and leaves, so that the transport's own
  /// close comes too late to be a second one (I18, I19); ``closesOnCancel`` tells which it is.
  public mutating func passCancelOn() {
    cancelNextInterceptor()
    if closesOnCancel { closeCancelled() }
  }

  /// Allows the next link to deliver so many more messages.
  public mutating func receiveNextInterceptorMessages(_ count: Int) {
    guard passes(true, else: .forwardedAfterShutDown) else { return }
    outbox.append(.request(.receiveNextMessages(count)))
  }

  /// Whether something may be sent: nothing is after the end that was reported.
  @inline(__always)
  private mutating func sends(_ condition: Bool, else finding: ChainFinding.Kind) -> Bool {
    passes(condition && !hasClosed, else: hasClosed ? .forwardedAfterClose : finding)
  }

  /// Whether a request may go on; the rest of the chain has heard the end otherwise.
  @inline(__always)
  private mutating func passes(_ condition: Bool, else finding: ChainFinding.Kind) -> Bool {
    guard !isShutDown else {
      outbox.append(.finding(.forwardedAfterShutDown))
      return false
    }
    // In `finished` every request is ignorable (I17).
    guard phase != .finished else { return false }
    guard condition else {
      outbox.append(.finding(finding))
      return false
    }
    return true
  }

  /// Whether the next link closed or was cancelled: its call is over.
  public var nextHasEnded: Bool { phase == .finished }

  /// Whether the interceptor was told that the call is over and has not closed: what it waits for
  /// is not the close of a link that it cancelled.
  var owesClose: Bool { hasHeardEnd && (phase != .finished || nextHasClosed) }

  /// The next link forwarded its close: it takes no more requests.
  mutating func nextClosed() {
    phase = .finished
    nextHasClosed = true
    hasHeardEnd = true
  }

  /// Makes the rest of the chain anew for another attempt, with everything still to be sent.
  ///
  /// Legal only after the next link's close, also where that link was cancelled: two attempts never
  /// live at once.
  public mutating func renewNextInterceptor() {
    guard !isShutDown, !hasClosed else {
      outbox.append(.finding(.forwardedAfterShutDown))
      return
    }
    guard nextHasClosed else {
      outbox.append(.finding(.renewedBeforeClose))
      return
    }
    phase = .initialized
    nextHasClosed = false
    hasHeardEnd = false
    hasForwardedMessage = false
    outbox.append(.renewNext)
  }

  // MARK: Towards the user

  /// Gives the previous link the server's headers.
  public mutating func forwardPreviousInterceptor(initialMetadata: Metadata?) {
    guard passesBack() else { return }
    if hasForwardedMessage { outbox.append(.finding(.metadataAfterMessage)) }
    outbox.append(.response(.initialMetadata(initialMetadata)))
  }

  /// Gives the previous link a message.
  public mutating func forwardPreviousInterceptor(message: Message) {
    guard passesBack() else { return }
    hasForwardedMessage = true
    outbox.append(.response(.message(message)))
  }

  /// Gives the previous link a message in the deprecated way; no link takes it (I30).
  public mutating func forwardPreviousInterceptor(rawMessage: [UInt8]) {
    guard passesBack() else { return }
    outbox.append(.response(.rawMessage(rawMessage)))
  }

  /// Tells the previous link how the call closed; whatever is forwarded later is dropped (I16).
  public mutating func forwardPreviousInterceptorClose(_ close: CallClose) {
    guard passesBack(closing: true) else { return }
    hasClosed = true
    previous = nil
    outbox.append(.response(.close(close)))
  }

  /// Tells the previous link that a message was sent.
  public mutating func forwardPreviousInterceptorDidWrite() {
    guard passesBack() else { return }
    outbox.append(.response(.writeDone))
  }

  @inline(__always)
  private mutating func passesBack(closing: Bool = false) -> Bool {
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

  // MARK: The world outside

  /// Asks the world something; the answer comes as ``Interceptor/didReceiveAnswer(_:to:_:)``.
  public mutating func ask(_ question: String) {
    outbox.append(.ask(question))
  }

  /// Tells whoever listens to the chain something; it changes nothing.
  public mutating func note(_ note: InterceptorNote) {
    outbox.append(.note(note))
  }
}

/// How far a call has come, as its requests tell (I17).
///
/// initialized → started → halfClosed → finished; every state may go to finished at once.
enum RequestPhase: UInt8, Hashable, Sendable, Comparable {
  case initialized
  case started
  case halfClosed
  case finished

  static func < (left: RequestPhase, right: RequestPhase) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A link of one chain: its position, and which of the links that stood there.
public struct LinkID: Hashable, Sendable {
  /// The position, counted from zero; the user is before the first, at -1.
  public let position: Int32
  /// A number that no other link of the call has or had.
  public let serial: UInt32

  /// Makes an identifier.
  init(position: Int, serial: UInt32) {
    self.position = Int32(truncatingIfNeeded: position)
    self.serial = serial
  }

  /// The user, who is no link but takes responses as one.
  static let user = LinkID(position: -1, serial: 0)
}

/// Something an interceptor tells whoever listens.
public enum InterceptorNote: Hashable, Sendable {
  /// A line for a log.
  case text(String)
  /// So much more of a counted thing.
  case count(String, Int)
  /// How long something took.
  case duration(String, Interval)
}
