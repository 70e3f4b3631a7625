import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Traces are written as canonical JSON lines")
struct TraceWriterTests {
  static let header = TraceHeader(
    scenario: "every/record", profile: "sockets", defects: [.lostCall, .lateSend])

  private static func objects(_ bytes: [UInt8]) throws -> [[String: Any]] {
    try bytes.split(separator: 0x0a).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
  }

  private static func lines(_ trace: Trace) -> [UInt8] {
    TraceWriter.lines(of: trace, script: EveryRecord.script, header: header)
  }

  @Test("Each line is one object with its instant and one of three members")
  func shape() throws {
    let objects = try Self.objects(Self.lines(EveryRecord.trace))
    #expect(objects.count == EveryRecord.trace.records.count + 1)
    #expect(objects[0]["v"] as? Int == 1)
    #expect(objects[0]["kind"] as? String == "trace")
    for (object, record) in zip(objects.dropFirst(), EveryRecord.trace.records) {
      #expect(object["at"] as? Int64 == record.at.microseconds)
      let members = object.filter { $0.key != "at" }
      #expect(members.count == 1)
      #expect(["event", "effect", "world", "chain", "request"].contains(members.first?.key))
      #expect((members.first?.value as? [String: Any])?.count == 1)
    }
  }

  @Test("Two different records are never written in the same way")
  func lossless() {
    var lines: [Data: TraceRecord.Body] = [:]
    for record in EveryRecord.trace.records {
      // The calls are introduced first, so that every line can use their names.
      var writer = TraceWriter(EveryRecord.script, for: EveryRecord.trace)
      writer.write(
        TraceRecord(at: .zero, body: .world(.callIntroduced(0, EveryRecord.first))))
      writer.write(
        TraceRecord(at: .zero, body: .world(.callIntroduced(1, EveryRecord.second))))
      writer.removeAll()
      writer.write(TraceRecord(at: .zero, body: record.body))
      let line = Data(writer.bytes)
      #expect(lines[line] == nil, "\(record.body)")
      lines[line] = record.body
    }
  }

  @Test("The digest depends only on the records, the scenario and the profile")
  func digest() {
    func digest(_ trace: Trace, _ header: TraceHeader = Self.header) -> Digest {
      TraceWriter.digest(of: trace, script: EveryRecord.script, header: header)
    }
    let whole = digest(EveryRecord.trace)
    #expect(whole == digest(EveryRecord.trace))
    var other = Self.header
    other.backend = "other"
    #expect(whole == digest(EveryRecord.trace, other))
    other.profile = "cfstream"
    #expect(whole != digest(EveryRecord.trace, other))
    var longer = EveryRecord.trace
    longer.append(.world(.callbackLost), at: .zero)
    #expect(whole != digest(longer))
  }

  @Test("A line has the documented format")
  func form() {
    var writer = TraceWriter(Script(), for: Trace())
    writer.write(
      TraceRecord(
        at: Instant(microseconds: 1_000_000),
        body: .event(.reachability(.callback([.reachable])))))
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"at":1000000,"event":{"callback":{"flags":["Reachable"]}}}"# + "\n")
  }
}

@Suite("Traces equal their golden files")
struct TraceGoldenTests {
  @Test("A trace with every kind of record equals its golden file")
  func everyRecord() throws {
    let lines = TraceWriter.lines(
      of: EveryRecord.trace, script: EveryRecord.script, header: TraceWriterTests.header)
    try Golden.expect(String(decoding: lines, as: UTF8.self), is: "trace-every-record.jsonl")
  }

  @Test(
    "A trace of a simulated run equals its golden file",
    arguments: [Profile.sockets, .socketsMonitor])
  func run(profile: Profile) throws {
    var script = Script()
    script.initial.flags = [.reachable, .isWWAN]
    script.hosts = [ScriptHost(written: "api.example:443", connect: .milliseconds(50))]
    script.calls = [
      ScriptCall(id: "stream", host: 0, kind: .streaming, takes: nil, deadline: .seconds(20))
    ]
    script.entries = [
      ScriptEntry(at: .zero, action: .startCall(0)),
      ScriptEntry(
        at: Instant(microseconds: 1_000_000),
        action: .flags([.reachable], path: nil, linksUp: [], linksDown: [])),
    ]
    let scenario = Scenario(
      file: "run.json", id: "run", title: nil, sources: [], profiles: [profile], script: script,
      expectations: [], entryPositions: [])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let trace = try #require(worker.run(scenario).cases[0].trace)
    let lines = TraceWriter.lines(
      of: trace, script: script, header: TraceHeader(scenario: "run", profile: profile.name))
    try Golden.expect(
      String(decoding: lines, as: UTF8.self), is: "trace-\(profile.name).jsonl")
  }
}
