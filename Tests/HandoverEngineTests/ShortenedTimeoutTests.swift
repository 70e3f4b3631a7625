import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("A timeout that is shortened for real time")
struct ShortenedTimeoutTests {
  static func scenario(_ tcpTimeout: String = "15min", entry: String = "1s") -> Scenario? {
    let text = """
      {"format": 1, "id": "stall", "profiles": ["linux-sockets"],
       "initial": {"flags": ["Reachable"]},
       "hosts": {"api.example:443": {}}, "config": {"tcpTimeout": "\(tcpTimeout)"},
       "timeline": [
         {"at": "0s", "call": {"id": "c", "host": "api.example:443", "kind": "bidi"}},
         {"at": "1s", "flags": []},
         {"at": "\(entry)", "send": {"call": "c", "bytes": 1}}],
       "expect": [
         {"call": "c", "status": "UNAVAILABLE", "at": "901s"},
         {"connections": {"host": "api.example:443", "attempts": 1}, "at": "2s"}]}
      """
    return ScenarioReader.read(file: "stall.json", bytes: Array(text.utf8)).scenario
  }

  @Test("Expectations after the timeout move earlier, and all others stay")
  func moments() throws {
    let scenario = try #require(Self.scenario())
    let shortened = try #require(ShortenedTimeout.applied(to: scenario, timeout: .seconds(6)))
    #expect(shortened.script.configuration.tcpTimeout == .seconds(6))
    let wanted: [HandoverScenario.Expectation.Moment?] = [
      .at(.zero + .seconds(7)), .at(.zero + .seconds(2)),
    ]
    #expect(shortened.expectations.map(\.moment) == wanted)
  }

  @Test("Every kind of time moves, and so does the end of the run")
  func kinds() throws {
    var scenario = try #require(Self.scenario())
    let (before, after) = (Instant.zero + .seconds(5), Instant.zero + .seconds(901))
    scenario.script.configuration.until = .zero + .seconds(1_000)
    let moved = Instant.zero + .seconds(7)
    let moments: [(HandoverScenario.Expectation.Moment, HandoverScenario.Expectation.Moment)] = [
      (.within(before, after), .within(before, moved)),
      (.within(after, after), .within(moved, moved)),
      (.before(after), .before(moved)), (.after(after), .after(moved)),
      // Events at the timeout itself come earlier by the difference.
      (.at(.zero + .seconds(900)), .at(.zero + .seconds(6))),
      (.after(before), .after(before)),
    ]
    for (long, short) in moments {
      scenario.expectations[0].moment = long
      let shortened = try #require(ShortenedTimeout.applied(to: scenario, timeout: .seconds(6)))
      #expect(shortened.expectations[0].moment == short)
      #expect(shortened.script.configuration.until == .zero + .seconds(106))
    }
  }

  @Test("The shortened scenario passes like the long one")
  func verdicts() throws {
    let scenario = try #require(Self.scenario())
    let shortened = try #require(ShortenedTimeout.applied(to: scenario, timeout: .seconds(6)))
    for one in [scenario, shortened] {
      var worker = Worker(SimulatedBackend())
      #expect(worker.run(one).cases.map(\.verdict) == [.passed])
    }
  }

  @Test("A scenario with its own timeout, or with entries after it, does not change")
  func others() throws {
    let own = try #require(Self.scenario("20s"))
    #expect(ShortenedTimeout.applied(to: own, timeout: .seconds(6)) == nil)
    let late = try #require(Self.scenario(entry: "16min"))
    #expect(ShortenedTimeout.applied(to: late, timeout: .seconds(6)) == nil)
  }
}
