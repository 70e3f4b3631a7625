/// One pooled channel: a key of the pool, and the real channel it holds or not (P3).
@usableFromInline
struct Endpoint: BitwiseCopyable, Hashable, Sendable {
  /// The state of the real channel; SHUTDOWN where there is none.
  @usableFromInline var state: ChannelState = .shutdown
  /// Which real channel this is, counted from 1; 0 before the first.
  @usableFromInline var generation: UInt32 = 0
  /// The connection being made or established.
  var connection = noRow
  /// The first of the connections that only finish their calls.
  var draining = noRow
  /// The unfinished calls bound to the channel, in the order of their start.
  @usableFromInline var firstCall = noRow
  @usableFromInline var lastCall = noRow
  @usableFromInline var callCount: UInt32 = 0
  /// How many of them wait for a connection.
  @usableFromInline var waitingCount: UInt32 = 0
  /// The place of its ``EndpointSettings``.
  @usableFromInline var settings: UInt32
  var backoff: Backoff
  /// The earliest start of the next attempt to connect.
  var notBefore = Instant.zero

  @inlinable
  var exists: Bool { state != .shutdown }

  /// Whether a channel can be made for the key; settings are only kept for those that have a host.
  @inlinable
  var hasHost: Bool { settings != noRow }

  // A step changes several parts of an endpoint at once; each of these is one access to the table.

  /// A call is bound to the channel.
  ///
  /// - Returns: the call before it; `noRow` where it is the first.
  @inlinable
  @inline(__always)
  mutating func append(_ call: UInt32) -> UInt32 {
    let last = lastCall
    if last == noRow { firstCall = call }
    lastCall = call
    callCount &+= 1
    waitingCount &+= 1
    return last
  }

  /// So many calls are bound to the channel behind others, the last of them this one.
  @inline(__always)
  mutating func append(upTo last: UInt32, _ count: UInt32) {
    lastCall = last
    callCount &+= count
    waitingCount &+= count
  }

  /// A new real channel, which knows nothing of the failures of the one before it.
  @inline(__always)
  mutating func createChannel(_ rules: BackoffConfiguration) {
    generation &+= 1
    state = .idle
    backoff.attemptSucceeded(rules)
    notBefore = .zero
  }

  /// An attempt to connect begins.
  ///
  /// - Returns: the earliest start of the next one.
  @inline(__always)
  mutating func beginAttempt(
    on connection: UInt32, _ rules: BackoffConfiguration, at now: Instant
  ) -> Instant {
    self.connection = connection
    notBefore = now + backoff.delay(rules)
    return notBefore
  }

  /// The real channel is gone with all its calls.
  @inline(__always)
  mutating func forgetChannel() {
    state = .shutdown
    connection = noRow
    firstCall = noRow
    lastCall = noRow
    callCount = 0
    waitingCount = 0
  }
}

/// What the options of a key change; shared by the endpoints that have the same.
struct EndpointSettings: Hashable, Sendable {
  var backoff: BackoffConfiguration
  var keepalive: KeepaliveConfiguration?
}

/// The key of a pooled channel: the host, normalised, and the options that are part of it (P1, P2).
public struct ChannelKey: Hashable, Sendable {
  /// The host; nil where no channel can be made for it.
  public let host: HostName?
  /// The options.
  public let options: ChannelOptions

  /// Makes a key.
  public init(host: HostName?, options: ChannelOptions) {
    self.host = host
    self.options = options
  }
}

/// The settings of a channel pool.
public struct PoolConfiguration: Hashable, Sendable {
  /// The rules it follows.
  public var policy: ClientPolicy
  /// The backoff of its channels, where a key's options do not say otherwise.
  public var backoff: BackoffConfiguration
  /// The keepalive of its connections, where a key's options do not say otherwise.
  public var keepalive: KeepaliveConfiguration?
  /// The seed of its jitter.
  public var seed: UInt64
  /// Who hears first of a change of category.
  public var observers = ObserverOrder.pool
  /// Defects of the original to reproduce.
  public var defects: Defects
  /// What the client does wrong beside its machines, where it is stepped so.
  package var tampering = ClientTampering.none

  /// Makes settings.
  public init(
    policy: ClientPolicy, backoff: BackoffConfiguration = BackoffConfiguration(),
    keepalive: KeepaliveConfiguration? = nil, seed: UInt64 = 1, defects: Defects = []
  ) {
    self.policy = policy
    self.backoff = backoff
    self.keepalive = keepalive
    self.seed = seed
    self.defects = defects
  }

  /// The backoff of a channel with some options.
  public func backoff(for options: ChannelOptions) -> BackoffConfiguration {
    settings(for: options).backoff
  }

  func settings(for options: ChannelOptions) -> EndpointSettings {
    var settings = EndpointSettings(backoff: backoff, keepalive: keepalive)
    // Zero means "leave the default" for these three (B5).
    if let value = options.connectMinTimeout, value > .zero {
      settings.backoff.minimumConnectTimeout = value
    }
    if let value = options.connectInitialBackoff, value > .zero { settings.backoff.initial = value }
    if let value = options.connectMaxBackoff, value > .zero { settings.backoff.maximum = value }
    // An interval sends both, so that a time-out left out is sent as zero (B6).
    if let interval = options.keepaliveInterval, interval > .zero {
      settings.keepalive = KeepaliveConfiguration(
        time: interval, timeout: options.keepaliveTimeout ?? .zero,
        overduePing: keepalive?.overduePing ?? .close)
    }
    return settings
  }
}
