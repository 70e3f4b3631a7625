import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Tests of invariant 7, which holds in every run with requests.
///
/// Each test breaks one part of a correct trace.
@Suite("Invariants of requests in every run")
struct RequestRuleTests {
  private static let hosts = #""a:80": {"connect": "50ms"}"#
  /// Two long streams, two short requests of 10 s, a third one that waits, and a refused stream.
  private static let timeline = [
    #"{"at": "0s", "request": {"id": "one", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "1s", "request": {"id": "two", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "2s", "request": {"id": "slow", "host": "a:80", "takes": "10s"}}"#,
    #"{"at": "3s", "request": {"id": "slower", "host": "a:80", "takes": "10s"}}"#,
    #"{"at": "4s", "request": {"id": "waits", "host": "a:80"}}"#,
    #"{"at": "5s", "request": {"id": "refused", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "20s", "cancel": "one"}"#,
  ]

  /// Half of the slots are for long requests.
  private static let config = #"{"requests": {"preset": "1.7"}}"#

  static func scenario() throws -> Scenario {
    try Sample.scenario(
      timeline: timeline, profiles: [.urlDispatcher], hosts: hosts, config: config)
  }

  private static func index(_ records: Records, _ fact: RequestFact) -> Int {
    records.first { $0 == .request(fact) }
  }

  static let tamperings = [
    Tampering(7, "a request ends twice") { records in
      let end = index(records, .ended(request: 0, .cancelled))
      records.all.insert(records.all[end], at: end + 1)
    },
    Tampering(7, "something is observed of a request after its end") { records in
      let end = index(records, .ended(request: 0, .cancelled))
      let late = TraceRecord(at: records.all[end].at, body: .request(.received(request: 0)))
      records.all.insert(late, at: end + 1)
    },
    Tampering(7, "a user is told before the slot is free") { records in
      records.drop { $0 == .request(.slotReleased(request: 2)) }
    },
    Tampering(7, "a request is never told of its end") { records in
      records.drop { $0 == .request(.ended(request: 0, .cancelled)) }
    },
    Tampering(7, "a request arrives, and nothing more happens to it") { records in
      records.drop { $0 == .request(.handedOver(request: 0)) }
      records.drop { if case .request(.carried(request: 0, _)) = $0 { true } else { false } }
      records.drop { $0 == .request(.slotReleased(request: 0)) }
      records.drop { $0 == .request(.ended(request: 0, .cancelled)) }
    },
    Tampering(7, "a waiting request is handed over although every slot is held") { records in
      let arrival = index(records, .arrived(request: 4, .waits(position: 1)))
      let early = TraceRecord(at: records.all[arrival].at, body: .request(.handedOver(request: 4)))
      records.all.insert(early, at: arrival + 1)
    },
    Tampering(7, "a refused stream is handed over") { records in
      let arrival = index(records, .arrived(request: 5, .refused(.longLimitThrowing)))
      records.all[arrival].body = .request(.arrived(request: 5, .startsNow))
      let start = TraceRecord(at: records.all[arrival].at, body: .request(.handedOver(request: 5)))
      records.all.insert(start, at: arrival + 1)
    },
    Tampering(7, "a short request waits while a slot is free") { records in
      records.drop { $0 == .request(.handedOver(request: 4)) }
      records.drop {
        if case .request(.carried(request: 4, _)) = $0 { true } else { false }
      }
    },
    Tampering(7, "the platform opens one connection too many") { records in
      let open = records.first {
        if case .request(.connectionOpened(3, _, _, _)) = $0 { true } else { false }
      }
      let another = TraceRecord(
        at: records.all[open].at,
        body: .request(.connectionOpened(9, host: 0, pool: 0, Script.wifiPath)))
      records.all.insert(another, at: open + 1)
    },
  ]

  @Test("Each broken part is detected", arguments: tamperings)
  func detected(tampering: Tampering) throws {
    let scenario = try Self.scenario()
    #expect(try Sample.run(scenario).verdict == .passed)
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(result.brokenRules.contains(tampering.rule))
    #expect(result.verdict == .failed)
  }

  private static let frozenTimeline = [
    #"{"at": "0s", "request": {"id": "one", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "0s", "request": {"id": "two", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "0s", "request": {"id": "slow", "host": "a:80", "takes": "10s"}}"#,
    #"{"at": "0s", "request": {"id": "slower", "host": "a:80", "takes": "10s"}}"#,
    #"{"at": "1s", "request": {"id": "frozen", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "2s", "request": {"id": "waits", "host": "a:80"}}"#,
    #"{"at": "20s", "cancel": "one"}"#, #"{"at": "30s", "cancel": "frozen"}"#,
  ]

  static let frozenTamperings = [
    Tampering(7, "a frozen stream has a slot beyond the long limit") { records in
      let froze = index(records, .froze(request: 4))
      let thaw = TraceRecord(at: records.all[froze].at, body: .request(.thawed(request: 4)))
      records.all.insert(thaw, at: froze + 1)
    },
    Tampering(7, "a frozen stream thaws in a slot that a short one waits for") { records in
      records.drop { $0 == .request(.handedOver(request: 5)) }
      records.drop {
        if case .request(.carried(request: 5, _)) = $0 { true } else { false }
      }
    },
    Tampering(7, "the slot of a stream that has thawed is not free before its end") { records in
      records.drop { $0 == .request(.slotReleased(request: 4)) }
    },
  ]

