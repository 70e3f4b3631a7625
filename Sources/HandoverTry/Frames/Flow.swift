public import HandoverCore

/// A TCP connection, or the exchange between one local UDP port and one remote endpoint.
public struct Flow: Hashable, Sendable {
  /// The transport protocol of a flow.
  public enum Transport: Hashable, Sendable {
    /// TCP.
    case tcp
    /// UDP.
    case udp
  }

  /// The bytes that one side sent; sequence numbers wrap around.
  struct Direction: Hashable, Sendable {
    /// The next sequence number to be sent, or `nil` before the first segment.
    var sent: UInt32?
    /// The peer's acknowledgment number (SND.UNA).
    var acknowledged: UInt32?
    /// The instants at which the side sent a segment that contained only old bytes.
    var resent: [Instant] = []
    /// The instant of the side's first FIN.
    var finished: Instant?
    /// The instant at which the side reset the connection.
    var reset: Instant?

    /// The number of bytes that were sent but never acknowledged.
    var outstanding: Int {
      guard let sent, let acknowledged else { return 0 }
      return max(0, Int(Flow.distance(from: acknowledged, to: sent)))
    }
  }

  /// An arrival of new bytes from the remote endpoint.
  private struct Arrival: Hashable, Sendable {
    var at: Instant
    var bytes: Range<Int>
  }

  /// The transport protocol.
  public let transport: Transport
  /// The endpoints.
  public let ends: FlowEnds
  /// The instant of the first packet.
  public let opened: Instant
  /// The instant of the last packet.
  public private(set) var lastPacket: Instant
  /// The instant of the first answer from the remote endpoint, or `nil` if it never answered.
  public internal(set) var established: Instant?
  /// The instant at which the device ended its TLS handshake, or `nil` if none was seen to end.
  public internal(set) var secured: Instant?
  /// The token of the MPTCP connection that the flow is a subflow of, or `nil` for other flows.
  ///
  /// All subflows of one connection have the same token.
  public internal(set) var connectionToken: UInt32?
  /// The instants at which application data arrived from the remote endpoint, in order.
  public internal(set) var received: [Instant] = []
  /// Whether the instant of the last datagram is in `received`.
  private var isLastDatagramStored = false
  /// The instants at which the device sent new bytes, in order.
  public internal(set) var sentAt: [Instant] = []
  var device = Direction()
  var server = Direction()
  var scanner = PayloadScanner()
  /// The number of the remote endpoint's bytes that the device acknowledged while the program could
  /// read them.
  public private(set) var readableCount = 0
  /// The positions of new bytes among all bytes of the remote endpoint, recorded if they may be
  /// needed.
  private var arrivals: [Arrival] = []
  private var arrivedCount = 0
  let initialSequence: UInt32?

  init(
    _ transport: Transport, _ ends: FlowEnds, opened: Instant, initialSequence: UInt32? = nil
  ) {
    self.transport = transport
    self.ends = ends
    self.opened = opened
    lastPacket = opened
    self.initialSequence = initialSequence
  }

  /// The endpoint on the device.
  public var local: FlowEnd { ends.local }
  /// The remote endpoint.
  public var remote: FlowEnd { ends.remote }
  /// The number of the device's bytes that the remote endpoint has not acknowledged.
  public var unacknowledgedByServer: Int { device.outstanding }
  /// The number of the remote endpoint's bytes that the device has not acknowledged.
  public var unacknowledgedByDevice: Int { server.outstanding }

  /// Returns the distance between two sequence numbers modulo 2^32.
  static func distance(from: UInt32, to: UInt32) -> Int32 { Int32(bitPattern: to &- from) }

  /// Returns the instants at which application data arrived, without the last bytes.
  ///
  /// - Parameter count: The number of last bytes to leave out.
  /// - Returns: The instants, in order.
  func received(except count: Int) -> [Instant] {
    guard count > 0,
      let first = arrivals.first(where: { $0.bytes.upperBound > arrivedCount - count })
    else { return received }
    return received.filter { $0 < first.at }
  }

  /// Returns the numbers of new bytes that arrived in TCP segments, in order.
  ///
  /// - Parameters:
  ///   - start: The beginning of the time.
  ///   - end: The end of the time, at which an arrival no longer counts.
  /// - Returns: The number of bytes of each arrival; empty for datagrams.
  func arrivedBytes(from start: Instant, to end: Instant) -> [Int] {
    arrivals.filter { $0.at >= start && $0.at < end }.map(\.bytes.count)
  }

