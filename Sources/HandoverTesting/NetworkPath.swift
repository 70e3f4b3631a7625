public import HandoverCore

/// The state of the device's default network, in the form of `NWPath`.
public struct NetworkPath: Hashable, Sendable, CustomStringConvertible {
  /// Whether the path can be used.
  public enum Status: Hashable, Sendable {
    /// The path is available.
    case satisfied
    /// There is no path.
    case unsatisfied
    /// The path becomes available when a connection is attempted.
    case requiresConnection
  }

  /// A kind of interface.
  public enum InterfaceType: Hashable, Sendable, CaseIterable {
    case wifi
    case cellular
  }

  /// The flags of the path, as the SystemConfiguration framework reports them.
  public let flags: ReachabilityFlags

  /// Creates the path of reachability flags.
  public init(_ flags: ReachabilityFlags) {
    self.flags = flags
  }

  /// Whether the path can be used.
  public var status: Status {
    guard flags.contains(.reachable) else { return .unsatisfied }
    return flags.contains(.connectionRequired) ? .requiresConnection : .satisfied
  }

  /// The kind of interface of the path, or `nil` if there is no path.
  public var interface: InterfaceType? {
    guard status != .unsatisfied else { return nil }
    return flags.contains(.isWWAN) ? .cellular : .wifi
  }

  /// Returns whether the path uses an interface of a kind.
  public func usesInterfaceType(_ type: InterfaceType) -> Bool { interface == type }

  /// Whether the path uses an interface that is expensive, such as cellular.
  public var isExpensive: Bool { interface == .cellular }

  /// The network in a few words, such as "Cellular".
  public var description: String {
    switch (status, interface) {
    case (.satisfied, .wifi): "WiFi"
    case (.satisfied, .cellular): "Cellular"
    case (.requiresConnection, .wifi): "WiFi, which requires a connection"
    case (.requiresConnection, .cellular): "Cellular, which requires a connection"
    case (_, nil), (.unsatisfied, _): "no network"
    }
  }
}
