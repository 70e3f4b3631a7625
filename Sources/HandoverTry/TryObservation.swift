public import HandoverCore

/// The effect of a network change on the connections that are open.
public struct MoveTraits: Hashable, Sendable {
  /// Whether existing connections can continue after the change, because the old network is back.
  public var restoresConnections: Bool
  /// Whether existing connections cannot continue because a NAT lost its state, although the device
  /// notices nothing.
  public var forgetsConnections: Bool
  /// Whether the change itself, rather than the program or a server, ended the existing
  /// connections.
  public var endsConnections: Bool
  /// The device's addresses on networks that carry traffic after the change; empty if all do.
  public var liveAddresses: [HostAddress]
  /// Whether the change affects only connections and flows, and there were none.
  public var affectsNothing: Bool

  /// Creates the traits of a change.
  public init(
    restoresConnections: Bool = false, forgetsConnections: Bool = false,
    endsConnections: Bool = false, liveAddresses: [HostAddress] = [],
    affectsNothing: Bool = false
  ) {
    self.restoresConnections = restoresConnections
    self.forgetsConnections = forgetsConnections
    self.endsConnections = endsConnections
    self.liveAddresses = liveAddresses
    self.affectsNothing = affectsNothing
  }

  /// Whether the existing connections are permanently dead.
  var killsConnections: Bool {
    forgetsConnections || endsConnections || !restoresConnections
  }
}

/// The end of a program.
public struct ProgramEnd: Hashable, Sendable {
  /// The instant of the end.
  public var at: Instant
  /// The exit status as text, such as `status 7`.
  public var phrase: String
  /// Whether the program failed: a status other than 0, or a signal.
  public var isError: Bool

  /// Creates an end.
  public init(at: Instant, phrase: String, isError: Bool) {
    self.at = at
    self.phrase = phrase
    self.isError = isError
  }
}

/// The kernel options that a program set on a TCP connection.
public struct SocketOptions: Hashable, Sendable {
  /// The settings of keepalive probes on an idle connection.
  public struct Keepalive: Hashable, Sendable {
    /// The idle time before the first probe.
    public var idle: Interval
    /// The time between two probes.
    public var interval: Interval
    /// The number of unanswered probes after which the connection ends.
    public var count: Int

    /// Creates keepalive settings.
    public init(idle: Interval, interval: Interval, count: Int) {
      self.idle = idle
      self.interval = interval
      self.count = count
    }
  }

  /// The value of TCP_USER_TIMEOUT, the limit for unacknowledged bytes; zero if it is not set.
  public var userTimeout: Interval
  /// The settings of SO_KEEPALIVE, or `nil` if it is not set.
  public var keepalive: Keepalive?

  /// Creates options.
  public init(userTimeout: Interval = .zero, keepalive: Keepalive? = nil) {
    self.userTimeout = userTimeout
    self.keepalive = keepalive
  }
}

/// A connection that the program held at the end of the observation.
public struct HeldSocket: Hashable, Sendable {
  /// The endpoints of the connection.
  public var ends: FlowEnds
  /// The kernel options that the program set on the socket.
  public var options: SocketOptions
  /// The number of bytes that the kernel received and the program did not read.
  public var unread: Int

  /// Creates a held connection.
  public init(ends: FlowEnds, options: SocketOptions, unread: Int = 0) {
    self.ends = ends
    self.options = options
    self.unread = unread
  }
}

/// The observation of a program during a network change, or during a run without a change.
public struct TryObservation: Sendable {
  /// The flows according to the device's packets.
  public var device: [Flow]
  /// The flows according to the servers' packets.
  public var servers: [Flow]
  /// The instants at which sockets were released.
  public var sockets: SocketHistory
  /// The TCP connections that were held at the end, if they could be inspected.
  public var held: [HeldSocket] = []
  /// The host names for which the lab's name server returned addresses, by address.
  ///
  /// An address without a name was used without a lookup.
  public var hostNames: [HostAddress: String] = [:]  // lookup only
  /// The program's queries to name servers, in order.
  public var lookups: [NameLookup] = []
  /// The numbered messages that the lab's servers sent, or `nil` if they number none.
  public var messages: MessageLog?
  /// The numbers of messages that the program printed, or `nil` if its output was not searched.
  public var printed: [Int]?
  /// The connection attempts that sent no frame, in order.
  public var unframedAttempts: [UnframedAttempts] = []
  /// The number of bytes in the servers' sockets at the end of the observation, by connection.
  public var serverBacklogs: [ServerBacklog] = []
  /// The datagrams that the program's sockets rejected; `Flow.received` does not contain them.
  public var rejectedDatagrams: [RejectedDatagrams] = []
  /// The ICMP errors that the device received, in order.
  public var icmpErrors: [ICMPError] = []
  /// The spans of more than 500 ms for which the machine was paused, in order.
  public var standstills: [Standstill] = []
  /// The numbers of the device's packets, by time.
  public var packets = PacketCounts()
  /// The file of captured frames, or `nil` if there is none.
  public var frames: CapturedFrames?
  /// The instant of the first entry of the change, or `nil` if the change never happened.
  public var moved: Instant?
  /// The first instant at which a new connection would work; equal to `moved` for most changes.
  public var restored: Instant?
  /// The end of the observation.
  public var end: Instant
  /// The end of the program before `end`, or `nil` if it did not end.
  public var programEnd: ProgramEnd?

  /// Creates an observation.
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
