/// Tells of every event of a call in a line of text, and changes nothing.
///
/// A line tells what happened and how much of it there was; messages, headers and trailers are not
/// in it. A message that is a value has no size yet.
///
///     any request  → note → next link
///     any response → note → previous link
public struct LoggingInterceptor: Interceptor {
  /// Makes the logging links.
  public struct Factory: InterceptorFactory {
    /// The name of the links.
    public var name: String

    /// Makes a factory.
    public init(name: String = "logging") {
      self.name = name
    }

    /// Makes the link of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      LoggingInterceptor()
    }
  }

  /// Tells of the start: verb, host and path.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    let request = start.request
    manager.note(.text("start \(request.safety) \(request.host)\(request.path)"))
    manager.startNextInterceptor(start)
  }

  /// Tells of the message: its size.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    manager.note(.text("write \(size(message))"))
    manager.writeNextInterceptor(message)
  }

  /// Tells of the end of the requests.
  public mutating func finish(_ manager: inout InterceptorManager) {
    manager.note(.text("finish"))
    manager.finishNextInterceptor()
  }

  /// Tells of the cancel.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    manager.note(.text("cancel"))
    manager.passCancelOn()
  }

  /// Tells how many more messages the user takes.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    manager.note(.text("receive \(count)"))
    manager.receiveNextInterceptorMessages(count)
  }

  /// Tells of the headers: how many.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    manager.note(.text("headers \(metadata?.entries.count ?? 0)"))
    manager.forwardPreviousInterceptor(initialMetadata: metadata)
  }

  /// Tells of the message: its size.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    manager.note(.text("message \(size(message))"))
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Tells of the raw message: its size; it ends the call as everywhere (I30).
  public mutating func didReceiveRawMessage(
    _ bytes: [UInt8], _ manager: inout InterceptorManager
  ) {
    manager.note(.text("raw message \(size(.bytes(bytes)))"))
    manager.refuseRawMessage()
  }

  /// Tells of the end: code and text.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    let text = close.status.message
    manager.note(.text("close \(close.status.code)\(text.isEmpty ? "" : " (\(text))")"))
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  /// Tells that a message was sent.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    manager.note(.text("write done"))
    manager.forwardPreviousInterceptorDidWrite()
  }

  private func size(_ message: Message) -> String {
    message.bytes.map { "\($0.count) B" } ?? "of a value"
  }
}
