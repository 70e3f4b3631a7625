import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A run with threads whose every detail is known: two slots for each endpoint.
///
/// | when | what |
/// |---|---|
/// | 0s | `a` and `b` each get a thread; `c` waits |
/// | 2s | `a` ends, and its thread takes `c` |
/// | 3s | `b` ends, and thread 2 is idle |
/// | 6s | `c` ends, and thread 1 is idle |
/// | 7s | `d` takes thread 1, which became idle last, and fails at 8s |
/// | 18s | the collector ends both, idle for 15 s and 10 s |
/// | 30s | `e` gets a new thread, the third; `other` gets the first one of its endpoint |
/// | 45.01s | the collector ends both |
enum KnownThreads {
  static let timeline = [
    #"{"at": "0s", "request": {"id": "a", "host": "a:80", "takes": "2s"}}"#,
    #"{"at": "0s", "request": {"id": "b", "host": "a:80", "takes": "3s"}}"#,
    #"{"at": "0s", "request": {"id": "c", "host": "a:80", "takes": "4s"}}"#,
    #"{"at": "0s", "request": {"id": "socket", "host": "b:80", "kind": "websocket", "#
      + #""takes": "1s"}}"#,
    #"{"at": "7s", "request": {"id": "d", "host": "a:80", "takes": "9s", "timeout": "1s"}}"#,
    #"{"at": "30s", "request": {"id": "e", "host": "a:80"}}"#,
    #"{"at": "30s", "request": {"id": "other", "host": "b:80"}}"#,
  ]
  static let hosts = #""a:80": {}, "b:80": {}"#
  static let config = #"{"requests": {"total": 2, "threads": {}}}"#

