import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("Frames and the packets that they contain")
struct FrameSegmentsTests {
  static let payload = (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test(
    "A large TCP segment becomes several packets",
    arguments: [(false, false), (false, true), (true, false), (true, true)])
  func segments(isIPv6: Bool, areWhole: Bool) throws {
    let frame = TestFrame(
      isIPv6: isIPv6, flags: 0x99, sequence: .max - 1_000, payload: Self.payload,
      segmentSize: 1_400, isPartial: true)
    let packets = FrameSegments.split(frame.bytes[...], areWhole: areWhole)
    #expect(packets.count == 3)
    var bytes: [UInt8] = []
    for (position, packet) in packets.enumerated() {
      #expect(TestFrame.complaint(about: packet) == nil)
      #expect(SegmentHeader(packet[...]).hasPartialChecksum == !areWhole)
      #expect(!FrameSegments.holdsSeveralPackets(packet[...]))
      let segment = try #require(FrameSegment(packet[...]))
      #expect(segment.sequence == (.max - 1_000) &+ UInt32(1_400 * position))
      // The first segment has the reduced-window flag; the last one has FIN and PSH.
      #expect(segment.flags == [0x90, 0x10, 0x19][position])
      bytes += packet.suffix(segment.length)
    }
    #expect(bytes == Self.payload)
  }

  @Test("A large datagram becomes several datagrams", arguments: [false, true])
  func datagrams(isIPv6: Bool) throws {
    let frame = TestFrame(
      isIPv6: isIPv6, kind: FrameLayout.udp, payload: Self.payload, segmentSize: 1_200,
      isPartial: true)
    let packets = FrameSegments.split(frame.bytes[...], areWhole: true)
    #expect(packets.count == 4)
    #expect(packets.allSatisfy { TestFrame.complaint(about: $0) == nil })
    let layouts = try packets.map { try #require(FrameLayout($0[...])) }
    #expect(layouts.map { $0.end - $0.content } == [1_208, 1_208, 1_208, 408])
  }

  @Test("A single packet stays one, and its checksum is completed if requested")
  func single() {
    let frame = TestFrame(payload: [1, 2, 3], isPartial: true).bytes
    #expect(FrameSegments.split(frame[...], areWhole: false) == [frame])
    let whole = FrameSegments.split(frame[...], areWhole: true)
    #expect(whole.count == 1)
    #expect(whole.first == TestFrame(payload: [1, 2, 3]).bytes)
    for junk in [[], [1], [UInt8](repeating: 0, count: 60)] as [[UInt8]] {
      #expect(FrameSegments.split(junk[...], areWhole: true) == [junk])
    }
  }

  @Test("A packet that may be fragmented becomes fragments with the same content")
  func pieces() throws {
    let frame = TestFrame(
      kind: FrameLayout.udp, payload: Array(Self.payload.prefix(3_000)), mustNotBeFragmented: false)
    let pieces = FrameSegments.pieces(of: frame.bytes[...], mtu: 1_001)
    #expect(pieces.count == 4)
    var content: [UInt8] = []
    for (position, piece) in pieces.enumerated() {
      let layout = try #require(FrameLayout(piece[...]))
      #expect(TestFrame.complaint(about: piece) == nil)
      #expect(layout.length <= 1_001 && layout.isFragment)
      let word = piece[...].word(at: layout.ip + 6)
      #expect(Int(word & 0x1FFF) * 8 == content.count)
      #expect((word & 0x2000 != 0) == (position < 3))
      content += piece[layout.content..<layout.end]
    }
    #expect(content == Array(frame.bytes.suffix(3_008)))
  }
}

@Suite("Answers of routers on the way")
struct FrameAnswersTests {
  @Test("The sender accepts the reset", arguments: [false, true])
  func reset(isIPv6: Bool) throws {
    let asked = TestFrame(isIPv6: isIPv6, payload: [1, 2]).bytes
    let answer = try #require(FrameAnswers.reset(answering: asked[...]))
    #expect(TestFrame.complaint(about: answer) == nil)
    let segment = try #require(FrameSegment(answer[...]))
    #expect(segment.flags == FrameSegment.rst && segment.sequence == 500)
    #expect(segment.sourcePort == 443 && segment.destinationPort == 40_000)
    #expect(Array(answer[10..<16]) == TestFrame.deviceMAC)
    let opening = TestFrame(isIPv6: isIPv6, flags: FrameSegment.syn).bytes
    let refusal = try #require(
      FrameAnswers.reset(answering: opening[...]).flatMap { FrameSegment($0[...]) })
    #expect(refusal.flags == 0x14 && refusal.acknowledgement == 101)
    #expect(FrameAnswers.reset(answering: answer[...]) == nil)
  }

  @Test("A packet that is too long gets an error with the length and the start of the packet")
  func tooBig() throws {
    let long = TestFrame(payload: [UInt8](repeating: 5, count: 1_400)).bytes
    let router = IPAddress(192, 168, 1, 1)
    let answer = try #require(FrameAnswers.tooBig(long[...], mtu: 1_300, from: router))
    let layout = try #require(FrameLayout(answer[...]))
    #expect(TestFrame.complaint(about: answer) == nil)
    #expect(Checksum.folded(Checksum.sum(answer[layout.content..<layout.end])) == 0xFFFF)
    #expect(Array(answer[layout.content..<layout.content + 2]) == [3, 4])
    #expect(answer[...].word(at: layout.content + 6) == 1_300)
    #expect(layout.length == 56)
    #expect(Array(answer[layout.source..<layout.destination]) == router.bytes)
    // No error is sent about an ICMP error, or to the other family.
    #expect(FrameAnswers.tooBig(answer[...], mtu: 600, from: router) == nil)
    let other = TestFrame(isIPv6: true).bytes
    #expect(FrameAnswers.tooBig(other[...], mtu: 600, from: router) == nil)
    let router6 = try #require(IPAddress("2001:db8:0:1::1"))
    let answer6 = try #require(FrameAnswers.tooBig(other[...], mtu: 1_280, from: router6))
    let layout6 = try #require(FrameLayout(answer6[...]))
    let sum = Checksum.pseudoHeader(answer6[...], layout6)
    #expect(
      Checksum.folded(sum + Checksum.sum(answer6[layout6.content..<layout6.end])) == 0xFFFF)
  }
}

