import HandoverCore
import HandoverLinux

/// Both endpoints of a TCP or UDP flow, independent of the direction of a frame.
struct FlowKey: Hashable {
  private var bytes: [UInt8]

  /// Creates the flow of a frame, or returns `nil` if the frame belongs to no flow or its ports are
  /// in another fragment.
  ///
  /// - Parameters:
  ///   - frame: a frame of the link emulator.
  ///   - layout: the positions of its parts.
  ///   - fromDevice: whether the device sent the frame.
  init?(_ frame: ArraySlice<UInt8>, _ layout: FrameLayout, fromDevice: Bool) {
    guard !layout.isFragment, layout.contentHeader(frame) != nil else { return nil }
    let source = frame[layout.source..<layout.destination]
    let destination = frame[layout.destination..<layout.destination + layout.addressLength]
    let ports = (
      frame[layout.content..<layout.content + 2], frame[layout.content + 2..<layout.content + 4]
    )
    bytes = [layout.kind]
    bytes.reserveCapacity(1 + 2 * layout.addressLength + 4)
    bytes += fromDevice ? source : destination
    bytes += fromDevice ? ports.0 : ports.1
    bytes += fromDevice ? destination : source
    bytes += fromDevice ? ports.1 : ports.0
  }

  /// The address of the remote endpoint.
  var far: ArraySlice<UInt8> { bytes[remote...].dropLast(2) }

  /// Whether the flow is a TCP connection.
  var isTCP: Bool { bytes[0] == FrameLayout.tcp }

  /// The position of the remote endpoint.
  private var remote: Int { 1 + (bytes.count - 1) / 2 }

  /// The parts of the remote endpoint on which a router depends.
  func remoteParts(_ dependence: NATBehavior.Dependence) -> ArraySlice<UInt8> {
    switch dependence {
    case .endpointIndependent: []
    case .addressDependent: far
    case .addressAndPortDependent: bytes[remote...]
    }
  }

  /// The local endpoint and the parts of the remote one on which a router depends.
  func scope(_ dependence: NATBehavior.Dependence) -> ArraySlice<UInt8> {
    bytes[..<(remote + remoteParts(dependence).count)]
  }
}

/// The state of a network's router for its flows, and its address translation (a NAT or a stateful
/// firewall).
///
/// Every flow keeps its endpoints until a rebinding, unless the mapping of datagrams depends on the
/// remote endpoint. Both change endpoints by an invertible rule, so that no table of ports is
/// needed.
struct AddressTranslation {
  /// The result of processing a frame.
  enum Fate: Hashable {
    /// The frame is forwarded, with its current endpoints.
    case passes
    /// The frame is dropped.
    case vanishes
    /// The sender receives a reset, because the connection does not exist.
    case isReset
  }

  /// The handling of packets that belong to unknown flows.
  private var unknown = UnknownFlows.drop
  /// The mapping and filtering of datagrams, and the timeouts of idle flows.
  var behavior = NATBehavior()
  private var known: [FlowKey: Int64] = [:]  // lookup only
  /// The times at which the device last sent datagrams, by the endpoints that may answer.
  private var open: [ArraySlice<UInt8>: Int64] = [:]  // lookup only
  /// The number of rebindings to other ports.
  private var ports: UInt16 = 0
  /// The number of rebindings to other addresses.
  private var addresses: UInt8 = 0
  /// The last byte of the device's most recent address, for IPv4 and IPv6.
  private var lastBytes: [UInt8] = [2, 2]

  /// The maximum number of known flows.
  ///
  /// Later flows are unknown immediately.
  private static let maximumCount = 65_536
  private static let firstPort: UInt32 = 1_024
  private static let portCount: UInt32 = 64_512
  /// The offset between ports before and after a rebinding.
  ///
  /// It is large enough that no flow gets the earlier port of another flow.
  private static let portStep: UInt32 = 7_919
  /// The last byte of the first address that is reserved for the router's translations.
  private static let firstAddress: UInt8 = 128
  private static let addressCount: UInt8 = 100

  /// Creates a state without flows.
  init() {}

  /// Applies a NAT action to all flows.
  mutating func apply(_ change: NATChange, _ unknown: UnknownFlows) {
    known = [:]
    open = [:]
    self.unknown = unknown
    switch change {
    case .forget: break
    case .rebindPort: ports &+= 1
    case .rebindAddress: addresses = addresses % Self.addressCount + 1
    }
  }

  private var isRebound: Bool { ports > 0 || addresses > 0 }

  private mutating func knows(_ key: FlowKey, at now: Int64) -> Bool {
    guard let last = known[key] else { return false }  // lookup only
    if hasExpired(last, isTCP: key.isTCP, at: now) {
      known[key] = nil
      return false
    }
    known[key] = now
    return true
  }

  private func hasExpired(_ last: Int64, isTCP: Bool, at now: Int64) -> Bool {
    guard let timeout = isTCP ? behavior.tcpTimeout : behavior.udpTimeout else { return false }
    return now - last > timeout.microseconds
  }

  private mutating func learn(_ key: FlowKey, at now: Int64) {
    if known.count < Self.maximumCount { known[key] = now }
  }

  /// Whether only the remote endpoint of a flow may answer it.
  private var filtersByFlow: Bool { behavior.filtering == .addressAndPortDependent }

