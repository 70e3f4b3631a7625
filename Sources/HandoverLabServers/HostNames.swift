/// The names that programs in a lab look up, with addresses that belong to one name each.
///
/// A name keeps its addresses for as long as this lives. The addresses are of 198.19.0.0/16, which
/// is reserved for labs (RFC 2544), and of 2001:db8:113:2::/64.
///
/// It has no lock: only the event loop of ``LabServers`` uses it.
public final class HostNames {
  /// The addresses of one name.
  public struct Host: Hashable, Sendable {
    /// The name in lower case, without a dot at its end.
    public var name: String
    /// The addresses, of 4 or of 16 bytes each.
    public var addresses: [[UInt8]]
  }

  /// How many names have addresses that no other name has.
  ///
  /// Names beyond this number share the addresses of earlier ones.
  public static let maximumCount = 1_000
  /// How many names are listed.
  private static let maximumListedCount = 4_096
  /// How many addresses of IPv4 have the same first three bytes.
  private static let blockSize = 250

  private let haveIPv6: Bool
  /// The names that were looked up, in the order of their first look-up.
  public private(set) var known: [Host] = []
  private var places: [String: Int] = [:]  // lookup only
  /// How many names found no room in the list.
  private var unlistedCount = 0

  /// No name has been looked up yet.
  ///
  /// - Parameter haveIPv6: whether names have an address of IPv6, too.
  public init(haveIPv6: Bool = true) {
    self.haveIPv6 = haveIPv6
  }

  /// Whether some names share an address, because there were more than ``maximumCount``.
  public var areShared: Bool { known.count + unlistedCount > Self.maximumCount }

  /// The addresses of the kind that a question asks for.
  func addresses(of question: NameQuestion) -> [[UInt8]] {
    let length =
      switch question.kind {
      case .address: 4
      case .address6: 16
      case .other: 0
      }
    // A question for something else gives no name a place.
    guard length > 0 else { return [] }
    return addresses(of: question.name.lowercased()).filter { $0.count == length }
  }

  private func addresses(of name: String) -> [[UInt8]] {
    if let place = places[name] { return known[place].addresses }
    let addresses = addresses(ofPlace: known.count % Self.maximumCount)
    guard known.count < Self.maximumListedCount else {
      unlistedCount += 1
      return addresses
    }
    places[name] = known.count
    known.append(Host(name: name, addresses: addresses))
    return addresses
  }

  private func addresses(ofPlace place: Int) -> [[UInt8]] {
    let (block, number) = place.quotientAndRemainder(dividingBy: Self.blockSize)
    let address: [UInt8] = [198, 19, UInt8(block), UInt8(1 + number)]
    guard haveIPv6 else { return [address] }
    let last = UInt16(1 + place)
    return [
      address,
      [0x20, 0x01, 0x0D, 0xB8, 0x01, 0x13, 0, 2] + [UInt8](repeating: 0, count: 6)
        + [UInt8(last >> 8), UInt8(last & 0xFF)],
    ]
  }
}
