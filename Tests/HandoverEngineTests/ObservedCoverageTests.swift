import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A backend that shows only the ends of calls, and that must not be started.
private struct UntouchableBackend: Backend {
  var description: BackendDescription {
    BackendDescription(name: "untouchable", time: .virtual, capabilities: [])
  }

  func makeSession() throws(BackendError) -> any BackendSession {
    throw BackendError(.backendFailed, "somebody started it")
  }
}

/// The expectations of a run, the capabilities that are hidden, and the resulting verdict.
struct CoverageRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var expect: [String]
  var hidden: Capabilities
  var verdict: Verdict
  var coverage: String

  init(
    _ name: String, _ expect: [String], hiding hidden: Capabilities, _ verdict: Verdict,
    _ coverage: String
  ) {
    testDescription = name
    self.expect = expect
    self.hidden = hidden
    self.verdict = verdict
    self.coverage = coverage
  }
}

@Suite("Expectations that are partly observable")
struct ObservedCoverageTests {
  /// A scenario with four calls.
  ///
  /// | call | end | message | channel |
  /// |---|---|---|---|
  /// | `first` | OK at 60 ms | | new |
  /// | `lost` | UNAVAILABLE at 2 s | Connectivity lost. | same |
  /// | `next` | OK at 3.06 s | | new |
  /// | `endless` | never | | same |
  static let timeline = [
    #"{"at": "0s", "call": {"id": "first", "host": "a:1"}}"#,
    #"{"at": "1s", "call": {"id": "lost", "host": "a:1", "kind": "streaming"}}"#,
    #"{"at": "2s", "flags": ["Reachable"]}"#,
    #"{"at": "3s", "call": {"id": "next", "host": "a:1"}}"#,
    #"{"at": "4s", "call": {"id": "endless", "host": "a:1", "kind": "streaming"}}"#,
  ]

  static let ends = #"{"call": "lost", "status": "UNAVAILABLE", "at": "2s"}"#
  static let says = #"{"call": "lost", "message": "Connectivity lost.", "at": "2s"}"#
  static let goes = #"{"call": "next", "status": "OK", "channel": "new"}"#
  static let goesWrong = #"{"call": "next", "status": "OK", "channel": "same"}"#
  static let wrong = #"{"call": "next", "status": "CANCELLED", "channel": "new"}"#
  static let wish = #"{"level": "should", "call": "next", "status": "CANCELLED"}"#
  static let channels = #"{"channels": {"host": "*", "destroyed": 1}, "at": "2s"}"#
  static let tells = #"{"monitor": {"notifications": 1}}"#