  // MARK: Packets

  mutating func handle(_ packet: ObservedPacket, fromDevice: Bool, at now: Instant) {
    lastPacket = now
    guard let tcp = packet.tcp else { return handleDatagram(fromDevice: fromDevice, at: now) }
    if fromDevice {
      if tcp.acknowledges { acknowledgeServer(tcp) }
      handleFromDevice(packet, tcp, at: now)
    } else {
      if tcp.synchronizes { established = established ?? now }
      if tcp.acknowledges { Self.acknowledge(tcp.acknowledgement, &device) }
      handleFromServer(packet, tcp, at: now)
    }
  }

  private mutating func handleDatagram(fromDevice: Bool, at now: Instant) {
    if fromDevice {
      Self.note(now, in: &sentAt)
    } else {
      established = established ?? now
      let count = received.count
      Self.note(now, in: &received)
      isLastDatagramStored = received.count > count
    }
  }

  /// Removes the last datagram, because no socket of the device accepted it.
  ///
  /// If an accepted datagram is recorded for the same millisecond, the record stays.
  mutating func reject() {
    if isLastDatagramStored { received.removeLast() }
    isLastDatagramStored = false
  }

  /// The number of instants of one kind that are stored exactly.
  ///
  /// After that, at most one instant is stored for each millisecond.
  static let exactCount = 10_000
  private static let resolution = Interval.milliseconds(1)

  private static func note(_ now: Instant, in instants: inout [Instant]) {
    if instants.count >= exactCount, let last = instants.last, now.since(last) < resolution {
      return
    }
    instants.append(now)
  }

  private mutating func noteArrival(of bytes: Range<Int>, at now: Instant) {
    let position = arrivals.count - 1
    if arrivals.count >= Self.exactCount, now.since(arrivals[position].at) < Self.resolution,
      arrivals[position].bytes.upperBound == bytes.lowerBound
    {
      arrivals[position].bytes = arrivals[position].bytes.lowerBound..<bytes.upperBound
    } else {
      arrivals.append(Arrival(at: now, bytes: bytes))
    }
  }

  private mutating func handleFromDevice(
    _ packet: ObservedPacket, _ tcp: ObservedPacket.TCPHeader, at now: Instant
  ) {
    // In SYN-SENT, a kernel answers an old acknowledgment with a reset, and continues its attempt
    // (RFC 9293, 3.10.7.3).
    guard established != nil || !tcp.resets else { return }
    let known = device.sent
    guard Self.advance(&device, tcp, packet.length, at: now) else { return }
    Self.note(now, in: &sentAt)
    scanner.scanFromClient(packet.bytes.suffix(Self.newLength(of: packet, tcp, after: known)))
    if secured == nil, scanner.isSecured { secured = now }
  }

  private mutating func handleFromServer(
    _ packet: ObservedPacket, _ tcp: ObservedPacket.TCPHeader, at now: Instant
  ) {
    let known = server.sent
    guard Self.advance(&server, tcp, packet.length, at: now) else { return }
    let length = Self.newLength(of: packet, tcp, after: known)
    let old = packet.length - length
    arrivedCount += known.map { Int(Self.distance(from: $0, to: server.sent ?? $0)) } ?? length
    noteArrival(of: arrivedCount - length..<arrivedCount, at: now)
    if scanner.scan(packet.bytes.dropFirst(old), length: length) {
      Self.note(now, in: &received)
    }
  }

  /// Replaces the arrivals of application data by those that the server logged.
  ///
  /// - Parameters:
  ///   - spans: The positions of application data among the server's bytes, in order.
  ///   - isWhole: Whether the log is complete, so that no application data follows the last span.
  mutating func receive(_ spans: [Range<Int>], isWhole: Bool) {
    var rest = spans[...]
    let last = spans.last?.upperBound ?? 0
    received = arrivals.filter { arrival in
      while let span = rest.first, span.upperBound <= arrival.bytes.lowerBound {
        rest.removeFirst()
      }
      if let span = rest.first { return span.overlaps(arrival.bytes) }
      return !isWhole && arrival.bytes.upperBound > last
    }.map(\.at)
  }

