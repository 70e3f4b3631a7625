import HandoverEngine
import HandoverSimulation
import Testing

@Suite("The data that a result keeps")
struct RetainedDataTests {
  @Test(
    "The result of a passed run keeps only the requested data",
    arguments: [[], .traces, .digests, .decisions] as [Worker.RetainedData])
  func retained(data: Worker.RetainedData) throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#],
      expect: [#"{"call": "a", "status": "OK"}"#])
    var worker = Worker(SimulatedBackend(), retaining: data)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.verdict == .passed)
    #expect((result.trace != nil) == data.contains(.traces))
    #expect((result.digest != nil) == data.contains(.digests))
    #expect(result.satisfiedExpectations.isEmpty != data.contains(.decisions))
  }
}
