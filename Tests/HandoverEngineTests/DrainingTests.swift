import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import HandoverTrace
import Testing

@Suite("Connections that drain")
struct DrainingTests {
  /// Four streams, each on a connection of its own: after each of the first three comes GOAWAY.
  private static let timeline = (0..<4).flatMap { index in
    [
      #"{"at": "\#(2 * index)s", "call": {"id": "c\#(index)", "host": "a:1", "kind": "bidi"}}"#,
      #"{"at": "\#(2 * index + 1)s", "server": {"host": "a:1", "do": "goaway"}}"#,
    ]
  }.dropLast()

  @Test(
    "are closed one by one as their calls end, in whatever order",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func closed(_ order: [Int]) throws {
    let ends = order.enumerated().map { #"{"at": "\#(10 + $0)s", "cancel": "c\#($1)"}"# }
    let scenario = try Sample.scenario(timeline: Self.timeline + ends, profiles: [.sockets])
    var worker = Worker(SimulatedBackend(), keeps: .traces)
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
}
