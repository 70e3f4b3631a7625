import HandoverCore
import HandoverLinux

/// How long connections take to be established, by the addresses that are called.
///
/// The first packet of a TCP connection (SYN) is under way for so long, whatever else the medium
/// does to it; all others are not delayed. The first packets of other protocols cannot be told from
/// the rest.
struct Handshakes: Hashable, Sendable {
  private struct Delay: Hashable {
    var address: [UInt8]
    var microseconds: Int64
  }

  private var delays: [Delay] = []

  /// No connection takes longer than its packets.
  init() {}

  /// Lets connections to an IPv4 address take so long.
  mutating func delay(_ delay: Interval, to address: IPAddress) {
    delays.append(Delay(address: address.bytes, microseconds: delay.microseconds))
  }

  /// How much longer a frame is under way.
  ///
  /// - Parameters:
  ///   - frame: an Ethernet frame.
  ///   - start: where it begins; what stands before it is not looked at.
  /// - Returns: the time in microseconds; nil where nothing is said of it.
  func delay(of frame: ArraySlice<UInt8>, from start: Int) -> Int64? {
    guard !delays.isEmpty else { return nil }
    let frame = frame.dropFirst(start)
    let packet = frame.dropFirst(Self.linkHeaderLength)
    guard packet.count >= Self.shortestPacket, frame.at(12) == 0x08, frame.at(13) == 0x00,
      packet.at(0) >> 4 == 4, packet.at(9) == Self.tcp
    else { return nil }
    let segment = packet.dropFirst(Int(packet.at(0) & 0x0F) * 4)
    guard segment.count > 13, segment.at(13) & (Self.syn | Self.ack) == Self.syn else { return nil }
    let destination = packet.dropFirst(16).prefix(4)
    return delays.first { destination.elementsEqual($0.address) }?.microseconds
  }

  private static let linkHeaderLength = 14
  private static let shortestPacket = 40
  private static let tcp: UInt8 = 6
  private static let syn: UInt8 = 0x02
  private static let ack: UInt8 = 0x10
}

extension ArraySlice<UInt8> {
  /// The byte so far behind the beginning; there must be one.
  fileprivate func at(_ offset: Int) -> UInt8 { self[startIndex + offset] }
}
