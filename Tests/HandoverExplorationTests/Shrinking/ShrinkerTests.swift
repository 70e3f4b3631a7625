import HandoverCore
import HandoverDrawing
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverExploration

/// A random scenario, run on a client with a mutant.
private struct DrawnFailure {
  var document: JSONDocument
  var scenario: Scenario
  var profile: Profile
  var finding: Finding

  /// Creates the scenario of a seed, or returns `nil` if it violates no invariant.
  init?(seed: UInt64, _ worker: inout Worker) throws {
    let drawn = DrawnScenario(.anyCalls, seed: seed)
    guard let scenario = drawn.read().scenario else { return nil }
    for profile in scenario.profiles {
      let result = worker.run(scenario, on: [profile]).cases[0]
      guard let finding = FailureSignature.finding(of: result), case .invariant = finding.kind
      else { continue }
      document = try JSONReader.read(Array(drawn.text.utf8))
      (self.scenario, self.profile, self.finding) = (scenario, profile, finding)
      return
    }
    return nil
  }

  func shrinker(_ play: @escaping Shrinker.Play) -> Shrinker {
    Shrinker(document, scenario, on: profile, failingOf: finding, play: play)
  }
}

@Suite("A scenario that is minimized")
struct ShrinkerTests {
  /// A mutant that a long scenario detects, and the numbers of entries and hosts in the smallest
  /// one.
  struct Planted: CustomTestStringConvertible, Sendable {
    var defect: Defect
    var seed: UInt64
    var rule: RuleIdentifier
    var entries: Int
    var hosts = 1

    var testDescription: String { "\(defect.rawValue) \(seed)" }
  }

  static let planted = [
    Planted(defect: .lostCall, seed: 47, rule: .categoryChange, entries: 2),
    Planted(defect: .cancelledByDisconnect, seed: 19, rule: .waiting, entries: 2),
    Planted(defect: .cancelledByDisconnect, seed: 43, rule: .waiting, entries: 2),
    Planted(defect: .overtakenByCancel, seed: 88, rule: .categoryChange, entries: 2),
    Planted(defect: .ignoredRecovery, seed: 45, rule: .categoryChange, entries: 1, hosts: 0),
    Planted(defect: .lateSend, seed: 103, rule: .sending, entries: 3),
    Planted(defect: .doubleEnd, seed: 1_634, rule: .callEndsOnce, entries: 3),
    Planted(defect: .keptWhileConnecting, seed: 16_863, rule: .categoryChange, entries: 4),
  ]

  @Test("The small scenario has nothing that the mutant does not need", arguments: planted)
  func table(_ planted: Planted) throws {
    var worker = Worker(SimulatedBackend(altering: { $0.inject(planted.defect) }))
    let drawn = try #require(try DrawnFailure(seed: planted.seed, &worker))
    #expect(drawn.finding.kind == .invariant(planted.rule.rawValue))
    var shrinker = drawn.shrinker { worker.run($0).cases.first }
    let before = shrinker.size
    #expect(shrinker.run() == .minimal)
    let text = String(decoding: shrinker.text, as: UTF8.self)
    #expect(shrinker.size.entries == planted.entries, "\(text)")
    #expect(shrinker.size.entries < before.entries)
    #expect(shrinker.size.hosts == planted.hosts)
    let read = try #require(ScenarioReader.read(file: "small.json", bytes: shrinker.text).scenario)
    #expect(read.profiles == [drawn.profile])
    // Whole seconds, in canonical layout.
    #expect(read.script.entries.allSatisfy { $0.at.microseconds.isMultiple(of: 1_000_000) })
    #expect(CanonicalText.of(try JSONReader.read(shrinker.text)) == shrinker.text)
    var right = Worker(SimulatedBackend())
    #expect(right.run(read).cases.map(\.verdict) == [.passed], "\(text)")
  }