@Suite("Address translation in a router")
struct AddressTranslationTests {
  private static let answer = TestFrame(
    from: (1, 443), to: (2, 40_000), isFromDevice: false, sequence: 500, acknowledgement: 100)

  @Test("A router that lost its state drops unknown flows until a connection starts again")
  func forgets() {
    var router = AddressTranslation()
    router.apply(.forget, .drop)
    var data = TestFrame(payload: [1]).bytes
    var answer = Self.answer.bytes
    #expect(router.takeUp(&data, at: 0) == .vanishes)
    #expect(router.takeDown(&answer, at: 0) == .vanishes)
    var opening = TestFrame(flags: FrameSegment.syn).bytes
    #expect(router.takeUp(&opening, at: 1) == .passes)
    #expect(router.takeUp(&data, at: 2) == .passes)
    #expect(router.takeDown(&answer, at: 2) == .passes)
    #expect(data == TestFrame(payload: [1]).bytes && answer == Self.answer.bytes)
  }

  @Test(
    "A router that lost its state resets unknown flows in both directions, but answers no reset")
  func resets() {
    var router = AddressTranslation()
    router.apply(.forget, .reset)
    var data = TestFrame(payload: [1]).bytes
    var answer = Self.answer.bytes
    var reset = TestFrame(flags: FrameSegment.rst).bytes
    #expect(router.takeUp(&data, at: 0) == .isReset)
    #expect(router.takeDown(&answer, at: 0) == .isReset)
    #expect(router.takeUp(&reset, at: 0) == .vanishes)
  }

  @Test("Datagrams get answers once the device has sent some")
  func datagrams() {
    var router = AddressTranslation()
    router.apply(.forget, .reset)
    var frame = TestFrame(kind: FrameLayout.udp, payload: [1])
    var asked = frame.bytes
    (frame.from, frame.to, frame.isFromDevice) = ((1, 443), (2, 40_000), false)
    var answer = frame.bytes
    #expect(router.takeDown(&answer, at: 0) == .vanishes)
    #expect(router.takeUp(&asked, at: 0) == .passes)
    #expect(router.takeDown(&answer, at: 0) == .passes)
  }

