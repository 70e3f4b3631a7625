/// The kinds of connectivity that the specifications distinguish (M3, with the raw values given
/// there).
@frozen
public enum NetworkCategory: UInt8, Hashable, Sendable, CaseIterable {
  /// Not read yet, or the first read failed. Flags never have this category.
  case unknown = 0
  /// No usable network ("None").
  case noNetwork = 1
  /// A cellular network.
  case cellular = 2
  /// WiFi, or any other network that is not cellular.
  case wifi = 3

  /// Creates the category of a set of flags, by the table of the specifications, in its order (M1).
  ///
  /// | Reachable | ConnectionRequired | IsWWAN | category |
  /// |:-:|:-:|:-:|---|
  /// | 0 | X | X | None |
  /// | X | 1 | X | None |
  /// | 1 | 0 | 0 | WiFi |
  /// | 1 | 0 | 1 | Cellular |
  @inlinable
  public init(_ flags: ReachabilityFlags) {
    if !flags.contains(.reachable) {
      self = .noNetwork
    } else if flags.contains(.connectionRequired) {
      self = .noNetwork
    } else if flags.contains(.isWWAN) {
      self = .cellular
    } else {
      self = .wifi
    }
  }
}

extension NetworkCategory: CustomStringConvertible {
  /// The name of the category in the specifications.
  public var description: String {
    switch self {
    case .unknown: "Unknown"
    case .noNetwork: "None"
    case .cellular: "Cellular"
    case .wifi: "WiFi"
    }
  }
}
