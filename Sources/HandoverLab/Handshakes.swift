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
    var endpoint: Endpoint
    var fate: Fate
  }

  private var rules: [Rule] = []

  /// No connection takes longer than its packets.
  init() {}

  /// Lets connections to a place take so long.
  mutating func delay(_ delay: Interval, to endpoint: Endpoint) {
    rules.append(Rule(endpoint: endpoint, fate: .isLate(delay.microseconds)))
  }

  /// Lets nobody answer at a place.
  mutating func silence(_ endpoint: Endpoint) {
    rules.append(Rule(endpoint: endpoint, fate: .vanishes))
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
      $0.endpoint.port == segment.destinationPort
        && destination.elementsEqual($0.endpoint.address.bytes)
    }?.fate
  }
}
