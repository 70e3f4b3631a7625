public import HandoverMachines

/// A connection of TCP, or what one local port of UDP exchanges with one far end.
public struct Flow: Hashable, Sendable {
  /// What carries it.
  public enum Transport: Hashable, Sendable {
    /// TCP.
    case tcp
    /// UDP.
    case udp
  }

  /// Bytes that one side sent, and what came of them; numbers wrap around.
  struct Direction: Hashable, Sendable {
    /// The number after the last byte that was sent; nil before the first.
    var sent: UInt32?
    /// The number after the last byte that the other side has acknowledged.
    var acknowledged: UInt32?
    /// When a segment was sent whose bytes had all been sent before.
    var resent: [Instant] = []
    /// When the side said that it sends nothing more.
    var finished: Instant?
    /// When the side reset the connection.
    var reset: Instant?

    /// How many bytes were sent and never acknowledged.
    var outstanding: Int {
      guard let sent, let acknowledged else { return 0 }
      return max(0, Int(Flow.distance(from: acknowledged, to: sent)))
    }
  }

  /// New bytes of the far end.
  private struct Arrival: Hashable, Sendable {
    var at: Instant
    var bytes: Range<Int>
  }

  /// What carries it.
  public let transport: Transport
  /// The device's end.
  public let local: FlowEnd
  /// The far end.
  public let remote: FlowEnd
  /// When its first packet was seen.
  public let opened: Instant
  /// When the far end first answered; nil where it never did.
  public internal(set) var established: Instant?
  /// The token of the MPTCP connection that the flow is a subflow of; nil for other flows.
  ///
  /// All subflows of one connection have the same token.
  public internal(set) var connectionToken: UInt32?
  /// When bytes of use to the application came from the far end, in order.
  public internal(set) var received: [Instant] = []
  /// When new bytes of the device were sent, in order.
  public internal(set) var sentAt: [Instant] = []
  var device = Direction()
  var server = Direction()
  var scanner = PayloadScanner()
  /// Where new bytes of the far end stand among all of its bytes, where that may be asked for.
  private var arrivals: [Arrival] = []
  private var arrivedCount = 0
  let initialSequence: UInt32?

  init(
    _ transport: Transport, local: FlowEnd, remote: FlowEnd, opened: Instant,
    initialSequence: UInt32? = nil
  ) {
    self.transport = transport
    self.local = local
    self.remote = remote
    self.opened = opened
    self.initialSequence = initialSequence
  }

  /// How many bytes of the device the far end has not acknowledged.
  public var unacknowledgedByServer: Int { device.outstanding }
  /// How many bytes of the far end the device has not acknowledged.
  public var unacknowledgedByDevice: Int { server.outstanding }

  /// How far a number of a byte lies behind another, on a circle of 32 bits.
  static func distance(from: UInt32, to: UInt32) -> Int32 { Int32(bitPattern: to &- from) }

  /// When bytes of use to the application came, except those among the last bytes that came.
  ///
  /// - Parameter count: the number of last bytes to leave out.
  /// - Returns: the instants, in order.
  func received(except count: Int) -> [Instant] {
    guard count > 0,
      let first = arrivals.first(where: { $0.bytes.upperBound > arrivedCount - count })
    else { return received }
    return received.filter { $0 < first.at }
  }

  // MARK: Packets

  mutating func handle(_ packet: ObservedPacket, fromDevice: Bool, at now: Instant) {
    guard let tcp = packet.tcp else { return handleDatagram(fromDevice: fromDevice, at: now) }
    if fromDevice {
      if tcp.acknowledges { Self.acknowledge(tcp.acknowledgement, &server) }
      handleFromDevice(packet, tcp, at: now)
    } else {
      if tcp.synchronises { established = established ?? now }
      if tcp.acknowledges { Self.acknowledge(tcp.acknowledgement, &device) }
      handleFromServer(packet, tcp, at: now)
    }
  }

  private mutating func handleDatagram(fromDevice: Bool, at now: Instant) {
    if fromDevice {
      Self.note(now, in: &sentAt)
    } else {
      established = established ?? now
      Self.note(now, in: &received)
    }
  }

