public import HandoverCore

/// Changes what passes: whom a call asks, with which verb and headers, its messages and trailers.
///
/// For tests and scenarios: it shows every change that the proposal asks a chain to allow. Messages
/// that are values pass unchanged.
public struct RewriteInterceptor: Interceptor {
  /// What is changed; nil and empty parts leave things as they are.
  public struct Changes: Hashable, Sendable {
    /// The host to ask instead.
    public var host: String?
    /// The path to ask for instead.
    public var path: String?
    /// The verb to use instead.
    public var safety: CallSafety?
    /// Headers to set.
    public var metadata = Metadata()
    /// Text to put before each message that is sent.
    public var prefix = ""
    /// Text to put before each message that is received.
    public var answerPrefix = ""
    /// Trailers to set.
    public var trailers = Metadata()

    /// Changes nothing.
    public init() {}
  }

  private let changes: Changes

  /// Makes one.
  public init(_ changes: Changes) {
    self.changes = changes
  }

  /// Goes on with the changed destination and headers.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    var start = start
    if let host = changes.host { start.request.host = host }
    if let path = changes.path { start.request.path = path }
    if let safety = changes.safety { start.request.safety = safety }
    for entry in changes.metadata.entries { start.options.metadata[entry.key] = entry.value }
    manager.startNextInterceptor(start)
  }

  /// Goes on changed.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    manager.writeNextInterceptor(Self.prefixed(message, changes.prefix))
  }

  /// Goes on changed.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptor(message: Self.prefixed(message, changes.answerPrefix))
  }

  /// Goes on with the changed trailers, and leaves.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    var close = close
    for entry in changes.trailers.entries {
      var trailers = close.trailers ?? Metadata()
      trailers[entry.key] = entry.value
      close.trailers = trailers
    }
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  private static func prefixed(_ message: Message, _ prefix: String) -> Message {
    guard !prefix.isEmpty, let bytes = message.bytes else { return message }
    return .bytes(Array(prefix.utf8) + bytes)
  }
}
