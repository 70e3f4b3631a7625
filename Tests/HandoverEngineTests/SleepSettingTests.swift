import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// The timers of a client while the device sleeps: their clock, and a ping whose answer was due
/// during sleep.
@Suite("Timers of a client whose device sleeps")
struct SleepSettingTests {
  private static func keepalive(_ more: String) -> String {
    #"{"keepalive": {"time": "30s", "timeout": "20s"\#(more)}, "backoff": {"jitter": 0}}"#
  }

  /// Returns a timeline in which a ping is pending when the client is suspended, and a server
  /// answers it later or never.
  private static func timeline(
    leaves: String, returns: String, at time: String, answers: String?
  ) -> [String] {
    let call = #"{"id": "c", "host": "a:1", "kind": "streaming", "deadline": "30min"}"#
    return [
      #"{"at": "0s", "call": \#(call)}"#,
      #"{"at": "20s", "server": {"host": "a:1", "do": "silent"}}"#,
      #"{"at": "35s", \#(leaves)}"#, #"{"at": "\#(time)", \#(returns)}"#,
    ] + (answers.map { [#"{"at": "\#($0)", "server": {"host": "a:1", "do": "accept"}}"#] } ?? [])
  }

  private static let sleep = #""device": "sleep""#
  private static let wake = #""device": "wake""#

  @Test(
    "A ping answer that was due while the client was suspended is handled as configured",
    arguments: [
      ("", "10min", nil, "600s"), (#", "overduePing": "close""#, "10min", nil, "600s"),
      (#", "overduePing": "wait-again""#, "10min", "605s", "30min"),
      (#", "overduePing": "wait-again""#, "10min", nil, "620s"),
      // The client runs again less than a second after the answer was due, so it counts as on time.
      (#", "overduePing": "wait-again""#, "51s", nil, "51s"),
      (#", "overduePing": "wait-again""#, "51051ms", nil, "71051ms"),
    ] as [(String, String, String?, String)])
  func overduePing(more: String, returnsAt: String, answers: String?, end: String) throws {
    let status = end == "30min" ? "DEADLINE_EXCEEDED" : "UNAVAILABLE"
    for (leaves, returns) in [
      (Self.sleep, Self.wake), (#""app": "background""#, #""app": "foreground""#),
    ] {
      let scenario = try Sample.scenario(
        timeline: Self.timeline(
          leaves: leaves, returns: returns, at: returnsAt, answers: answers),
        expect: [#"{"call": "c", "status": "\#(status)", "at": "\#(end)"}"#], profiles: [.sockets],
        config: Self.keepalive(more))
      #expect(try Sample.run(scenario).findings == [], "\(leaves)")
    }
  }

  @Test("A clock that stops in sleep postpones deadlines, backoff, pings and unused channels")
  func monotonicClock() throws {
    let later = #"{"id": "later", "host": "c:1", "kind": "bidi", "deadline": "60s"}"#
    let timeline = [
      #"{"at": "0s", "call": {"id": "used", "host": "a:1"}}"#,
      #"{"at": "1s", "call": {"id": "poll", "host": "c:1", "kind": "bidi", "deadline": "10min"}}"#,
      #"{"at": "2s", "call": {"id": "refused", "host": "b:1"}}"#,
      #"{"at": "3s", "call": {"id": "waits", "host": "b:1", "deadline": "80min"}}"#,
      #"{"at": "5s", "device": "sleep"}"#,
      #"{"at": "1h", "device": "wake"}"#,
      #"{"at": "3610s", "call": \#(later)}"#,
      #"{"at": "3640s", "device": "sleep"}"#, #"{"at": "2h", "device": "wake"}"#,
    ]
    func expect(
      poll: String, waits: String, later: String, unused: String, attempts: Int
    ) -> [String] {
      [
        #"{"call": "poll", "status": "DEADLINE_EXCEEDED", "at": "\#(poll)"}"#,
        #"{"call": "waits", "status": "UNAVAILABLE", "at": "\#(waits)"}"#,
        #"{"call": "later", "status": "DEADLINE_EXCEEDED", "at": "\#(later)"}"#,
        #"{"channels": {"host": "a:1", "destroyed": 0}, "at": "\#(unused)"}"#,
        #"{"connections": {"host": "b:1", "attempts": \#(attempts)}, "at": "3601s"}"#,
      ]
    }
    // The channel of `a:1` is kept for 30 s, and the second attempt on `b:1` is due at 12 s.
    for (config, expected) in [
      (
        #"{"clock": "monotonic", "backoff": {"initial": "10s", "jitter": 0}, "until": "3h"}"#,
        expect(poll: "7756s", waits: "3607s", later: "7230s", unused: "3624s", attempts: 1)
      ),
      (
        #"{"backoff": {"initial": "10s", "jitter": 0}, "until": "3h"}"#,
        expect(poll: "1h", waits: "1h", later: "2h", unused: "29s", attempts: 2)
      ),
    ] {
      let scenario = try Sample.scenario(
        timeline: timeline, expect: expected, profiles: [.sockets],
        hosts: #""a:1": {"connect": "50ms"}, "b:1": {"server": "refuse"}, "c:1": {}"#,
        config: config)
      var worker = Worker(SimulatedBackend(), retaining: .traces)
      let result = try #require(worker.run(scenario).cases.first)
      #expect(result.findings == [], "\(config)")
    }
  }

  @Test("A clock that stops in sleep is impossible in real time, unless nothing sleeps")
  func realTime() {
    var script = Script()
    script.configuration.clock = .monotonic
    #expect(script.obstacleInRealTime == nil)
    script.entries.append(ScriptEntry(at: .zero, action: .power(.sleep)))
    #expect(script.obstacleInRealTime?.contains("clocks of this machine") == true)
    script.configuration.clock = .boot
    #expect(script.obstacleInRealTime == nil)
  }
}
