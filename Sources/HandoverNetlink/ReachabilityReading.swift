public import HandoverCore
public import HandoverLinux

extension ReachabilityFlags {
  /// The flags of an address to which the kernel would send packets by a route.
  ///
  /// | flag | when |
  /// |---|---|
  /// | Reachable | there is a route, and its interface is up and has its carrier |
  /// | ConnectionRequired | besides, the interface is dormant: it waits for a login or the like |
  /// | IsWWAN | besides, the interface leads to a cellular network |
  ///
  /// The carrier is looked at because the kernel goes on sending into a link that has lost it.
  ///
  /// - Parameters:
  ///   - route: the route; nil where there is none.
  ///   - rule: which interfaces are cellular.
  public init(route: Route?, rule: CellularRule = CellularRule()) {
    self = []
    guard let interface = route?.interface, interface.isUp, interface.hasCarrier else { return }
    insert(.reachable)
    if interface.operationalState == .dormant { insert(.connectionRequired) }
    if rule.isCellular(interface) { insert(.isWWAN) }
  }
}

/// How an address can be reached at one time.
public struct ReachabilityReading: Hashable, Sendable {
  /// The flags, as the platform's monitor would be told them.
  public var flags: ReachabilityFlags
  /// The way that packets would take; it may be there without the address being reachable.
  public var way: Way?

  /// The way that packets to an address take.
  public struct Way: Hashable, Sendable {
    /// The name of the interface they leave by.
    public var interface: String
    /// The next hop; nil where the address is on the interface's own network.
    public var gateway: IPAddress?
    /// The source address the kernel would choose.
    public var source: IPAddress?

    /// Makes a way.
    public init(interface: String, gateway: IPAddress? = nil, source: IPAddress? = nil) {
      self.interface = interface
      self.gateway = gateway
      self.source = source
    }
  }

  /// Makes a reading.
  public init(flags: ReachabilityFlags, way: Way? = nil) {
    self.flags = flags
    self.way = way
  }

  /// What a route makes of an address.
  public init(route: Route?, rule: CellularRule = CellularRule()) {
    flags = ReachabilityFlags(route: route, rule: rule)
    way = route.map {
      Way(interface: $0.interface.name, gateway: $0.gateway, source: $0.source)
    }
  }

  /// The category of the flags.
  public var category: NetworkCategory { NetworkCategory(flags) }
}

/// Another reading, and why it was made.
public struct ReachabilityChange: Hashable, Sendable {
  /// Why a reading was made.
  public enum Cause: Hashable, Sendable {
    /// It is the first.
    case beginning
    /// The kernel told that something changed.
    case event
    /// Something between the reading before and this one is lost: the kernel had more to tell than
    /// its buffer could hold, or readings were passed over because they were not taken in time.
    case resynchronised
  }

  /// How the address can be reached now.
  public var reading: ReachabilityReading
  /// Why it was read.
  public var cause: Cause
  /// When the event was seen, before anything was made of it, in microseconds of the monotonic
  /// clock.
  public var seenAt: Int64
  /// How many readings were passed over since the one before.
  public var skippedCount = 0

  /// Makes a change.
  public init(_ reading: ReachabilityReading, _ cause: Cause, seenAt: Int64) {
    self.reading = reading
    self.cause = cause
    self.seenAt = seenAt
  }

  /// The change as a ``ConnectivityMonitor`` is told of it.
  public var event: ConnectivityMonitor.Event {
    switch cause {
    case .beginning: .initialRead(reading.flags)
    case .event: .callback(reading.flags)
    case .resynchronised: .resynchronised(reading.flags)
    }
  }

  /// This change in place of an older one that nobody took.
  func inPlace(of older: ReachabilityChange) -> ReachabilityChange {
    var change = self
    change.skippedCount += older.skippedCount + 1
    change.cause = older.cause == .beginning ? .beginning : .resynchronised
    return change
  }
}
