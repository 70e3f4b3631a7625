import HandoverCore
import Testing

@testable import HandoverTry

@Suite("Server logs for encrypted connections")
struct ServerLogTests {
  /// Returns a log of connections with the positions of their application data.
  private static func log(_ connections: [Range<Int>]...) -> ServerLog {
    var log = ServerLog()
    for spans in connections {
      let position = log.open(FlowStory.ends())
      for span in spans { position.map { log.add(span, to: $0) } }
    }
    return log
  }

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

  private static func received(_ log: ServerLog, _ story: FlowStory) -> [[Instant]] {
    story.table.flows(accordingTo: log).map(\.received)
  }

  /// A handshake, two tickets, an HTTP/2 PING inside TLS, and two answers.
  private static let records: [Int64] = [10, 20, 30, 1_000, 2_000, 3_000]

  @Test("Only data that the server logs as application data counts; tickets and PINGs do not count")
  func spans() {
    #expect(
      Self.received(Self.log([100..<125, 125..<150]), Self.story(Self.records)) == [
        [FlowStory.at(2_000), FlowStory.at(3_000)]
      ])
  }

  @Test("A log without application data is trusted")
  func nothing() {
    #expect(Self.received(Self.log([]), Self.story(Self.records)) == [[]])
  }

  @Test("Application data in several segments counts with each of them")
  func pieces() {
    #expect(
      Self.received(Self.log([110..<140]), Self.story(Self.records)) == [
        [FlowStory.at(2_000), FlowStory.at(3_000)]
      ])
  }

  @Test("A connection without a log is evaluated by its records")
  func unknown() {
    let story = Self.story(Self.records)
    #expect(Self.received(Self.log(), story) == story.table.flows.map(\.received))
    var log = ServerLog()
    _ = log.open(FlowStory.ends(port: 40_001))
    #expect(Self.received(log, story) == story.table.flows.map(\.received))
  }

  @Test("A reused port has a separate connection in the log")
  func reuse() {
    var story = Self.story([10, 20])
    Self.add([5_000, 5_100], port: 40_000, to: &story)
    #expect(Self.received(Self.log([], [25..<50]), story) == [[], [FlowStory.at(5_100)]])
  }

  @Test("After the end of a full log everything counts")
  func full() {
    var log = Self.log([50..<75])
    for _ in 0..<ServerLog.maximumCount { log.add(50..<75, to: 0) }
    #expect(log.isFull && log.open(FlowStory.ends()) == nil)
    #expect(log.connections[0].spans.count == ServerLog.maximumCount - 1)
    #expect(
      Self.received(log, Self.story(Self.records))
        == [[30, 1_000, 2_000, 3_000].map { FlowStory.at($0) }])
  }
}
