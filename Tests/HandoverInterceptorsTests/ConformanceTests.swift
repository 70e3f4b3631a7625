import HandoverCore
import HandoverInterceptors
import Testing

@Suite("The conformance of an interceptor")
struct ConformanceTests {
  @Test("The base interceptor conforms in every order")
  func base() {
    let report = InterceptorConformance { Plain("base") }.run()
    #expect(report.passes, "\(report)")
    #expect(report.length == 7)
  }

  @Test("Each wrong interceptor is detected with a shortest order", arguments: Wrong.all)
  func wrong(_ wrong: Wrong) {
    let report = InterceptorConformance(for: wrong.start) {
      Plain(wrong.name, wrong.link.interceptor)
    }.run()
    #expect(report.violation?.rule == wrong.rule, "\(report)")
    #expect(report.violation?.order == wrong.order, "\(report)")
    #expect(!report.passes)
  }

  @Test("Interceptors that answer in place of the next one, or wait for its close, conform")
  func right() {
    for link: any Interceptor in [Hijacks(), WaitsForClose()] {
      let report = InterceptorConformance { Plain("right", link) }.run()
      #expect(report.passes, "\(report)")
    }
  }

  @Test("An interceptor that may withhold messages is exempt from that rule alone")
  func filter() {
    var options = InterceptorConformance.Options()
    let strict = InterceptorConformance(options: options) { Plain("filter", HoldsMessage()) }.run()
    #expect(strict.violation?.rule == .messageHeld)
    options.retainableSteps = [.message]
    let mild = InterceptorConformance(options: options) { Plain("filter", HoldsMessage()) }.run()
    #expect(mild.passes, "\(mild)")
  }

