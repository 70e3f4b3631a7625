import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import Testing

/// Windows of real time.
///
/// In real time an instant is a window, here of a second on each side.
@Suite("Windows of real time")
struct RealTimeWindowTests {
  private static let call = CallID(index: 0, generation: 0)
  private static let channel = ChannelID(endpoint: EndpointID(index: 0), generation: 1)

  private static func record(_ at: String, _ body: TraceRecord.Body) throws -> TraceRecord {
    TraceRecord(at: try Instant(at), body: body)
  }

  /// Returns the records of a call that starts at 0s, with an optional deadline.
  private static func started(deadline: Instant = .never) throws -> [TraceRecord] {
    let settings = CallSettings(
      deadline: deadline, failsFast: false, awaitsToken: false, requestIsComplete: true)
    return [
      try record("0s", .world(.callIntroduced(0, call))),
      try record("0s", .event(.pool(.callStarted(call, EndpointID(index: 0), settings)))),
    ]
  }

  private func result(
    _ reported: [TraceRecord], expect: [String] = [], capabilities: Capabilities = []
  ) throws -> CaseResult {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#],
      expect: expect, profiles: [.sockets])
    return try Sample.run(
      scenario, on: ReportingBackend(reported: reported, capabilities: capabilities))
  }

  /// The call of these expectations ends at 10s.
  static let moments: [Row] =
    Row.holds(
      #"{"call": "s", "at": "9s"}"#, #"{"call": "s", "at": "11s"}"#,
      #"{"call": "s", "within": ["11s", "20s"]}"#, #"{"call": "s", "within": ["0s", "9s"]}"#,
      #"{"call": "s", "before": "9000001us"}"#, #"{"call": "s", "after": "10999999us"}"#)
    + Row.fails(
      #"{"call": "s", "at": "8999999us"}"#, #"{"call": "s", "at": "11000001us"}"#,
      #"{"call": "s", "within": ["11000001us", "20s"]}"#,
      #"{"call": "s", "within": ["0s", "8999999us"]}"#,
      #"{"call": "s", "before": "9s"}"#, #"{"call": "s", "after": "11s"}"#)

  @Test("The window for the end of a call equals the tolerance", arguments: moments)
  func end(_ row: Row) throws {
    let reported =
      try Self.started() + [Self.record("10s", .effect(.endCall(Self.call, .connectivityLost)))]
    let result = try result(reported, expect: [row.expectation])
    #expect(result.verdict == (row.holds ? .passed : .failed), "\(result.findings)")
  }

  /// A channel exists from one instant to another.
  ///
  /// The expectation is about 4s.
  @Test(
    "An expectation passes if it is true at some time in the window",
    arguments: [
      ("1s", "2s", false), ("1s", "3s", false), ("1s", "3000001us", true), ("1s", "9s", true),
      ("4s", "4001ms", true), ("5s", "9s", true), ("5000001us", "9s", false), ("8s", "9s", false),
    ])
  func state(_ created: String, _ destroyed: String, _ holds: Bool) throws {
    let reported =
      try Self.started() + [
        Self.record(created, .effect(.channelCreated(Self.channel))),
        Self.record(destroyed, .effect(.channelDestroyed(Self.channel, .disconnected))),
        Self.record("20s", .effect(.endCall(Self.call, .connectivityLost))),
      ]
    let expectation = #"{"channels": {"host": "a:1", "alive": 1}, "at": "4s"}"#
    let result = try result(reported, expect: [expectation], capabilities: .channels)
    let seen = result.findings.filter { $0.kind == .expectation }
    #expect(seen.count == (holds ? 0 : 1), "\(result.findings)")
    let instant = try Instant("4s")
    #expect(seen.allSatisfy { $0.at == instant })
  }

  @Test("Several expectations are evaluated independently")
  func several() throws {
    let reported =
      try Self.started() + [
        Self.record("5s", .effect(.channelCreated(Self.channel))),
        Self.record("9500ms", .effect(.channelDestroyed(Self.channel, .disconnected))),
        Self.record("20s", .effect(.endCall(Self.call, .connectivityLost))),
      ]
    let result = try result(
      reported,
      expect: [
        #"{"channels": {"host": "a:1", "alive": 1}, "at": "2s"}"#,
        #"{"channels": {"host": "a:1", "alive": 1}, "at": "4s"}"#,
        #"{"channels": {"host": "a:1", "alive": 1}, "at": "10s"}"#,
        #"{"channels": {"host": "a:1", "alive": 0}, "at": "4s"}"#,
        #"{"channels": {"host": "a:1", "alive": 1}, "at": "11s"}"#,
      ], capabilities: .channels)
    let seen = result.findings.filter { $0.kind == .expectation }
    #expect(seen.map(\.position?.line) == [5, 9])
    let instants = try ["2s", "11s"].map(Instant.init)
    #expect(seen.map(\.at) == instants)
  }

  @Test("A window that extends beyond the end of the run closes with it")
  func over() throws {
    let reported =
      try Self.started() + [
        Self.record("3s", .effect(.endCall(Self.call, .connectivityLost)))
      ]
    let expectation = #"{"channels": {"host": "a:1", "alive": 1}, "at": "4s"}"#
    let result = try result(reported, expect: [expectation], capabilities: .channels)
    #expect(result.findings.map(\.kind) == [.expectation])
    #expect(result.findings.first?.at == (try Instant("4s")))
  }

  /// The start and end of the background, the end of the call, and whether that is too late.
  @Test(
    "A call may end late after its deadline, and later only while the app is suspended",
    arguments: [
      (nil, nil, "6s", false), (nil, nil, "6000001us", true),
      ("2s", "9s", "9s", false), ("2s", "9s", "10s", false), ("2s", "9s", "10000001us", true),
      ("5s", "9s", "10s", false), ("2s", nil, "9s", false), ("6s", "9s", "9s", true),
      ("1s", "2s", "9s", true),
    ] as [(String?, String?, String, Bool)])
  func deadline(_ left: String?, _ back: String?, _ ended: String, _ isLate: Bool) throws {
    var reported = try Self.started(deadline: try Instant("5s"))
    if let left { reported.append(try Self.record(left, .world(.appMoved(.background)))) }
    if let back { reported.append(try Self.record(back, .world(.appMoved(.foreground)))) }
    let end = CallEnd(.deadlineExceeded, .empty)
    reported.append(try Self.record(ended, .effect(.endCall(Self.call, end))))
    #expect(try result(reported).brokenRules == (isLate ? [5] : []))
  }
}
