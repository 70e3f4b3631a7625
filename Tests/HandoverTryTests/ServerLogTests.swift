import HandoverCore
import Testing

@testable import HandoverTry

@Suite("Server logs for encrypted connections")
struct ServerLogTests {
  private static let ends = "0a400202 40000 cb007101 80"

  /// Returns a TLS connection that receives records at the given times, each 25 bytes long.
  private static func story(_ records: [Int64], port: UInt16 = 40_000) -> FlowStory {
    var story = FlowStory()
    Self.add(records, port: port, to: &story)
    return story
  }

  private static func add(_ records: [Int64], port: UInt16, to story: inout FlowStory) {
    let device = FlowEnd(address: FlowStory.device, port: port)
    let first = records.first ?? 0
    story.up(first - 3, port: port, sequence: 100 + UInt32(first), flags: 2)
    story.handle(
      FrameMaker.tcp(
        FlowStory.server, device, sequence: 499, acknowledgement: 101 + UInt32(first), flags: 0x12),
      first - 2)
    for (index, at) in records.enumerated() {
      story.handle(
        FrameMaker.tcp(
          FlowStory.server, device, sequence: 500 + UInt32(index * 25), flags: 0x10,
          PayloadScannerTests.record(index == 0 ? 22 : 23, 20)), at)
    }
  }

  private static func heard(_ log: String, _ story: FlowStory) -> [[Instant]] {
    story.table.flows(accordingTo: ServerLog(log)).map(\.received)
  }

  /// A handshake, two tickets, an HTTP/2 PING inside TLS, and two answers.
  private static let records: [Int64] = [10, 20, 30, 1_000, 2_000, 3_000]

  @Test("Only data that the server logs as application data counts; tickets and PINGs do not count")
  func spans() {
    let log = "open \(Self.ends)\nsent \(Self.ends) 100 125\nsent \(Self.ends) 125 150\n"
    #expect(
      Self.heard(log, Self.story(Self.records)) == [[FlowStory.at(2_000), FlowStory.at(3_000)]])
  }

  @Test("A log without application data is trusted")
  func nothing() {
    #expect(Self.heard("open \(Self.ends)\n", Self.story(Self.records)) == [[]])
  }

  @Test("Application data in several segments counts with each of them")
  func pieces() {
    let log = "open \(Self.ends)\nsent \(Self.ends) 110 140\n"
    #expect(
      Self.heard(log, Self.story(Self.records)) == [[FlowStory.at(2_000), FlowStory.at(3_000)]])
  }

  @Test("A connection without a log is evaluated by its records")
  func unknown() {
    let story = Self.story(Self.records)
    #expect(Self.heard("", story) == story.table.flows.map(\.received))
    #expect(
      Self.heard("open 0a400202 40001 cb007101 80\n", story) == story.table.flows.map(\.received))
  }

  @Test("A reused port has a separate connection in the log")
  func reuse() {
    var story = Self.story([10, 20])
    Self.add([5_000, 5_100], port: 40_000, to: &story)
    let log = "open \(Self.ends)\nopen \(Self.ends)\nsent \(Self.ends) 25 50\n"
    #expect(Self.heard(log, story) == [[], [FlowStory.at(5_100)]])
  }

  @Test("After the end of a full log everything counts")
  func full() {
    let log = "open \(Self.ends)\nsent \(Self.ends) 50 75\nfull\n"
    #expect(
      Self.heard(log, Self.story(Self.records))
        == [[30, 1_000, 2_000, 3_000].map { FlowStory.at($0) }])
  }

  @Test(
    "Truncated or invalid lines are ignored",
    arguments: [
      "op", "open zz 1 2 3", "sent \(ends) 9", "sent \(ends) 9 9", "open \(ends.dropLast())",
    ])
  func wrong(_ line: String) {
    #expect(ServerLog(line).connections.allSatisfy { $0.spans.isEmpty })
    #expect(Self.heard("open \(Self.ends)\n\(line)", Self.story(Self.records)) == [[]])
  }
}