  @Test(
    "The small scenario violates the invariant, and needs each of its entries for that",
    arguments: [Defect.lostCall, .cancelledByDisconnect, .overtakenByCancel, .ignoredRecovery])
  func isMinimal(_ defect: Defect) throws {
    var worker = Worker(SimulatedBackend(altering: { $0.inject(defect) }))
    var count = 0
    for seed in 0..<200 as Range<UInt64> {
      guard let drawn = try DrawnFailure(seed: seed, &worker) else { continue }
      let at: Comment = "seed \(seed)"
      count += 1
      var shrinker = drawn.shrinker { worker.run($0).cases.first }
      try #require(shrinker.run() == .minimal, at)
      let small = shrinker.text
      let read = try #require(ScenarioReader.read(file: "small.json", bytes: small).scenario, at)
      #expect(shrinker.failure.isMet(by: worker.run(read).cases[0]), at)
      let tree = JSONTree(try JSONReader.read(small).root)
      let entries = try #require(tree["timeline"]?.children)
      for position in entries.indices {
        var rest = tree
        rest["timeline"] = .array(entries.indices.filter { $0 != position }.map { entries[$0] })
        let reading = ScenarioReader.read(file: "rest.json", bytes: Array(rest.line.utf8))
        // A scenario that names a removed call cannot be read.
        guard let scenario = reading.scenario else { continue }
        #expect(!shrinker.failure.isMet(by: worker.run(scenario).cases[0]), at)
      }
    }
    #expect(count > 2)
  }

  // MARK: Expectations

  private static let expecting = """
    {
      "format": 1, "id": "some/thing", "x-note": "why", "profiles": ["sockets", "cfstream"],
      "initial": { "flags": ["Reachable"] },
      "hosts": { "a:1": { "connect": "37ms" }, "b:1": { "connect": "37ms" } },
      "config": { "seed": 7, "until": "100.5s" },
      "timeline": [
        { "at": "0s", "call": { "id": "other", "host": "b:1", "kind": "streaming" } },
        { "at": "+130ms", "call": { "id": "one", "host": "a:1", "kind": "streaming", "every": "1s" } },
        { "at": "+40us", "cancel": "other" },
        { "at": "4.321s", "server": { "host": "a:1", "do": "reset" } }
      ],
      "expect": [
        { "call": "other", "status": "CANCELLED" },
        { "call": "one", "status": "OK", "at": "4.321s" }
      ]
    }
    """

