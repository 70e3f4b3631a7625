import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A value of `config.order`.
struct OrderForm: Sendable, CustomTestStringConvertible {
  /// The JSON value of the key.
  let json: String
  let seed: UInt64
  /// The kinds, first to last, or `nil` if the order is random.
  let kinds: [InstantOrder.Kind]?

  var testDescription: String { kinds == nil ? "drawn by \(seed)" : json }

  static let file = OrderForm(json: #""file""#, seed: 1, kinds: InstantOrder.Kind.allCases)

  /// Every order that a list can express.
  static let lists = permutations(of: InstantOrder.Kind.allCases).map { kinds in
    let words = kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return OrderForm(json: "[\(words)]", seed: 1, kinds: kinds)
  }

  static let drawn = (UInt64(1)...12).map { OrderForm(json: #""drawn""#, seed: $0, kinds: nil) }

  static let all = [file] + lists + drawn

  /// Returns whether one kind comes before another, or `nil` if the order is random.
  func isFirst(_ one: InstantOrder.Kind, before other: InstantOrder.Kind) -> Bool? {
    guard let kinds, let index = kinds.firstIndex(of: one), let next = kinds.firstIndex(of: other)
    else { return nil }
    return index < next
  }

  /// Returns a configuration with the order and the given members.
  func config(_ members: String) -> String {
    #"{"order": \#(json), "seed": \#(seed), \#(members)}"#
  }

  private static func permutations(of kinds: [InstantOrder.Kind]) -> [[InstantOrder.Kind]] {
    guard !kinds.isEmpty else { return [[]] }
    return kinds.indices.flatMap { index in
      var rest = kinds
      let first = rest.remove(at: index)
      return permutations(of: rest).map { [first] + $0 }
    }
  }
}

/// Operations of which some arrive in the instant in which others end or threads are collected.
struct SimultaneousOperations: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let total: Int
  let timeline: [String]
  /// The expectations of the article in any order.
  let always: [String]
  /// The expectations that apply if one kind is known to be first.
  var known: @Sendable (OrderForm) -> [String] = { _ in [] }

  private static func operation(_ id: String, at: String, _ more: String) -> String {
    #"{"at": "\#(at)", "request": {"id": "\#(id)", "host": "a:80", \#(more)}}"#
  }

  private static func threads(made: Int, most: Int) -> String {
    #"{"requests": {"host": "a:80", "threadsMade": \#(made), "mostThreads": \#(most)}, "#
      + #""at": "25s"}"#
  }

  private static func course(_ id: String, begins: String, ends: String) -> String {
    #"{"request": "\#(id)", "begins": "\#(begins)", "outcome": "finished", "at": "\#(ends)"}"#
  }

  /// "Add a new operation and the thread will be reused": even if the thread is only just becoming
  /// free.
  static let asOthersEnd = SimultaneousOperations(
    testDescription: "one arrives as two end", total: 2,
    timeline: [
      operation("one", at: "0s", #""takes": "1s""#), operation("two", at: "0s", #""takes": "1s""#),
      operation("three", at: "1s", #""takes": "1s""#),
    ],
    always: [
      course("one", begins: "0s", ends: "1s"), course("two", begins: "0s", ends: "1s"),
      course("three", begins: "1s", ends: "2s"), threads(made: 2, most: 2),
    ],
    known: { form in
      guard let endsFirst = form.isFirst(.transport, before: .entries) else { return [] }
      return [
        endsFirst
          ? #"{"request": "three", "admission": "starts-now"}"#
          : #"{"request": "three", "admission": "waits", "position": 1}"#
      ]
    })

  /// "Each time a thread completes an operation, it fetches the next from the queue".
  static let behindOneThatWaits = SimultaneousOperations(
    testDescription: "one arrives as a thread takes the next", total: 1,
    timeline: [
      operation("one", at: "0s", #""takes": "1s""#), operation("two", at: "0s", #""takes": "1s""#),
      operation("three", at: "1s", #""takes": "1s""#),
    ],
    always: [
      course("two", begins: "1s", ends: "2s"), course("three", begins: "2s", ends: "3s"),
      threads(made: 1, most: 1),
    ])

  /// The end of a response and the timeout coincide: in both orders the thread continues.
  static let asATimeOutPasses = SimultaneousOperations(
    testDescription: "one times out as it ends, and another arrives", total: 1,
    timeline: [
      operation("one", at: "0s", #""takes": "2s", "timeout": "2s""#),
      operation("two", at: "2s", #""takes": "1s""#),
    ],
    always: [
      course("two", begins: "2s", ends: "3s"), #"{"request": "two", "thread": 1}"#,
      threads(made: 1, most: 1),
    ],
    known: { form in
      guard let endsFirst = form.isFirst(.transport, before: .deadlines) else { return [] }
      let outcome = endsFirst ? "finished" : "timed-out"
      return [#"{"request": "one", "outcome": "\#(outcome)", "at": "2s"}"#]
    })

  /// "and a timed collector will dispose of it soon after": an operation that arrives then gets a
  /// thread immediately, this one or a new one.
  static let asACollectorLooks = SimultaneousOperations(
    testDescription: "one arrives as the collector looks", total: 1,
    timeline: [
      operation("one", at: "0s", #""takes": "1s""#), operation("two", at: "16s", #""takes": "1s""#),
    ],
    always: [
      course("two", begins: "16s", ends: "17s"),
      #"{"requests": {"host": "a:80", "threads": 1, "mostThreads": 1}, "at": "16.5s"}"#,
    ],
    known: { form in
      guard let looksFirst = form.isFirst(.deadlines, before: .entries) else { return [] }
      return [
        #"{"request": "two", "thread": \#(looksFirst ? 2 : 1)}"#,
        threads(made: looksFirst ? 2 : 1, most: 1),
      ]
    })

  /// A cancelled operation frees its thread for the waiting one.
  static let asOneIsWithdrawn = SimultaneousOperations(
    testDescription: "one is withdrawn as it ends", total: 1,
    timeline: [
      operation("one", at: "0s", #""takes": "2s""#), operation("two", at: "1s", #""takes": "1s""#),
      #"{"at": "2s", "cancel": "one"}"#,
    ],
    always: [
      course("two", begins: "2s", ends: "3s"), #"{"request": "two", "thread": 1}"#,
      threads(made: 1, most: 1),
    ],
    known: { form in
      guard let endsFirst = form.isFirst(.transport, before: .entries) else { return [] }
      let outcome = endsFirst ? "finished" : "cancelled"
      return [#"{"request": "one", "outcome": "\#(outcome)", "at": "2s"}"#]
    })

  static let all = [
    asOthersEnd, behindOneThatWaits, asATimeOutPasses, asACollectorLooks, asOneIsWithdrawn,
  ]
}

@Suite("Threads with every order at one instant")
struct ThreadOrderTests {
  private static func run(
    _ operations: SimultaneousOperations, _ form: OrderForm
  ) throws -> (CaseResult, ThreadOracle) {
    let scenario = try Sample.scenario(
      timeline: operations.timeline, expect: operations.always + operations.known(form),
      profiles: [.urlDispatcher], hosts: #""a:80": {}"#,
      config: form.config(
        #""requests": {"total": \#(operations.total), "long": 0, "threads": {}}"#),
      flags: #"["Reachable"]"#)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    var oracle = try #require(ThreadOracle(scenario.script))
    oracle.read(try #require(result.trace).records)
    return (result, oracle)
  }

  @Test(
    "The expectations of the article pass in every order", arguments: SimultaneousOperations.all,
    OrderForm.all)
  func sameForAll(_ operations: SimultaneousOperations, _ form: OrderForm) throws {
    let (result, oracle) = try Self.run(operations, form)
    #expect(result.findings == [])
    #expect(oracle.complaints == [])
  }

  @Test("The results differ with the order, and a random order gives both")
  func drawn() throws {
    func facts(_ operations: SimultaneousOperations) throws -> [Set<RequestFact>] {
      try OrderForm.drawn.map { form in
        let records = try #require(try Self.run(operations, form).0.trace).records
        return Set(
          records.compactMap { if case .request(let fact) = $0.body { fact } else { nil } })
      }
    }
    let collected = try facts(.asACollectorLooks)
    #expect(collected.contains { $0.contains(.runsOn(request: 1, thread: 1)) })
    #expect(collected.contains { $0.contains(.runsOn(request: 1, thread: 2)) })
    let timedOut = try facts(.asATimeOutPasses)
    #expect(timedOut.contains { $0.contains(.ended(request: 0, .timedOut)) })
    #expect(timedOut.contains { !$0.contains(.ended(request: 0, .timedOut)) })
  }
}
