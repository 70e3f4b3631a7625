import HandoverCore
import Testing

@testable import HandoverTry

@Suite("Subflows of Multipath TCP")
struct MultipathTests {
  private static let key: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
  private static let token: UInt32 = 0x55C5_3F5D

  @Test(
    "An option contains a key or a token",
    arguments: [
      ([30, 4, 0x01, 0x01], .capable(key: nil)),
      ([30, 12, 0x01, 0x01] + key, .capable(key: 0x0123_4567_89AB_CDEF)),
      (
        [1, 1, 2, 4, 5, 0xB4, 30, 20, 0x01, 0x01] + key + key, .capable(key: 0x0123_4567_89AB_CDEF)
      ),
      ([30, 12, 0x10, 2, 0x55, 0xC5, 0x3F, 0x5D, 9, 9, 9, 9], .join(token: token)),
      // The answer to a join, data, and an address contain neither.
      ([30, 16, 0x10, 2] + key + [9, 9, 9, 9], nil),
      ([30, 8, 0x20, 1, 0, 0, 0, 1], nil),
      ([2, 4, 5, 0xB4], nil), ([0, 30, 4, 1, 1], nil), ([30, 12, 0x01], nil), ([30, 0], nil),
      ([30], nil), ([], nil),
    ] as [([UInt8], MultipathOption?)])
  func options(bytes: [UInt8], option: MultipathOption?) {
    #expect(MultipathOption(options: bytes[...]) == option)
  }

  @Test("A token is the start of the SHA-256 hash of a key")
  func tokens() {
    #expect(MultipathOption.token(of: 0) == 0xAF55_70F5)
    #expect(MultipathOption.token(of: 0x0123_4567_89AB_CDEF) == Self.token)
  }

  private func segment(
    up: Bool, port: UInt16, _ flags: UInt8, _ options: [UInt8]
  ) throws -> ObservedPacket {
    let device = FlowEnd(address: FlowStory.device, port: port)
    let frame = FrameMaker.tcp(
      up ? device : FlowStory.server, up ? FlowStory.server : device, sequence: 1, flags: flags,
      options: options)
    return try #require(ObservedPacket(frame: frame[...]))
  }

  @Test("Only the subflows of a connection have its token")
  func grouping() throws {
    var story = FlowStory()
    let ownKey: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    let packets = [
      try segment(up: true, port: 1, 2, [30, 4, 1, 1]),
      try segment(up: false, port: 1, 0x12, [30, 12, 1, 1] + Self.key),
      try segment(up: true, port: 1, 0x10, [30, 20, 1, 1] + ownKey + Self.key),
      try segment(up: true, port: 2, 2, [30, 12, 0x10, 2, 0x55, 0xC5, 0x3F, 0x5D, 9, 9, 9, 9]),
      // A server joins with the token of the device's key.
      try segment(up: false, port: 3, 2, [30, 12, 0x10, 2, 0xAF, 0x55, 0x70, 0xF5, 9, 9, 9, 9]),
      try segment(up: true, port: 4, 2, [2, 4, 5, 0xB4]),
      // A server without Multipath TCP omits the option.
      try segment(up: true, port: 5, 2, [30, 4, 1, 1]),
      try segment(up: false, port: 5, 0x12, [2, 4, 5, 0xB4]),
    ]
    for packet in packets { story.table.handle(packet, at: .zero) }
    #expect(
      story.table.flows.map(\.connectionToken) == [Self.token, Self.token, Self.token, nil, nil])
  }

  @Test("A second subflow of a connection is not an attempt of the program")
  func attempts() throws {
    var story = FlowStory()
    story.open(0)
    let packets = [
      (0, try segment(up: true, port: 40_000, 2, [30, 4, 1, 1])),
      (1, try segment(up: false, port: 40_000, 0x12, [30, 12, 1, 1] + Self.key)),
      (
        5_000,
        try segment(up: true, port: 2, 2, [30, 12, 0x10, 2, 0x55, 0xC5, 0x3F, 0x5D, 9, 9, 9, 9])
      ),
      (6_000, try segment(up: true, port: 3, 2, [2, 4, 5, 0xB4])),
    ]
    for (at, packet) in packets { story.table.handle(packet, at: FlowStory.at(Int64(at))) }
    var observation = TryObservation(
      device: story.table.flows, servers: [], sockets: SocketHistory(), moved: nil, restored: nil,
      end: FlowStory.at(9_000), programEnd: nil)
    let change = NetworkChange(
      began: FlowStory.at(4_000), ended: FlowStory.at(4_000), beginsOutage: true, addresses: [])
    #expect(observation.outages(at: [change]).map(\.attempts) == [1])
    observation.unframedAttempts = [
      UnframedAttempts(at: FlowStory.at(3_900), count: 100),
      UnframedAttempts(at: FlowStory.at(4_100), count: 7),
    ]
    #expect(observation.outages(at: [change]).map(\.attempts) == [8])
  }
}

@Suite("ICMP errors")
struct ObservedErrorTests {
  private static let device = FlowEnd(address: FlowStory.device, port: 40_000)
  private static let server = FlowEnd(address: FlowStory.server.address, port: 9_001)
  private static let other = FlowEnd(address: 0xC612_0101, port: 9_001)