  @Test("Only the failing expectation is kept, with its observation")
  func expectation() throws {
    let bytes = Array(Self.expecting.utf8)
    let scenario = try #require(ScenarioReader.read(file: "my.json", bytes: bytes).scenario)
    var worker = Worker(SimulatedBackend())
    let result = worker.run(scenario, on: [.sockets]).cases[0]
    let finding = try #require(FailureSignature.finding(of: result))
    var shrinker = Shrinker(
      try JSONReader.read(bytes), scenario, on: .sockets, failingOf: finding,
      play: { worker.run($0).cases.first })
    #expect(shrinker.run() == .minimal)
    #expect(
      String(decoding: shrinker.text, as: UTF8.self) == """
        {
          "format": 1,
          "id": "some/thing-minimal",
          "profiles": ["sockets"],
          "initial": { "flags": ["Reachable"] },
          "hosts": { "a:1": {} },
          "timeline": [
            { "at": "0s", "call": { "id": "one", "host": "a:1", "kind": "streaming" } },
            { "at": "1s", "server": { "host": "a:1", "do": "reset" } }
          ],
          "expect": [
            { "call": "one", "status": "OK" }
          ]
        }

        """)
  }

  @Test("A shrunk scenario may have fewer polls than the longer run had")
  func polls() throws {
    let bytes = Array(
      """
      {
        "format": 1,
        "id": "some/polls",
        "profiles": ["url-dispatcher"],
        "initial": { "flags": ["Reachable"], "app": "foreground" },
        "hosts": { "a:1": {} },
        "config": { "requests": { "preset": "1.7", "policy": "poll" } },
        "timeline": [
          { "at": "0s", "request": { "id": "one", "host": "a:1", "kind": "long", "every": "5s" } },
          { "at": "0s", "request": { "id": "two", "host": "a:1", "kind": "long", "every": "5s" } },
          { "at": "0s", "request": { "id": "three", "host": "a:1", "kind": "long", "every": "5s" } }
        ],
        "expect": [
          { "request": "three", "outcome": "closed", "polls": 1 },
          { "requests": { "host": "a:1", "opened": 7 }, "at": "5s" }
        ]
      }
      """.utf8)
    let scenario = try #require(ScenarioReader.read(file: "my.json", bytes: bytes).scenario)
    var worker = Worker(SimulatedBackend())
    let result = worker.run(scenario).cases[0]
    let finding = try #require(FailureSignature.finding(of: result))
    #expect(finding.seen.contains("5 polls answered"))
    var shrinker = Shrinker(
      try JSONReader.read(bytes), scenario, on: .urlDispatcher, failingOf: finding,
      play: { worker.run($0).cases.first })
    #expect(shrinker.run() == .minimal)
  }

  @Test("The small scenario passes on a correct client")
  func reference() throws {
    let bytes = Array(Self.expecting.replacing("\"OK\"", with: "\"UNAVAILABLE\"").utf8)
    let scenario = try #require(ScenarioReader.read(file: "my.json", bytes: bytes).scenario)
    var right = Worker(SimulatedBackend())
    // A client that is not notified of resets.
    func wrong(_ scenario: Scenario) -> CaseResult? {
      var scenario = scenario
      scenario.script.entries.removeAll { if case .server = $0.action { true } else { false } }
      return right.run(scenario, on: [.sockets]).cases.first
    }
    let finding = try #require(wrong(scenario).flatMap(FailureSignature.finding(of:)))
    var shrinker = Shrinker(
      try JSONReader.read(bytes), scenario, on: .sockets, failingOf: finding, play: wrong,
      reference: { right.run($0).cases.first })
    #expect(shrinker.run() == .minimal)
    #expect(shrinker.size == Shrinker.Size(entries: 2, calls: 1, hosts: 1))
  }

  @Test("A search that is stopped leaves a scenario that still fails")
  func stops() throws {
    var worker = Worker(SimulatedBackend(altering: { $0.inject(.lostCall) }))
    let drawn = try #require(try DrawnFailure(seed: 47, &worker))
    var shrinker = drawn.shrinker { worker.run($0).cases.first }
    #expect(shrinker.run { $0 < 5 } == .stopped)
    #expect(shrinker.tries == 5)
    let read = try #require(ScenarioReader.read(file: "small.json", bytes: shrinker.text).scenario)
    #expect(shrinker.failure.isMet(by: worker.run(read).cases[0]))
  }

  @Test("A scenario that does not fail again is reported")
  func passes() throws {
    var worker = Worker(SimulatedBackend(altering: { $0.inject(.lostCall) }))
    let drawn = try #require(try DrawnFailure(seed: 47, &worker))
    var right = Worker(SimulatedBackend())
    var shrinker = drawn.shrinker { right.run($0).cases.first }
    #expect(shrinker.run() == nil)
  }

  @Test("A tree reads and writes every notation unchanged")
  func tree() throws {
    let text = #"{"a":[1.50,true,null,"q\"\\\u0001é",{}],"comment":"x","b":{"c":[]}}"#
    let tree = JSONTree(try JSONReader.read(Array(text.utf8)).root).withoutComments
    #expect(
      tree.line == #"{ "a": [1.50, true, null, "q\"\\\u0001é", {}], "b": { "c": [] } }"#)
    #expect(tree.paths.count == 8)
    #expect(tree.without([0, 3]).paths.count == 7)
  }
}
