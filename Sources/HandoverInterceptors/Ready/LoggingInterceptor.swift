/// Reports each event of a call as a line of text, and changes nothing.
///
/// A line contains the kind of the event and its size, but not the contents of messages, headers or
/// trailers. A message that is a value has no size yet.
///
///     any request  → note → next interceptor
///     any response → note → previous interceptor
public struct LoggingInterceptor: Interceptor {
  /// Creates logging interceptors.
  public struct Factory: InterceptorFactory {
    /// The name of the interceptors.
    public var name: String

    /// Creates a factory.
    public init(name: String = "logging") {
      self.name = name
    }

    /// Creates the interceptor of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      LoggingInterceptor()
    }
  }

  /// Reports the start with its safety class, host and path.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    let request = start.request
    manager.note(.text("start \(request.safety) \(request.host)\(request.path)"))
    manager.startNextInterceptor(start)
  }

  /// Reports the message with its size.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    manager.note(.text("write \(size(message))"))
    manager.writeNextInterceptor(message)
  }

  /// Reports the end of the messages.
  public mutating func finish(_ manager: inout InterceptorManager) {
    manager.note(.text("finish"))
    manager.finishNextInterceptor()
  }

  /// Reports the cancel.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    manager.note(.text("cancel"))
    manager.forwardCancel()
  }

  /// Reports the number of messages that the caller requests.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    manager.note(.text("receive \(count)"))
    manager.receiveNextInterceptorMessages(count)
  }

  /// Reports the number of headers.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    manager.note(.text("headers \(metadata?.entries.count ?? 0)"))
    manager.forwardPreviousInterceptor(initialMetadata: metadata)
  }

  /// Reports the message with its size.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    manager.note(.text("message \(size(message))"))
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Reports the raw message with its size, and ends the call as every interceptor does (I30).
  public mutating func didReceiveRawMessage(
    _ bytes: [UInt8], _ manager: inout InterceptorManager
  ) {
    manager.note(.text("raw message \(size(.bytes(bytes)))"))
    manager.refuseRawMessage()
  }

  /// Reports the close with its code and message.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    let text = close.status.message
    manager.note(.text("close \(close.status.code)\(text.isEmpty ? "" : " (\(text))")"))
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  /// Reports that a message was sent.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    manager.note(.text("write done"))
    manager.forwardPreviousInterceptorDidWrite()
  }

  private func size(_ message: Message) -> String {
    message.bytes.map { "\($0.count) B" } ?? "of a value"
  }
}
