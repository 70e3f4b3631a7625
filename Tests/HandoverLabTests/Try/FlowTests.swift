import HandoverCore
import Testing

@testable import HandoverTry

/// A device with hand-written packets.
struct FlowStory {
  static let device: HostAddress = 0x0A40_0202
  static let server = FlowEnd(address: 0xCB00_7101, port: 80)

  /// The server at the other end of the packets.
  var peer = FlowStory.server
  var table = FlowTable { $0 == FlowStory.device || $0 == FlowStory.wifi }
  static let wifi: HostAddress = 0xC0A8_0102

  static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// Returns the endpoints of a connection to the server.
  static func ends(port: UInt16 = 40_000, at address: HostAddress = device) -> FlowEnds {
    FlowEnds(local: FlowEnd(address: address, port: port), remote: server)
  }

  mutating func up(
    _ at: Int64, port: UInt16 = 40_000, from address: HostAddress = device, sequence: UInt32,
    flags: UInt8 = 0x10, acknowledgement: UInt32 = 0, _ length: Int = 0
  ) {
    let local = FlowEnd(address: address, port: port)
    handle(
      FrameMaker.tcp(
        local, peer, sequence: sequence, acknowledgement: acknowledgement, flags: flags,
        [UInt8](repeating: 65, count: length)), at)
  }

  mutating func down(
    _ at: Int64, port: UInt16 = 40_000, to address: HostAddress = device, sequence: UInt32,
    flags: UInt8 = 0x10, acknowledgement: UInt32 = 0, _ length: Int = 0
  ) {
    let local = FlowEnd(address: address, port: port)
    handle(
      FrameMaker.tcp(
        peer, local, sequence: sequence, acknowledgement: acknowledgement, flags: flags,
        [UInt8](repeating: 65, count: length)), at)
  }

  mutating func handle(_ frame: [UInt8], _ at: Int64) {
    guard let packet = ObservedPacket(frame: frame[...]) else { return }
    table.handle(packet, at: Self.at(at))
  }

  /// Opens a connection that answers once with some bytes.
  mutating func open(
    _ at: Int64, port: UInt16 = 40_000, from address: HostAddress = device, first: UInt32 = 100
  ) {
    up(at, port: port, from: address, sequence: first, flags: 2)
    down(at + 1, port: port, to: address, sequence: 500, flags: 0x12, acknowledgement: first &+ 1)
    up(at + 2, port: port, from: address, sequence: first &+ 1, acknowledgement: 501, 10)
    down(
      at + 3, port: port, to: address, sequence: 501, acknowledgement: first &+ 11, 20)
    up(at + 4, port: port, from: address, sequence: first &+ 11, acknowledgement: 521)
  }
}

@Suite("Flows are built from packets")
struct FlowTests {
  @Test("A reset in answer to an old acknowledgment does not end an attempt")
  func challenged() throws {
    var story = FlowStory()
    story.up(0, sequence: 100, flags: 2)
    story.down(1, sequence: 900, acknowledgement: 7)
    story.up(2, sequence: 7, flags: 4)
    story.open(1_000)
    let flow = try #require(story.table.flows.last)
    #expect(flow.established != nil && flow.device.reset == nil)
  }

  @Test("Packets are counted by time and direction, up to a limit")
  func packets() throws {
    var story = FlowStory()
    story.open(0)
    story.down(250, sequence: 521, 10)
    #expect(story.table.packets.sent == [3])
    #expect(story.table.packets.received == [2, 0, 1])
    #expect(story.table.flows[0].lastPacket == FlowStory.at(250))
    let longest = PacketCounts.period.microseconds / 1_000 * Int64(PacketCounts.maximumCount)
    story.up(longest, sequence: 111)
    #expect(story.table.packets.sent.count == 1)
  }