  @Test("A close that only some interceptors know is tried if it is named")
  func closes() {
    var options = InterceptorConformance.Options()
    let factory = Plain("choosy", ClosesTwice(at: .unauthenticated))
    #expect(InterceptorConformance(options: options) { factory }.run().passes)
    options.closes.append(CallStatus(.unauthenticated))
    let report = InterceptorConformance(options: options) { factory }.run()
    #expect(report.violation?.rule == .manager(.closedTwice))
    #expect(
      report.violation?.order
        == ["the user starts the call", "the next interceptor closes UNAUTHENTICATED"])
  }

  @Test("State that a factory has from earlier calls exists in every order")
  func earlierCalls() {
    var options = InterceptorConformance.Options()
    options.length = 4
    let make: @Sendable () -> any InterceptorFactory = { BreaksWhenWarm.Factory() }
    #expect(InterceptorConformance(options: options, make: make).run().passes)
    options.earlierCalls = 1
    let report = InterceptorConformance(options: options, make: make).run()
    #expect(report.violation?.rule == .manager(.closedTwice))
    #expect(
      report.violation?.order == ["the user starts the call", "the next interceptor closes OK"])
  }

  @Test("An incomplete search accepts no interceptor, and reports it")
  func cutOff() {
    var options = InterceptorConformance.Options()
    options.maximumStates = 20
    let report = InterceptorConformance(options: options) { Plain("base") }.run()
    #expect(report.violation == nil)
    #expect(!report.isComplete)
    #expect(!report.passes)
    #expect(report.states == 20)
    #expect(
      report.description.hasPrefix("base: no violation so far; there are more orders than the "))
  }

  @Test("All orders are counted, although orders that reach the same state are merged")
  func counts() {
    var options = InterceptorConformance.Options()
    (options.length, options.messages) = (2, 1)
    let report = InterceptorConformance(options: options) { Plain("base") }.run()
    // At first: start, write, receive, cancel. After the start: write, finish, receive, cancel,
    // metadata, message and two closes. After the write or the request for a message: three each,
    // two of which lead to the same state as the same events in the other order. After the cancel:
    // the close that it causes.
    #expect(report.orders == 4 + 8 + 3 + 3 + 1)
    #expect(report.states == 1 + 4 + 8 + 2 + 1 + 1)
  }

  @Test("A factory that makes no interceptor passes nothing")
  func nothing() {
    let report = InterceptorConformance { Plain("none", nil) }.run()
    #expect(!report.passes)
    #expect(report.description.hasSuffix("so nothing was checked"))
  }

  @Test("Options beyond their limits are refused instead of clamped")
  func limits() async {
    await #expect(processExitsWith: .failure) {
      var options = InterceptorConformance.Options()
      options.length = 13
      _ = InterceptorConformance(options: options) { Plain("base") }
    }
    await #expect(processExitsWith: .failure) {
      var options = InterceptorConformance.Options()
      options.messages = 10
      _ = InterceptorConformance(options: options) { Plain("base") }
    }
    await #expect(processExitsWith: .failure) {
      var options = InterceptorConformance.Options()
      options.closes = []
      _ = InterceptorConformance(options: options) { Plain("base") }
    }
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var name: String
    var start = ChainWorld.start
    var link: Boxed
    var rule: InterceptorRule
    var order: [String]

    struct Boxed: Sendable {
      var interceptor: any Interceptor
    }

    var testDescription: String { name }

    static let all = [
      Wrong(
        name: "double close", link: Boxed(interceptor: ClosesTwice()), rule: .manager(.closedTwice),
        order: ["the user starts the call", "the next interceptor closes OK"]),
      Wrong(
        name: "swallowed close", link: Boxed(interceptor: SwallowsClose()),
        rule: .manager(.closeNotForwarded),
        order: ["the user starts the call", "the next interceptor closes OK"]),
      Wrong(
        name: "forward after shutdown", link: Boxed(interceptor: ForwardsAfterShutdown()),
        rule: .manager(.forwardedAfterShutDown), order: ["the user cancels"]),
      Wrong(
        name: "reorder", link: Boxed(interceptor: Reorders()), rule: .reordered,
        order: [
          "the user starts the call", "the next interceptor forwards a message",
          "the next interceptor forwards a message",
        ]),
      Wrong(
        name: "a message held for ever", link: Boxed(interceptor: HoldsMessage()),
        rule: .messageHeld,
        order: [
          "the user starts the call", "the next interceptor forwards a message",
          "the next interceptor forwards a message", "the next interceptor closes OK",
        ]),
      Wrong(
        name: "two closes on cancel", link: Boxed(interceptor: ClosesTwiceOnCancel()),
        rule: .manager(.closedTwice), order: ["the user cancels"]),
      Wrong(
        name: "keeps the cancel", link: Boxed(interceptor: KeepsCancel()),
        rule: .manager(.nextLeftRunning), order: ["the user starts the call", "the user cancels"]),
      Wrong(
        name: "headers held for ever", link: Boxed(interceptor: Hook { $0.headers = { _, _ in } }),
        rule: .metadataHeld,
        order: [
          "the user starts the call", "the next interceptor forwards initial metadata",
          "the next interceptor closes OK",
        ]),
      Wrong(
        name: "write done held for ever",
        link: Boxed(interceptor: Hook { $0.writeDone = { _, _ in } }), rule: .writeDoneHeld,
        order: [
          "the user starts the call", "the user writes a message",
          "the next interceptor reports that a message was sent", "the next interceptor closes OK",
        ]),
      Wrong(
        name: "asks for nothing", start: ChainWorld.start { $0.flowControl = true },
        link: Boxed(interceptor: Hook { $0.receive = { _, _ in } }), rule: .demandHeld,
        order: ["the user starts the call", "the user requests one more message"]),
    ]
  }

  struct ClosesTwice: Interceptor {
    var code = StatusCode.ok

    init(at code: StatusCode = .ok) {
      self.code = code
    }

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(close)
      if close.status.code == code { manager.forwardPreviousInterceptorClose(close) }
      manager.shutDown()
    }
  }

  /// Cancels the next interceptor at the first written message, and answers itself (I25).
  struct Hijacks: Interceptor {
    var hasTakenOver = false

    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      manager.cancelNextInterceptor()
      hasTakenOver = true
      manager.forwardPreviousInterceptorDidWrite()
    }

    mutating func finish(_ manager: inout InterceptorManager) {
      guard hasTakenOver else { return manager.finishNextInterceptor() }
      manager.forwardPreviousInterceptorClose(CallClose(.ok))
      manager.shutDown()
    }

    mutating func cancel(_ manager: inout InterceptorManager) {
      guard hasTakenOver else { return manager.cancelNextInterceptor() }
      // The close of the next interceptor is not the user's, so this interceptor must send one.
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.shutDown()
    }

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      guard !hasTakenOver else { return }
      manager.forwardPreviousInterceptorClose(close)
      manager.shutDown()
    }
  }

  /// Reports a cancel to the user only when the next interceptor has closed.
  struct WaitsForClose: Interceptor {
    mutating func cancel(_ manager: inout InterceptorManager) {
      manager.cancelNextInterceptor()
    }
  }

  /// Closes a call twice if an earlier call was made.
  struct BreaksWhenWarm: Interceptor {
    var closes: SharedState<Int>

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(close)
      if closes.withValue({ $0 }) > 0 { manager.forwardPreviousInterceptorClose(close) }
      closes.withValue { $0 += 1 }
      manager.shutDown()
    }

    struct Factory: InterceptorFactory {
      var name = "warm"
      var closes = SharedState(0)
      var sharesState: Bool { true }

      func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
        BreaksWhenWarm(closes: closes)
      }
    }
  }

  struct SwallowsClose: Interceptor {
    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      manager.shutDown()
    }
  }

  struct ForwardsAfterShutdown: Interceptor {
    mutating func cancel(_ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.shutDown()
      manager.cancelNextInterceptor()
    }
  }

  struct Reorders: Interceptor {
    var kept: Message?

    mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
      guard let first = kept else {
        kept = message
        return
      }
      manager.forwardPreviousInterceptor(message: message)
      manager.forwardPreviousInterceptor(message: first)
      kept = nil
    }

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      if let kept { manager.forwardPreviousInterceptor(message: kept) }
      manager.forwardPreviousInterceptorClose(close)
      manager.shutDown()
    }
  }

  struct HoldsMessage: Interceptor {
    var messages = 0

    mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
      messages += 1
      if messages != 2 { manager.forwardPreviousInterceptor(message: message) }
    }
  }

  struct ClosesTwiceOnCancel: Interceptor {
    mutating func cancel(_ manager: inout InterceptorManager) {
      manager.cancelNextInterceptor()
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.shutDown()
    }
  }

  struct KeepsCancel: Interceptor {
    mutating func cancel(_ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.shutDown()
    }
  }
}
