public import HandoverCore

/// Changes what passes: whom a call asks, with which verb, headers and options, its messages and
/// trailers.
///
/// For tests and scenarios: it shows every change that the proposal asks a chain to allow. Messages
/// that are values pass unchanged, but for ``TextMessage``.
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
    /// How long after its start the call gives up instead.
    public var timeout: Interval?
    /// Whether the call ends at once in TRANSIENT_FAILURE instead (D7).
    public var failsFast: Bool?
    /// Whether messages are read only as they are asked for instead (I36).
    public var flowControl: Bool?
    /// Options of the channel's key to set.
    public var channel = ChannelOptions()
    /// The interceptors to name instead; without effect (I3).
    public var interceptorFactories: [any InterceptorFactory]? {
      get { erasedFactories?.map(\.factory) }
      set { erasedFactories = newValue?.map(AnyFactory.init) }
    }
    private var erasedFactories: [AnyFactory]?

    /// Changes nothing.
    public init() {}
  }

  private let changes: Changes

  /// Makes one.
  public init(_ changes: Changes) {
    self.changes = changes
  }

  /// Goes on with the changed destination, headers and options.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    var request = start.request
    if let host = changes.host { request.host = host }
    if let path = changes.path { request.path = path }
    if let safety = changes.safety { request.safety = safety }
    manager.startNextInterceptor(CallStart(request, changes.applied(to: start.options)))
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
  /// The options of a call, changed.
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
  /// Takes over what others say.
  fileprivate mutating func set(_ others: ChannelOptions) {
    let times: [WritableKeyPath<ChannelOptions, Interval?>] = [
      \.connectMinTimeout, \.connectInitialBackoff, \.connectMaxBackoff, \.keepaliveInterval,
      \.keepaliveTimeout,
    ]
    for time in times {
      if let interval = others[keyPath: time] { self[keyPath: time] = interval }
    }
    let names = others.others.map(Self.name)
    self.others.removeAll { names.contains(Self.name($0)) }
    self.others = (self.others + others.others).sorted()
  }

  private static func name(_ option: String) -> Substring { option.prefix { $0 != "=" } }
}
