import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Invariants that are always checked")
struct InvariantTests {
  static func scenario() throws -> Scenario {
    try Sample.scenario(
      timeline: TamperedRun.timeline, hosts: TamperedRun.hosts, config: TamperedRun.config)
  }

  @Test("The run that is tampered with has no findings and matches the table")
  func untampered() throws {
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(try Self.scenario()).cases.first)
    #expect(result.findings == [])
    let ends = result.calls.map { "\($0.id) \($0.end?.code.name ?? "-") \($0.endedAt?.text ?? "")" }
    #expect(
      ends == [
        "stream UNAVAILABLE 1s", "next OK 2.06s", "refused UNAVAILABLE 3s", "waits UNAVAILABLE 4s",
        "fast UNAVAILABLE 3.3s", "late DEADLINE_EXCEEDED 6s", "cancelled CANCELLED 8s",
        "upload UNAVAILABLE 10s", "token OK 13.06s", "long OK 29s", "open - ",
        "unheard UNAVAILABLE 51s",
      ])
    #expect(try #require(result.trace).records.contains { $0.body.isPing })
  }

  @Test("A tampered run violates the right invariant", arguments: Tampering.all)
  func tampered(_ tampering: Tampering) throws {
    let result = try Sample.run(try Self.scenario(), on: TamperingBackend(tampering: tampering))
    #expect(result.verdict == .failed)
    #expect(result.brokenRules.contains(tampering.rule), "\(result.findings)")
    #expect(result.trace != nil, "a failure keeps its trace")
  }

  @Test("The first finding names the invariant that was violated first", arguments: Tampering.all)
  func firstFinding(_ tampering: Tampering) throws {
    let result = try Sample.run(try Self.scenario(), on: TamperingBackend(tampering: tampering))
    #expect(result.brokenRules.first == tampering.rule, "\(result.findings)")
  }

  @Test("Every invariant has a tampering", arguments: [1, 2, 3, 4, 5, 6, 8, 10])
  func everyRule(_ rule: Int) {
    #expect(Tampering.all.contains { $0.rule == rule })
  }

  @Test("The number of reported violations is bounded, and the last finding says so")
  func bounded() throws {
    let tampering = Tampering(1, "a call ends a thousand times") { records in
      let end = records.end(TamperedRun.next)
      let record = records.all[end]
      records.all.insert(contentsOf: Array(repeating: record, count: 1_000), at: end)
    }
    let result = try Sample.run(try Self.scenario(), on: TamperingBackend(tampering: tampering))
    #expect(result.brokenRules == Array(repeating: 1, count: 21))
    #expect(
      result.findings.last?.seen == "there are more violations; only the first 20 are listed")
  }

  @Test("The monitor's invariants do not apply without a monitor", arguments: [2, 3])
  func withoutMonitor(_ rule: Int) throws {
    let scenario = try Sample.scenario(
      timeline: TamperedRun.timeline, profiles: [.cfStream], hosts: TamperedRun.hosts)
    #expect(!(try Sample.run(scenario).brokenRules.contains(rule)))
  }

  @Test("The bundled scenarios violate no invariant", arguments: NamedScenario.bundled)
  func bundled(_ named: NamedScenario) {
    var worker = Worker(SimulatedBackend())
    for result in worker.run(named.scenario).cases {
      // A recommendation that is not met is a finding too.
      let rest = result.findings.filter { $0.verdict != .nonStrict }
      #expect(rest == [], "\(result.profile)")
    }
  }

  @Test("All bundled scenarios were checked")
  func allBundled() {
    #expect(Bundled.fileCount > 100)
    #expect(Bundled.scenarios.count == Bundled.fileCount)
  }

  @Test("Late events of a closed connection are ignored")
  func lateNews() throws {
    // Both attempts are refused in the background. The user disconnects before the client is
    // notified.
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#,
        #"{"at": "0s", "call": {"id": "b", "host": "b:1"}}"#,
        #"{"at": "1s", "app": "background"}"#, #"{"at": "7s", "app": "foreground"}"#,
        #"{"at": "7s", "disconnect": "a:1"}"#, #"{"at": "7s", "disconnect": "b:1"}"#,
        #"{"at": "7s", "call": {"id": "again", "host": "a:1"}}"#,
      ],
      hosts: #""a:1": {"connect": "5s", "server": "refuse"}, "#
        + #""b:1": {"connect": "5s", "server": "refuse"}"#)
    let result = try Sample.run(scenario)
    #expect(result.findings == [])
    #expect(result.calls.last?.endedAt == (try Instant("12s")))
  }

  @Test("A connection that is established after its channel was destroyed does not count as open")
  func lateConnection() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#,
        #"{"at": "1s", "app": "background"}"#, #"{"at": "7s", "app": "foreground"}"#,
        #"{"at": "7s", "disconnect": "a:1"}"#,
      ], expect: [#"{"connections": {"host": "a:1", "attempts": 1, "open": 0}}"#],
      hosts: #""a:1": {"connect": "5s"}"#)
    #expect(try Sample.run(scenario).findings == [])
  }

  @Test("An app that returns and leaves in one instant may handle its deadline late")
  func returnOfNoLength() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi", "deadline": "2s"}}"#,
        #"{"at": "1s", "app": "background"}"#, #"{"at": "3s", "app": "foreground"}"#,
        #"{"at": "3s", "app": "background"}"#, #"{"at": "9s", "app": "foreground"}"#,
      ], expect: [#"{"call": "a", "status": "DEADLINE_EXCEEDED", "at": "9s"}"#])
    #expect(try Sample.run(scenario).findings == [])
  }

  @Test("An app that leaves in the instant of a deadline may handle it late")
  func leavesAtTheDeadline() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi", "deadline": "2s"}}"#,
        #"{"at": "2s", "app": "background"}"#, #"{"at": "9s", "app": "foreground"}"#,
      ], expect: [#"{"call": "a", "status": "DEADLINE_EXCEEDED", "at": "9s"}"#])
    #expect(try Sample.run(scenario).findings == [])
  }

  @Test("A success in between does not shorten the delay of the last attempt")
  func instantIsNamed() throws {
    // The attempt at 1s is the second one, so the next one starts 1.6s later at the earliest.
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "b:1"}}"#,
        #"{"at": "0.5s", "call": {"id": "b", "host": "b:1"}}"#,
        #"{"at": "0.6s", "server": {"host": "b:1", "do": "accept"}}"#,
        #"{"at": "1.2s", "server": {"host": "b:1", "do": "close"}}"#,
        #"{"at": "1.3s", "call": {"id": "c", "host": "b:1", "takes": "1s"}}"#,
      ], config: #"{"backoff": {"jitter": 0}}"#)
    let result = try Sample.run(scenario)
    #expect(result.findings == [])
    #expect(result.calls.last?.endedAt == (try Instant("3.6s")))
    let tampering = Tampering(5, "the attempt begins too early") { $0.move(from: 2_600, to: 2_500) }
    let tampered = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(tampered.brokenRules == [5])
  }

  @Test("After GOAWAY a channel may reconnect only when its backoff is over")
  func goAwayWithinTheBackoff() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "first", "host": "a:1"}}"#,
        #"{"at": "100ms", "server": {"host": "a:1", "do": "goaway"}}"#,
        #"{"at": "200ms", "call": {"id": "second", "host": "a:1"}}"#,
      ])
    let result = try Sample.run(scenario)
    #expect(result.brokenRules == [])
    // The first attempt started at 0s, and its delay is 1s; the call waits in IDLE.
    #expect(result.calls.last?.endedAt == (try Instant("1.06s")))
  }

  @Test("A call that survives a category change is detected even if the client shows no channels")
  func hiddenChannels() throws {
    let tampering = Tampering(2, "a call continues after a category change") { records in
      records.drop(records.end(TamperedRun.stream))
      records.all.removeAll { record in
        switch record.body {
        case .effect(.callBound), .effect(.channelCreated), .effect(.channelMoved),
          .effect(.channelDestroyed):
          true
        default: false
        }
      }
    }
    let backend = TamperingBackend(tampering: tampering, hidden: .channels)
    let result = try Sample.run(try Self.scenario(), on: backend)
    let reported = result.findings.filter { $0.seen == "\"stream\" continues" }
    #expect(reported.map(\.expected).contains("a change of category ends every call on a channel"))
  }
}