  @Test(
    "A request that is frozen beyond the limit is checked by its slot", arguments: frozenTamperings)
  func frozen(tampering: Tampering) throws {
    let scenario = try Sample.scenario(
      timeline: Self.frozenTimeline, profiles: [.urlDispatcher], hosts: Self.hosts,
      config: #"{"requests": {"preset": "1.7", "policy": "ignore"}}"#)
    #expect(try Sample.run(scenario).verdict == .passed)
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(result.brokenRules.contains(tampering.rule))
  }

  @Test("One connection too many is detected next to one that is exempt from the limit")
  func platformLimit() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "socket", "host": "a:80", "kind": "websocket"}}"#,
        #"{"at": "1s", "request": {"id": "one", "host": "a:80", "takes": "10s"}}"#,
        #"{"at": "2s", "request": {"id": "two", "host": "a:80", "takes": "10s"}}"#,
      ], profiles: [.urlDispatcher], hosts: Self.hosts,
      config: #"{"requests": {"total": 2, "long": 1}}"#)
    #expect(try Sample.run(scenario).verdict == .passed)
    let tampering = Tampering(7, "the platform opens one connection too many") { records in
      let open = records.first {
        if case .request(.connectionOpened(2, _, _, _)) = $0 { true } else { false }
      }
      let another = TraceRecord(
        at: records.all[open].at,
        body: .request(.connectionOpened(3, host: 0, pool: 0, Script.wifiPath)))
      records.all.insert(another, at: open + 1)
    }
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    let finding = try #require(result.findings.first)
    #expect(finding.expected == "the OS keeps no more connections than its limit")
    #expect(finding.seen == "a connection was opened in addition to 2 others")
  }

  @Test("One long request too many is detected even if short slots are free")
  func longLimit() throws {
    let scenario = try Sample.scenario(
      timeline: ["one", "two", "three"].map {
        #"{"at": "0s", "request": {"id": "\#($0)", "host": "a:80", "kind": "long"}}"#
      }, profiles: [.urlDispatcher], hosts: Self.hosts,
      config: #"{"requests": {"total": 4, "long": 2}}"#)
    let tampering = Tampering(7, "a refused stream is handed over") { records in
      let arrival = Self.index(records, .arrived(request: 2, .refused(.longLimitThrowing)))
      records.all[arrival].body = .request(.arrived(request: 2, .startsNow))
      let start = TraceRecord(at: records.all[arrival].at, body: .request(.handedOver(request: 2)))
      records.all.insert(start, at: arrival + 1)
    }
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    let finding = try #require(result.findings.first)
    #expect(finding.kind == .invariant(7))
    #expect(finding.expected == "no more long requests run than the long limit")
    #expect(finding.seen == #""three" starts while 2 others run"#)
  }

  @Test("A request runs from its handover, whether or not a connection is reported")
  func handedOver() throws {
    let scenario = try Sample.scenario(
      timeline: Self.timeline,
      expect: [#"{"requests": {"host": "a:80", "running": 4, "waiting": 0}, "at": "12.05s"}"#],
      profiles: [.urlDispatcher], hosts: Self.hosts,
      config: #"{"requests": {"total": 4, "long": 2}}"#)
    let tampering = Tampering(7, "no connection of the request is told of") { records in
      records.drop { if case .request(.carried(request: 4, _)) = $0 { true } else { false } }
    }
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(result.findings == [])
  }

  @Test("A network change is measured with the requests that it ended")
  func figures() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "one", "host": "a:80", "kind": "long"}}"#,
        #"{"at": "1s", "flags": ["Reachable"]}"#,
      ],
      expect: [
        #"{"request": "one", "outcome": "lost", "code": -1005, "at": "1s"}"#,
        #"{"requests": {"host": "a:80", "open": 0, "opened": 1, "ended": 1}, "at": "1s"}"#,
      ], profiles: [.urlDispatcher], hosts: Self.hosts,
      config: Self.config)
    let result = try Sample.run(scenario)
    #expect(result.verdict == .passed)
    #expect(result.changeToEnd == [.zero])
  }

  @Test("The expected and the seen text correspond to each other")
  func wording() throws {
    let scenario = try Sample.scenario(
      timeline: Self.timeline + [#"{"at": "30s", "ask": {"id": "q", "host": "a:80"}}"#],
      expect: [
        #"{"request": "refused", "outcome": "finished"}"#,
        #"{"request": "waits", "admission": "starts-now", "position": 2, "begins": "4s"}"#,
        #"{"ask": "q", "answer": "refused", "holders": ["one"]}"#,
        #"{"requests": {"host": "*", "running": 7, "limitReached": 0}, "at": "6s"}"#,
      ], profiles: [.urlDispatcher], hosts: Self.hosts,
      config: Self.config)
    let findings = try Sample.run(scenario).findings
    #expect(
      findings.map(\.expected) == [
        #"request "refused" finishes"#,
        #"request "waits" starts immediately, gets place 2 in its queue and is handed to the OS "#
          + "at 4s",
        #"the answer to "q" is that the request would be refused and the slots are held by "one""#,
        "all hosts together have 7 requests running and no notice of the long limit at 6s",
      ])
    #expect(
      findings.map(\.seen) == [
        "it ended refused (-1702) at 5s",
        "waits at place 1, began at 12.05s, it ended finished at 12.11s",
        #"starts-now, slots held by "two""#,
        "4 running, 1 notified that the limit is reached",
      ])
  }
}
