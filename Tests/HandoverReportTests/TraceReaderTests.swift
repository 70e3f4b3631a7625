import Foundation
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Testing

/// The traces of the bundled scenarios.
enum CorpusTraces {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct One: Sendable {
    var name: String
    var bytes: [UInt8]
    var trace: Trace
  }

  static let all: [One] = {
    let folder = root.appending(path: "Scenarios")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().flatMap { name in
      guard let data = try? Data(contentsOf: folder.appending(path: name)),
        let scenario = ScenarioReader.read(file: name, bytes: [UInt8](data)).scenario
      else { return [One]() }
      return of(scenario)
    }
  }()

  static func of(_ scenario: Scenario, defects: [Defect] = []) -> [One] {
    let backend = SimulatedBackend(altering: { settings in
      for defect in defects { settings.inject(defect) }
    })
    var worker = Worker(backend, retaining: .traces)
    return worker.run(scenario).cases.compactMap { one in
      guard let trace = one.trace else { return nil }
      let bytes = TraceWriter.lines(
        of: trace, script: scenario.script,
        header: TraceHeader(scenario: one.id, profile: one.profile, defects: defects))
      return One(name: one.name, bytes: bytes, trace: trace)
    }
  }
}

@Suite("Traces are read back without loss")
struct TraceReaderTests {
  static func read(_ text: String) throws -> RecordedTrace {
    try TraceReader.read(file: "t.jsonl", bytes: Array(text.utf8))
  }

  /// A small trace of the simulation.
  static let sample: String = {
    let result = Samples.passed.cases[1]
    let lines = TraceWriter.lines(
      of: result.trace ?? Trace(), script: Samples.passed.scenario.script,
      header: TraceHeader(scenario: result.id, profile: result.profile))
    return String(decoding: lines, as: UTF8.self)
  }()

  @Test("Every trace of the corpus is written again byte for byte, and replays")
  func corpus() throws {
    #expect(CorpusTraces.all.count > 300)
    for one in CorpusTraces.all {
      let recorded = try TraceReader.read(file: one.name, bytes: one.bytes)
      #expect(recorded.trace == one.trace, "\(one.name)")
      #expect(recorded.lines == one.bytes, "\(one.name)")
      guard case .equal(let events) = TraceReplay.run(recorded) else {
        Issue.record("\(one.name): \(ReplayText.of(TraceReplay.run(recorded), recorded))")
        continue
      }
      #expect(events > 0)
    }
  }

  @Test("A trace of a client with mutants replays", arguments: Defect.allCases)
  func defects(_ defect: Defect) throws {
    let traces = CorpusTraces.of(Samples.busy, defects: [defect])
    #expect(traces.count == 4)
    for one in traces {
      let recorded = try TraceReader.read(file: one.name, bytes: one.bytes)
      guard case .equal = TraceReplay.run(recorded, altering: { $0.inject(defect) }) else {
        Issue.record("\(one.name) with \(defect)")
        continue
      }
    }
  }

  @Test("Options that an interceptor changed are in the trace, and only those")
  func changedOptions() throws {
    for one in CorpusTraces.all {
      let isChanged = one.name.contains("rewrite-channel-options")
      #expect(one.trace.changedOptions.count == (isChanged ? 1 : 0), "\(one.name)")
      let text = String(decoding: one.bytes, as: UTF8.self)
      #expect(text.contains("changedOptions") == isChanged, "\(one.name)")
    }
  }

  @Test("Every kind of record is read back")
  func everyRecord() throws {
    let file = CorpusTraces.root.appending(path: "Fixtures/Reports/trace-every-record.jsonl")
    let bytes = [UInt8](try Data(contentsOf: file))
    #expect(try TraceReader.read(file: "every", bytes: bytes).lines == bytes)
  }

  @Test("The state after each record of a busy run can be shown")
  func states() throws {
    for one in CorpusTraces.of(Samples.busy) {
      let recorded = try TraceReader.read(file: one.name, bytes: one.bytes)
      for count in 0...recorded.trace.records.count {
        #expect(StateView(recorded, after: count).text.contains("record \(count) of "))
      }
    }
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    var find: String
    var replacement: String
    var problem: String
    var testDescription: String { problem }
  }

