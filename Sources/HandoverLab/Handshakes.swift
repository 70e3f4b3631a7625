import HandoverCore
import HandoverLinux

/// The time that connections to each endpoint need to be established, and the endpoints that never
/// respond.
///
/// The first packet of a TCP connection (SYN) is delayed by this time, in addition to other
/// conditions of the medium. Later packets are not delayed. In other protocols, first packets
/// cannot be recognized.
struct Handshakes: Hashable, Sendable {
  /// The result for a first packet.
  enum Fate: Hashable, Sendable {
    /// The packet is delayed by this time in microseconds.
    case isLate(Int64)
    /// The packet is dropped.
    case vanishes
  }

  private struct Rule: Hashable {
    var endpoint: Endpoint
    var fate: Fate
  }

  private var rules: [Rule] = []

  /// Creates a table without delays.
  init() {}

  /// Delays connections to an endpoint.
  mutating func delay(_ delay: Interval, to endpoint: Endpoint) {
    rules.append(Rule(endpoint: endpoint, fate: .isLate(delay.microseconds)))
  }

  /// Makes an endpoint unresponsive.
  mutating func silence(_ endpoint: Endpoint) {
    rules.append(Rule(endpoint: endpoint, fate: .vanishes))
  }

  /// Returns the result for a frame, or `nil` if no rule applies to it.
  func fate(of frame: ArraySlice<UInt8>) -> Fate? {
    guard !rules.isEmpty, let segment = FrameSegment(frame), segment.begins else { return nil }
    let layout = segment.layout
    var destination = frame[layout.destination..<layout.destination + layout.addressLength]
    if layout.isIPv6, destination.starts(with: IPAddress.translationPrefix) {
      destination = destination.suffix(4)
    }
    return rules.first {
      $0.endpoint.port == segment.destinationPort
        && destination.elementsEqual($0.endpoint.address.bytes)
    }?.fate
  }
}