  static func scenario(expecting expectations: [String] = []) throws -> Scenario {
    try Sample.scenario(
      timeline: timeline, expect: expectations, profiles: [.urlDispatcher], hosts: hosts,
      config: config, flags: #"["Reachable"]"#)
  }
}

@Suite("Expectations about threads")
struct ThreadExpectationTests {
  static let requests: [Row] =
    Row.holds(
      #"{"request": "a", "thread": 1}"#, #"{"request": "b", "thread": 2, "at": "3s"}"#,
      #"{"request": "c", "thread": 1, "begins": "2s"}"#,
      #"{"request": "d", "thread": 1, "outcome": "timed-out"}"#,
      #"{"request": "e", "thread": 3}"#, #"{"request": "other", "thread": 1}"#,
      #"{"never": {"request": "socket", "thread": 1}}"#)
    + Row.fails(
      #"{"request": "a", "thread": 2}"#, #"{"request": "c", "thread": 2}"#,
      #"{"request": "socket", "thread": 1}"#, #"{"request": "e", "thread": 1}"#,
      #"{"request": "c", "thread": 1, "outcome": "lost"}"#,
      #"{"never": {"request": "c", "thread": 1}}"#)

  private static func count(_ counts: String, _ host: String = "a:80", at: String) -> String {
    #"{"requests": {"host": "\#(host)", \#(counts)}, "at": "\#(at)"}"#
  }

  static let counts: [Row] =
    Row.holds(
      count(#""threads": 2, "idleThreads": 0, "threadsMade": 2, "mostThreads": 2"#, at: "0s"),
      count(#""threads": 2, "idleThreads": 1"#, at: "3s"),
      count(#""threads": 2, "idleThreads": 2"#, at: "6s"),
      count(#""threads": 2, "idleThreads": 1"#, at: "7s"),
      count(#""threads": 2, "idleThreads": 2"#, at: "17999999us"),
      count(#""threads": 0, "idleThreads": 0, "threadsMade": 2, "mostThreads": 2"#, at: "18s"),
      count(#""threads": 1, "threadsMade": 3, "mostThreads": 2"#, at: "30s"),
      count(#""threads": 0, "threadsMade": 0"#, "b:80", at: "0s"),
      count(#""threads": 1, "threadsMade": 1"#, "b:80", at: "30s"),
      count(#""threads": 2, "threadsMade": 4, "mostThreads": 2"#, "*", at: "30s"),
      #"{"requests": {"host": "*", "threads": 0, "threadsMade": 4}, "at": "45010ms"}"#,
      #"{"requests": {"host": "*", "threads": 0, "threadsMade": 4}}"#,
      #"{"never": {"requests": {"host": "*", "threads": 3}}}"#)
    + Row.fails(
      count(#""threads": 1"#, at: "0s"), count(#""idleThreads": 0"#, at: "3s"),
      count(#""threadsMade": 3"#, at: "18s"), count(#""mostThreads": 1"#, at: "18s"),
      count(#""threads": 2, "idleThreads": 0"#, at: "6s"),
      count(#""threads": 1"#, at: "17999999us"),
      count(#""threadsMade": 1"#, "b:80", at: "0s"),
      #"{"requests": {"host": "*", "mostThreads": 3}}"#,
      #"{"never": {"requests": {"host": "a:80", "idleThreads": 2}}}"#,
      #"{"never": {"requests": {"host": "a:80", "threadsMade": 3}}}"#)

  @Test("An expectation passes or fails as the known run requires", arguments: requests + counts)
  func row(_ row: Row) throws {
    let result = try Sample.run(try KnownThreads.scenario(expecting: [row.expectation]))
    #expect(result.brokenRules == [])
    #expect(result.verdict == (row.holds ? .passed : .failed), "\(result.findings)")
    #expect(result.findings.map(\.kind) == (row.holds ? [] : [.expectation]))
  }

  @Test("A failed expectation is shown with the observed result")
  func wording() throws {
    let findings = try Sample.run(
      try KnownThreads.scenario(expecting: [
        #"{"request": "c", "thread": 2}"#, #"{"request": "socket", "thread": 1}"#,
        #"{"requests": {"host": "a:80", "threads": 0, "idleThreads": 1, "threadsMade": 9, "#
          + #""mostThreads": 3}, "at": "6s"}"#,
      ])
    ).findings
    #expect(
      findings.map(\.expected) == [
        #"request "c" runs on thread #2"#, #"request "socket" runs on thread #1"#,
        "a:80 has no thread, 1 thread idle, 9 threads made and 3 threads at the most at 6s",
      ])
    #expect(
      findings.map(\.seen) == [
        "ran on thread 1, it ended finished at 6s", "ran on no thread, it ended finished at 1s",
        "2 threads, 2 threads idle, 2 threads made, 2 threads at most",
      ])
  }

  @Test("Expectations about threads do not depend on the run before")
  func again() throws {
    var worker = Worker(SimulatedBackend())
    let counts = #"{"requests": {"host": "*", "threadsMade": 4, "mostThreads": 2}}"#
    let known = try KnownThreads.scenario(expecting: [counts])
    let none = try Sample.scenario(
      timeline: [#"{"at": "0s", "ask": {"id": "q", "host": "a:80"}}"#],
      expect: [#"{"requests": {"host": "*", "threadsMade": 0, "mostThreads": 0, "threads": 0}}"#],
      profiles: [.urlDispatcher], hosts: KnownThreads.hosts, config: KnownThreads.config)
    for scenario in [known, none, known] {
      #expect(worker.run(scenario).cases.map(\.verdict) == [.passed])
    }
  }

  @Test("A run with threads equals a run without them, except for the thread records")
  func besideThreads() throws {
    func records(_ config: String) throws -> [TraceRecord] {
      let scenario = try Sample.scenario(
        timeline: KnownThreads.timeline, profiles: [.urlDispatcher], hosts: KnownThreads.hosts,
        config: config, flags: #"["Reachable"]"#)
      var worker = Worker(SimulatedBackend(), retaining: .traces)
      return try #require(worker.run(scenario).cases.first?.trace).records.filter { record in
        switch record.body {
        case .request(.thread), .request(.runsOn), .world(.runEnded): false
        case .event(.pool(.closed)): false
        default: true
        }
      }
    }
    let with = try records(KnownThreads.config)
    let without = try records(#"{"requests": {"total": 2}}"#)
    #expect(with == without)
  }
}

/// Tests of invariant 7 for threads.
///
/// Each test breaks one part of a correct trace.
@Suite("Invariants of threads in every run")
struct ThreadRuleTests {
  private static func thread(_ change: ThreadChange, _ number: UInt32) -> TraceRecord.Body {
    .request(.thread(change, number, host: 0, pool: 0))
  }

  private static func insert(
    _ body: TraceRecord.Body, after other: TraceRecord.Body, in records: inout Records
  ) {
    let index = records.first { $0 == other }
    records.all.insert(TraceRecord(at: records.all[index].at, body: body), at: index + 1)
  }

  static let tamperings = [
    Tampering(7, "a third thread is made for two slots") { records in
      insert(thread(.made, 3), after: thread(.made, 2), in: &records)
    },
    Tampering(7, "a thread is made beside an idle one") { records in
      let index = records.first { $0 == thread(.collected, 2) }
      let at = records.all[index].at
      records.all.insert(TraceRecord(at: at, body: thread(.made, 3)), at: index + 1)
    },
    Tampering(7, "a thread takes a request while it runs another") { records in
      let index = records.first { $0 == .request(.runsOn(request: 1, thread: 2)) }
      records.all[index].body = .request(.runsOn(request: 1, thread: 1))
    },
    Tampering(7, "a thread that was never made takes a request") { records in
      let index = records.first { $0 == .request(.runsOn(request: 2, thread: 1)) }
      records.all[index].body = .request(.runsOn(request: 2, thread: 7))
    },
    Tampering(7, "a thread that is gone takes a request") { records in
      let index = records.first { $0 == .request(.runsOn(request: 5, thread: 3)) }
      records.all[index].body = .request(.runsOn(request: 5, thread: 2))
    },
    Tampering(7, "a request is carried without a thread") { records in
      records.drop { $0 == .request(.runsOn(request: 1, thread: 2)) }
    },
    Tampering(7, "a thread rests while it runs") { records in
      insert(
        thread(.rests, 1), after: .request(.runsOn(request: 0, thread: 1)), in: &records)
    },
    Tampering(7, "a thread is collected while it runs") { records in
      insert(
        thread(.collected, 1), after: .request(.runsOn(request: 0, thread: 1)), in: &records)
    },
    Tampering(7, "a thread ends while it runs") { records in
      insert(
        thread(.ended, 1), after: .request(.runsOn(request: 0, thread: 1)), in: &records)
    },
    Tampering(7, "a thread is never told of again") { records in
      records.drop { $0 == thread(.collected, 3) }
    },
  ]

  @Test("Each broken part is detected", arguments: tamperings)
  func detected(tampering: Tampering) throws {
    let scenario = try KnownThreads.scenario()
    #expect(try Sample.run(scenario).verdict == .passed)
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(result.brokenRules.contains(tampering.rule))
    #expect(result.verdict == .failed)
  }

  private static let busy = TraceRecord.Body.request(.runsOn(request: 1, thread: 2))

  /// A wrong thread event, the record before it, and the message that must be reported.
  static let sentences: [(ThreadChange, UInt32, after: TraceRecord.Body, String)] = [
    (.made, 3, after: busy, "there are no more threads than the limit of their endpoint"),
    (.made, 3, after: thread(.rests, 2), "a thread is created only if no thread is idle"),
    (.rests, 2, after: busy, "a thread becomes idle only after it has run something"),
    (.collected, 2, after: busy, "only an idle thread is collected"),
    (.ended, 2, after: busy, "a thread ends when it has nothing to run"),
  ]

  @Test("Each thread event out of place has its own message", arguments: sentences)
  func reported(change: ThreadChange, number: UInt32, after: TraceRecord.Body, sentence: String)
    throws
  {
    let tampering = Tampering(7, sentence) { records in
      Self.insert(Self.thread(change, number), after: after, in: &records)
    }
    let result = try Sample.run(
      try KnownThreads.scenario(), on: TamperingBackend(tampering: tampering))
    #expect(result.findings.map(\.expected).contains(sentence))
  }
}
