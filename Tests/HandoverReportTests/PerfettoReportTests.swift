import HandoverCore
import HandoverEngine
import Testing

@testable import HandoverReport

@Suite("The trace for Perfetto")
struct PerfettoReportTests {
  @Test("A field consists of its number, its wire type and its value")
  func protobuf() {
    func bytes(_ write: (inout ProtobufMessage) -> Void) -> [UInt8] {
      var message = ProtobufMessage()
      write(&message)
      return message.bytes
    }
    #expect(bytes { $0.add(1, 0) } == [0x08, 0])
    #expect(bytes { $0.add(1, 150) } == [0x08, 0x96, 0x01])
    #expect(bytes { $0.add(60, 1) } == [0xe0, 0x03, 1])
    #expect(
      bytes { $0.add(2, UInt64.max) } == [0x10] + Array(repeating: 0xff, count: 9) + [0x01])
    #expect(bytes { $0.add(47, fixed: 0x0102) } == [0xf9, 0x02, 0x02, 0x01, 0, 0, 0, 0, 0, 0])
    #expect(bytes { $0.add(2, "é") } == [0x12, 2, 0xc3, 0xa9])
    let long = String(repeating: "x", count: 300)
    #expect(bytes { $0.add(2, long) } == [0x12, 0xac, 0x02] + Array(long.utf8))
    var inner = ProtobufMessage()
    inner.add(1, 150)
    #expect(bytes { $0.add(3, inner) } == [0x1a, 3, 0x08, 0x96, 0x01])
    #expect(bytes { $0.add(3, ProtobufMessage()) } == [0x1a, 0])
  }

  // MARK: The report

  private static func reading(
    of results: [ScenarioResult], summary: Summary? = nil
  ) throws -> PerfettoReading {
    var report = PerfettoReport()
    var bytes = report.begin(Samples.run)
    for result in results { bytes += report.scenarioEnded(result) }
    return try PerfettoReading(bytes + report.finish(summary ?? Summary(results)))
  }

  @Test("The report equals its golden file, one packet a line")
  func golden() throws {
    let reading = try Self.reading(of: Samples.all)
    try Golden.expect(reading.lines.joined(separator: "\n") + "\n", is: "perfetto.txt")
    let requests = try Self.reading(of: [Samples.play(Samples.threads, on: [.urlDispatcher])])
    try Golden.expect(
      requests.lines.joined(separator: "\n") + "\n", is: "perfetto-requests.txt")
  }

  @Test("Each case is a process, and every slice that begins also ends, within its case")
  func slices() throws {
    let results = Samples.all + [Samples.play(Samples.busy, on: [.socketsMonitor, .cfStream])]
    let reading = try Self.reading(of: results)
    let cases = results.flatMap(\.cases)
    let processes = reading.tracks.filter { $0.value.pid != nil }.sorted { $0.key < $1.key }
    #expect(processes.map(\.value.name) == cases.map { VisibleText.of($0.name) })
    #expect(processes.map(\.value.pid) == (1...cases.count).map { UInt64($0) })
    for (process, one) in zip(processes, cases) {
      let events = reading.events.filter { $0.track == process.key }
      #expect(events.first?.name == one.verdict.name && events.first?.type == 1)
      #expect(events.first?.details["profile"] == one.profile)
      #expect(events.last?.type == 2)
      #expect(events.last?.at == UInt64(one.endedAt.microseconds) * 1_000)
      #expect(events.count { $0.category == "finding" } == one.findings.count)
      let lanes = reading.tracks.filter { $0.value.parent == process.key }
      #expect(lanes.isEmpty == (one.trace == nil))
      #expect(lanes.isEmpty || lanes.contains { $0.value.name == "network" })
    }
    for track in reading.tracks.keys {
      var (open, last) = (0, UInt64(0))
      for event in reading.events where event.track == track && event.category != "finding" {
        #expect(event.at >= last, "\(event)")
        last = event.at
        switch event.type {
        case 1: open += 1
        case 2: open -= 1
        default: #expect(event.type == 3)
        }
        #expect(0...1 ~= open, "\(event)")
      }
      #expect(open == 0)
    }
  }

  @Test("An arrow has two or three steps, forward in time, and its last step is marked")
  func arrows() throws {
    let reading = try Self.reading(
      of: Samples.all + [Samples.play(Samples.busy, on: [.socketsMonitor, .cfStream])])
    let ids = Set(reading.events.flatMap { $0.flows + $0.lastFlows })
    #expect(!ids.isEmpty)
    for id in ids {
      let steps = reading.events.filter { $0.flows.contains(id) || $0.lastFlows.contains(id) }
      #expect(2...3 ~= steps.count)
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.at <= $1.at })
      #expect(steps.last?.lastFlows.contains(id) == true)
      #expect(steps.dropLast().allSatisfy { !$0.lastFlows.contains(id) })
      #expect(Set(steps.compactMap { reading.tracks[$0.track]?.parent }).count == 1)
    }
    let kinds = Set(
      ids.map { id in
        reading.events.filter { $0.flows.contains(id) || $0.lastFlows.contains(id) }.map(\.category)
      })
    #expect(kinds.contains(["device", "connection", "call"]), "\(kinds)")
  }

  @Test("Long names and control characters are kept readable")
  func hostile() throws {
    let long = String(repeating: "n", count: 10_000)
    let result = Samples.play(
      Samples.transition(
        id: "hostile/\(Samples.hostileText)\(long)", title: nil, expectations: [],
        calls: [Samples.hostileText, long]), on: [.sockets])
    let reading = try Self.reading(of: [result])
    let names = reading.tracks.values.map(\.name)
    #expect(names.contains("call \(long)"))
    #expect(names.contains { $0.contains("\\u{1b}[31m") && $0.contains(long) })
    #expect(names.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
  }

  @Test("The trace of an empty or interrupted run is complete")
  func empty() throws {
    var summary = Summary()
    summary.wasInterrupted = true
    summary.unfinished = 3
    let reading = try Self.reading(of: [], summary: summary)
    #expect(reading.tracks.values.map(\.name).sorted() == ["handover run", "interrupted"])
    #expect(reading.events.contains { $0.name.contains("3 cases did not finish") })
  }

  // MARK: Arrows

  private static func lane(
    _ kind: TimelineLane.Kind, _ name: String, carrier: String? = nil,
    _ spans: (Int64, Int64, String, TimelineLane.Tone)...
  ) -> TimelineLane {
    TimelineLane(
      kind: kind, name: name,
      spans: spans.map {
        TimelineLane.Span(
          from: Samples.instant($0.0), to: Samples.instant($0.1), text: $0.2, tone: $0.3)
      }, carrier: carrier)
  }

  private static let network = lane(
    .device, "network", (0, 8, "WiFi", .plain), (8, 30, "cellular", .plain))

  private static func steps(_ lanes: TimelineLane...) -> [[Int]] {
    TimelineFlow.all(in: lanes).map { $0.steps.flatMap { [$0.lane, $0.span] } }
  }

  @Test("A change explains a stall, and the stall the call that waited for its deadline")
  func stall() {
    let connection = Self.lane(
      .connection, "connection 1", (0, 8, "open", .good), (8, 20, "stalls", .bad),
      (20, 20, "closed", .plain))
    let call = Self.lane(
      .call, "a", carrier: "connection 1", (0, 20, "runs", .plain), (20, 20, "DEADLINE", .bad))
    let good = Self.lane(
      .call, "b", carrier: "connection 1", (0, 9, "runs", .plain), (9, 9, "OK", .good))
    #expect(Self.steps(Self.network, connection, call, good) == [[0, 1, 1, 1, 2, 1]])
    #expect(Self.steps(Self.network, connection, good) == [[0, 1, 1, 1]])
  }

  @Test("A change explains no connection that was opened later, and no later close")
  func unrelated() {
    let later = Self.lane(
      .connection, "connection 2", (9, 12, "open", .good), (12, 12, "breaks", .bad))
    let call = Self.lane(
      .call, "a", carrier: "connection 2", (9, 12, "runs", .plain),
      (12, 12, "UNAVAILABLE", .bad))
    #expect(Self.steps(Self.network, later) == [])
    #expect(Self.steps(Self.network, later, call) == [[1, 1, 2, 1]])
    let idle = Self.lane(
      .connection, "connection 1", (0, 20, "open", .good), (20, 20, "closed", .plain))
    #expect(Self.steps(Self.network, idle) == [])
    let atOnce = Self.lane(
      .connection, "connection 1", (0, 8, "open", .good), (8, 8, "closed", .plain))
    #expect(Self.steps(Self.network, atOnce) == [[0, 1, 1, 1]])
  }

  @Test("A connection that works again explains no call")
  func resumed() {
    let connection = Self.lane(
      .connection, "connection 1", (0, 8, "open", .good), (8, 10, "stalls", .bad),
      (10, 30, "open", .good))
    let call = Self.lane(
      .call, "a", carrier: "connection 1", (0, 20, "runs", .plain), (20, 20, "CANCELLED", .bad))
    #expect(Self.steps(Self.network, connection, call) == [])
  }
}
