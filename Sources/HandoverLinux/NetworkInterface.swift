/// A network interface as the kernel shows it.
public struct NetworkInterface: Hashable, Sendable {
  /// The number.
  public var index: Int32
  /// The name, such as `wlan0`.
  public var name: String
  /// The kind of a virtual interface, such as `veth` or `wwan`; nil where the kernel tells none.
  public var kind: String?
  /// The link-layer type, a number of the kernel's (`ARPHRD_…`).
  public var hardwareType: UInt32
  /// Whether somebody set it up (IFF_UP).
  public var isUp: Bool
  /// Whether its carrier is there (IFF_LOWER_UP).
  public var hasCarrier: Bool
  /// The operational state of RFC 2863.
  public var operationalState: OperationalState

  /// Describes an interface.
  public init(
    index: Int32, name: String, kind: String? = nil, hardwareType: UInt32 = 1, isUp: Bool = true,
    hasCarrier: Bool = true, operationalState: OperationalState = .up
  ) {
    self.index = index
    self.name = name
    self.kind = kind
    self.hardwareType = hardwareType
    self.isUp = isUp
    self.hasCarrier = hasCarrier
    self.operationalState = operationalState
  }

  /// The operational state of an interface, as RFC 2863 numbers it.
  public enum OperationalState: UInt8, Hashable, Sendable, CaseIterable {
    /// The kernel does not know.
    case unknown
    /// It is not there.
    case notPresent
    /// It is down.
    case down
    /// A layer below it is down.
    case lowerLayerDown
    /// It is being tested.
    case testing
    /// It waits for an event, such as a login; traffic is not possible yet.
    case dormant
    /// It can carry traffic.
    case up
  }
}

/// The way to an address, as the kernel would send a packet now.
public struct Route: Hashable, Sendable {
  /// The interface the packet leaves by.
  public var interface: NetworkInterface
  /// The next hop; nil where the address is on the interface's own network.
  public var gateway: IPAddress?
  /// The source address the kernel would choose.
  public var source: IPAddress?

  /// Makes a route.
  public init(
    interface: NetworkInterface, gateway: IPAddress? = nil, source: IPAddress? = nil
  ) {
    self.interface = interface
    self.gateway = gateway
    self.source = source
  }
}
