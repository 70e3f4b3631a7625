import HandoverBackend
import HandoverCore
import HandoverSimulation
import Testing

/// The number of steps of the simulated transport.
@Suite("The steps of a simulated transport")
struct TransportStepTests {
  private static let connection = ConnectionID(index: 0, generation: 0)

  @Test("Invisible steps are limited too")
  func invisible() throws {
    var script = Script()
    script.initial.flags = [.reachable]
    script.hosts = [ScriptHost(written: "api.example:443")]
    let transport: any RemoteTransport = SimulatedTransport()
    try transport.open(script, profile: .sockets)
    var reports: [TransportReport] = []
    func send(_ fact: TransportFact, at milliseconds: Int64) throws(BackendError) {
      try transport.send(fact, at: .zero + .milliseconds(milliseconds), into: &reports)
    }
    let answer = ServerAnswer(kind: .streaming, takes: nil, every: .zero)
    try send(.connect(Self.connection, host: 0), at: 0)
    try send(.timeElapsed, at: 60)
    try send(.send(Self.connection, call: 0, answer), at: 60)
    try send(.timeElapsed, at: 60)
    try send(.server(host: 0, .silent, entry: 0), at: 60)
    // The first of them shows that the server is silent. All that follow show nothing, and none of
    // them takes time.
    #expect(throws: BackendError.self) {
      for _ in 0..<3 { try send(.timeElapsed, at: 70) }
    }
  }
}