  @Test(
    "Flows with translated ends come back to the device as its own",
    arguments: [NATChange.rebindPort, .rebindAddress], [false, true])
  func rebinds(_ word: NATChange, isIPv6: Bool) throws {
    for kind in [FrameLayout.tcp, FrameLayout.udp] {
      for isPartial in [false, true] {
        var router = AddressTranslation()
        router.apply(word, .reset)
        let own = TestFrame(
          isIPv6: isIPv6, kind: kind, flags: 0x18, payload: [1, 2, 3], isPartial: isPartial)
        var sent = own.bytes
        #expect(router.takeUp(&sent, at: 0) == .passes)
        #expect(TestFrame.complaint(about: sent) == nil)
        let layout = try #require(FrameLayout(sent[...]))
        let (port, last) = (sent[...].word(at: layout.content), sent[layout.destination - 1])
        #expect((port == 40_000) == (word == .rebindAddress))
        #expect((last == 2) == (word == .rebindPort))
        let answer = TestFrame(
          isIPv6: isIPv6, kind: kind, from: (1, 443), to: (last, port), isFromDevice: false,
          payload: [9], isPartial: isPartial)
        var taken = answer.bytes
        #expect(router.takeDown(&taken, at: 0) == .passes)
        #expect(TestFrame.complaint(about: taken) == nil)
        var wanted = answer
        wanted.to = (2, 40_000)
        #expect(taken == wanted.bytes)
        // A packet to the device's own address and port belongs to no flow of the router.
        var late = wanted.bytes
        #expect(router.takeDown(&late, at: 0) != .passes)
      }
    }
  }

  @Test("Every port is translated to a unique port")
  func ports() throws {
    var router = AddressTranslation()
    for _ in 0..<9 { router.apply(.rebindPort, .drop) }
    var seen: Set<UInt16> = []
    for port in stride(from: UInt16(1), to: .max, by: 97) {
      var frame = TestFrame(kind: FrameLayout.udp, from: (2, port)).bytes
      #expect(router.takeUp(&frame, at: 0) == .passes)
      let layout = try #require(FrameLayout(frame[...]))
      seen.insert(frame[...].word(at: layout.content))
    }
    #expect(seen.count == stride(from: UInt16(1), to: .max, by: 97).underestimatedCount)
  }

