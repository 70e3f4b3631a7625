import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverSimulation
import Testing

/// The simulated backend, which also writes a log and uses its own messages for ends.
private struct TalkingBackend: Backend {
  static let words = "in words of its own"

  var description: BackendDescription { SimulatedBackend().description }

  func makeSession() throws(BackendError) -> any BackendSession {
    try TalkingSession()
  }
}

private final class TalkingSession: ForwardingSession {
  override var log: String { "what happened" }

  override func close(
    at instant: Instant, into trace: inout Trace
  ) throws(BackendError) -> [String] {
    for record in trace.records {
      guard case .world(.callIntroduced(_, let id)) = record.body else { continue }
      trace.endTexts.store(TalkingBackend.words, of: id)
    }
    return try super.close(at: instant, into: &trace)
  }
}

@Suite("The log of a backend")
struct LogTests {
  @Test("The log is kept only for a case that failed")
  func kept() throws {
    for (status, log) in [("OK", ""), ("CANCELLED", "what happened")] {
      let scenario = try Sample.scenario(
        timeline: [#"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#],
        expect: [#"{"call": "c", "status": "\#(status)"}"#])
      #expect(try Sample.run(scenario, on: TalkingBackend()).log == log)
    }
  }

  @Test("The backend's own message accompanies the end of a call, unless interceptors ended it")
  func words() throws {
    for (config, message) in [
      ("{}", TalkingBackend.words), (#"{"interceptors": [{"kind": "mock"}]}"#, ""),
    ] {
      let scenario = try Sample.scenario(
        timeline: [#"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#], config: config)
      let result = try Sample.run(scenario, on: TalkingBackend())
      #expect(result.calls.map(\.message) == [message])
    }
  }
}
