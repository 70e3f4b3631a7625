public import HandoverCore

/// An element of a chain that receives all requests and responses of one call and decides what to
/// forward.
///
/// Each method has a default implementation, that of the base interceptor: requests go to the next
/// interceptor, responses to the previous one (I18). An interceptor is a value that belongs to one
/// call (I9). State that several calls share comes from the factory.
///
/// Methods run one at a time, in order on each of the interceptor's queues, and never block. An
/// interceptor that needs time uses ``InterceptorManager/ask(_:)`` or ``nextDeadline``.
///
/// The requests determine the state (I17):
///
///     initialized → start → started → finish → halfClosed
///     any state → cancel, or the close of the next interceptor → finished
///
/// Before the start only `write`, `receiveNextMessages` and `cancel` are legal. An interceptor must
/// forward initial metadata, then messages, then exactly one close (I15). After the close it must
/// call ``InterceptorManager/shutDown()``.
public protocol Interceptor: Hashable, Sendable {
  /// Handles the start of the call.
  mutating func start(_ start: CallStart, _ manager: inout InterceptorManager)
  /// Handles a message that the caller sends.
  mutating func write(_ message: Message, _ manager: inout InterceptorManager)
  /// Handles the end of the caller's messages.
  mutating func finish(_ manager: inout InterceptorManager)
  /// Handles a cancellation by the caller, which is also legal before the start (I21).
  mutating func cancel(_ manager: inout InterceptorManager)
  /// Handles a request of the caller for more messages.
  mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager)

  /// Handles the headers of the server, or `nil` if the server sent none.
  mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager)
  /// Handles a message from the server.
  mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager)
  /// Handles a message in the deprecated form, which no interceptor forwards (I30).
  mutating func didReceiveRawMessage(_ bytes: [UInt8], _ manager: inout InterceptorManager)
  /// Handles the close of the call.
  mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager)
  /// Handles the notification that a message was sent.
  mutating func didWriteData(_ manager: inout InterceptorManager)

  /// Handles the answer to a question, or `nil` if there is none.
  mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager)
  /// The time at which ``timeElapsed(_:)`` is to be called, or `nil` for never.
  var nextDeadline: Instant? { get }
  /// Handles the expiry of ``nextDeadline``.
  mutating func timeElapsed(_ manager: inout InterceptorManager)
}

// The base interceptor (L50, `GRPCInterceptor`) forwards everything.
extension Interceptor {
  /// Forwards the start to the next interceptor.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    manager.startNextInterceptor(start)
  }

  /// Forwards the message to the next interceptor.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    manager.writeNextInterceptor(message)
  }

  /// Forwards the end of the messages to the next interceptor.
  public mutating func finish(_ manager: inout InterceptorManager) {
    manager.finishNextInterceptor()
  }

  /// Forwards the cancellation to the next interceptor; the close then comes from the transport.
  ///
  /// Later gRPC code does more; see ``InterceptorManager/forwardCancel()``.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    manager.forwardCancel()
  }

  /// Forwards the request to the next interceptor.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    manager.receiveNextInterceptorMessages(count)
  }

  /// Forwards the headers to the previous interceptor.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    manager.forwardPreviousInterceptor(initialMetadata: metadata)
  }

  /// Forwards the message to the previous interceptor.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Ends the call INTERNAL, because no interceptor accepts messages in the deprecated form (I30).
  public mutating func didReceiveRawMessage(
    _ bytes: [UInt8], _ manager: inout InterceptorManager
  ) {
    manager.refuseRawMessage()
  }

  /// Forwards the close to the previous interceptor, and leaves the chain.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  /// Forwards the notification to the previous interceptor.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptorDidWrite()
  }

  /// Does nothing, because the base interceptor asks no question.
  public mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager
  ) {}

  /// Always `nil`, because the base interceptor has no deadline.
  public var nextDeadline: Instant? { nil }

  /// Does nothing, because the base interceptor has no deadline.
  public mutating func timeElapsed(_ manager: inout InterceptorManager) {}
}

extension InterceptorManager {
  /// Ends the call because a message arrived in a form that no interceptor accepts.
  mutating func refuseRawMessage() {
    outbox.append(.finding(.rawMessage))
    cancelNextInterceptor()
    forwardPreviousInterceptorClose(
      CallClose(
        CallStatus(.internalError, "\(name) takes no raw messages; use didReceiveData instead")))
    shutDown()
  }
}

/// The base interceptor itself, which forwards everything and does nothing else.
public struct ForwardingInterceptor: Interceptor {
  /// Creates an interceptor.
  public init() {}
}

/// Creates one interceptor for each call (L50, `GRPCInterceptorFactory`).
///
/// A factory is a value, or a reference type that is safe to use from several threads, because many
/// calls use it. State that its interceptors share comes from the factory. A factory never receives
/// a manager, so it cannot use one that is not yet part of the chain (I8).
public protocol InterceptorFactory: Hashable, Sendable {
  /// The name of the interceptors in findings, traces and reports.
  var name: String { get }
  /// The queues on which the interceptors run.
  var queues: InterceptorQueues { get }
  /// Whether the interceptors share mutable state by reference.
  ///
  /// A copy of such an interceptor is not independent. A test that tries all orders therefore
  /// creates new factories for each order.
  var sharesState: Bool { get }

  /// Returns the interceptor for a call, or `nil` if the call gets none (I5, I34).
  func makeInterceptor(for call: CallStart) -> (any Interceptor)?
}

extension InterceptorFactory {
  /// One serial queue for each interceptor (I12).
  public var queues: InterceptorQueues { .own }

  /// `false`: the interceptors share no state.
  public var sharesState: Bool { false }
}

/// The queues on which an interceptor runs: one for requests, one for responses.
///
/// Each queue preserves order. An interceptor does one thing at a time, whatever its queues are.
public enum InterceptorQueues: Hashable, Sendable {
  /// One serial queue per interceptor for both directions (I12).
  case own
  /// Two serial queues per interceptor (L50).
  case separate
  /// One serial queue for all interceptors of all calls whose factories name it.
  case shared(String)
  /// Two serial queues per interceptor that run on the threads of a named concurrent queue.
  ///
  /// This case is the alternative at the end of L50.
  case concurrent(String)
}
