import HandoverCore

/// Counts the events of a call and measures its duration, and changes nothing.
///
/// At the start of a call the interceptor notes the count `calls.started`. At the end, also after a
/// cancel, it notes these counts: `calls.ended.` with the name of the code, `messages.sent`,
/// `bytes.sent`, `messages.received` and `bytes.received`. It also notes the durations from the
/// start to the end (`call`) and to the first message, if there was one (`firstMessage`).
///
///     initialized → start → started → close or cancel → gone
///
/// A call that is cancelled before its start is not counted. A message that is a value counts as a
/// message with zero bytes.
public struct MetricsInterceptor: Interceptor {
  /// Creates metrics interceptors.
  public struct Factory: InterceptorFactory {
    /// The name of the interceptors.
    public var name: String

    /// Creates a factory.
    public init(name: String = "metrics") {
      self.name = name
    }

    /// Creates the interceptor of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      MetricsInterceptor()
    }
  }

  /// The messages in one direction.
  private struct Traffic: Hashable {
    var messages = 0
    var bytes = 0

    mutating func count(_ message: Message) {
      messages += 1
      bytes += message.bytes?.count ?? 0
    }
  }

  private var startedAt: Instant?
  private var firstMessageAt: Instant?
  private var sent = Traffic()
  private var received = Traffic()

  /// Counts the call.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    if startedAt == nil {
      startedAt = manager.now
      manager.note(.count("calls.started", 1))
    }
    manager.startNextInterceptor(start)
  }

  /// Counts the message.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    sent.count(message)
    manager.writeNextInterceptor(message)
  }

  /// Counts the message, and records the time of the first one.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    received.count(message)
    firstMessageAt = firstMessageAt ?? manager.now
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Reports the counts of a cancelled call if the close will not reach this interceptor.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    if manager.closesOnCancel { report(.cancelled, &manager) }
    manager.forwardCancel()
  }

  /// Reports the counts.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    report(close.status.code, &manager)
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  private func report(_ code: StatusCode, _ manager: inout InterceptorManager) {
    guard let startedAt else { return }
    manager.note(.count("calls.ended.\(code.name)", 1))
    manager.note(.count("messages.sent", sent.messages))
    manager.note(.count("bytes.sent", sent.bytes))
    manager.note(.count("messages.received", received.messages))
    manager.note(.count("bytes.received", received.bytes))
    manager.note(.duration("call", manager.now.since(startedAt)))
    if let firstMessageAt {
      manager.note(.duration("firstMessage", firstMessageAt.since(startedAt)))
    }
  }
}
