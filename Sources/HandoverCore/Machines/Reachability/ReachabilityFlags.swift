/// The flags of SCNetworkReachability, with the bit numbers of iOS (M4).
///
/// All nine flags are represented; three determine the ``NetworkCategory``: `reachable`,
/// `connectionRequired` and `isWWAN`.
@frozen
public struct ReachabilityFlags: OptionSet, Hashable, Sendable {
  /// The bits, with the numbers of iOS.
  public let rawValue: UInt32

  /// Creates flags from the given bits; bits without a name are kept.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The destination is reachable through a transient connection.
  @inlinable public static var transientConnection: ReachabilityFlags { .init(rawValue: 1 << 0) }
  /// The destination is reachable with the current network configuration.
  @inlinable public static var reachable: ReachabilityFlags { .init(rawValue: 1 << 1) }
  /// The destination is reachable, but a connection must be established first.
  @inlinable public static var connectionRequired: ReachabilityFlags { .init(rawValue: 1 << 2) }
  /// Traffic to the destination establishes the connection.
  @inlinable public static var connectionOnTraffic: ReachabilityFlags { .init(rawValue: 1 << 3) }
  /// The user must do something before a connection is established.
  @inlinable public static var interventionRequired: ReachabilityFlags { .init(rawValue: 1 << 4) }
  /// A connection is established on demand.
  @inlinable public static var connectionOnDemand: ReachabilityFlags { .init(rawValue: 1 << 5) }
  /// The destination is an address of this device.
  @inlinable public static var isLocalAddress: ReachabilityFlags { .init(rawValue: 1 << 16) }
  /// The destination is on a network to which this device is attached.
  @inlinable public static var isDirect: ReachabilityFlags { .init(rawValue: 1 << 17) }
  /// The destination is reachable over a cellular connection.
  @inlinable public static var isWWAN: ReachabilityFlags { .init(rawValue: 1 << 18) }

  /// The flags with their names, in the order in which they are written.
  public static let names: [(name: String, flag: ReachabilityFlags)] = [
    ("Reachable", .reachable),
    ("ConnectionRequired", .connectionRequired),
    ("IsWWAN", .isWWAN),
    ("TransientConnection", .transientConnection),
    ("ConnectionOnTraffic", .connectionOnTraffic),
    ("InterventionRequired", .interventionRequired),
    ("ConnectionOnDemand", .connectionOnDemand),
    ("IsLocalAddress", .isLocalAddress),
    ("IsDirect", .isDirect),
  ]

  /// All flags that have a name.
  public static let all: ReachabilityFlags = names.reduce([]) { $0.union($1.flag) }

  /// The letters of the text format of Apple's sample code, by position; a space follows the second
  /// letter.
  static let letters: [(letter: Character, flag: ReachabilityFlags)] = [
    ("W", .isWWAN), ("R", .reachable), ("t", .transientConnection), ("c", .connectionRequired),
    ("C", .connectionOnTraffic), ("i", .interventionRequired), ("D", .connectionOnDemand),
    ("l", .isLocalAddress), ("d", .isDirect),
  ]

  /// The flags in the nine-letter format of device logs, such as `"WR -------"`.
  public var logText: String {
    var text = ""
    for (index, (letter, flag)) in Self.letters.enumerated() {
      if index == 2 { text.append(" ") }
      text.append(contains(flag) ? letter : "-")
    }
    return text
  }

  /// Parses the nine-letter format of device logs; returns `nil` for any other text.
  ///
  /// - Parameter logText: Nine letters or dashes with a space after the second, in the format of
  ///   ``logText``.
  public init?(logText: String) {
    let positions = Array(logText)
    guard positions.count == Self.letters.count + 1, positions[2] == " " else { return nil }
    var flags: ReachabilityFlags = []
    for (index, (letter, flag)) in Self.letters.enumerated() {
      let found = positions[index < 2 ? index : index + 1]
      if found == letter {
        flags.insert(flag)
      } else if found != "-" {
        return nil
      }
    }
    self = flags
  }
}

extension ReachabilityFlags: CustomStringConvertible {
  /// The names of the flags that are set, separated by commas, or a dash if there are none.
  public var description: String {
    let set = Self.names.filter { contains($0.flag) }.map(\.name)
    return set.isEmpty ? "-" : set.joined(separator: ", ")
  }
}

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
