import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("Packets that are translated between IPv6 and IPv4")
struct FamilyTranslationTests {
  private static let network: AccessNetwork = {
    var network = AccessNetwork(number: 1, medium: .wifi)
    (network.families, network.translates) = (.ipv6, true)
    return network
  }()
  private static let far = IPAddress(192, 0, 2, 7)

  /// Returns a frame of the device to an IPv4 address embedded in an IPv6 address.
  private static func frame(
    _ kind: UInt8, payload: Int = 4, segmentSize: UInt16 = 0, isPartial: Bool = false
  ) throws -> [UInt8] {
    var frame = TestFrame(
      isIPv6: true, kind: kind, flags: 0x10,
      payload: (0..<payload).map { UInt8(truncatingIfNeeded: $0) }, segmentSize: segmentSize,
      isPartial: isPartial
    ).bytes
    let layout = try #require(FrameLayout(frame[...]))
    frame.replaceSubrange(layout.source..<layout.destination, with: network.deviceAddress6.bytes)
    frame.replaceSubrange(
      layout.destination..<layout.destination + 16, with: far.translated.bytes)
    if isPartial {
      frame.set(Checksum.folded(Checksum.pseudoHeader(frame[...], layout)), at: layout.checksum)
      // The checksum starts after both headers, in the byte order of the machine.
      (frame[2], frame[6]) = (14 + 40 + 20, 14 + 40)
    } else {
      frame.setChecksum(layout, at: layout.checksum)
    }
    return frame
  }

  /// Returns a frame with its ends exchanged, as the far end would answer.
  private static func answer(_ frame: [UInt8]) throws -> [UInt8] {
    let layout = try #require(FrameLayout(frame[...]))
    var answer = frame
    let length = layout.addressLength
    answer.replaceSubrange(
      layout.source..<layout.source + 2 * length,
      with: frame[layout.destination..<layout.destination + length]
        + frame[layout.source..<layout.destination])
    answer.replaceSubrange(
      layout.content..<layout.content + 4,
      with: frame[layout.content + 2..<layout.content + 4]
        + frame[layout.content..<layout.content + 2])
    return answer
  }

