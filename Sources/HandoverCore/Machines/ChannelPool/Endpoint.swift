/// One pooled channel: a key of the pool, with or without a real channel (P3).
@usableFromInline
struct Endpoint: BitwiseCopyable, Hashable, Sendable {
  /// The state of the real channel; SHUTDOWN if there is none.
  @usableFromInline var state: ChannelState = .shutdown
  /// The number of the present real channel, counted from 1; 0 before the first.
  @usableFromInline var generation: UInt32 = 0
  /// The current connection, established or not.
  var connection = noRow
  /// The first of the draining connections, which only finish their calls.
  var draining = noRow
  /// The unfinished calls of the channel, in the order of their start.
  @usableFromInline var firstCall = noRow
  @usableFromInline var lastCall = noRow
  @usableFromInline var callCount: UInt32 = 0
  /// The number of these calls that wait for a connection.
  @usableFromInline var waitingCount: UInt32 = 0
  /// The index of its ``EndpointSettings``.
  @usableFromInline var settings: UInt32
  var backoff: Backoff
  /// The earliest start of the next connection attempt.
  var notBefore = Instant.zero

  @inlinable
  var exists: Bool { state != .shutdown }

  /// Whether a channel can be created for the key; a key without a host has no settings.
  @inlinable
  var hasHost: Bool { settings != noRow }

  // A step changes several properties of an endpoint together. Each of these functions needs only
  // one access to the table.

  /// Appends a call to the channel.
  ///
  /// - Returns: The previous call, or `noRow` if there is none.
  @inlinable
  mutating func append(_ call: UInt32) -> UInt32 {
    let last = lastCall
    if last == noRow { firstCall = call }
    lastCall = call
    callCount &+= 1
    waitingCount &+= 1
    return last
  }

  /// Appends `count` calls that are already linked, up to the call `last`.
  mutating func append(upTo last: UInt32, _ count: UInt32) {
    lastCall = last
    callCount &+= count
    waitingCount &+= count
  }

  /// Creates a new real channel, without the backoff of the previous one.
  mutating func createChannel(_ rules: BackoffConfiguration) {
    generation &+= 1
    state = .idle
    backoff.recordSuccess(using: rules)
    notBefore = .zero
  }

  /// Starts a connection attempt.
  ///
  /// - Returns: The earliest start of the next attempt.
  mutating func beginAttempt(
    on connection: UInt32, _ rules: BackoffConfiguration, at now: Instant
  ) -> Instant {
    self.connection = connection
    notBefore = now + backoff.nextDelay(using: rules)
    return notBefore
  }

  /// Removes the real channel and all its calls.
  mutating func forgetChannel() {
    state = .shutdown
    connection = noRow
    firstCall = noRow
    lastCall = noRow
    callCount = 0
    waitingCount = 0
  }
}

/// The settings that the options of a key determine; endpoints with the same settings share them.
struct EndpointSettings: Hashable, Sendable {
  var backoff: BackoffConfiguration
  var keepalive: KeepaliveConfiguration?
}

/// The key of a pooled channel: the normalized host, and the options that are part of it (P1, P2).
public struct ChannelKey: Hashable, Sendable {
  /// The host, or `nil` if no channel can be created for it.
  public let host: HostName?
  /// The options.
  public let options: ChannelOptions

  /// Creates a key.
  public init(host: HostName?, options: ChannelOptions) {
    self.host = host
    self.options = options
  }
}

/// The settings of a channel pool.
public struct PoolConfiguration: Hashable, Sendable {
  /// The policy of the client.
  public var policy: ClientPolicy
  /// The backoff of its channels, unless the options of a key override it.
  public var backoff: BackoffConfiguration
  /// The keepalive of its connections, unless the options of a key override it.
  public var keepalive: KeepaliveConfiguration?
  /// The seed of the jitter.
  public var seed: UInt64
  /// The part of the client that is notified first of a category change.
  public var observers = ObserverOrder.pool
  /// The decorator of the client, or `nil`; only ``ClientCore/stepDecorated(_:at:into:)`` uses it.
  package var decoration: ClientDecoration?

  /// Creates settings.
  public init(
    policy: ClientPolicy, backoff: BackoffConfiguration = BackoffConfiguration(),
    keepalive: KeepaliveConfiguration? = nil, seed: UInt64 = 1
  ) {
    self.policy = policy
    self.backoff = backoff
    self.keepalive = keepalive
    self.seed = seed
  }

  /// Returns the backoff of a channel with some options.
  public func backoff(for options: ChannelOptions) -> BackoffConfiguration {
    settings(for: options).backoff
  }

  func settings(for options: ChannelOptions) -> EndpointSettings {
    var settings = EndpointSettings(backoff: backoff, keepalive: keepalive)
    // For these three options, zero means the default (B5).
    if let value = options.connectMinTimeout, value > .zero {
      settings.backoff.minimumConnectTimeout = value
    }
    if let value = options.connectInitialBackoff, value > .zero { settings.backoff.initial = value }
    if let value = options.connectMaxBackoff, value > .zero { settings.backoff.maximum = value }
    // If the interval is set, both values are sent, and a missing timeout is sent as zero (B6).
    if let interval = options.keepaliveInterval, interval > .zero {
      settings.keepalive = KeepaliveConfiguration(
        time: interval, timeout: options.keepaliveTimeout ?? .zero,
        overduePing: keepalive?.overduePing ?? .close)
    }
    return settings
  }
}