  static let bad = [
    Bad(
      find: #"{"v":1,"#, replacement: #"{"v":2,"#,
      problem: "1:6: error: the trace has version 2, and this command reads version 1"),
    Bad(
      find: #""kind":"trace""#, replacement: #""kind":"header""#,
      problem: "1:15: error: not a trace: its kind is \"header\""),
    Bad(
      find: #""profile":"sockets-monitor""#, replacement: #""profile":"socket""#,
      problem: "error: \"socket\" is not a value of \"profile\""),
    Bad(
      find: #""defects":[]"#, replacement: #""defects":["P1"]"#,
      problem: "error: unknown bug \"P1\""),
    Bad(
      find: #""host":0"#, replacement: #""host":7"#, problem: "error: unknown host 7"),
    Bad(
      find: #""config":{"#,
      replacement: #""changedOptions":[{"endpoint":7,"options":{}}],"config":{"#,
      problem: "error: unknown endpoint 7"),
    Bad(
      find: #""config":{"#, replacement: #""changedOptions":[{"endpoint":0}],"config":{"#,
      problem: "error: an element of \"changedOptions\" must have the key \"options\""),
    Bad(
      find: #""jitter":[2,10]"#, replacement: #""jitter":[2,0]"#,
      problem: "error: \"jitter\" must be an integer from 1 to"),
    Bad(
      find: #""jitter":[2,10]"#, replacement: #""jitter":[2,10] "#,
      problem: "from here on, the notation differs: \",\"max\""),
    Bad(
      find: #"{"at":50000,"#, replacement: #"{"at":-1,"#,
      problem: "error: \"at\" must be an integer from 0 to"),
    Bad(
      find: #"{"at":50000,"#, replacement: #"{"at":50000.0,"#,
      problem: "error: \"at\" must be an integer from 0 to"),
    Bad(
      find: #"{"at":50000,"#, replacement: #"{"at":"50ms","#,
      problem: "error: \"at\" must be a number, not a string"),
    Bad(
      find: #"{"at":50000,"event""#, replacement: #"{"at":50000,"at":1,"event""#,
      problem: "error: the key \"at\" occurs twice in one object"),
    Bad(
      find: #"{"at":50000,"event""#, replacement: #"{"at":50000,"fact""#,
      problem: "error: a record has one of \"event\", \"effect\", \"world\", \"chain\" and "
        + "\"request\""),
    Bad(
      find: #"{"connected":"#, replacement: #"{"linked":"#,
      problem: "error: unknown event \"linked\""),
    Bad(
      find: #""to":"READY""#, replacement: #""to":"READY","why":1"#,
      problem: "error: from here on, the notation differs"),
    Bad(
      find: #""to":"READY""#, replacement: #""to":"OPEN""#,
      problem: "error: \"OPEN\" is not a value of \"to\""),
    Bad(
      find: #""call":"stream","id":[0,0],"place":0"#,
      replacement: #""call":"stream","id":[4000000000,0],"place":0"#,
      problem: "error: the run has 2 calls, and this is not one of them"),
    Bad(
      find: #""entry":0,"#, replacement: #""entry":4000000000,"#,
      problem: "error: no timeline has an entry 4000000000"),
    Bad(
      find: #"{"at":8000000,"#, replacement: #"{"at":49999,"#,
      problem: "error: time runs backwards: the previous record is at 50000"),
    Bad(
      find: #""event":{"connected""#, replacement: #""event":{"connected"#,
      problem: "error:"),
    Bad(find: "\n{", replacement: "\n\n{", problem: "2:1: error: the line is empty"),
  ]

  @Test("An error is reported with its position", arguments: bad)
  func errors(_ bad: Bad) throws {
    let range = try #require(Self.sample.firstRange(of: bad.find))
    let text = Self.sample.replacingCharacters(in: range, with: bad.replacement)
    let error = #expect(throws: InputError.self) { try Self.read(text) }
    let description = try #require(error?.description)
    #expect(description.hasPrefix("t.jsonl:"), "\(description)")
    #expect(description.contains(bad.problem), "\(description)")
    #expect(description.contains("\n    hint: "))
  }

  @Test("A trace that is truncated between any two lines replays up to there")
  func cutBetweenLines() throws {
    let lines = Self.sample.split(separator: "\n")
    let end = try #require(lines.firstIndex { $0.contains("\"runEnded\"") })
    for count in 1..<end {
      let recorded = try Self.read(lines[..<count].map { $0 + "\n" }.joined())
      let outcome = TraceReplay.run(recorded)
      guard case .equal = outcome else {
        Issue.record("cut after line \(count): \(outcome)")
        continue
      }
      #expect(ReplayText.of(outcome, recorded).contains("the trace is incomplete"))
    }
  }

  @Test("A file that is truncated, empty or too long is reported")
  func files() throws {
    let cut = #expect(throws: InputError.self) { try Self.read(String(Self.sample.dropLast())) }
    #expect(cut?.message.contains("the last line is incomplete") == true)
    let empty = #expect(throws: InputError.self) { try Self.read("") }
    #expect(empty?.message == "the file is empty")
    let long = "{" + String(repeating: " ", count: TraceReader.maximumLineByteCount) + "}\n"
    let error = #expect(throws: InputError.self) { try Self.read(long) }
    #expect(error?.message.contains("more than \(TraceReader.maximumLineByteCount)") == true)
    let header = try #require(Self.sample.split(separator: "\n").first)
    #expect(try Self.read(header + "\n").trace.records.isEmpty)
  }

  static let seeds: [UInt64] = [1, 0x5EED, 0xACE]

  @Test(
    "A corrupted trace is refused with a position or read without loss, without a crash",
    arguments: seeds)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let originals =
      [Array(Self.sample.utf8)] + CorpusTraces.of(Samples.busy).prefix(2).map(\.bytes)
    var accepted = 0
    for round in 0..<160 {
      let mutant = Self.mutated(originals[round % originals.count], &generator)
      do throws(InputError) {
        let recorded = try TraceReader.read(file: "f", bytes: mutant)
        accepted += 1
        guard recorded.lines == mutant else {
          Issue.record("seed \(seed), round \(round): not written again as it was")
          return
        }
        _ = ReplayText.of(TraceReplay.run(recorded), recorded)
        _ = StateView(recorded, after: recorded.trace.records.count).text
      } catch {
        let lines = mutant.split(separator: 0x0a, omittingEmptySubsequences: false)
        guard lines.indices.contains(error.position.line - 1),
          error.position.column <= lines[error.position.line - 1].count + 1
        else {
          Issue.record("seed \(seed), round \(round): \(error) is outside the file")
          return
        }
      }
    }
    #expect(accepted > 10, "seed \(seed)")
  }

