import HandoverEngine
import HandoverSimulation
import Testing

@Suite("The data that a result keeps")
struct RetainedDataTests {
  @Test(
    "The result of a passed run keeps only the requested data",
    arguments: [
      ([], []), (.traces, ["trace"]), (.digests, ["digest"]), (.decisions, ["decisions"]),
    ] as [(Worker.RetainedData, [String])])
  func retained(data: Worker.RetainedData, names: [String]) throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#],
      expect: [#"{"call": "a", "status": "OK"}"#])
    var worker = Worker(SimulatedBackend(), retaining: data)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.verdict == .passed)
    var kept: [String] = []
    if result.trace != nil { kept.append("trace") }
    if result.digest != nil { kept.append("digest") }
    if !result.satisfiedExpectations.isEmpty { kept.append("decisions") }
    #expect(kept == names)
  }
}
