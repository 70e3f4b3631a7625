/// The options of a call that are part of its channel's key: other options, another channel (P2).
///
/// What is not part of the key (deadline, authority, flow control, tokens, initial metadata) never
/// comes here.
public struct ChannelOptions: Hashable, Sendable {
  /// How long an attempt may take even when the backoff is shorter, in place of the pool's own
  /// (B5).
  public var connectMinTimeout: Interval?
  /// The first backoff, in place of the pool's own (B5).
  public var connectInitialBackoff: Interval?
  /// The longest backoff, in place of the pool's own (B5).
  public var connectMaxBackoff: Interval?
  /// How long a connection may be silent before it is pinged, in place of the pool's own (B6).
  public var keepaliveInterval: Interval?
  /// How long a ping may go unanswered, in place of the pool's own (B6).
  public var keepaliveTimeout: Interval?
  /// Every other option of the key, as `name=value`, sorted; they only tell channels apart.
  public var others: [String]

  /// Makes a set of options; without arguments, those of a call that names none.
  public init(
    connectMinTimeout: Interval? = nil, connectInitialBackoff: Interval? = nil,
    connectMaxBackoff: Interval? = nil, keepaliveInterval: Interval? = nil,
    keepaliveTimeout: Interval? = nil, others: [String] = []
  ) {
    self.connectMinTimeout = connectMinTimeout
    self.connectInitialBackoff = connectInitialBackoff
    self.connectMaxBackoff = connectMaxBackoff
    self.keepaliveInterval = keepaliveInterval
    self.keepaliveTimeout = keepaliveTimeout
    self.others = others.sorted()
  }

  /// The options that ``others`` may name (P2).
  public static let otherNames = [
    "userAgentPrefix", "responseSizeLimit", "compression", "retry", "channelArgs",
    "pemRootCertificates", "pemPrivateKey", "pemCertificateChain", "hostNameOverride",
    "transportType", "transport", "logContext", "poolDomain", "channelID",
  ]
}