  /// Returns the bytes with one to three lines or digits changed, removed, or copied from
  /// elsewhere.
  private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var lines = bytes.split(separator: 0x0a).map(Array.init)
    func draw(_ bound: Int) -> Int {
      Int(generator.next(upToAndIncluding: UInt64(max(0, bound))))
    }
    for _ in 0...draw(2) {
      let position = draw(lines.count - 1)
      switch draw(6) {
      case 0 where lines.count > 2: lines.remove(at: position)
      case 1: lines.insert(lines[draw(lines.count - 1)], at: position)
      case 2: lines.swapAt(position, min(position + 1, lines.count - 1))
      case 3:
        lines[position][draw(lines[position].count - 1)] = UInt8(draw(255))
      case 4:
        let other = lines[draw(lines.count - 1)]
        lines[position] =
          lines[position].prefix(draw(lines[position].count)) + other.suffix(draw(40))
      default:
        // A changed digit keeps the line valid, so that the damage gets further.
        let digits = lines[position].indices.filter { (0x30...0x39).contains(lines[position][$0]) }
        if !digits.isEmpty {
          lines[position][digits[draw(digits.count - 1)]] = 0x30 + UInt8(draw(9))
        }
      }
      if lines[0].isEmpty { lines[0] = [0x7b] }
      lines = lines.filter { !$0.isEmpty }
    }
    return Array(lines.joined(separator: [0x0a])) + (draw(20) == 0 ? [] : [0x0a])
  }
}
