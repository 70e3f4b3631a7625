import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// The order of events at one instant, as scenarios choose it.
@Suite("The order at one instant can be chosen")
struct ChosenOrderTests {
  @Test("No random order violates an invariant, and no run gets stuck")
  func corpus() {
    var worker = Worker(SimulatedBackend(), retaining: .digests)
    // The scenarios use twenty seeds in rotation.
    for (index, scenario) in Bundled.scenarios.enumerated() {
      let result = worker.run(scenario.drawn(seed: UInt64(index % 20)))
      for one in result.cases {
        #expect(one.brokenRules == [], "\(scenario.id) on \(one.profile)")
        #expect(one.verdict != .error, "\(scenario.id) on \(one.profile)")
      }
    }
  }

  /// Returns a scenario whose call ends, expires and is cancelled at one instant.
  private static func race(_ order: String) throws -> Scenario {
    try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "c:1", "takes": "1s", "deadline": "1s"}}"#,
        #"{"at": "1s", "cancel": "a"}"#,
      ], profiles: [.sockets], hosts: #""c:1": {}"#, config: #"{"order": \#(order)}"#)
  }

  @Test("One seed gives one run in every process, and several seeds give several runs")
  func seeds() throws {
    let scenario = try Self.race(#""drawn""#)
    let ends = try (0..<20).map { seed in
      let runs = try (0..<2).map { _ in
        try Self.run(scenario.drawn(seed: UInt64(seed)))
      }
      #expect(runs[0].trace != nil && runs[0].trace == runs[1].trace)
      return try #require(runs[0].calls.first?.end?.code)
    }
    let letters = ends.map { String($0.name.prefix(1)) }.joined()
    // The order for a seed never changes.
    #expect(letters == "COCODCOCCOOCCCDDDDOO")
  }

  static let orders: [(order: String, end: StatusCode)] = [
    (#""file""#, .cancelled), (#"["entries"]"#, .cancelled), (#"["transport"]"#, .ok),
    (#"["deadlines"]"#, .deadlineExceeded), (#"["callbacks", "transport"]"#, .ok),
    (#"["callbacks", "deadlines", "transport"]"#, .deadlineExceeded), (#"["calls"]"#, .cancelled),
    (#"["pool", "transport", "deadlines"]"#, .ok),
  ]

  @Test("Named events come first, and the rest follow as usual", arguments: orders)
  func ranks(order: String, end: StatusCode) throws {
    #expect(try Sample.run(try Self.race(order)).calls.first?.end?.code == end)
  }

  @Test(
    "A callback comes before or after the events of the transport",
    arguments: [
      (#"["transport"]"#, StatusText.connectionAborted), (#"["callbacks"]"#, .connectivityLost),
    ])
  func callback(order: String, text: StatusText) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "streaming"}}"#,
        #"{"at": "1s", "flags": []}"#,
      ], config: #"{"order": \#(order)}"#)
    let call = try #require(try Sample.run(scenario).calls.first)
    #expect(call.end?.text == text)
    #expect(try call.endedAt == Instant("1s"))
  }

  @Test(
    "Events that are deferred in the background come in the chosen order",
    arguments: [
      (#""file""#, StatusText.connectivityLost), (#"["deadlines"]"#, .deadlineExceeded),
      (#"["transport"]"#, .empty),
    ])
  func returning(order: String, text: StatusText) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "c:1", "takes": "3s", "deadline": "2s"}}"#,
        #"{"at": "1s", "app": "background"}"#,
        #"{"at": "4s", "flags": ["Reachable"]}"#, #"{"at": "5s", "app": "foreground"}"#,
      ], hosts: #""c:1": {}"#, config: #"{"order": \#(order)}"#)
    let call = try #require(try Sample.run(scenario).calls.first)
    #expect(try call.endedAt == Instant("5s"))
    #expect(call.end?.text == text)
  }

  @Test(
    "A message and a deadline can coincide in either order",
    arguments: [(#""file""#, 2), (#"["deadlines"]"#, 1)])
  func message(order: String, count: Int) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "c:1", "kind": "streaming", "every": "1s", "#
          + #""deadline": "2s"}}"#
      ], profiles: [.sockets], hosts: #""c:1": {}"#, config: #"{"order": \#(order)}"#)
    let records = try #require(try Self.run(scenario).trace).records
    let delivered = records.count {
      if case .effect(.deliverMessage) = $0.body { true } else { false }
    }
    #expect(delivered == count)
  }

  @Test(
    "an answer and the time-out of its request at one instant",
    arguments: [(#""file""#, "PASSED"), (#"["deadlines"]"#, "FAILED")])
  func request(order: String, verdict: String) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "r", "host": "c:80", "kind": "short", "takes": "2s", "#
          + #""timeout": "2s"}}"#
      ], expect: [#"{"request": "r", "outcome": "finished", "at": "2s"}"#],
      profiles: [.urlDispatcher], hosts: #""c:80": {}"#, config: #"{"order": \#(order)}"#)
    #expect(try Sample.run(scenario).verdict.name == verdict)
  }

  @Test("A pending callback keeps the run from ending, and a lost callback does not")
  func callbacksUnderWay() throws {
    func end(_ more: String...) throws -> Instant {
      let scenario = try Sample.scenario(
        timeline: [#"{"at": "1s", "flags": ["Reachable"]}"#] + more,
        config: #"{"order": ["transport"], "monitor": {"latency": "3s"}}"#)
      return try Sample.run(scenario).endedAt
    }
    #expect(try end() == Instant("4s"))
    #expect(try end(#"{"at": "2s", "monitor": {"do": "overrun"}}"#) == Instant("2s"))
  }

  @Test("Scheduling of chains is random with everything else, unless the chain sets its own order")
  func chains() throws {
    func isShuffled(_ config: String) throws -> Bool {
      try Sample.scenario(timeline: [], config: config).script.configuration.chain.isShuffled
    }
    #expect(try isShuffled(#"{"order": "drawn"}"#))
    #expect(try isShuffled(#"{"order": "drawn", "chain": {"creation": "lazy"}}"#))
    #expect(try !isShuffled(#"{"order": "drawn", "chain": {"turns": "ordered"}}"#))
    #expect(try isShuffled(#"{"chain": {"turns": "drawn"}}"#))
    #expect(try isShuffled(#"{"order": ["calls"], "chain": {"turns": "drawn"}}"#))
    #expect(try !isShuffled(#"{"order": ["calls"]}"#))
    #expect(try !isShuffled(#"{"order": "file"}"#))
  }

  @Test(
    "Real time supports no order except that calls are notified first",
    arguments: [
      (#""drawn""#, false), (#"["deadlines"]"#, false), (#""file""#, true), (#"["calls"]"#, true),
      (#"["entries", "pool"]"#, true),
    ])
  func realTime(order: String, isPlayed: Bool) throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#],
      config: #"{"order": \#(order)}"#)
    let time = RealTime(in: NoNetworks()) { _, _ in .zero }
    var obstacle: String?
    do throws(BackendError) {
      _ = try time.expectedEnd(of: scenario.script, .socketsMonitor)
    } catch {
      obstacle = error.message
    }
    #expect(
      obstacle == (isPlayed ? nil : "real time has no defined order for simultaneous entries"))
  }

  private static func run(_ scenario: Scenario) throws -> CaseResult {
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    return try #require(worker.run(scenario).cases.first)
  }

  private struct NoNetworks: LiveNetworkFactory {
    func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
      throw BackendError(.cannotStart, "there is none")
    }
  }
}

extension Scenario {
  /// Returns the scenario with a random order at every instant.
  fileprivate func drawn(seed: UInt64) -> Scenario {
    var drawn = self
    drawn.script.configuration.order = InstantOrder()
    drawn.script.configuration.order.isRandom = true
    drawn.script.configuration.order.observers = .random
    drawn.script.configuration.chain.isShuffled = true
    drawn.script.configuration.seed = seed
    return drawn
  }
}