  /// Returns an error to the sender of a datagram.
  private func error(
    about datagram: (from: FlowEnd, to: FlowEnd), by sender: HostAddress, code: UInt8 = 3
  ) throws -> [UInt8] {
    let packet = FrameMaker.udp(datagram.from, datagram.to, [1, 2]).dropFirst(14)
    return FrameMaker.icmp(
      sender, datagram.from.address, [3, code, 0, 0, 0, 0, 0, 0] + packet)
  }

  @Test("An error names the packet that caused it")
  func reading() throws {
    let frame = try error(about: (Self.device, Self.server), by: Self.server.address)
    let error = try #require(ObservedError(frame: frame[...]))
    #expect(error.destination == Self.device.address)
    #expect(error.packetSource == Self.device && error.packetDestination == Self.server)
    #expect(error.transport == .udp && error.phrase == "port unreachable")
    for count in frame.indices.dropLast(2) {
      let cut = ObservedError(frame: frame[..<count])
      #expect(cut == nil || count >= 66, "\(count) bytes")
    }
  }

  @Test("Datagrams that the device rejects are not application data")
  func rejected() throws {
    var story = FlowStory()
    story.handle(FrameMaker.udp(Self.device, Self.server, [1]), 0)
    story.handle(FrameMaker.udp(Self.server, Self.device, [1]), 1)
    for at in [10, 20] as [Int64] {
      story.handle(FrameMaker.udp(Self.other, Self.device, [1]), at)
      let frame = try error(about: (Self.other, Self.device), by: Self.device.address)
      story.table.handle(try #require(ObservedError(frame: frame[...])), at: FlowStory.at(at))
    }
    #expect(story.table.flows.flatMap(\.received) == [FlowStory.at(1)])
    #expect(story.table.payloadCount == 1)
    #expect(
      story.table.rejected
        == [RejectedDatagrams(ends: FlowEnds(local: Self.device, remote: Self.other), count: 2)])
    #expect(story.table.errors.isEmpty)
  }

  @Test("A rejected datagram does not remove an accepted one of the same millisecond")
  func rejectedAmongMany() throws {
    var story = FlowStory()
    for _ in 0..<Flow.exactCount + 1 {
      story.handle(FrameMaker.udp(Self.server, Self.device, [1]), 7)
    }
    let frame = try error(about: (Self.server, Self.device), by: Self.device.address)
    for _ in 1...3 {
      story.table.handle(try #require(ObservedError(frame: frame[...])), at: FlowStory.at(7))
    }
    #expect(story.table.flows.first?.received.count == Flow.exactCount)
  }

  @Test("Errors that the device receives are recorded with their far end")
  func received() throws {
    var story = FlowStory()
    let frame = try error(about: (Self.device, Self.server), by: 0xC0A8_0101, code: 1)
    story.table.handle(try #require(ObservedError(frame: frame[...])), at: FlowStory.at(5))
    #expect(
      story.table.errors
        == [ICMPError(at: FlowStory.at(5), remote: Self.server, phrase: "host unreachable")])
  }

  @Test("Queries to name servers are lookups instead of flows")
  func lookups() {
    var story = FlowStory()
    let names = FlowEnd(address: FlowStory.server.address, port: 53)
    story.handle(FrameMaker.udp(Self.device, names, [1]), 3)
    story.handle(FrameMaker.udp(names, Self.device, [1]), 4)
    #expect(
      story.table.lookups == [NameLookup(at: FlowStory.at(3), answered: FlowStory.at(4))]
        && story.table.flows.isEmpty)
  }

  @Test("A query has the name of its question, and only its own answer")
  func queries() {
    var story = FlowStory()
    let names = FlowEnd(address: FlowStory.server.address, port: 53)
    func message(_ identifier: UInt8, _ question: [UInt8]) -> [UInt8] {
      [0, identifier] + [UInt8](repeating: 0, count: 10) + question
    }
    let name: [UInt8] = [3] + Array("API".utf8) + [7] + Array("example".utf8) + [0, 0, 1, 0, 1]
    story.handle(FrameMaker.udp(Self.device, names, message(1, name)), 3)
    story.handle(FrameMaker.udp(Self.device, names, message(2, [9, 65])), 4)
    story.handle(FrameMaker.udp(names, Self.device, message(7, name)), 5)
    story.handle(FrameMaker.udp(names, Self.device, message(1, name)), 6)
    story.handle(FrameMaker.udp(names, Self.device, message(1, name)), 7)
    #expect(
      story.table.lookups == [
        NameLookup(at: FlowStory.at(3), name: "api.example", answered: FlowStory.at(6)),
        NameLookup(at: FlowStory.at(4)),
      ])
    for _ in 0..<5_000 { story.handle(FrameMaker.udp(Self.device, names, message(3, name)), 8) }
    #expect(story.table.lookups.count == 4_096)
  }

  @Test("A flow with many packets is recorded with a resolution of a millisecond")
  func resolution() {
    var story = FlowStory()
    for _ in 0..<Flow.exactCount + 5_000 {
      story.handle(FrameMaker.udp(Self.server, Self.device, [1]), 7)
    }
    story.handle(FrameMaker.udp(Self.server, Self.device, [1]), 8)
    #expect(story.table.flows.first?.received.count == Flow.exactCount + 1)
  }
}