  /// Takes back the last datagram, which no socket of the device accepted.
  mutating func reject() { _ = received.popLast() }

  /// How many instants of one kind are kept one by one.
  ///
  /// Of those that follow, one is kept in each millisecond.
  static let exactCount = 10_000
  private static let resolution = Interval.milliseconds(1)

  private static func note(_ now: Instant, in instants: inout [Instant]) {
    if instants.count >= exactCount, let last = instants.last, now.since(last) < resolution {
      return
    }
    instants.append(now)
  }

  private mutating func noteArrival(of bytes: Range<Int>, at now: Instant) {
    let place = arrivals.count - 1
    if arrivals.count >= Self.exactCount, now.since(arrivals[place].at) < Self.resolution,
      arrivals[place].bytes.upperBound == bytes.lowerBound
    {
      arrivals[place].bytes = arrivals[place].bytes.lowerBound..<bytes.upperBound
    } else {
      arrivals.append(Arrival(at: now, bytes: bytes))
    }
  }

  private mutating func handleFromDevice(
    _ packet: ObservedPacket, _ tcp: ObservedPacket.TCPHeader, at now: Instant
  ) {
    let known = device.sent
    guard Self.advance(&device, tcp, packet.length, at: now) else { return }
    Self.note(now, in: &sentAt)
    scanner.scanFromClient(packet.bytes.suffix(Self.newLength(of: packet, tcp, after: known)))
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

  /// Takes the word of the far end for what is of use to the application.
  ///
  /// - Parameters:
  ///   - spans: where that stands among its bytes, in order.
  ///   - isWhole: whether nothing behind the last of them is.
  mutating func hear(_ spans: [Range<Int>], isWhole: Bool) {
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

  /// How many bytes of a segment come after those that were sent before.
  private static func newLength(
    of packet: ObservedPacket, _ tcp: ObservedPacket.TCPHeader, after known: UInt32?
  ) -> Int {
    let end = tcp.sequence &+ UInt32(truncatingIfNeeded: packet.length)
    let count = known.map { Int(distance(from: $0, to: end)) } ?? packet.length
    return min(max(0, count), packet.length)
  }

  /// Counts what a segment adds to a direction; whether there are bytes that were not sent before.
  private static func advance(
    _ direction: inout Direction, _ tcp: ObservedPacket.TCPHeader, _ length: Int, at now: Instant
  ) -> Bool {
    if tcp.resets {
      direction.reset = direction.reset ?? now
      return false
    }
    let first = tcp.synchronises ? tcp.sequence &+ 1 : tcp.sequence
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

  private static func acknowledge(_ number: UInt32, _ direction: inout Direction) {
    guard let known = direction.acknowledged else {
      direction.acknowledged = number
      return
    }
    if distance(from: known, to: number) > 0 { direction.acknowledged = number }
  }
}

/// The flows of a device, made from the packets that were seen of it.
public struct FlowTable: Hashable, Sendable {
  /// All flows, in the order in which they were opened.
  public private(set) var flows: [Flow] = []
  private var places: [Key: Int] = [:]  // lookup only
  private let isLocal: @Sendable (HostAddress) -> Bool
  private let ownAddresses: [HostAddress]
  /// The far end that each end of the device sent a datagram to last, by the port of that far end.
  private var asked: [Asked: FlowEnd] = [:]  // lookup only
  /// How many times bytes of use to an application came.
  public private(set) var payloadCount = 0
  /// When the device asked a name server, in order.
  public private(set) var lookups: [Instant] = []
  /// The datagrams that the device rejected.
  public private(set) var rejected: [RejectedDatagrams] = []
  /// The ICMP errors that the device received, in order.
  public private(set) var errors: [ICMPError] = []
  /// The token of each connection of Multipath TCP by the token of the device's side.
  private var connectionTokens: [UInt32: UInt32] = [:]  // lookup only

  private struct Key: Hashable {
    var transport: Flow.Transport
    var local: FlowEnd
    var remote: FlowEnd
  }

  private struct Asked: Hashable {
    var local: FlowEnd
    var port: UInt16
  }

  /// The port of name servers, whose answers are nobody's payload.
  private static let namePort: UInt16 = 53
  /// How many flows are kept at most; those that come later are not looked at.
  static let maximumFlowCount = 65_536
  /// How many lookups and errors, and how many kinds of rejected datagrams, are kept at most.
  private static let maximumEventCount = 4_096

  /// No flows yet.
  ///
  /// - Parameters:
  ///   - ownAddresses: the addresses from which servers answer that are bound to every address. For
  ///     the device a datagram from there comes from the address that it asked last.
  ///   - isLocal: whether an address is one of the device's.
  public init(
    ownAddresses: [HostAddress] = [], isLocal: @escaping @Sendable (HostAddress) -> Bool
  ) {
    self.ownAddresses = ownAddresses
    self.isLocal = isLocal
  }

  /// Whether two tables hold the same flows.
  public static func == (left: FlowTable, right: FlowTable) -> Bool { left.flows == right.flows }
  /// Feeds the flows to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(flows) }

  /// Takes a packet that was seen at an instant.
  public mutating func handle(_ packet: ObservedPacket, at now: Instant) {
    let fromDevice = isLocal(packet.source.address)
    guard fromDevice || isLocal(packet.destination.address) else { return }
    var key = Key(
      transport: packet.tcp == nil ? .udp : .tcp,
      local: fromDevice ? packet.source : packet.destination,
      remote: fromDevice ? packet.destination : packet.source)
    if key.transport == .udp, !ownAddresses.isEmpty {
      key.remote = asked(key, fromDevice: fromDevice)
    }
    if key.transport == .udp, key.remote.port == Self.namePort {
      if fromDevice, lookups.count < Self.maximumEventCount { lookups.append(now) }
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

  /// The far end of a datagram as the device knows it.
  private mutating func asked(_ key: Key, fromDevice: Bool) -> FlowEnd {
    let end = Asked(local: key.local, port: key.remote.port)
    guard fromDevice else {
      return ownAddresses.contains(key.remote.address) ? asked[end] ?? key.remote : key.remote
    }
    if asked.count < Self.maximumFlowCount || asked[end] != nil { asked[end] = key.remote }
    return key.remote
  }

  /// Takes an ICMP error that was seen at an instant.
  public mutating func handle(_ error: ObservedError, at now: Instant) {
    if isLocal(error.packetSource.address), isLocal(error.destination) {
      guard errors.count < Self.maximumEventCount else { return }
      errors.append(ICMPError(at: now, remote: error.packetDestination, words: error.words))
    } else if isLocal(error.packetDestination.address), error.transport == .udp {
      reject(local: error.packetDestination, remote: error.packetSource)
    }
  }

  private mutating func reject(local: FlowEnd, remote: FlowEnd) {
    let known = places[Key(transport: .udp, local: local, remote: remote)]  // lookup only
    if let known, !flows[known].received.isEmpty {
      flows[known].reject()
      payloadCount -= 1
    }
    if let place = rejected.firstIndex(where: { $0.local == local && $0.remote == remote }) {
      rejected[place].count += 1
    } else if rejected.count < Self.maximumEventCount {
      rejected.append(RejectedDatagrams(local: local, remote: remote, count: 1))
    }
  }

  /// Takes what a segment shows of its connection, whose token is that of the server's side.
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

  /// The place of a packet's flow; a SYN with a number of its own begins another one.
  private mutating func index(
    of key: Key, _ packet: ObservedPacket, fromDevice: Bool, at now: Instant
  ) -> Int? {
    let begins = packet.tcp.map { $0.synchronises && !$0.acknowledges } ?? false
    let known = places[key]  // lookup only
    if let known, !begins || flows[known].initialSequence == packet.tcp?.sequence { return known }
    // A reset of something that was over is the beginning of nothing.
    if packet.tcp?.resets == true, known == nil { return nil }
    guard flows.count < Self.maximumFlowCount else { return nil }
    flows.append(
      Flow(
        key.transport, local: key.local, remote: key.remote, opened: now,
        initialSequence: begins ? packet.tcp?.sequence : nil))
    places[key] = flows.count - 1
    return flows.count - 1
  }
}
