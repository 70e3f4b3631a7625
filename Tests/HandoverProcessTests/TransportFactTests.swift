import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverProcess

/// The events for an external transport, on both sides of the protocol.
@Suite("Events of the protocol for transports")
struct TransportFactTests {
  /// A transport that records its events.
  private final class Listener: RemoteTransport {
    private(set) var facts: [TransportFact] = []
    let deadlines = TransportDeadlines()
    let log = ""

    func open(_ script: Script, profile: Profile) {}
    func send(_ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]) {
      facts.append(fact)
    }
  }

  private static var script: Script {
    var script = Script()
    script.hosts = [
      ScriptHost(written: "https://a.example/"), ScriptHost(written: "https://b.example/"),
    ]
    script.calls = [ScriptCall(id: "c", host: 0, kind: .unary, takes: nil)]
    return script
  }

  private static let others: [TransportFact] = [
    .send(
      ConnectionID(index: 0, generation: 0), call: 0,
      ServerAnswer(kind: .bidi, takes: .milliseconds(10), every: .milliseconds(2))),
    .device(
      Device(
        flags: [.reachable, .isWWAN], path: Script.cellularPath,
        keptAlive: PathSet(Script.wifiPath), app: .background)),
    .server(host: 1, .goaway, entry: 7), .fault(.one(1), .halfClose, entry: 3),
  ]

  @Test("Each event is read as it was written")
  func roundTrip() {
    let listener = Listener()
    var server = TransportServer(listener, name: "listener")
    var writer = CommandWriter()
    var names = TransportNames(Self.script)
    func opened(_ answer: [UInt8]) -> String { String(decoding: answer, as: UTF8.self) }
    #expect(!opened(server.answer(to: writer.start())).contains("error"))
    let open = writer.openTransport(Self.script, .sockets, seq: 1)
    #expect(!opened(server.answer(to: open)).contains("error"))
    let facts = TransportFact.examples + Self.others
    for (index, fact) in facts.enumerated() {
      names.note(fact)
      let line = writer.event(seq: index + 2, now: .zero) { names.write(fact, to: &$0) }
      #expect(!opened(server.answer(to: line)).contains("error"), "\(opened(line))")
    }
    #expect(listener.facts == facts)
  }
}