  /// Records that a datagram of the device opens the filter for its answers.
  private mutating func openFilter(_ key: FlowKey, at now: Int64) {
    guard !key.isTCP, !filtersByFlow else { return }
    let scope = key.scope(behavior.filtering)
    if open[scope] != nil || open.count < Self.maximumCount { open[scope] = now }
  }

  /// Returns whether the filter accepts a datagram of another remote endpoint.
  private func accepts(_ key: FlowKey, at now: Int64) -> Bool {
    guard !key.isTCP, !filtersByFlow, let last = open[key.scope(behavior.filtering)]  // lookup only
    else { return false }
    return !hasExpired(last, isTCP: false, at: now)
  }

  /// Processes a frame from the device.
  ///
  /// A frame that belongs to no flow passes unchanged.
  mutating func takeUp(_ frame: inout [UInt8], at now: Int64) -> Fate {
    guard let layout = FrameLayout(frame[...]),
      let key = FlowKey(frame[...], layout, fromDevice: true)
    else { return .passes }
    lastBytes[layout.isIPv6 ? 1 : 0] = frame[layout.destination - 1]
    if !knows(key, at: now) {
      if layout.kind == FrameLayout.tcp, let segment = FrameSegment(frame[...]), !segment.begins {
        if unknown == .drop { return .vanishes }
        // With translated endpoints the server does not know the flow either, and resets it itself.
        if !isRebound { return segment.has(FrameSegment.rst) ? .vanishes : .isReset }
      }
      learn(key, at: now)
    }
    openFilter(key, at: now)
    translate(&frame, layout, portOffset(of: key), isUp: true)
    return .passes
  }

  /// Processes a frame from the router.
  mutating func takeDown(_ frame: inout [UInt8], at now: Int64) -> Fate {
    guard let layout = FrameLayout(frame[...]), !layout.isFragment,
      layout.contentHeader(frame[...]) != nil
    else { return .passes }
    let isForOwn = addresses == 0 || frame[layout.destination + layout.addressLength - 1] == own
    guard var key = FlowKey(frame[...], layout, fromDevice: false) else { return .passes }
    if translate(&frame, layout, portOffset(of: key), isUp: false) {
      key = FlowKey(frame[...], layout, fromDevice: false) ?? key
    }
    if isForOwn, knows(key, at: now) || accepts(key, at: now) { return .passes }
    guard unknown == .reset, let segment = FrameSegment(frame[...]),
      !segment.has(FrameSegment.rst)
    else { return .vanishes }
    return .isReset
  }

  // MARK: Translated endpoints

  /// Returns by how much the external port of a flow differs from the local one.
  private func portOffset(of key: FlowKey) -> UInt32 {
    var offset = UInt32(ports) * Self.portStep
    guard !key.isTCP else { return offset % Self.portCount }
    // The rule is a polynomial hash, so that it depends on every byte.
    for byte in key.remoteParts(behavior.mapping) {
      offset = (offset * 31 + UInt32(byte) + 1) % Self.portCount
    }
    return offset % Self.portCount
  }

  /// Translates the local endpoint of a frame, and returns whether it changed.
  @discardableResult
  private func translate(
    _ frame: inout [UInt8], _ layout: FrameLayout, _ offset: UInt32, isUp: Bool
  ) -> Bool {
    guard offset > 0 || addresses > 0 else { return false }
    let isPartial = SegmentHeader(frame[...]).hasPartialChecksum
    let port = isUp ? layout.content : layout.content + 2
    let hasNone = layout.kind == FrameLayout.udp && frame[...].word(at: layout.checksum) == 0
    var checksum = frame[...].word(at: layout.checksum)
    let (oldPort, newPort) = (
      frame[...].word(at: port), Self.other(frame[...].word(at: port), offset, isUp: isUp)
    )
    frame.set(newPort, at: port)
    // A partial checksum does not cover the ports yet.
    if !isPartial {
      checksum = Checksum.changed(checksum, from: oldPort, to: newPort, isPartial: false)
    }
    let last = (isUp ? layout.destination : layout.destination + layout.addressLength) - 2
    let oldEnd = frame[...].word(at: last)
    frame[last + 1] = otherByte(frame[last + 1], layout, isUp: isUp)
    checksum = Checksum.changed(
      checksum, from: oldEnd, to: frame[...].word(at: last), isPartial: isPartial)
    frame.setHeaderChecksum(layout)
    if !hasNone { frame.set(checksum, at: layout.checksum) }
    return true
  }

  private static func other(_ port: UInt16, _ offset: UInt32, isUp: Bool) -> UInt16 {
    guard port >= firstPort else { return port }
    let position = UInt32(port) - firstPort
    let moved = (position + (isUp ? offset : portCount - offset)) % portCount
    return UInt16(firstPort + moved)
  }

  /// The last byte of the translated address of flows beyond the router.
  private var own: UInt8 { Self.firstAddress + addresses - 1 }

  private func otherByte(_ byte: UInt8, _ layout: FrameLayout, isUp: Bool) -> UInt8 {
    guard addresses > 0 else { return byte }
    if isUp { return own }
    return byte == own ? lastBytes[layout.isIPv6 ? 1 : 0] : byte
  }
}
