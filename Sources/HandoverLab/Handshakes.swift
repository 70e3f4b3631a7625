import HandoverCore
import HandoverLinux

/// How long connections take to be established, by the places that are called, and which of them
/// nobody answers.
///
/// The first packet of a TCP connection (SYN) is under way for so long, whatever else the medium
/// does to it; all others are not delayed. The first packets of other protocols cannot be told from
/// the rest.
struct Handshakes: Hashable, Sendable {
  /// What becomes of a first packet.
  enum Fate: Hashable, Sendable {
    /// It is under way for so many microseconds more.
    case isLate(Int64)
    /// It never arrives.
    case vanishes
  }

  private struct Rule: Hashable {
    var address: [UInt8]
    /// Nil for every port.
    var port: UInt16?
    var fate: Fate
  }

  private var rules: [Rule] = []

  /// No connection takes longer than its packets.
  init() {}

  /// Lets connections to an address take so long, or to one port of it.
  mutating func delay(_ delay: Interval, to address: IPAddress, port: UInt16? = nil) {
    rules.append(Rule(address: address.bytes, port: port, fate: .isLate(delay.microseconds)))
  }

  /// Lets connections to a place take so long.
  mutating func delay(_ delay: Interval, to endpoint: Endpoint) {
    self.delay(delay, to: endpoint.address, port: endpoint.port)
  }

  /// Lets nobody answer at a place.
  mutating func silence(_ endpoint: Endpoint) {
    rules.append(
      Rule(address: endpoint.address.bytes, port: endpoint.port, fate: .vanishes))
  }

  /// What becomes of a frame of the air; nil where nothing is said of it.
  func fate(of frame: ArraySlice<UInt8>) -> Fate? {
    guard !rules.isEmpty, let segment = FrameSegment(frame), segment.begins else { return nil }
    let layout = segment.layout
    var destination = frame[layout.destination..<layout.destination + layout.addressLength]
    if layout.isIPv6, destination.starts(with: IPAddress.translationPrefix) {
      destination = destination.suffix(4)
    }
    return rules.first {
      ($0.port ?? segment.destinationPort) == segment.destinationPort
        && destination.elementsEqual($0.address)
    }?.fate
  }
}
