public import HandoverMachines

/// What a move of the device means for the connections that are open.
public struct MoveTraits: Hashable, Sendable {
  /// Connections of before can go on when the move is over: the old network is back.
  public var restoresConnections: Bool
  /// Nothing that was open before can go on, although the device notices nothing: a NAT forgot it.
  public var forgetsConnections: Bool
  /// Something ended the connections of before: nothing can go on, and nobody else ended it.
  public var endsConnections: Bool
  /// The device's addresses on networks that carry traffic afterwards; none where all do.
  public var liveAddresses: [HostAddress]
  /// It does something to connections and flows only, and there were none.
  public var meetsNothing: Bool

  /// What a move means.
  public init(
    restoresConnections: Bool = false, forgetsConnections: Bool = false,
    endsConnections: Bool = false, liveAddresses: [HostAddress] = [],
    meetsNothing: Bool = false
  ) {
    self.restoresConnections = restoresConnections
    self.forgetsConnections = forgetsConnections
    self.endsConnections = endsConnections
    self.liveAddresses = liveAddresses
    self.meetsNothing = meetsNothing
  }

  /// Whether the connections of before are dead for good.
  var killsConnections: Bool {
    forgetsConnections || endsConnections || !restoresConnections
  }
}

/// How a program came to its end.
public struct ProgramEnd: Hashable, Sendable {
  /// When.
  public var at: Instant
  /// In words, such as `status 7`.
  public var words: String
  /// Whether the program failed: a status other than 0, or a signal.
  public var isError: Bool

  /// An end.
  public init(at: Instant, words: String, isError: Bool) {
    self.at = at
    self.words = words
    self.isError = isError
  }
}

/// What a program asked the kernel to do about a connection of TCP.
public struct SocketOptions: Hashable, Sendable {
  /// Probes on a connection on which nothing is sent.
  public struct Keepalive: Hashable, Sendable {
    /// How long nothing must be sent before the first probe.
    public var idle: Interval
    /// The time between two probes.
    public var interval: Interval
    /// How many probes go unanswered until the connection ends.
    public var count: Int

    /// Probes.
    public init(idle: Interval, interval: Interval, count: Int) {
      self.idle = idle
      self.interval = interval
      self.count = count
    }
  }

  /// TCP_USER_TIMEOUT: how long bytes may go unacknowledged; zero where it is not set.
  public var userTimeout: Interval
  /// SO_KEEPALIVE and what belongs to it; nil where it is not set.
  public var keepalive: Keepalive?

  /// Options.
  public init(userTimeout: Interval = .zero, keepalive: Keepalive? = nil) {
    self.userTimeout = userTimeout
    self.keepalive = keepalive
  }
}

/// A connection that the program held when the watch was over.
public struct HeldSocket: Hashable, Sendable {
  /// Its local port.
  public var port: UInt16
  /// What the program asked of the kernel for it.
  public var options: SocketOptions
  /// The bytes that the kernel received and the program did not read.
  public var unread: Int

  /// A connection.
  public init(port: UInt16, options: SocketOptions, unread: Int = 0) {
    self.port = port
    self.options = options
    self.unread = unread
  }
}

/// Everything that was seen of a program while the device moved, or while nothing happened at all.
public struct TryObservation: Sendable {
  /// The flows as the device's own packets show them.
  public var device: [Flow]
  /// The same flows as the servers' packets show them.
  public var servers: [Flow]
  /// When sockets were let go.
  public var sockets: SocketHistory
  /// The connections of TCP that were held at the end, as far as they could be looked at.
  public var held: [HeldSocket] = []
  /// The host names that the lab's name server gave addresses to, by address.
  ///
  /// An address of which a name is missing was used without a lookup.
  public var hostNames: [HostAddress: String] = [:]  // lookup only
  /// When the program asked the name server for an address, in order.
  public var lookups: [Instant] = []
  /// The attempts to connect that left no frame, in order.
  public var unframedAttempts: [UnframedAttempts] = []
  /// The bytes that servers had in their sockets at the end of the watch, by connection.
  public var serverBacklogs: [ServerBacklog] = []
  /// The datagrams that the program's sockets rejected; `Flow.received` does not contain them.
  public var rejectedDatagrams: [RejectedDatagrams] = []
  /// The ICMP errors that the device received, in order.
  public var icmpErrors: [ICMPError] = []
  /// The spans of more than 500 ms in which the machine stood still, in order.
  public var standstills: [Standstill] = []
  /// The instant of the first entry of the move; nil where it was never made.
  public var moved: Instant?
  /// From when on a new connection would work; the same as `moved` for most moves.
  public var restored: Instant?
  /// When the watch was over.
  public var end: Instant
  /// How the program ended before that; nil where it did not.
  public var programEnd: ProgramEnd?

  /// What was seen.
  public init(
    device: [Flow], servers: [Flow], sockets: SocketHistory, moved: Instant?, restored: Instant?,
    end: Instant, programEnd: ProgramEnd?
  ) {
    self.device = device
    self.servers = servers
    self.sockets = sockets
    self.moved = moved
    self.restored = restored
    self.end = end
    self.programEnd = programEnd
  }
}
