import HandoverCore
import HandoverLinux

/// Both ends of a flow of TCP or UDP, as the device and the far end have them.
struct FlowKey: Hashable {
  private var bytes: [UInt8]

  /// The flow of a frame; nil where it is none, or where its ports are in another piece.
  ///
  /// - Parameters:
  ///   - frame: a frame of the air.
  ///   - layout: its parts.
  ///   - fromDevice: whether the device sent it.
  init?(_ frame: ArraySlice<UInt8>, _ layout: FrameLayout, fromDevice: Bool) {
    guard !layout.isPiece, layout.contentHeader(frame) != nil else { return nil }
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

  /// The address of the far end.
  var far: ArraySlice<UInt8> { bytes[(1 + (bytes.count - 1) / 2)...].dropLast(2) }
}

/// What the router of a network knows of the flows that go through it, and what it makes of their
/// addresses (a NAT, or a firewall that keeps states).
///
/// Every flow that is there keeps its ends until a rebinding; then all of them get others at once,
/// by a rule that can be turned round, so that no table of ports is needed.
struct AddressTranslation {
  /// What becomes of a frame.
  enum Fate: Hashable {
    /// It goes on, with the ends that it has now.
    case passes
    /// It vanishes.
    case vanishes
    /// Whoever sent it is told that there is no such connection.
    case isReset
  }

  /// What is done about packets of flows that nobody knows.
  private var unknown = UnknownFlows.drop
  /// How long a flow is known that carries nothing, in microseconds; nil is for ever.
  var idle: Int64?
  private var known: [FlowKey: Int64] = [:]  // lookup only
  /// How often all flows got other ports, and other addresses.
  private var ports: UInt16 = 0
  private var addresses: UInt8 = 0
  /// The last byte of the device's addresses, as it was seen last; in each family.
  private var lastBytes: [UInt8] = [2, 2]

  /// How many flows are kept; those that come later are unknown at once.
  private static let maximumCount = 65_536
  private static let firstPort: UInt32 = 1_024
  private static let portCount: UInt32 = 64_512
  /// Far enough apart that no flow takes another's port of before.
  private static let portStep: UInt32 = 7_919
  /// The first last byte of the addresses that are nobody's but the router's.
  private static let firstAddress: UInt8 = 128
  private static let addressCount: UInt8 = 100

  /// No flow is known.
  init() {}

  /// Does to all flows what an entry says.
  mutating func apply(_ word: NATWord, _ unknown: UnknownFlows) {
    known = [:]
    self.unknown = unknown
    switch word {
    case .forget: break
    case .rebindPort: ports &+= 1
    case .rebindAddress: addresses = addresses % Self.addressCount + 1
    }
  }

  private var isPlain: Bool { ports == 0 && addresses == 0 }

  private mutating func knows(_ key: FlowKey, at now: Int64) -> Bool {
    guard let last = known[key] else { return false }  // lookup only
    if let idle, now - last > idle {
      known[key] = nil
      return false
    }
    known[key] = now
    return true
  }

  private mutating func learn(_ key: FlowKey, at now: Int64) {
    if known.count < Self.maximumCount { known[key] = now }
  }

  /// Takes a frame that the device sends; what is no flow passes as it is.
  mutating func takeUp(_ frame: inout [UInt8], at now: Int64) -> Fate {
    guard let layout = FrameLayout(frame[...]),
      let key = FlowKey(frame[...], layout, fromDevice: true)
    else { return .passes }
    lastBytes[layout.isIPv6 ? 1 : 0] = frame[layout.destination - 1]
    if !knows(key, at: now) {
      if layout.kind == FrameLayout.tcp, let segment = FrameSegment(frame[...]), !segment.begins {
        if unknown == .drop { return .vanishes }
        // Behind other ends the server knows as little of it, and says so itself.
        if isPlain { return segment.has(FrameSegment.rst) ? .vanishes : .isReset }
      }
      learn(key, at: now)
    }
    if !isPlain { translate(&frame, layout, isUp: true) }
    return .passes
  }

  /// Takes a frame that the router sends.
  mutating func takeDown(_ frame: inout [UInt8], at now: Int64) -> Fate {
    guard let layout = FrameLayout(frame[...]), !layout.isPiece,
      layout.contentHeader(frame[...]) != nil
    else { return .passes }
    let isForOwn = addresses == 0 || frame[layout.destination + layout.addressLength - 1] == own
    if !isPlain { translate(&frame, layout, isUp: false) }
    guard let key = FlowKey(frame[...], layout, fromDevice: false) else { return .passes }
    if isForOwn, knows(key, at: now) { return .passes }
    guard unknown == .reset, let segment = FrameSegment(frame[...]),
      !segment.has(FrameSegment.rst)
    else { return .vanishes }
    return .isReset
  }

  // MARK: Other ends

  private func translate(_ frame: inout [UInt8], _ layout: FrameLayout, isUp: Bool) {
    let isPartial = SegmentHeader(frame[...]).hasPartialChecksum
    let port = isUp ? layout.content : layout.content + 2
    let hasNone = layout.kind == FrameLayout.udp && frame[...].word(at: layout.checksum) == 0
    var checksum = frame[...].word(at: layout.checksum)
    let (oldPort, newPort) = (
      frame[...].word(at: port), other(frame[...].word(at: port), isUp: isUp)
    )
    frame.set(newPort, at: port)
    // A checksum that is yet to be made covers the ports when it is.
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
  }

  private func other(_ port: UInt16, isUp: Bool) -> UInt16 {
    guard port >= Self.firstPort else { return port }
    let step = UInt32(ports) * Self.portStep % Self.portCount
    let place = UInt32(port) - Self.firstPort
    let moved = (place + (isUp ? step : Self.portCount - step)) % Self.portCount
    return UInt16(Self.firstPort + moved)
  }

  /// The last byte of the address that flows have beyond the router, where it is another one.
  private var own: UInt8 { Self.firstAddress + addresses - 1 }

  private func otherByte(_ byte: UInt8, _ layout: FrameLayout, isUp: Bool) -> UInt8 {
    guard addresses > 0 else { return byte }
    if isUp { return own }
    return byte == own ? lastBytes[layout.isIPv6 ? 1 : 0] : byte
  }
}
