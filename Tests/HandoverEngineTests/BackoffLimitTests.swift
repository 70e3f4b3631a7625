import HandoverCore
import HandoverEngine
import Testing

@Suite("A maximum backoff below the first delay")
struct BackoffLimitTests {
  @Test(
    "A maximum below the first delay equals that delay, for client and invariants",
    arguments: ["500ms", "999ms", "1s", "2s"], ["0", "0.2", "1"])
  func firstDelay(_ maximum: String, _ jitter: String) throws {
    let calls = ["0s", "100ms", "900ms", "3s"].enumerated().map { index, at in
      #"{"at": "\#(at)", "call": {"id": "c\#(index)", "host": "b:1"}}"#
    }
    let result = try Sample.run(
      try Sample.scenario(
        timeline: calls,
        expect: [
          #"{"call": "c1", "status": "UNAVAILABLE", "at": "\#(maximum == "2s" ? "1s" : maximum)"}"#
        ],
        profiles: [.sockets],
        config: #"{"backoff": {"jitter": \#(jitter), "max": "\#(maximum)"}}"#))
    #expect(result.verdict == .passed, "\(result.findings)")
  }
}
