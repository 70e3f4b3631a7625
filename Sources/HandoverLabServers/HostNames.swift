/// The names that programs in a lab look up, with unique addresses.
///
/// A name keeps its addresses for the lifetime of this object. The addresses are from
/// 198.19.0.0/16, which is reserved for labs (RFC 2544), and from 2001:db8:113:2::/64.
///
/// The class has no lock, because only the event loop of ``LabServers`` uses it.
public final class HostNames {
  /// A name with its addresses.
  public struct Host: Hashable, Sendable {
    /// The name in lower case, without a trailing dot.
    public var name: String
    /// The addresses, of 4 or 16 bytes each.
    public var addresses: [[UInt8]]
  }

  /// The maximum number of names with unique addresses.
  ///
  /// Names beyond this number share the addresses of earlier ones.
  public static let maximumCount = 1_000
  /// The maximum number of listed names.
  private static let maximumListedCount = 4_096
  /// The number of IPv4 addresses that share their first three bytes.
  private static let blockSize = 250

  private let areReachableOverIPv6: Bool
  /// The names that were looked up, in the order of their first lookup.
  public private(set) var known: [Host] = []
  private var positions: [String: Int] = [:]  // lookup only
  /// The number of names that did not fit into the list.
  private var unlistedCount = 0

  /// Creates an empty list of names.
  ///
  /// - Parameter areReachableOverIPv6: whether names also have an IPv6 address.
  public init(areReachableOverIPv6: Bool = true) {
    self.areReachableOverIPv6 = areReachableOverIPv6
  }

  /// Whether some names share an address, because there were more than ``maximumCount``.
  public var areShared: Bool { known.count + unlistedCount > Self.maximumCount }

  /// Returns the addresses of the type that a query requests.
  func addresses(of question: NameQuestion) -> [[UInt8]] {
    let length =
      switch question.kind {
      case .address: 4
      case .address6: 16
      case .other: 0
      }
    // A query for another type does not add the name.
    guard length > 0 else { return [] }
    return addresses(of: question.name.lowercased()).filter { $0.count == length }
  }

  private func addresses(of name: String) -> [[UInt8]] {
    if let position = positions[name] { return known[position].addresses }
    let addresses = addresses(ofPlace: known.count % Self.maximumCount)
    guard known.count < Self.maximumListedCount else {
      unlistedCount += 1
      return addresses
    }
    positions[name] = known.count
    known.append(Host(name: name, addresses: addresses))
    return addresses
  }

  private func addresses(ofPlace position: Int) -> [[UInt8]] {
    let (block, number) = position.quotientAndRemainder(dividingBy: Self.blockSize)
    let address: [UInt8] = [198, 19, UInt8(block), UInt8(1 + number)]
    guard areReachableOverIPv6 else { return [address] }
    let last = UInt16(1 + position)
    return [
      address,
      [0x20, 0x01, 0x0D, 0xB8, 0x01, 0x13, 0, 2] + [UInt8](repeating: 0, count: 6)
        + [UInt8(last >> 8), UInt8(last & 0xFF)],
    ]
  }
}