  /// Returns the number of bytes in a segment that have not been sent before.
  private static func newLength(
    of packet: ObservedPacket, _ tcp: ObservedPacket.TCPHeader, after known: UInt32?
  ) -> Int {
    let end = tcp.sequence &+ UInt32(truncatingIfNeeded: packet.length)
    let count = known.map { Int(distance(from: $0, to: end)) } ?? packet.length
    return min(max(0, count), packet.length)
  }

  /// Adds a segment to a direction.
  ///
  /// Returns whether the segment contains bytes that were not sent before.
  private static func advance(
    _ direction: inout Direction, _ tcp: ObservedPacket.TCPHeader, _ length: Int, at now: Instant
  ) -> Bool {
    if tcp.resets {
      direction.reset = direction.reset ?? now
      return false
    }
    let first = tcp.synchronizes ? tcp.sequence &+ 1 : tcp.sequence
    if direction.sent == nil {
      direction.sent = first
      direction.acknowledged = direction.acknowledged ?? first
    }
    if tcp.finishes { direction.finished = direction.finished ?? now }
    let end = first &+ UInt32(truncatingIfNeeded: length)
    guard length > 0, let sent = direction.sent else { return false }
    guard distance(from: sent, to: end) > 0 else {
      note(now, in: &direction.resent)
      return false
    }
    direction.sent = end
    return true
  }

  /// Processes an acknowledgment of the device.
  ///
  /// The kernel also acknowledges bytes after the program has released the connection.
  private mutating func acknowledgeServer(_ tcp: ObservedPacket.TCPHeader) {
    let known = server.acknowledged
    Self.acknowledge(tcp.acknowledgement, &server)
    guard let known, let now = server.acknowledged, device.finished == nil, device.reset == nil,
      !tcp.resets
    else { return }
    readableCount += Int(Self.distance(from: known, to: now))
  }

  private static func acknowledge(_ number: UInt32, _ direction: inout Direction) {
    guard let known = direction.acknowledged else {
      direction.acknowledged = number
      return
    }
    if distance(from: known, to: number) > 0 { direction.acknowledged = number }
  }
}

/// The flows of a device, built from its captured packets.
public struct FlowTable: Hashable, Sendable {
  /// All flows, in the order in which they were opened.
  public private(set) var flows: [Flow] = []
  private var positions: [Key: Int] = [:]  // lookup only
  private let isLocal: @Sendable (HostAddress) -> Bool
  private let ownAddresses: [HostAddress]
  /// The remote endpoint to which each local endpoint last sent a datagram, by the remote port.
  private var queriedServers: [QueryKey: FlowEnd] = [:]  // lookup only
  /// The number of arrivals of application data.
  public private(set) var payloadCount = 0
  /// The numbers of packets, by time.
  public private(set) var packets = PacketCounts()
  /// The queries of the device to name servers.
  private var queries = NameQueries()
  /// The queries of the device to name servers, in order.
  public var lookups: [NameLookup] { queries.lookups }
  /// The datagrams that the device rejected.
  public private(set) var rejected: [RejectedDatagrams] = []
  /// The ICMP errors that the device received, in order.
  public private(set) var errors: [ICMPError] = []
  /// The token of each MPTCP connection, by the token of the device's side.
  private var connectionTokens: [UInt32: UInt32] = [:]  // lookup only

  private struct Key: Hashable {
    var transport: Flow.Transport
    var ends: FlowEnds
  }

  private struct QueryKey: Hashable {
    var local: FlowEnd
    var port: UInt16
  }

  /// The port of name servers, whose answers are not application data.
  private static let namePort: UInt16 = 53
  /// The maximum number of flows; later ones are ignored.
  static let maximumFlowCount = 65_536
  /// The maximum number of errors, and of kinds of rejected datagrams.
  private static let maximumEventCount = 4_096

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - ownAddresses: The addresses from which servers answer that are bound to every address. A
  ///     datagram from such an address is attributed to the address that the device last sent to.
  ///   - isLocal: A function that returns whether an address belongs to the device.
  public init(
    ownAddresses: [HostAddress] = [], isLocal: @escaping @Sendable (HostAddress) -> Bool
  ) {
    self.ownAddresses = ownAddresses
    self.isLocal = isLocal
  }

  /// Returns whether two tables contain the same flows.
  public static func == (left: FlowTable, right: FlowTable) -> Bool { left.flows == right.flows }
  /// Feeds the flows to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(flows) }

