import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverSimulation
import Synchronization
import Testing

@testable import HandoverEngine

/// Scenarios with many parts.
///
/// Each would take minutes if any step searched through everything.
@Suite("Scenarios with many parts")
struct LimitTests {
  private static let many = 4_000

  private func run(
    _ profile: Profile, _ timeline: [String], expect: [String] = [], config: String = "{}"
  ) throws -> CaseResult {
    try Sample.run(
      Sample.scenario(
        timeline: timeline, expect: expect, profiles: [profile], config: config,
        flags: #"["Reachable"]"#))
  }

  private func call(_ number: Int, at: String = "0s", _ more: String = "") -> String {
    #"{"at": "\#(at)", "call": {"id": "c\#(number)", "host": "a:1"\#(more)}}"#
  }

  private func request(_ number: Int, at: String = "0s", _ more: String = "") -> String {
    #"{"at": "\#(at)", "request": {"id": "r\#(number)", "host": "a:1"\#(more)}}"#
  }

  @Test("Simultaneous requests, with and without a dispatcher, scale", arguments: [true, false])
  func requests(isDispatched: Bool) throws {
    let result = try run(
      isDispatched ? .urlDispatcher : .urlLoading,
      (0..<Self.many).map { request($0, #", "timeout": "0s""#) },
      expect: [
        #"{"requests": {"host": "*", "ended": \#(Self.many), "opened": \#(Self.many)}}"#,
        #"{"never": {"requests": {"host": "*", "running": 5}}}"#,
      ])
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Requests that freeze and time out one by one scale")
  func frozen() throws {
    let result = try run(
      .urlLoading,
      (0..<Self.many).map { request($0, #", "kind": "long", "timeout": "\#(60_000 + $0)ms""#) },
      expect: [#"{"requests": {"host": "a:1", "ended": \#(Self.many)}}"#])
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Connections that are lost together scale")
  func lost() throws {
    let result = try run(
      .urlDispatcher,
      (0..<Self.many).map { request($0, #", "kind": "websocket""#) }
        + [#"{"at": "1s", "flags": ["Reachable", "IsWWAN"]}"#],
      expect: [#"{"requests": {"host": "a:1", "ended": \#(Self.many), "open": 0}}"#])
    #expect(result.verdict == .passed, "\(result.findings)")
    #expect(result.changeToEnd.count == Self.many)
  }

  @Test("A stream that is polled for a day, next to others that end, scales")
  func polls() throws {
    let result = try run(
      .urlDispatcher,
      [request(0, #", "kind": "long", "policy": "poll", "poll": "10s", "takes": "24h""#)]
        + (1..<Self.many).map {
          request($0, #", "kind": "long", "policy": "poll", "poll": "1h", "takes": "2h""#)
        },
      config: #"{"requests": {"total": 10, "long": 0}, "until": "25h"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Channels that connect, stall, continue and are destroyed scale")
  func channels() throws {
    let calls = (0..<Self.many).map {
      call($0, #", "kind": "bidi", "options": {"logContext": "\#($0)"}"#)
    }
    let messages = (0..<Self.many).map {
      #"{"at": "2s", "send": {"call": "c\#($0)", "bytes": 1}}"#
    }
    let result = try run(
      .socketsMonitor,
      calls + [#"{"at": "1s", "transport": {"host": "*", "become": "stall"}}"#] + messages
        + [
          #"{"at": "3s", "transport": {"host": "*", "become": "resume"}}"#,
          #"{"at": "4s", "flags": ["Reachable", "IsWWAN"]}"#,
        ],
      expect: [
        #"{"channels": {"host": "a:1", "alive": \#(Self.many), "state": "READY"}, "at": "3.5s"}"#,
        #"{"connections": {"host": "*", "open": \#(Self.many), "path": "wifi"}, "at": "3.5s"}"#,
        #"{"channels": {"host": "*", "destroyed": \#(Self.many), "state": "SHUTDOWN"}}"#,
        #"{"server": {"host": "*", "received": \#(Self.many * 2)}}"#,
      ])
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Simultaneous calls through interceptors scale")
  func chains() throws {
    let result = try run(
      .sockets, (0..<Self.many).map { call($0) },
      expect: [#"{"call": "c\#(Self.many - 1)", "status": "OK"}"#],
      config: #"{"interceptors": [{"kind": "forward"}, {"kind": "token", "takes": "1s"}]}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Network changes that end no call scale")
  func moves() throws {
    let entries = (0..<Self.many).flatMap { number in
      [
        call(number, at: "\(number)ms", #", "kind": "streaming", "deadline": "1h""#),
        #"{"at": "\#(number)ms", "flags": ["Reachable"\#(number % 2 == 0 ? #", "IsWWAN""# : "")]}"#,
      ]
    }
    let result = try run(.sockets, entries)
    #expect(result.verdict == .passed, "\(result.findings)")
    // The other calls had no connection at a network change.
    #expect(result.changeToEnd.count == 2_759)
  }

  @Test("Simultaneous calls through interceptors in random order scale")
  func drawnChains() throws {
    let result = try run(
      .sockets, (0..<1_000).map { call($0) },
      expect: [#"{"call": "c999", "status": "OK"}"#],
      config: #"""
        {"chain": {"turns": "drawn"}, "interceptors": [{"kind": "forward"},
        {"kind": "retry", "calls": "any", "attempts": 2}]}
        """#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Calls that are started and cancelled while the app is suspended scale")
  func heldOrders() throws {
    let slow = #"{"interceptors": [{"kind": "token", "takes": "1s"}]}"#
    let result = try run(
      .sockets,
      (0..<Self.many).map { call($0) } + [#"{"at": "500ms", "app": "background"}"#]
        + [#"{"at": "2s", "app": "foreground"}"#],
      expect: [#"{"call": "c0", "status": "OK"}"#], config: slow)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Servers that fall silent and wake, and faults on all hosts, scale with many connections")
  func faults() throws {
    let calls = (0..<2_000).map {
      call($0, #", "kind": "bidi", "options": {"logContext": "\#($0)"}"#)
    }
    let words = (0..<200).flatMap { number in
      [
        #"{"at": "1s", "server": {"host": "b:1", "do": "\#(["accept", "refuse"][number % 2])"}}"#,
        #"{"at": "1s", "transport": {"host": "b:1", "become": "resume"}}"#,
      ]
    }
    let result = try run(
      .sockets, calls + words,
      expect: [#"{"connections": {"host": "*", "open": 2000}, "at": "2s"}"#],
      config: #"{"until": "1min"}"#)
    #expect(result.findings.allSatisfy { $0.kind == .faultWithoutEffect }, "\(result.findings)")
  }

  @Test("Keepalive on healthy connections, next to calls that end one by one, scales")
  func keepalive() throws {
    let result = try run(
      .sockets,
      (0..<1_000).map { number in
        call(
          number,
          #", "kind": "bidi", "deadline": "\#(60_000 + number)ms", "#
            + #""options": {"logContext": "\#(number)"}"#)
      },
      expect: [#"{"call": "c999", "status": "DEADLINE_EXCEEDED"}"#],
      config: #"{"keepalive": {"time": "10s"}}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Messages in flight to calls whose rows are reused are handled")
  func lateEvents() throws {
    let first = (0..<2_000).map {
      call($0, #", "kind": "streaming", "every": "100ms""#)
    }
    let stall = [#"{"at": "150ms", "transport": {"host": "a:1", "become": "stall"}}"#]
    let cancels = (0..<2_000).map { #"{"at": "300ms", "cancel": "c\#($0)"}"# }
    let second = (2_000..<4_000).map { call($0, at: "400ms", #", "kind": "streaming""#) }
    let resume = [#"{"at": "1s", "transport": {"host": "a:1", "become": "resume"}}"#]
    let result = try run(
      .sockets, first + stall + cancels + second + resume,
      expect: [#"{"server": {"host": "a:1", "received": 4000}}"#], config: #"{"until": "2s"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test(
    "Of many forbidden observations of chains, those that occur are reported at their instants"
  )
  func neverOfChains() throws {
    let interceptors = #"{"interceptors": [{"kind": "forward", "name": "f"}]}"#
    let result = try run(
      .sockets, (0..<1_000).map { call($0, at: "\($0)ms") },
      expect: (0..<2_000).map {
        #"{"never": {"chain": {"call": "c\#($0 % 1000)", "attempts": \#(2 + $0)}}}"#
      } + [
        #"{"never": {"chain": {"call": "c7", "attempts": 1}}}"#,
        #"{"never": {"interceptor": {"name": "f", "call": "c8", "sees": []}}}"#,
        #"{"never": {"interceptor": {"name": "f", "made": false}}}"#,
        #"{"never": {"chain": {"call": "c9", "metadata": {"a": "b"}}}}"#,
      ], config: interceptors)
    #expect(result.findings.map(\.at) == [.zero + .milliseconds(7), .zero])
    #expect(result.verdict == .failed)
  }

  @Test("A forbidden observation of an interceptor in all calls is checked at each event")
  func neverOfAllCalls() throws {
    let steps = #"["start", "write", "finish", "write-done", "metadata", "message", "close"]"#
    let result = try run(
      .sockets, [call(0), call(1, at: "1s"), call(2, at: "1s", #", "legacy": true"#)],
      expect: [
        #"{"never": {"interceptor": {"name": "f", "sees": \#(steps)}}}"#,
        #"{"never": {"interceptor": {"name": "f", "sees": ["start", "close"]}}}"#,
        #"{"never": {"interceptor": {"name": "f", "made": true, "breaks": ["closed-twice"]}}}"#,
      ], config: #"{"interceptors": [{"kind": "forward", "name": "f"}]}"#)
    #expect(result.findings.map(\.at) == [.zero + .milliseconds(60)])
  }

  @Test("Headers that must never be sent scale with a long call")
  func neverOfHeaders() throws {
    let sends = (0..<Self.many).map {
      #"{"at": "\#($0 + 1)ms", "send": {"call": "c0", "bytes": 1}}"#
    }
    let result = try run(
      .sockets, [call(0, #", "kind": "bidi", "metadata": {"k": "v", "l": "w"}"#)] + sends,
      expect: (0..<20_000).map {
        #"{"never": {"chain": {"call": "c0", "metadata": {"k": "v", "l": "\#($0)"}}}}"#
      } + [
        #"{"never": {"chain": {"call": "c0", "metadata": {"l": "w", "k": "v"}}}}"#,
        #"{"never": {"chain": {"call": "c0", "sent": []}}}"#,
      ], config: #"{"interceptors": [{"kind": "forward"}]}"#)
    #expect(result.findings.count == 2, "\(result.findings)")
  }

  @Test("The report about an interceptor with many events has a bounded length")
  func longSights() throws {
    let sends = (0..<2_000).map { #"{"at": "\#($0 + 1)ms", "send": {"call": "c0", "bytes": 1}}"# }
    let result = try run(
      .sockets, [call(0, #", "kind": "bidi""#)] + sends,
      expect: [
        #"{"interceptor": {"name": "f", "sees": ["start"]}}"#,
        #"{"interceptor": {"name": "f", "call": "c0", "sees": ["start"]}}"#,
      ], config: #"{"interceptors": [{"kind": "forward", "name": "f"}]}"#)
    #expect(result.findings.count == 2)
    for finding in result.findings {
      #expect(finding.seen.utf8.count < 5_000)
      #expect(finding.seen.hasPrefix("took start, write, "))
      #expect(finding.seen.hasSuffix(" more"), "\(finding.seen.suffix(50))")
    }
  }

  @Test("A forbidden observation of hosts is reported at its instant")
  func neverOfHosts() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "streaming"}}"#,
        #"{"at": "1s", "call": {"id": "b", "host": "b:1", "kind": "streaming"}}"#,
        #"{"at": "2s", "flags": ["Reachable", "IsWWAN"]}"#,
      ],
      expect: [
        #"{"never": {"channels": {"host": "a:1", "state": "READY"}}}"#,
        #"{"never": {"channels": {"host": "b:1", "alive": 1}}}"#,
        #"{"never": {"channels": {"host": "*", "alive": 2, "state": "READY"}}}"#,
        #"{"never": {"channels": {"host": "*", "destroyed": 2, "state": "SHUTDOWN"}}}"#,
        #"{"never": {"connections": {"host": "*", "open": 2, "path": "wifi"}}}"#,
        #"{"never": {"connections": {"host": "b:1", "path": "wifi", "attempts": 1}}}"#,
        #"{"never": {"server": {"host": "*", "received": 2}}}"#,
        #"{"never": {"monitor": {"notifications": 1}}}"#,
        #"{"never": {"channels": {"host": "a:1", "alive": 2}}}"#,
        #"{"never": {"connections": {"host": "*", "path": "cellular"}}}"#,
      ],
      profiles: [.socketsMonitor],
      hosts: #""a:1": {"connect": "10ms"}, "b:1": {"connect": "10ms"}"#,
      flags: #"["Reachable"]"#)
    let result = try Sample.run(scenario)
    let at = [10, 1_000, 1_010, 2_000, 1_010, 1_010, 1_010, 2_000].map {
      Instant.zero + .milliseconds($0)
    }
    #expect(result.findings.map(\.at) == at, "\(result.findings)")
  }

  @Test("Of many expectations only those whose rarest part occurs are evaluated")
  func rarestParts() {
    var expectations = RarestParts<String>()
    for number in 0..<1_000 {
      expectations.add(number, ["all", "half \(number % 2)", "\(number)"])
    }
    var looks = 0
    func take(_ seen: [String], _ holds: Bool) -> [Int] {
      expectations.takeSatisfied(seeing: seen) { _ in
        looks += 1
        return holds
      }
    }
    #expect(take(["all", "half 0", "half 1"], true) == [] && looks == 0)
    #expect(take(["all", "7", "8"], false) == [] && looks == 2)
    #expect(take(["7", "7", "9"], true) == [7, 9] && looks == 4)
    #expect(take(["7", "9"], true) == [] && looks == 4)
  }

  @Test("Long traces are handed over when their cases end, and kept only for drawing")
  func givenTraces() throws {
    let scenario = try Sample.scenario(
      timeline: [call(0, #", "kind": "streaming", "every": "1ms", "deadline": "200ms""#)],
      expect: [#"{"call": "c0", "status": "OK", "profiles": ["sockets-2017", "cfstream"]}"#],
      profiles: [.sockets, .socketsMonitor, .sockets2017, .cfStream],
      flags: #"["Reachable"]"#)
    let taken = Mutex<[String]>([])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    worker.shortRecords = 100
    worker.keptRecords = 700
    worker.takeLongTrace = { _, one in
      if let trace = one.trace, trace.count > 100 { taken.withLock { $0.append(one.profile) } }
    }
    let result = worker.run(scenario)
    #expect(taken.withLock { $0 } == scenario.profiles.map(\.name))
    #expect(result.cases.map { $0.trace != nil } == [false, false, true, true])
    worker.shortRecords = 10_000
    #expect(worker.run(scenario).cases.allSatisfy { $0.trace != nil })
    #expect(taken.withLock { $0.count } == 4)
  }

  @Test(
    "The records of several failing profiles are kept up to a limit, and the first is always kept")
  func keptTraces() throws {
    let scenario = try Sample.scenario(
      timeline: [call(0, #", "kind": "streaming", "every": "1ms", "deadline": "200ms""#)],
      expect: [#"{"call": "c0", "status": "OK"}"#],
      profiles: [.sockets, .socketsMonitor, .sockets2017, .cfStream],
      flags: #"["Reachable"]"#)
    var worker = Worker(SimulatedBackend())
    worker.keptRecords = 700
    let result = worker.run(scenario)
    #expect(result.cases.map(\.verdict) == [.failed, .failed, .failed, .failed])
    #expect(result.cases.map { $0.trace != nil } == [true, true, false, false])
    var keeper = Worker(SimulatedBackend(), retaining: .traces)
    keeper.keptRecords = 700
    #expect(keeper.run(scenario).cases.allSatisfy { $0.trace != nil })
  }

  @Test("Traces for timelines are kept up to the same limit, even those of cases that pass")
  func keptTimelines() throws {
    let scenario = try Sample.scenario(
      timeline: [call(0, #", "kind": "streaming", "every": "1ms", "deadline": "200ms""#)],
      expect: [#"{"call": "c0", "status": "DEADLINE_EXCEEDED"}"#],
      profiles: [.sockets, .socketsMonitor, .sockets2017, .cfStream],
      flags: #"["Reachable"]"#)
    var worker = Worker(SimulatedBackend(), retaining: .timelines)
    #expect(worker.run(scenario).cases.allSatisfy { $0.trace != nil })
    worker.shortRecords = 100
    worker.takeLongTrace = { _, _ in }
    #expect(worker.run(scenario).cases.allSatisfy { $0.trace != nil })
    worker.keptRecords = 700
    let result = worker.run(scenario)
    #expect(result.cases.allSatisfy { $0.verdict == .passed })
    #expect(result.cases.map { $0.trace != nil } == [true, true, false, false])
  }

  @Test("Of many expectations that something never happens, the one that fails is reported")
  func never() throws {
    let result = try run(
      .sockets, (0..<Self.many).map { call($0, at: "\($0)ms") },
      expect: (0..<20_000).map {
        #"{"never": {"server": {"host": "*", "received": \#($0 + Self.many)}}}"#
      })
    #expect(result.findings.map(\.seen) == ["\(Self.many) received"])
    #expect(result.verdict == .failed)
  }

  @Test("Expectations that count from an instant on, over a network, scale")
  func neverSince() throws {
    let result = try run(
      .sockets, (0..<5_000).map { call($0, at: "\($0 * 10)ms") },
      expect: (0..<20_000).map {
        #"{"never": {"server": {"host": "a:1", "received": \#($0 == 7 ? 4_000 : 9_000), "#
          + #""path": "wifi", "since": "\#($0 * 2)ms"}}}"#
      })
    #expect(result.findings.map(\.seen) == ["4000 received"])
    #expect(result.verdict == .failed)
  }

  @Test("Of many findings of one verdict a thousand are reported, with the number of the rest")
  func findings() throws {
    let result = try run(
      .sockets, [call(0)],
      expect: (0..<1_500).map { number in
        let level = number < 1_200 ? #", "level": "should""# : ""
        return
          #"{"channels": {"host": "a:1", "alive": 7}, "at": "\#(number)ms"\#(level)}"#
      })
    #expect(result.findings.count == 1_301)
    #expect(result.findings.last?.seen == "200 more findings; only the first 1000 are listed")
    #expect(result.findings.count { $0.verdict == .failed } == 300)
    #expect(result.verdict == .failed)
  }

  @Test("Thousands of expectations that cannot be observed do not displace a failure")
  func unsupportedFindings() throws {
    let scenario = try Sample.scenario(
      timeline: [call(0)],
      expect: (0..<1_001).map { #"{"channels": {"host": "a:1", "alive": \#($0)}}"# }
        + [#"{"call": "c0", "status": "NOT_FOUND"}"#],
      profiles: [.sockets])
    let backend = PartialBackend(capabilities: Capabilities.all.subtracting(.channels))
    let result = try Sample.run(scenario, on: backend)
    #expect(result.findings.count == 1_002)
    #expect(result.findings.filter { $0.verdict == .failed }.map(\.expected).count == 1)
    #expect(result.findings.last?.seen == "1 more finding; only the first 1000 are listed")
    #expect(result.findings.last?.verdict == .passedPartially)
  }

  @Test("A run with too many records ends without a verdict, and the report has a hint")
  func records() throws {
    let result = try run(
      .sockets, [call(0, #", "kind": "streaming", "every": "1us", "deadline": "1h""#)])
    #expect(result.verdict == .error)
    #expect(result.findings.first?.seen.hasPrefix("the run left more than 1000000 records") == true)
    #expect(result.trace == nil)
  }
}
