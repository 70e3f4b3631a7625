public import HandoverCore
public import HandoverLinux

extension ReachabilityFlags {
  /// Creates the flags of an address from the route that the kernel would use.
  ///
  /// | flag | set if |
  /// |---|---|
  /// | Reachable | there is a route, and its interface is up and has a carrier |
  /// | ConnectionRequired | in addition, the interface is dormant, for example before a login |
  /// | IsWWAN | in addition, the interface is cellular |
  ///
  /// The carrier is checked because the kernel keeps sending to an interface that has lost its
  /// carrier.
  ///
  /// - Parameters:
  ///   - route: The route, or `nil` if there is none.
  ///   - rule: The rule that decides which interfaces are cellular.
  public init(route: Route?, rule: CellularRule = CellularRule()) {
    self = []
    guard let interface = route?.interface, interface.isUp, interface.hasCarrier else { return }
    insert(.reachable)
    if interface.operationalState == .dormant { insert(.connectionRequired) }
    if rule.isCellular(interface) { insert(.isWWAN) }
  }
}

/// The reachability of an address at one time.
public struct ReachabilityReading: Hashable, Sendable {
  /// The flags that a monitor of the platform would receive.
  public var flags: ReachabilityFlags
  /// The path of packets to the address; it may exist even if the address is not reachable.
  public var path: RoutePath?

  /// The path of packets to an address.
  public struct RoutePath: Hashable, Sendable {
    /// The name of the interface that sends the packets.
    public var interface: String
    /// The next hop, or `nil` if the address is on the interface's own network.
    public var gateway: IPAddress?
    /// The source address that the kernel would choose.
    public var source: IPAddress?

    /// Creates a path.
    public init(interface: String, gateway: IPAddress? = nil, source: IPAddress? = nil) {
      self.interface = interface
      self.gateway = gateway
      self.source = source
    }
  }

  /// Creates a reading.
  public init(flags: ReachabilityFlags, path: RoutePath? = nil) {
    self.flags = flags
    self.path = path
  }

  /// Creates the reading for the route to an address.
  public init(route: Route?, rule: CellularRule = CellularRule()) {
    flags = ReachabilityFlags(route: route, rule: rule)
    path = route.map {
      RoutePath(interface: $0.interface.name, gateway: $0.gateway, source: $0.source)
    }
  }

  /// The category of the flags.
  public var category: NetworkCategory { NetworkCategory(flags) }
}

/// A new reading, together with its cause.
public struct ReachabilityChange: Hashable, Sendable {
  /// The cause of a reading.
  public enum Cause: Hashable, Sendable {
    /// The reading is the first one.
    case initial
    /// The kernel reported a change.
    case event
    /// Changes before this reading were lost.
    ///
    /// Either the kernel's event buffer overflowed, or readings were skipped because they were not
    /// taken in time.
    case resynchronized
  }

  /// The current reachability of the address.
  public var reading: ReachabilityReading
  /// The cause of the reading.
  public var cause: Cause
  /// The time at which the reading was complete, in microseconds of the monotonic clock.
  ///
  /// It is never before the change.
  public var seenAt: Int64
  /// The number of readings skipped since the previous one.
  public var skippedCount = 0

  /// Creates a change.
  public init(_ reading: ReachabilityReading, _ cause: Cause, seenAt: Int64) {
    self.reading = reading
    self.cause = cause
    self.seenAt = seenAt
  }

  /// The event for a ``ConnectivityMonitor``.
  public var event: ConnectivityMonitor.Event {
    switch cause {
    case .initial: .initialRead(reading.flags)
    case .event: .callback(reading.flags)
    case .resynchronized: .resynchronized(reading.flags)
    }
  }

  /// Returns this change as a replacement for an older one that was not taken.
  func inPlace(of older: ReachabilityChange) -> ReachabilityChange {
    var change = self
    change.skippedCount += older.skippedCount + 1
    change.cause = older.cause == .initial ? .initial : .resynchronized
    return change
  }
}
