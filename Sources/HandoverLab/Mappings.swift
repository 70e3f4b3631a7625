import HandoverLinux
import HandoverTry

/// The datagrams that a NAT passes to the device: responses to datagrams that the device has sent
/// since the NAT last forgot its state.
///
/// The routers handle TCP segments, because a TCP connection does not restart.
struct Mappings: Hashable, Sendable {
  private struct Mapping: Hashable {
    var device: FlowEnd
    var far: FlowEnd
  }

  private var mappings: Set<Mapping> = []

  /// The maximum number of mappings.
  ///
  /// Datagrams beyond it get no response.
  private static let maximumCount = 65_536

  /// Creates a NAT without mappings.
  init() {}

  /// Returns whether a frame from or to the device passes.
  mutating func takes(_ frame: ArraySlice<UInt8>, toDevice: Bool) -> Bool {
    guard let packet = ObservedPacket(frame: frame), packet.tcp == nil else { return true }
    let (device, far) =
      toDevice ? (packet.destination, packet.source) : (packet.source, packet.destination)
    let mapping = Mapping(device: device, far: far)
    if toDevice { return mappings.contains(mapping) }
    if mappings.count < Self.maximumCount { mappings.insert(mapping) }
    return true
  }
}