  @Test("A firewall forgets a flow that carries nothing for long")
  func idle() {
    var router = AddressTranslation()
    router.behavior.tcpTimeout = .milliseconds(1)
    router.behavior.udpTimeout = .milliseconds(9)
    var opening = TestFrame(flags: FrameSegment.syn).bytes
    var data = TestFrame(payload: [1]).bytes
    #expect(router.takeUp(&opening, at: 0) == .passes)
    for now: Int64 in [1_000, 2_000, 3_000] { #expect(router.takeUp(&data, at: now) == .passes) }
    #expect(router.takeUp(&data, at: 4_001) == .vanishes)
  }

  /// Frames between the device's port 40000 and a server, over UDP.
  private func datagram(_ server: UInt8, _ port: UInt16, to local: UInt16? = nil) -> [UInt8] {
    guard let local else {
      return TestFrame(kind: FrameLayout.udp, to: (server, port), payload: [1]).bytes
    }
    return TestFrame(
      kind: FrameLayout.udp, from: (server, port), to: (2, local), isFromDevice: false,
      payload: [2]
    ).bytes
  }

  @Test(
    "A filter accepts datagrams of the endpoints on which it does not depend (RFC 4787, REQ-8)",
    arguments: [
      (NATBehavior.Dependence.endpointIndependent, true, true),
      (.addressDependent, true, false), (.addressAndPortDependent, false, false),
    ])
  func filtering(
    _ filtering: NATBehavior.Dependence, acceptsOtherPort: Bool, acceptsOtherAddress: Bool
  ) {
    var router = AddressTranslation()
    router.behavior.filtering = filtering
    router.behavior.udpTimeout = .milliseconds(1)
    func arrives(_ server: UInt8, _ port: UInt16, to local: UInt16 = 40_000, at now: Int64) -> Bool
    {
      var frame = datagram(server, port, to: local)
      return router.takeDown(&frame, at: now) == .passes
    }
    #expect(!arrives(1, 443, at: 0))
    var asked = datagram(1, 443)
    #expect(router.takeUp(&asked, at: 0) == .passes)
    #expect(arrives(1, 444, at: 1_000) == acceptsOtherPort)
    #expect(arrives(7, 443, at: 1_000) == acceptsOtherAddress)
    // The other endpoints do not keep the filter open, and another local port is not open.
    #expect(!arrives(1, 444, at: 1_001) && !arrives(7, 443, at: 1_001))
    #expect(!arrives(1, 443, to: 40_001, at: 500))
    router.apply(.forget, .drop)
    #expect(!arrives(1, 443, at: 600))
  }

  @Test(
    "A mapping keeps the external port for the endpoints on which it does not depend",
    arguments: [
      (NATBehavior.Dependence.endpointIndependent, 1), (.addressDependent, 2),
      (.addressAndPortDependent, 4),
    ])
  func mapping(_ mapping: NATBehavior.Dependence, count: Int) throws {
    var router = AddressTranslation()
    router.behavior.mapping = mapping
    var ports: Set<UInt16> = []
    for (server, port): (UInt8, UInt16) in [(1, 443), (1, 444), (7, 443), (7, 444)] {
      var sent = datagram(server, port)
      #expect(router.takeUp(&sent, at: 0) == .passes)
      #expect(TestFrame.complaint(about: sent) == nil)
      let external = sent[...].word(at: try #require(FrameLayout(sent[...])).content)
      ports.insert(external)
      var answer = datagram(server, port, to: external)
      #expect(router.takeDown(&answer, at: 0) == .passes)
      #expect(answer == datagram(server, port, to: 40_000))
    }
    #expect(ports.count == count)
    #expect(ports.contains(40_000) == (mapping == .endpointIndependent))
    // The mapping does not change TCP, whose server cannot notice it.
    var opening = TestFrame(flags: FrameSegment.syn).bytes
    #expect(router.takeUp(&opening, at: 0) == .passes)
    #expect(opening == TestFrame(flags: FrameSegment.syn).bytes)
  }

  @Test("Every preset keeps an idle TCP connection for longer than a UDP flow")
  func presets() throws {
    #expect(NATBehavior.presets.map(\.name) == ["home", "corporate", "carrier-grade"])
    for (name, behavior) in NATBehavior.presets {
      #expect(NATBehavior(named: name) == behavior)
      #expect(try #require(behavior.tcpTimeout) > #require(behavior.udpTimeout))
    }
    #expect(NATBehavior(named: "Home") == nil)
  }

  @Test("An idle time replaces the timeouts of a preset, and alone it is a firewall")
  func idleTime() {
    var conditions = LinkConditions()
    #expect(conditions.routerBehavior == nil)
    conditions.idle = .seconds(5)
    var firewall = NATBehavior()
    (firewall.tcpTimeout, firewall.udpTimeout) = (.seconds(5), .seconds(5))
    #expect(conditions.routerBehavior == firewall)
    conditions.nat = NATBehavior(named: "carrier-grade")
    #expect(conditions.routerBehavior?.udpTimeout == .seconds(5))
    #expect(conditions.routerBehavior?.filtering == .endpointIndependent)
  }
}

@Suite("Middleboxes in front of servers")
struct MiddleboxTests {
  private func segments(_ outcome: Middlebox.Outcome) -> [FrameSegment] {
    outcome.answers.compactMap { answer in
      #expect(TestFrame.complaint(about: answer) == nil)
      return FrameSegment(answer[...])
    }
  }

  @Test("A portal forwards name lookups, and no other datagrams", arguments: [false, true])
  func namesBehindPortal(isIPv6: Bool) {
    var box = Middlebox()
    box.hasPortal = true
    for (kind, port, passes) in [
      (FrameLayout.udp, 53, true), (FrameLayout.udp, 443, false), (FrameLayout.tcp, 53, true),
    ] as [(UInt8, UInt16, Bool)] {
      var frame = TestFrame(isIPv6: isIPv6, kind: kind, flags: 0x02, payload: [1])
      frame.to.port = port
      #expect(box.takeUp(frame.bytes[...]).passes == passes)
      (frame.from, frame.to, frame.isFromDevice) = ((1, port), (2, 40_000), false)
      #expect(box.takeDown(frame.bytes[...]).passes == passes)
    }
  }

  @Test("A portal accepts, answers and ends connections, and lets nothing else pass")
  func portal() throws {
    var box = Middlebox()
    box.hasPortal = true
    #expect(box.isPresent)
    #expect(!box.takeUp(TestFrame(payload: [1]).bytes[...]).passes)
    #expect(!box.takeUp(TestFrame(kind: FrameLayout.udp).bytes[...]).passes)
    let opened = box.takeUp(TestFrame(flags: FrameSegment.syn).bytes[...])
    let first = try #require(segments(opened).first)
    #expect(!opened.passes && first.flags == 0x12 && first.acknowledgement == 101)
    let next = first.sequence &+ 1
    let request = TestFrame(
      flags: 0x18, sequence: 101, acknowledgement: next, payload: Array("GET /".utf8))
    let answer = box.takeUp(request.bytes[...])
    let page = try #require(segments(answer).first)
    #expect(page.has(FrameSegment.fin) && page.sequence == next && page.acknowledgement == 106)
    let text = String(decoding: answer.answers[0].suffix(page.length), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 511 "))
    // A repeated request gets the same answer.
    #expect(box.takeUp(request.bytes[...]) == answer)
    let end = TestFrame(
      flags: 0x11, sequence: 106, acknowledgement: next &+ UInt32(page.length) &+ 1)
    #expect(segments(box.takeUp(end.bytes[...])).map(\.acknowledgement) == [107])
    box.hasPortal = false
    #expect(segments(box.takeUp(end.bytes[...])).first?.has(FrameSegment.rst) == true)
    #expect(box.takeUp(TestFrame(from: (2, 50_000), payload: [1]).bytes[...]).passes)
  }

  @Test("Swallowed data is acknowledged to both ends, and goes no further")
  func swallows() throws {
    var box = Middlebox()
    box.watches = true
    #expect(box.takeUp(TestFrame(flags: FrameSegment.syn).bytes[...]).passes)
    box.swallow()
    let taken = box.takeUp(TestFrame(sequence: 101, payload: [1, 2, 3]).bytes[...])
    let answer = try #require(segments(taken).first)
    #expect(!taken.passes && answer.flags == FrameSegment.ack)
    #expect(answer.sequence == 500 && answer.acknowledgement == 104)
    let fromServer = TestFrame(
      from: (1, 443), to: (2, 40_000), isFromDevice: false, sequence: 500, acknowledgement: 104,
      payload: [7])
    let discarded = box.takeDown(fromServer.bytes[...])
    #expect(!discarded.passes && segments(discarded).map(\.acknowledgement) == [501])
    // A packet without data gets no answer.
    #expect(box.takeUp(TestFrame().bytes[...]) == .stopped)
    // A connection that starts again is a new one.
    #expect(box.takeUp(TestFrame(flags: FrameSegment.syn).bytes[...]).passes)
    #expect(box.takeUp(TestFrame(payload: [1]).bytes[...]).passes)
    box.swallowsAll = true
    #expect(!box.takeUp(TestFrame(payload: [1]).bytes[...]).passes)
  }

  @Test("The FIN of the far end has the sequence number that the device expects")
  func ends() throws {
    var box = Middlebox()
    box.watches = true
    _ = box.takeUp(TestFrame(payload: [1, 2]).bytes[...])
    _ = box.takeDown(
      TestFrame(
        from: (1, 443), to: (2, 40_000), isFromDevice: false, sequence: 500, acknowledgement: 102,
        payload: [7, 8, 9]
      ).bytes[...])
    let sent = box.end()
    #expect(sent.count == 1)
    let segment = try #require(sent.first.flatMap { FrameSegment($0[...]) })
    #expect(segment.flags == 0x11 && segment.sequence == 503 && segment.acknowledgement == 102)
    #expect(segment.destinationPort == 40_000)
    #expect(TestFrame.complaint(about: sent[0]) == nil)
    // A lost FIN is sent again, and the device's own FIN is accepted.
    let asked = TestFrame(sequence: 102, acknowledgement: 503, payload: [1])
    #expect(segments(box.takeUp(asked.bytes[...])).map(\.flags) == [0x10, 0x11])
    let end = TestFrame(flags: 0x11, sequence: 103, acknowledgement: 504)
    #expect(segments(box.takeUp(end.bytes[...])).map(\.acknowledgement) == [104])
    #expect(box.end().isEmpty)
  }

  @Test("New connections are refused")
  func refuses() {
    var box = Middlebox()
    box.refusesNew = true
    let outcome = box.takeUp(TestFrame(flags: FrameSegment.syn).bytes[...])
    #expect(!outcome.passes && segments(outcome).map(\.flags) == [0x14])
    #expect(box.takeUp(TestFrame(payload: [1]).bytes[...]).passes)
  }
}
