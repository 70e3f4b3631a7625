import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("Answers come from the address that was asked")
struct AskedAddressTests {
  private static let network = AccessNetwork(
    number: 1, medium: .wifi, families: .both)

  /// Returns a datagram of the device to one of two servers.
  private static func question(to last: UInt8, isIPv6: Bool, port: UInt16 = 40_000) -> [UInt8] {
    TestFrame(
      isIPv6: isIPv6, kind: FrameLayout.udp, from: (2, port), to: (last, 9_001), payload: [1, 2, 3]
    ).bytes
  }

  /// Returns an answer with the source address that a kernel chooses: the servers' end of the
  /// uplink.
  private static func answer(isIPv6: Bool, isPartial: Bool, port: UInt16 = 40_000) throws -> [UInt8]
  {
    var frame = TestFrame(
      isIPv6: isIPv6, kind: FrameLayout.udp, from: (1, 9_001), to: (2, port), isFromDevice: false,
      payload: [4, 5, 6]
    )
    frame.isPartial = isPartial
    var bytes = frame.bytes
    let layout = try #require(FrameLayout(bytes[...]))
    let source = isIPv6 ? network.uplinkOfServers6 : network.uplinkOfServers
    bytes.replaceSubrange(layout.source..<layout.destination, with: source.bytes)
    bytes.setHeaderChecksum(layout)
    if isPartial {
      bytes.set(Checksum.folded(Checksum.pseudoHeader(bytes[...], layout)), at: layout.checksum)
    } else {
      bytes.setChecksum(layout, at: layout.checksum)
    }
    return bytes
  }

  @Test(
    "The source becomes the address that the device asked last, and checksums stay correct",
    arguments: [false, true], [false, true])
  func source(isIPv6: Bool, isPartial: Bool) throws {
    var asked = QueriedAddresses()
    let answer = try Self.answer(isIPv6: isIPv6, isPartial: isPartial)
    #expect(TestFrame.complaint(about: answer) == nil)
    #expect(asked.answer(answer[...], on: Self.network) == nil)
    for server in [7, 8] as [UInt8] {
      let question = Self.question(to: server, isIPv6: isIPv6)
      asked.note(question[...])
      let changed = try #require(asked.answer(answer[...], on: Self.network))
      let (layout, other) = (
        try #require(FrameLayout(changed[...])), try #require(FrameLayout(question[...]))
      )
      #expect(
        changed[layout.source..<layout.destination]
          == question[other.destination..<other.destination + other.addressLength])
      #expect(TestFrame.complaint(about: changed) == nil)
    }
    // Another socket sent no query.
    let foreign = try Self.answer(isIPv6: isIPv6, isPartial: isPartial, port: 40_001)
    #expect(asked.answer(foreign[...], on: Self.network) == nil)
  }

  @Test("An answer from the address of a server does not change")
  func own() {
    var asked = QueriedAddresses()
    asked.note(Self.question(to: 7, isIPv6: false)[...])
    let answer = TestFrame(
      kind: FrameLayout.udp, from: (9, 9_001), to: (2, 40_000), isFromDevice: false, payload: [4]
    ).bytes
    #expect(asked.answer(answer[...], on: Self.network) == nil)
  }
}
