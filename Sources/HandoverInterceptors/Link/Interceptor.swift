public import HandoverCore

/// A link of a chain: it sees every request and response of one call, and decides what goes on.
///
/// Every method has the base interceptor's behaviour unless it is written: requests go on to the
/// next link, responses to the previous one (I18). An interceptor is a value that belongs to one
/// call (I9); what the calls of a factory share is given to it by the factory. Methods run one at a
/// time, in order on each of the link's queues, and never wait: what takes time is asked for with
/// ``InterceptorManager/ask(_:)`` or waited for with ``nextDeadline``.
///
/// The states as requests tell them (I17):
///
///     initialized → start → started → finish → halfClosed
///     any state → cancel, or the close of the next link → finished
///
/// Before the start only `write`, `receiveNextMessages` and `cancel` are legal. An interceptor must
/// forward initial metadata, then messages, then exactly one close (I15), and call
/// ``InterceptorManager/shutDown()`` after it.
public protocol Interceptor: Hashable, Sendable {
  /// The call starts.
  mutating func start(_ start: CallStart, _ manager: inout InterceptorManager)
  /// The user sends a message.
  mutating func write(_ message: Message, _ manager: inout InterceptorManager)
  /// The user sends no further message.
  mutating func finish(_ manager: inout InterceptorManager)
  /// The user cancels; legal before the start too (I21).
  mutating func cancel(_ manager: inout InterceptorManager)
  /// The user takes so many more messages.
  mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager)

  /// The server's headers came; nil where it sent none.
  mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager)
  /// A message of the server came.
  mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager)
  /// A message came in the deprecated way, which ends where an interceptor is (I30).
  mutating func didReceiveRawMessage(_ bytes: [UInt8], _ manager: inout InterceptorManager)
  /// The call closed.
  mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager)
  /// A message was sent.
  mutating func didWriteData(_ manager: inout InterceptorManager)

  /// The answer to a question came; nil where there is none.
  mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager)
  /// When ``timeElapsed(_:)`` is to be called; nil never.
  var nextDeadline: Instant? { get }
  /// The deadline has passed.
  mutating func timeElapsed(_ manager: inout InterceptorManager)
}

// The base interceptor (L50, `GRPCInterceptor`): forwards everything.
extension Interceptor {
  /// Goes on to the next link.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    manager.startNextInterceptor(start)
  }

  /// Goes on to the next link.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    manager.writeNextInterceptor(message)
  }

  /// Goes on to the next link.
  public mutating func finish(_ manager: inout InterceptorManager) {
    manager.finishNextInterceptor()
  }

  /// Goes on to the next link; the close comes back from the transport.
  ///
  /// In the later code it does more, see ``InterceptorManager/passCancelOn()``.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    manager.passCancelOn()
  }

  /// Goes on to the next link.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    manager.receiveNextInterceptorMessages(count)
  }

  /// Goes on to the previous link.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    manager.forwardPreviousInterceptor(initialMetadata: metadata)
  }

  /// Goes on to the previous link.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Ends the call INTERNAL: no interceptor takes messages in the deprecated way (I30).
  public mutating func didReceiveRawMessage(
    _ bytes: [UInt8], _ manager: inout InterceptorManager
  ) {
    manager.refuseRawMessage()
  }

  /// Goes on to the previous link, and leaves.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  /// Goes on to the previous link.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptorDidWrite()
  }

  /// Nothing was asked.
  public mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager
  ) {}

  /// Nothing is waited for.
  public var nextDeadline: Instant? { nil }

  /// Nothing is waited for.
  public mutating func timeElapsed(_ manager: inout InterceptorManager) {}
}

extension InterceptorManager {
  /// Ends the call because a message came in the way that no interceptor takes.
  mutating func refuseRawMessage() {
    outbox.append(.finding(.rawMessage))
    cancelNextInterceptor()
    forwardPreviousInterceptorClose(
      CallClose(
        CallStatus(.internalError, "\(name) takes no raw messages; use didReceiveData instead")))
    shutDown()
  }
}

/// The base interceptor as it is: forwards everything and does nothing else.
public struct ForwardingInterceptor: Interceptor {
  /// Makes one.
  public init() {}
}

/// Makes one link for each call (L50, `GRPCInterceptorFactory`).
///
/// A factory is a value or a reference that guards itself: it is asked by many calls, and whatever
/// its links share is what it gives them. It is never given a manager, so that it cannot use one
/// that is not yet part of the chain (I8).
public protocol InterceptorFactory: Hashable, Sendable {
  /// The name of its links in findings, traces and reports.
  var name: String { get }
  /// The queues that its links do their work on.
  var queues: InterceptorQueues { get }
  /// Whether its links share what they know, by reference: then no copy of a link is a link of its
  /// own, and whoever tries all orders makes everything anew for each.
  var sharesState: Bool { get }

  /// Makes the link of a call; nil leaves the call without one (I5, I34).
  func makeInterceptor(for call: CallStart) -> (any Interceptor)?
}

extension InterceptorFactory {
  /// One serial queue for each link (I12).
  public var queues: InterceptorQueues { .own }

  /// Nothing is shared.
  public var sharesState: Bool { false }
}

/// The queues that a link does its work on: one for requests, one for responses.
///
/// Order is kept on each queue, and a link does one thing at a time whatever its queues are.
public enum InterceptorQueues: Hashable, Sendable {
  /// One serial queue of the link's own for both (I12).
  case own
  /// Two serial queues of the link's own (L50).
  case separate
  /// One serial queue for all links of all calls whose factories name it.
  case shared(String)
  /// Two of the link's own that run on the threads of the concurrent queue named (L50, the
  /// alternative at its end).
  case concurrent(String)
}
