/// The call options that are part of the channel key: different options need a different channel
/// (P2).
///
/// The options that are not part of the key are never stored here: the deadline, the authority,
/// flow control, tokens and initial metadata.
public struct ChannelOptions: Hashable, Sendable {
  /// The minimum timeout of an attempt, or `nil` for the setting of the pool (B5).
  public var connectMinTimeout: Interval?
  /// The first backoff, or `nil` for the setting of the pool (B5).
  public var connectInitialBackoff: Interval?
  /// The longest backoff, or `nil` for the setting of the pool (B5).
  public var connectMaxBackoff: Interval?
  /// The time without incoming data before a ping, or `nil` for the setting of the pool (B6).
  public var keepaliveInterval: Interval?
  /// The timeout of a ping, or `nil` for the setting of the pool (B6).
  public var keepaliveTimeout: Interval?
  /// All other options of the key, as sorted `name=value` pairs; they only distinguish channels.
  public var others: [String]

  /// Creates options, by default those of a call that sets none.
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

  /// The option names that ``others`` may contain (P2).
  public static let otherNames = [
    "userAgentPrefix", "responseSizeLimit", "compression", "retry", "channelArgs",
    "pemRootCertificates", "pemPrivateKey", "pemCertificateChain", "hostNameOverride",
    "transportType", "transport", "logContext", "poolDomain", "channelID",
  ]
}
