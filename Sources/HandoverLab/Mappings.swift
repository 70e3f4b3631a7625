import HandoverLinux
import HandoverTry

/// Which datagrams of the world a NAT lets through to the device: answers to what the device has
/// sent there since the NAT forgot.
///
/// What it does to segments of TCP is the routers' part: a connection does not begin anew.
struct Mappings: Hashable, Sendable {
  private struct Mapping: Hashable {
    var device: FlowEnd
    var far: FlowEnd
  }

  private var mappings: Set<Mapping> = []

  /// How many are kept; what is sent beyond gets no answer.
  private static let maximumCount = 65_536

  /// Nothing was sent yet.
  init() {}

  /// Whether a frame passes, which comes from the device or goes to it.
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
