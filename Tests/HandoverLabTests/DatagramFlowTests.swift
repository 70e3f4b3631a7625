import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("UDP flows and faults")
struct DatagramFlowTests {
  private var box = Middlebox()

  init() { box.datagrams.watch() }

  private static func frame(
    _ port: UInt16 = 40_000, to: (UInt8, UInt16) = (1, 443), isIPv6: Bool = false, up: Bool = true
  ) -> [UInt8] {
    up
      ? TestFrame(
        isIPv6: isIPv6, kind: FrameLayout.udp, from: (2, port), to: to, payload: [1, 2, 3]
      ).bytes
      : TestFrame(
        isIPv6: isIPv6, kind: FrameLayout.udp, from: to, to: (2, port), isFromDevice: false,
        payload: [4]
      ).bytes
  }

  @Test(
    "Existing flows fall silent in both directions, and later ones work",
    arguments: [
      false, true,
    ])
  mutating func silenced(isIPv6: Bool) {
    #expect(box.isPresent)
    #expect(box.takeUp(Self.frame(isIPv6: isIPv6)[...]).passes)
    #expect(box.takeDown(Self.frame(isIPv6: isIPv6, up: false)[...]).passes)
    #expect(box.datagrams.treat(.silenced) == 1)
    // A flow is affected once.
    #expect(box.datagrams.treat(.silenced) == 0)
    #expect(box.takeUp(Self.frame(isIPv6: isIPv6)[...]) == .stopped)
    #expect(box.takeDown(Self.frame(isIPv6: isIPv6, up: false)[...]) == .stopped)
    #expect(box.takeUp(Self.frame(40_001, isIPv6: isIPv6)[...]).passes)
    box.datagrams.resume()
    #expect(box.takeUp(Self.frame(isIPv6: isIPv6)[...]).passes)
  }

  @Test("New flows vanish while existing ones continue")
  mutating func newFlows() {
    #expect(box.takeUp(Self.frame()[...]).passes)
    box.datagrams.treatNewFlows(.silenced)
    #expect(box.takeUp(Self.frame()[...]).passes)
    #expect(box.takeUp(Self.frame(40_001)[...]) == .stopped)
    // Name lookups have separate faults.
    #expect(box.takeUp(Self.frame(40_002, to: (1, 53))[...]).passes)
    #expect(box.takeDown(Self.frame(40_002, to: (1, 53), up: false)[...]).passes)
    box.datagrams.resume()
    #expect(box.takeUp(Self.frame(40_001)[...]).passes)
  }

  @Test(
    "A refused sender gets an ICMP port-unreachable error in a complete frame",
    arguments: [
      false, true,
    ])
  mutating func refused(isIPv6: Bool) throws {
    #expect(box.takeUp(Self.frame(isIPv6: isIPv6)[...]).passes)
    #expect(box.datagrams.treat(.refused) == 1)
    let outcome = box.takeUp(Self.frame(isIPv6: isIPv6)[...])
    let answer = try #require(outcome.answers.first)
    #expect(!outcome.passes && outcome.answers.count == 1)
    #expect(TestFrame.complaint(about: answer) == nil)
    let layout = try #require(FrameLayout(answer[...]))
    #expect(layout.kind == (isIPv6 ? FrameLayout.icmp6 : FrameLayout.icmp))
    #expect(answer[layout.content] == (isIPv6 ? 1 : 3))
    #expect(answer[layout.content + 1] == (isIPv6 ? 4 : 3))
    #expect(box.takeDown(Self.frame(isIPv6: isIPv6, up: false)[...]) == .stopped)
  }

  @Test("Flows to one host are affected, and others are not")
  mutating func ofHost() {
    for last in [UInt8(1), 7] { #expect(box.takeUp(Self.frame(to: (last, 443))[...]).passes) }
    #expect(box.datagrams.treat(.silenced, to: [203, 0, 113, 7]) == 1)
    #expect(box.takeUp(Self.frame(to: (1, 443))[...]).passes)
    #expect(box.takeUp(Self.frame(to: (7, 443))[...]) == .stopped)
    box.datagrams.treatNewFlows(.refused, to: [203, 0, 113, 8])
    #expect(!box.takeUp(Self.frame(to: (8, 443))[...]).passes)
    box.datagrams.resume(to: [203, 0, 113, 7])
    #expect(box.takeUp(Self.frame(to: (7, 443))[...]).passes)
    #expect(!box.takeUp(Self.frame(to: (8, 443))[...]).passes)
  }

  @Test("Flows above the maximum number are forwarded, and faults do not affect them")
  mutating func limit() {
    for port in 0..<5_000 { #expect(box.takeUp(Self.frame(UInt16(1_000 + port))[...]).passes) }
    #expect(box.datagrams.treat(.silenced) == 4_096)
    #expect(box.takeUp(Self.frame(5_999)[...]).passes)
  }
}