  @Test(
    "Packets go out as IPv4 and come back as IPv6, with valid checksums",
    arguments: [FrameLayout.tcp, FrameLayout.udp],
    [(4, 0, false), (4, 0, true), (4_000, 1_400, true)] as [(Int, UInt16, Bool)])
  func roundTrip(kind: UInt8, shape: (payload: Int, segment: UInt16, isPartial: Bool)) throws {
    let frame = try Self.frame(
      kind, payload: shape.payload, segmentSize: shape.segment, isPartial: shape.isPartial)
    var translation = FamilyTranslation(Self.network)
    let taken = translation.takeUp(frame[...])
    let up = try #require(taken)
    let layout = try #require(FrameLayout(up[...]))
    #expect(!layout.isIPv6 && layout.kind == kind)
    #expect(TestFrame.complaint(about: up) == nil)
    #expect(
      Array(up[layout.source..<layout.content]) == Self.network.deviceAddress.bytes + Self.far.bytes
    )
    #expect(SegmentHeader(up[...]) == SegmentHeader(frame[...]))
    if shape.isPartial { #expect(up[6] == 14 + 20) }
    if kind == FrameLayout.tcp, shape.segment > 0 { #expect(up[1] == 1) }
    guard case .device(let down) = translation.takeDown(try Self.answer(up)[...]) else {
      Issue.record("the answer is lost")
      return
    }
    #expect(try Self.answer(down) == frame)
    #expect(TestFrame.complaint(about: down) == nil)
  }

  @Test("Datagrams that are shorter than their header pass", arguments: 0..<8)
  func shortDatagram(length: Int) throws {
    let whole = try Self.frame(FrameLayout.udp, payload: 0)
    let content = try #require(FrameLayout(whole[...])).content
    var frame = Array(whole[..<(content + length)])
    frame[content - 36 + 1] = UInt8(length)
    var translation = FamilyTranslation(Self.network)
    if let up = translation.takeUp(frame[...]) { #expect(up.count == frame.count - 20) }
  }

  @Test("Packets to other addresses pass unchanged")
  func others() throws {
    var translation = FamilyTranslation(Self.network)
    let frame = TestFrame(isIPv6: true).bytes
    let up = translation.takeUp(frame[...])
    #expect(up == frame)
    #expect(translation.takeDown(frame[...]) == .device(frame))
  }

  @Test("Packets that would be too long in IPv6 cause an error, and fragments vanish")
  func tooLong() throws {
    var translation = FamilyTranslation(Self.network)
    let taken = translation.takeUp(try Self.frame(FrameLayout.udp, payload: 1_460)[...])
    let up = try #require(taken)
    guard case .router(let reported) = translation.takeDown(try Self.answer(up)[...]) else {
      Issue.record("nothing is said")
      return
    }
    let layout = try #require(FrameLayout(reported[...]))
    #expect(Array(reported[layout.content..<layout.content + 2]) == [3, 4])
    #expect(reported[...].word(at: layout.content + 6) == 1_480)
    var piece = up
    piece[layout.ip + 6] = 0x20
    #expect(translation.takeDown(piece[...]) == .vanishes)
  }

  @Test("An ICMP error contains the device's own packet", arguments: [(3, 1), (3, 4), (11, 0)])
  func errors(type: UInt8, code: UInt8) throws {
    var translation = FamilyTranslation(Self.network)
    let frame = try Self.frame(FrameLayout.tcp)
    let taken = translation.takeUp(frame[...])
    let up = try #require(taken)
    var reported = try #require(
      FrameAnswers.tooBig(up[...], mtu: 1_400, from: Self.network.gateway))
    let layout = try #require(FrameLayout(reported[...]))
    (reported[layout.content], reported[layout.content + 1]) = (type, code)
    guard case .device(let down) = translation.takeDown(reported[...]) else {
      Issue.record("nothing is said")
      return
    }
    let own = try #require(FrameLayout(down[...]))
    #expect(own.kind == FrameLayout.icmp6)
    #expect(TestFrame.complaint(about: down) == nil)
    #expect(down[own.content] == (type == 11 ? 3 : code == 4 ? 2 : 1))
    if code == 4 { #expect(down[...].long(at: own.content + 4) == 1_420) }
    let inner = own.content + 8
    #expect(
      Array(down[(inner + 8)..<(inner + 40)])
        == Self.network.deviceAddress6.bytes + Self.far.translated.bytes)
  }

  @Test("Only the link emulator answers ARP for the device's IPv4 address")
  func neighbours() throws {
    var translation = FamilyTranslation(Self.network)
    func question(_ last: UInt8) -> [UInt8] {
      let header = [UInt8](repeating: 0, count: PacketSocket.segmentHeaderLength)
      let links = [UInt8](repeating: 0xFF, count: 6) + TestFrame.routerMAC
      let kinds: [UInt8] = [8, 6, 0, 1, 8, 0, 6, 4, 0, 1]
      return header + links + kinds + TestFrame.routerMAC + Self.network.gateway.bytes
        + [UInt8](repeating: 0, count: 6) + [192, 168, 1, last]
    }
    #expect(translation.takeDown(question(2)[...]) == .vanishes)
    _ = translation.takeUp(try Self.frame(FrameLayout.tcp)[...])
    guard case .router(let answer) = translation.takeDown(question(2)[...]) else {
      Issue.record("nobody answers")
      return
    }
    let packet = answer.dropFirst(PacketSocket.segmentHeaderLength)
    #expect(Array(packet.prefix(12)) == TestFrame.routerMAC + TestFrame.deviceMAC)
    #expect(
      Array(packet.dropFirst(20).prefix(12)) == [0, 2] + TestFrame.deviceMAC + [192, 168, 1, 2])
    #expect(translation.takeDown(question(1)[...]) == .vanishes)
  }
}
