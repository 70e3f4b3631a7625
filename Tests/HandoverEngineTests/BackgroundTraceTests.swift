import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("The background in a trace")
struct BackgroundTraceTests {
  private func records(
    _ timeline: [String], initial: AppState = .foreground
  ) throws -> [TraceRecord] {
    var scenario = try Sample.scenario(timeline: timeline, profiles: [.sockets])
    scenario.script.initial.app = initial
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.findings == [])
    return try #require(result.trace).records.map { $0 }
  }

  private func moves(_ records: [TraceRecord]) -> [String] {
    records.compactMap { record in
      guard case .world(.appMoved(let app)) = record.body else { return nil }
      return "\(record.at.text) \(app.rawValue)"
    }
  }

  @Test("A trace of a run that starts in the background begins with that record")
  func begins() throws {
    #expect(moves(try records([])) == [])
    #expect(moves(try records([], initial: .background)) == ["0s background"])
    let back = try records([#"{"at": "1s", "app": "foreground"}"#], initial: .background)
    #expect(moves(back) == ["0s background", "1s foreground"])
  }

  @Test("A change to the current state of the app has no effect")
  func again() throws {
    let records = try records([
      #"{"at": "1s", "app": "foreground"}"#, #"{"at": "2s", "app": "background"}"#,
      #"{"at": "3s", "app": "background"}"#, #"{"at": "4s", "app": "foreground"}"#,
    ])
    #expect(moves(records) == ["2s background", "4s foreground"])
  }

  @Test("A deferred event is delivered once, at the first return to the foreground")
  func heldOnce() throws {
    let records = try records([
      #"{"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "streaming"}}"#,
      #"{"at": "1s", "app": "background"}"#,
      #"{"at": "2s", "server": {"host": "a:1", "do": "close"}}"#,
      #"{"at": "3s", "app": "foreground"}"#, #"{"at": "4s", "app": "background"}"#,
      #"{"at": "5s", "app": "foreground"}"#,
    ])
    let received = records.filter {
      if case .event(.pool(.connectionBroken)) = $0.body { true } else { false }
    }
    let back = try Instant("3s")
    #expect(received.map(\.at) == [back])
  }
}
