import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Draining connections")
struct DrainingTests {
  /// Four streams, each on its own connection.
  ///
  /// After each of the first three the server sends GOAWAY.
  private static let timeline = (0..<4).flatMap { index in
    [
      #"{"at": "\#(2 * index)s", "call": {"id": "c\#(index)", "host": "a:1", "kind": "bidi"}}"#,
      #"{"at": "\#(2 * index + 1)s", "server": {"host": "a:1", "do": "goaway"}}"#,
    ]
  }.dropLast()

  @Test(
    "Draining connections are closed one by one as their calls end, in any order",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func closed(_ order: [Int]) throws {
    let ends = order.enumerated().map { #"{"at": "\#(10 + $0)s", "cancel": "c\#($1)"}"# }
    let scenario = try Sample.scenario(timeline: Self.timeline + ends, profiles: [.sockets])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.findings == [])
    var connections: [CallID: ConnectionID] = [:]  // lookup only
    var calls: [CallID] = []
    var closed: [ConnectionID] = []
    for record in try #require(result.trace).records {
      switch record.body {
      case .world(.callIntroduced(_, let id)): calls.append(id)
      case .effect(.startStream(let id, let connection)): connections[id] = connection
      case .effect(.closeConnection(let connection)): closed.append(connection)
      case .world(.runEnded): #expect(closed == order.map { connections[calls[$0]] })
      default: break
      }
    }
    #expect(Set(closed).count == 4, "the last one is closed with the client")
  }

  private static let next = #"{"call": "next", "status": "OK"}"#
  private static let ignored =
    #"{"call": "next", "status": "DEADLINE_EXCEEDED", "at": "5s"}"#

  @Test("The server ignores a call that the client starts on a connection after it read GOAWAY")
  func startedAfterGoAway() throws {
    let timeline = [
      #"{"at": "0s", "call": {"id": "running", "host": "a:1", "takes": "2s"}}"#,
      #"{"at": "1s", "server": {"host": "a:1", "do": "goaway"}}"#,
      #"{"at": "1500ms", "call": {"id": "next", "host": "a:1", "kind": "bidi", "takes": "10ms","#
        + #" "deadline": "3500ms"}}"#,
      #"{"at": "1600ms", "send": {"call": "next", "bytes": 1}}"#,
      #"{"at": "1700ms", "finish": "next"}"#,
    ]
    let running = #"{"call": "running", "status": "OK", "at": "2050ms"}"#
    func findings(_ backend: SimulatedBackend, _ expect: [String]) throws -> [Finding] {
      try Sample.run(
        try Sample.scenario(timeline: timeline, expect: expect + [running], profiles: [.sockets]),
        on: backend
      ).findings
    }
    let deaf = SimulatedBackend(altering: { Mutant.named("deaf-to-draining")?.alter(&$0) })
    let received = #"{"server": {"host": "a:1", "received": 1}, "at": "6s"}"#
    #expect(try findings(deaf, [Self.ignored, received]) == [])
    #expect(try !findings(deaf, [Self.next]).isEmpty)
    #expect(try findings(SimulatedBackend(), [Self.next]) == [])
  }

  @Test("The server handles a call that the client started before it read GOAWAY")
  func startedBeforeGoAwayArrives() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "running", "host": "a:1", "takes": "5s"}}"#,
        #"{"at": "1s", "transport": {"host": "a:1", "become": "stall"}}"#,
        #"{"at": "2s", "server": {"host": "a:1", "do": "goaway"}}"#,
        #"{"at": "3s", "call": {"id": "next", "host": "a:1"}}"#,
        #"{"at": "4s", "transport": {"host": "a:1", "become": "resume"}}"#,
      ],
      expect: [
        #"{"call": "next", "status": "OK", "at": "4010ms"}"#,
        #"{"call": "running", "status": "OK", "at": "5050ms"}"#,
        #"{"server": {"host": "a:1", "accepted": 1}, "at": "6s"}"#,
      ], profiles: [.sockets])
    #expect(try Sample.run(scenario).findings == [])
  }

  @Test("If a client ignores GOAWAY, its retry on another connection is handled")
  func retryOnAnotherConnection() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "running", "host": "a:1", "takes": "20s"}}"#,
        #"{"at": "1s", "server": {"host": "a:1", "do": "goaway"}}"#,
        #"{"at": "2s", "call": {"id": "lost", "host": "a:1", "deadline": "1s"}}"#,
        #"{"at": "4s", "server": {"host": "a:1", "do": "reset"}}"#,
        #"{"at": "5s", "call": {"id": "next", "host": "a:1"}}"#,
      ],
      expect: [
        #"{"call": "lost", "status": "DEADLINE_EXCEEDED", "at": "3s"}"#,
        #"{"call": "next", "status": "OK", "at": "5060ms"}"#,
      ], profiles: [.sockets])
    let deaf = SimulatedBackend(altering: { Mutant.named("deaf-to-draining")?.alter(&$0) })
    #expect(try Sample.run(scenario, on: deaf).findings == [])
  }
}