  /// Processes a packet that was seen at an instant.
  public mutating func handle(_ packet: ObservedPacket, at now: Instant) {
    let fromDevice = isLocal(packet.source.address)
    guard fromDevice || isLocal(packet.destination.address) else { return }
    packets.note(fromDevice: fromDevice, at: now)
    var key = Key(
      transport: packet.tcp == nil ? .udp : .tcp,
      ends: fromDevice
        ? FlowEnds(local: packet.source, remote: packet.destination)
        : FlowEnds(local: packet.destination, remote: packet.source))
    if key.transport == .udp, !ownAddresses.isEmpty {
      key.ends.remote = queriedServer(key.ends, fromDevice: fromDevice)
    }
    if key.transport == .udp, key.ends.remote.port == Self.namePort {
      queries.handle(packet.bytes, of: key.ends.local, fromDevice: fromDevice, at: now)
      return
    }
    guard let index = index(of: key, packet, fromDevice: fromDevice, at: now) else { return }
    let before = flows[index].received.count
    flows[index].handle(packet, fromDevice: fromDevice, at: now)
    if let multipath = packet.tcp?.multipath {
      handle(multipath, of: index, fromDevice: fromDevice)
    }
    if flows[index].received.count > before { payloadCount += 1 }
  }

  /// Returns the remote endpoint of a datagram as the device knows it.
  private mutating func queriedServer(_ ends: FlowEnds, fromDevice: Bool) -> FlowEnd {
    let key = QueryKey(local: ends.local, port: ends.remote.port)
    guard fromDevice else {
      return ownAddresses.contains(ends.remote.address)
        ? queriedServers[key] ?? ends.remote : ends.remote
    }
    if queriedServers.count < Self.maximumFlowCount || queriedServers[key] != nil {
      queriedServers[key] = ends.remote
    }
    return ends.remote
  }

  /// Processes an ICMP error that was seen at an instant.
  public mutating func handle(_ error: ObservedError, at now: Instant) {
    if isLocal(error.packetSource.address), isLocal(error.destination) {
      guard errors.count < Self.maximumEventCount else { return }
      errors.append(ICMPError(at: now, remote: error.packetDestination, phrase: error.phrase))
    } else if isLocal(error.packetDestination.address), error.transport == .udp {
      reject(FlowEnds(local: error.packetDestination, remote: error.packetSource))
    }
  }

  private mutating func reject(_ ends: FlowEnds) {
    let known = positions[Key(transport: .udp, ends: ends)]  // lookup only
    if let known, !flows[known].received.isEmpty {
      flows[known].reject()
      payloadCount -= 1
    }
    if let position = rejected.firstIndex(where: { $0.ends == ends }) {
      rejected[position].count += 1
    } else if rejected.count < Self.maximumEventCount {
      rejected.append(RejectedDatagrams(ends: ends, count: 1))
    }
  }

  /// Processes the MPTCP option of a segment.
  ///
  /// The connection's token is the one of the server's side.
  private mutating func handle(_ option: MultipathOption, of index: Int, fromDevice: Bool) {
    switch option {
    case .capable(let key?) where fromDevice:
      guard let token = flows[index].connectionToken else { return }
      connectionTokens[MultipathOption.token(of: key)] = token
    case .capable(let key?): flows[index].connectionToken = MultipathOption.token(of: key)
    case .join(let token) where fromDevice: flows[index].connectionToken = token
    case .join(let token):
      flows[index].connectionToken = connectionTokens[token]  // lookup only
    case .capable(nil): return
    }
  }

  /// Returns the index of a packet's flow; a SYN with a new sequence number starts a new flow.
  private mutating func index(
    of key: Key, _ packet: ObservedPacket, fromDevice: Bool, at now: Instant
  ) -> Int? {
    let begins = packet.tcp.map { $0.synchronizes && !$0.acknowledges } ?? false
    let known = positions[key]  // lookup only
    if let known, !begins || flows[known].initialSequence == packet.tcp?.sequence { return known }
    // A reset of an unknown flow does not start a flow.
    if packet.tcp?.resets == true, known == nil { return nil }
    guard flows.count < Self.maximumFlowCount else { return nil }
    flows.append(
      Flow(
        key.transport, key.ends, opened: now,
        initialSequence: begins ? packet.tcp?.sequence : nil))
    positions[key] = flows.count - 1
    return flows.count - 1
  }
}
