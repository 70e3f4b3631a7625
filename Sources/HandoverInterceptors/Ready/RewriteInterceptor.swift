public import HandoverCore

/// Changes the destination, headers, options, messages and trailers of a call.
///
/// The interceptor is meant for tests and scenarios, and shows every change that a chain must allow
/// according to the proposal. Messages that are values pass unchanged, except for ``TextMessage``.
public struct RewriteInterceptor: Interceptor {
  /// The changes; `nil` and empty values change nothing.
  public struct Changes: Hashable, Sendable {
    /// The new host.
    public var host: String?
    /// The new path.
    public var path: String?
    /// The new safety class.
    public var safety: CallSafety?
    /// The headers to set.
    public var metadata = Metadata()
    /// The text to insert before each sent message.
    public var prefix = ""
    /// The text to insert before each received message.
    public var answerPrefix = ""
    /// The trailers to set.
    public var trailers = Metadata()
    /// The new timeout.
    public var timeout: Interval?
    /// The new value of ``CallOptions/failsFast`` (D7).
    public var failsFast: Bool?
    /// The new value of ``CallOptions/flowControl`` (I36).
    public var flowControl: Bool?
    /// The options to set in the key of the channel.
    public var channel = ChannelOptions()
    /// The new interceptor factories, which have no effect (I3).
    public var interceptorFactories: [any InterceptorFactory]? {
      get { erasedFactories?.map(\.factory) }
      set { erasedFactories = newValue?.map(AnyFactory.init) }
    }
    private var erasedFactories: [AnyFactory]?

    /// Creates an empty set of changes.
    public init() {}
  }

  private let changes: Changes

  /// Creates an interceptor.
  public init(_ changes: Changes) {
    self.changes = changes
  }

  /// Forwards the start with the changed destination, headers and options.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    var request = start.request
    if let host = changes.host { request.host = host }
    if let path = changes.path { request.path = path }
    if let safety = changes.safety { request.safety = safety }
    manager.startNextInterceptor(CallStart(request, changes.applied(to: start.options)))
  }

  /// Forwards the changed message.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    manager.writeNextInterceptor(Self.prefixed(message, changes.prefix))
  }

  /// Forwards the changed message.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    manager.forwardPreviousInterceptor(message: Self.prefixed(message, changes.answerPrefix))
  }

  /// Forwards the close with the changed trailers, and leaves the chain.
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
    guard !prefix.isEmpty else { return message }
    switch message {
    case .bytes(let bytes):
      return .bytes(Array(prefix.utf8) + bytes)
    case .value(let value):
      return (value as? TextMessage).map { .value(TextMessage(prefix + $0.text)) } ?? message
    }
  }
}

extension RewriteInterceptor.Changes {
  /// Returns the changed options of a call.
  fileprivate func applied(to original: CallOptions) -> CallOptions {
    var options = original
    for entry in metadata.entries { options.metadata[entry.key] = entry.value }
    if let timeout { options.timeout = timeout }
    if let failsFast { options.failsFast = failsFast }
    if let flowControl { options.flowControl = flowControl }
    options.channel.set(channel)
    if let interceptorFactories { options.interceptorFactories = interceptorFactories }
    return options
  }
}

extension ChannelOptions {
  /// Sets the options that are set in `others`.
  fileprivate mutating func set(_ others: ChannelOptions) {
    for (_, time) in Self.times {
      if let interval = others[keyPath: time] { self[keyPath: time] = interval }
    }
    let names = others.others.map(Self.name)
    self.others.removeAll { names.contains(Self.name($0)) }
    self.others = (self.others + others.others).sorted()
  }

  private static func name(_ option: String) -> Substring { option.prefix { $0 != "=" } }
}