  static let table = [
    CoverageRow("all is shown", [ends, says, goes, channels], hiding: [], .passed, "4 of 4"),
    CoverageRow(
      "one of two is not shown", [ends, channels], hiding: .channels, .passedPartially, "1 of 2"),
    CoverageRow("none is shown", [channels], hiding: .channels, .unsupported, "0 of 1"),
    CoverageRow(
      "an expectation is split", [goes], hiding: .channels, .passedPartially, "1 of 2"),
    CoverageRow(
      "a part that is shown is judged", [wrong], hiding: .channels, .failed, "1 of 1"),
    CoverageRow(
      "a part that is not shown is not", [goesWrong], hiding: .channels, .passedPartially,
      "1 of 2"),
    CoverageRow(
      "a part of an expectation fails beside one that is not shown", [wrong, channels],
      hiding: .channels, .failed, "1 of 2"),
    CoverageRow(
      "a client has words of its own", [says, goes], hiding: .messages, .passedPartially, "2 of 3"),
    CoverageRow(
      "both parts of one are hidden together",
      [#"{"call": "lost", "message": "m", "channel": "new", "at": "2s"}"#],
      hiding: [.messages, .channels], .passedPartially, "1 of 2"),
    CoverageRow(
      "a recommendation that is not met weighs more than what is not shown", [wish, channels],
      hiding: .channels, .nonStrict, "1 of 2"),
    CoverageRow(
      "what must not happen did not, whatever is hidden",
      [#"{"never": {"call": "next", "status": "CANCELLED", "channel": "new"}}"#],
      hiding: .channels, .passed, "1 of 1"),
    CoverageRow(
      "what must not happen may have happened",
      [#"{"never": {"call": "next", "status": "OK", "channel": "same"}}"#],
      hiding: .channels, .unsupported, "0 of 1"),
    CoverageRow(
      "the monitor is hidden", [tells, ends], hiding: .monitor, .passedPartially, "1 of 2"),
    CoverageRow(
      "one of several ends will do",
      [#"{"call": "lost", "anyOf": [{"status": "OK"}, {"status": "UNAVAILABLE", "at": "2s"}]}"#],
      hiding: [], .passed, "1 of 1"),
    CoverageRow(
      "none of several ends was seen",
      [#"{"call": "lost", "anyOf": [{"status": "OK"}, {"status": "UNAVAILABLE", "at": "3s"}]}"#],
      hiding: [], .failed, "1 of 1"),
    CoverageRow(
      "one that is shown wholly is enough",
      [#"{"call": "next", "anyOf": [{"channel": "same"}, {"status": "OK"}]}"#],
      hiding: .channels, .passed, "1 of 1"),
    CoverageRow(
      "one that is shown partly is seen partly",
      [#"{"call": "next", "anyOf": [{"channel": "same"}, {"status": "CANCELLED"}]}"#],
      hiding: .channels, .passedPartially, "1 of 2"),
    CoverageRow(
      "a call without an end has none that will do",
      [#"{"call": "endless", "anyOf": [{"status": "OK"}, {"channel": "same"}]}"#],
      hiding: .channels, .failed, "1 of 1"),
  ]

  private static func result(
    _ expect: [String], hiding hidden: Capabilities, _ gates: Gates = Gates()
  ) throws -> CaseResult {
    let scenario = try Sample.scenario(timeline: timeline, expect: expect)
    var worker = Worker(
      PartialBackend(capabilities: Capabilities.all.subtracting(hidden)), gates: gates)
    return try #require(worker.run(scenario).cases.first)
  }

  @Test("The verdict depends on the observable part and on what passes", arguments: table)
  func verdicts(_ row: CoverageRow) throws {
    let result = try Self.result(row.expect, hiding: row.hidden)
    #expect(result.verdict == row.verdict, "\(result.findings)")
    #expect(result.coverage.text == row.coverage)
    #expect(result.coverage.isPartial == (result.coverage.seen < result.coverage.all))
  }

  @Test("A finding names the observed part, and the reason why the rest is hidden")
  func words() throws {
    let channel = try Self.result([Self.goes], hiding: .channels)
    #expect(channel.findings.map(\.kind) == [.partlySeen])
    #expect(
      channel.findings.map(\.seen)
        == ["it ended OK at 3.06s; the backend does not show its channel"])
    let any = try Self.result(
      [
        #"{"call": "lost", "anyOf": [{"status": "OK"}, {"message": "m", "before": "2s"}, "#
          + #"{"within": ["3s", "4s"], "channel": "same"}]}"#
      ], hiding: [])
    #expect(
      any.findings.map(\.expected) == [
        #"call "lost" ends OK, or with the message "m" before 2s, or on the same channel "#
          + "between 3s and 4s"
      ])
    // A finding does not mention what the backend does not show.
    let wrong = try Self.result([Self.wrong], hiding: .channels)
    #expect(wrong.findings.map(\.seen) == ["it ended OK at 3.06s"])
  }

  @Test("The worst result of each expectation is reported")
  func worst() throws {
    let result = try Self.result(
      [#"{"call": "next", "status": "CANCELLED", "channel": "new"}"#, Self.goes, Self.channels],
      hiding: .channels)
    #expect(result.findings.map(\.kind) == [.expectation, .partlySeen, .unsupported])
    #expect(result.findings.map(\.verdict) == [.failed, .passedPartially, .passedPartially])
  }

  @Test("A case with nothing observable is not started, unless hangs are watched")
  func unstarted() throws {
    func verdict(_ expect: [String], _ gates: Gates = Gates()) throws -> Verdict? {
      let scenario = try Sample.scenario(timeline: Self.timeline, expect: expect)
      var worker = Worker(UntouchableBackend(), gates: gates)
      return worker.run(scenario).cases.first?.verdict
    }
    #expect(try verdict([Self.channels, Self.tells]) == .unsupported)
    #expect(try verdict([Self.channels, Self.ends]) == .error)
    #expect(try verdict([Self.channels, #"{"never": {"call": "endless"}}"#]) == .error)
    #expect(try verdict([]) == .error)
    var gates = Gates()
    gates.maxHang = .seconds(5)
    #expect(try verdict([Self.channels], gates) == .error)
  }

  @Test("A known failure that passes its observable part is an unexpected pass")
  func known() throws {
    var result = try Self.result([Self.goes], hiding: .channels)
    result.expectFailure(from: "known.txt:1")
    #expect(result.verdict == .failed)
    var none = try Self.result([Self.channels], hiding: .channels)
    none.expectFailure(from: "known.txt:1")
    #expect(none.verdict == .unsupported)
  }
}

// MARK: - Random expectations

/// The result of a call, which the oracle knows from the table above.
private struct Fact {
  var call: String
  var status: StatusCode?
  var at: Int64 = 0
  var message = ""
  var channel: String

  static let all = [
    Fact(call: "first", status: .ok, at: 60, channel: "new"),
    Fact(
      call: "lost", status: .unavailable, at: 2_000, message: "Connectivity lost.",
      channel: "same"),
    Fact(call: "next", status: .ok, at: 3_060, channel: "new"),
    Fact(call: "endless", channel: "same"),
  ]
}

/// A random expectation about the end of a call.
private struct DrawnExpectation {
  struct Ending {
    var status: StatusCode?
    var message: String?
    var channel: String?
    var before: Int64?

    var text: String {
      let parts = [
        status.map { #""status": "\#($0.name)""# }, message.map { #""message": "\#($0)""# },
        channel.map { #""channel": "\#($0)""# }, before.map { #""before": "\#($0)ms""# },
      ]
      return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// Whether the expectation is true if the call had the given message and channel.
    func holds(_ fact: Fact, saying said: String, on bound: String) -> Bool {
      guard let code = fact.status else { return false }
      return (status ?? code) == code && (message ?? said) == said && (channel ?? bound) == bound
        && before.map { fact.at < $0 } ?? true
    }
  }

  var fact: Fact
  var isNever: Bool
  var endings: [Ending] = []

  init(_ generator: inout SeededGenerator) {
    fact = Fact.all[Int(generator.next(upToAndIncluding: 3))]
    isNever = generator.next(upToAndIncluding: 3) == 0
    for _ in 0...(isNever ? 0 : generator.next(upToAndIncluding: 2)) {
      endings.append(Self.ending(&generator, isNever))
    }
  }

  private static func ending(_ generator: inout SeededGenerator, _ isNever: Bool) -> Ending {
    func draw<Value>(_ values: [Value?]) -> Value? {
      values[Int(generator.next(upToAndIncluding: UInt64(values.count - 1)))]
    }
    var ending = Ending()
    repeat {
      ending.status = draw([nil, .ok, .unavailable])
      ending.message = draw([nil, nil, "Connectivity lost.", "other"])
      ending.channel = draw([nil, "new", "same"])
      ending.before = isNever ? nil : draw([nil, nil, 1_000, 2_500])
    } while ending.text.isEmpty
    return ending
  }

  var text: String {
    if isNever { return #"{"never": {"call": "\#(fact.call)", \#(endings[0].text)}}"# }
    if endings.count == 1 { return #"{"call": "\#(fact.call)", \#(endings[0].text)}"# }
    let list = endings.map { "{\($0.text)}" }.joined(separator: ", ")
    return #"{"call": "\#(fact.call)", "anyOf": [\#(list)]}"#
  }

  /// Returns whether the expectation is true for an observer who sees only a part, or `nil` if
  /// indistinguishable cases differ.
  func truth(hiding hidden: Capabilities) -> Bool? {
    let words =
      hidden.contains(.messages) ? ["Connectivity lost.", "other", "third"] : [fact.message]
    let channels = hidden.contains(.channels) ? ["new", "same", "none"] : [fact.channel]
    let worlds = words.flatMap { said in
      channels.map { bound in
        endings.contains { $0.holds(fact, saying: said, on: bound) } != isNever
      }
    }
    return worlds.allSatisfy { $0 == worlds[0] } ? worlds[0] : nil
  }
}

@Suite("Random expectations with a hidden part")
struct DrawnObservedCoverageTests {
  @Test(
    "A partly hidden expectation is evaluated over all cases that look the same", arguments: 0..<60)
  func drawn(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let drawn = (0..<20).map { _ in DrawnExpectation(&generator) }
    let scenario = try Sample.scenario(
      timeline: ObservedCoverageTests.timeline, expect: drawn.map(\.text))
    for hidden in [[], .messages, .channels, [.messages, .channels]] as [Capabilities] {
      var worker = Worker(PartialBackend(capabilities: Capabilities.all.subtracting(hidden)))
      let result = try #require(worker.run(scenario).cases.first)
      let truths = drawn.map { $0.truth(hiding: hidden) }
      for (index, truth) in truths.enumerated() {
        let kinds = result.findings.filter {
          $0.position == scenario.expectations[index].position
        }.map(\.kind)
        let unseen: Finding.Kind = drawn[index].isNever ? .unsupported : .partlySeen
        let wanted: [Finding.Kind] =
          switch truth {
          case true?: []
          case false?: [.expectation]
          case nil: [unseen]
          }
        #expect(kinds == wanted, "\(drawn[index].text) hiding \(hidden.rawValue)")
      }
      let unseenCount = truths.count { $0 == nil }
      #expect(result.coverage.all - result.coverage.seen == unseenCount)
      let expected: Verdict =
        truths.contains(false)
        ? .failed
        : unseenCount == 0
          ? .passed
          : result.coverage.seen > 0 ? .passedPartially : .unsupported
      #expect(result.verdict == expected)
    }
  }
}

@Suite("Alternative ends in the bundled scenarios")
struct AlternativeTests {
  @Test("Alternative ends are for other clients: the built-in client has the first one")
  func first() throws {
    let scenarios = Bundled.scenarios.filter { scenario in
      scenario.expectations.contains { !$0.alternatives.isEmpty }
    }
    #expect(scenarios.count >= 14)
    for scenario in scenarios {
      var strict = scenario
      for index in strict.expectations.indices { strict.expectations[index].alternatives = [] }
      var worker = Worker(SimulatedBackend())
      let all = worker.run(scenario).cases
      let alone = worker.run(strict).cases
      #expect(alone.map(\.verdict) == all.map(\.verdict), "\(scenario.id)")
      #expect(alone.allSatisfy { $0.verdict < .failed }, "\(scenario.id)")
    }
  }
}
