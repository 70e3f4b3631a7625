import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

@Suite("Messages about runs that are too long")
struct RunTooLongTests {
  private static let call = CallID(index: 0, generation: 0)
  private static let connection = ConnectionID(index: 0, generation: 0)

  @Test(
    "The message names the subject of most records, and has a matching hint",
    arguments: [
      (.effect(.deliverMessage(call)), "messages; make `every` longer"),
      (.effect(.sendPing(connection)), "pings; make `keepalive.time` longer"),
      (.request(.pollAnswered(request: 0)), "polls; make `poll` longer"),
      (.request(.waits(request: 0, position: 1)), "requests; split"),
      (.chain(.linkMade(call: 0, link: 0)), "interceptors; split"),
      (.event(.pool(.connected(connection))), "channels and their connections; use the same host"),
      (.event(.pool(.timeElapsed)), "deadlines of the client; request the time less often"),
      (.world(.callIntroduced(0, call)), "starts and ends of calls; split"),
    ] as [(TraceRecord.Body, String)])
  func matter(body: TraceRecord.Body, said: String) {
    var trace = Trace()
    for body in [
      .world(.callbackLost), .chain(.noted(call: 0, link: 0, text: 0)), body, body, body,
    ] {
      trace.append(body, at: .zero)
    }
    let message = RunTooLong.records(of: trace, at: .milliseconds(2_000)).message
    #expect(message.contains("more than 1000000 records by 2s, "), "\(message)")
    #expect(message.contains(said), "\(message)")
  }

  @Test("Of two subjects with equally many records, the first one of the list is named")
  func tie() {
    let bodies: [TraceRecord.Body] = [
      .effect(.sendPing(Self.connection)), .effect(.deliverMessage(Self.call)),
    ]
    let messages = [bodies, bodies.reversed()].map { bodies in
      var trace = Trace()
      for body in bodies { trace.append(body, at: .zero) }
      return RunTooLong.records(of: trace, at: .zero).message
    }
    #expect(messages[0] == messages[1])
    #expect(messages[0].contains("50 of 100 about messages;"), "\(messages[0])")
  }
}