  @Test("A flow knows its frames, also if a port is used again")
  func frameNumbers() {
    var (story, index) = (FlowStory(), FrameIndex())
    var number = 0
    func add(_ source: FlowEnd, _ destination: FlowEnd, _ sequence: UInt32, _ flags: UInt8) {
      let frame = FrameMaker.tcp(
        source, destination, sequence: sequence, acknowledgement: 1, flags: flags, [])
      number += 1
      guard let packet = ObservedPacket(frame: frame[...]) else { return }
      index.add(packet, frame: number)
      story.handle(frame, Int64(number))
    }
    let local = FlowEnd(address: FlowStory.device, port: 40_000)
    let other = FlowEnd(address: FlowStory.device, port: 40_001)
    add(local, FlowStory.server, 100, 2)
    add(other, FlowStory.server, 300, 2)
    add(FlowStory.server, local, 500, 0x12)
    // The same SYN again belongs to the same flow, and another one begins a flow.
    add(other, FlowStory.server, 300, 2)
    add(local, FlowStory.server, 900, 2)
    add(FlowStory.server, local, 700, 0x12)
    #expect(story.table.flows.map(index.frames) == [1...3, 2...4, 5...6])
    #expect(FrameIndex().frames(of: story.table.flows[0]) == nil)
  }

  @Test("A connection opens, answers, and has no outstanding data")
  func opening() throws {
    var story = FlowStory()
    story.open(0)
    let flow = try #require(story.table.flows.first)
    #expect(story.table.flows.count == 1)
    #expect(flow.established == FlowStory.at(1))
    #expect(flow.received == [FlowStory.at(3)])
    #expect(flow.sentAt == [FlowStory.at(2)])
    #expect(flow.unacknowledgedByServer == 0)
    #expect(flow.unacknowledgedByDevice == 0)
    #expect(story.table.payloadCount == 1)
  }

  @Test("Retransmitted bytes are not new application data, and stay unacknowledged")
  func resending() throws {
    var story = FlowStory()
    story.open(0)
    story.up(100, sequence: 111, acknowledgement: 521, 5)
    story.up(300, sequence: 111, acknowledgement: 521, 5)
    story.down(400, sequence: 501, acknowledgement: 111, 20)
    let flow = try #require(story.table.flows.first)
    #expect(flow.unacknowledgedByServer == 5)
    #expect(flow.device.resent == [FlowStory.at(300)])
    #expect(flow.received.count == 1)
  }

  @Test("Sequence numbers wrap around")
  func wrapping() throws {
    var story = FlowStory()
    story.open(0, first: .max - 3)
    let flow = try #require(story.table.flows.first)
    #expect(flow.unacknowledgedByServer == 0)
    #expect(flow.sentAt.count == 1)
  }

  @Test("A SYN with another number on the same port is a new connection, and the same SYN is not")
  func reopening() {
    var story = FlowStory()
    story.up(0, sequence: 100, flags: 2)
    story.up(1_000, sequence: 100, flags: 2)
    #expect(story.table.flows.count == 1)
    story.up(5_000, sequence: 900, flags: 2)
    #expect(story.table.flows.count == 2)
  }

  @Test("Answers of name servers are not application data")
  func names() {
    let name = FlowEnd(address: 0xCB00_7135, port: 53)
    let device = FlowEnd(address: FlowStory.device, port: 33_333)
    var table = FlowTable { $0 == FlowStory.device }
    for frame in [FrameMaker.udp(device, name, [1]), FrameMaker.udp(name, device, [1])] {
      if let packet = ObservedPacket(frame: frame[...]) { table.handle(packet, at: .zero) }
    }
    #expect(table.flows.isEmpty)
  }

  @Test("A socket is released when it is missing in a later scan of the socket table")
  func sockets() {
    // Both connections have the same local port.
    let first = FlowStory.ends()
    let second = FlowEnds(local: first.local, remote: FlowEnd(address: 0xCB00_7102, port: 443))
    var history = SocketHistory()
    history.note(held: [first, second], at: FlowStory.at(0))
    history.note(held: [second], at: FlowStory.at(100))
    history.note(held: [first], at: FlowStory.at(200))
    #expect(history.release(of: first, after: .zero) == FlowStory.at(100))
    #expect(history.release(of: second, after: .zero) == FlowStory.at(200))
    #expect(history.release(of: first, after: FlowStory.at(150)) == nil)
  }
}
