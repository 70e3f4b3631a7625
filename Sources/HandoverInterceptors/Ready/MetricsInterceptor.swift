import HandoverCore

/// Counts what a call does and measures how long it takes, and changes nothing.
///
/// Notes when the call starts: `calls.started`. Notes when it ends, for the user too where it is
/// cancelled: `calls.ended.` with the name of the code, `messages.sent`, `bytes.sent`,
/// `messages.received` and `bytes.received`, and the durations `call` and, where there was one,
/// `firstMessage`, both from the start.
///
///     initialized → start → started → close or cancel → gone
///
/// A call that is cancelled before it starts is not counted. A message that is a value counts as a
/// message without bytes.
public struct MetricsInterceptor: Interceptor {
  /// Makes the links that count.
  public struct Factory: InterceptorFactory {
    /// The name of the links.
    public var name: String

    /// Makes a factory.
    public init(name: String = "metrics") {
      self.name = name
    }

    /// Makes the link of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      MetricsInterceptor()
    }
  }

  /// Messages one way.
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

  /// Counts the message, and keeps when the first came.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    received.count(message)
    firstMessageAt = firstMessageAt ?? manager.now
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Tells the counts as those of a cancelled call, where the close will not come here.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    if manager.closesOnCancel { report(.cancelled, &manager) }
    manager.passCancelOn()
  }

  /// Tells the counts.
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
