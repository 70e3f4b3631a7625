/// A network interface as the kernel reports it.
public struct NetworkInterface: Hashable, Sendable {
  /// The interface index.
  public var index: Int32
  /// The name, such as `wlan0`.
  public var name: String
  /// The kind of a virtual interface, such as `veth` or `wwan`, or `nil` if the kernel reports
  /// none.
  public var kind: String?
  /// The link-layer type of the kernel (`ARPHRD_…`).
  public var hardwareType: UInt32
  /// Whether the interface is administratively up (IFF_UP).
  public var isUp: Bool
  /// Whether the interface has a carrier (IFF_LOWER_UP).
  public var hasCarrier: Bool
  /// The operational state as defined in RFC 2863.
  public var operationalState: OperationalState

  /// Creates the description of an interface.
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

  /// The operational state of an interface, with the raw values of the Linux kernel.
  public enum OperationalState: UInt8, Hashable, Sendable, CaseIterable {
    /// The state is unknown.
    case unknown
    /// A component of the interface, usually hardware, is missing.
    case notPresent
    /// The interface is down.
    case down
    /// A lower layer is down.
    case lowerLayerDown
    /// The interface is in test mode.
    case testing
    /// The interface waits for an event, such as a login, and cannot carry traffic yet.
    case dormant
    /// The interface can carry traffic.
    case up
  }
}

/// The route that the kernel would currently use for a packet to an address.
public struct Route: Hashable, Sendable {
  /// The interface that sends the packet.
  public var interface: NetworkInterface
  /// The next hop, or `nil` if the address is on the interface's own network.
  public var gateway: IPAddress?
  /// The source address that the kernel would choose.
  public var source: IPAddress?

  /// Creates a route.
  public init(
    interface: NetworkInterface, gateway: IPAddress? = nil, source: IPAddress? = nil
  ) {
    self.interface = interface
    self.gateway = gateway
    self.source = source
  }
}
