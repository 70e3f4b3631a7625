import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Every order of a call's queues in a change from cellular to WiFi")
struct OrderExplorationTests {
  @Test(
    "A chain of three ends the call once in every order",
    arguments: [InterceptorQueues.own, .separate, .shared("all")],
    CallChains.Configuration.Creation.allCases)
  func threeLinks(queues: InterceptorQueues, creation: CallChains.Configuration.Creation) {
    var configuration = CallChains.Configuration.laterCode
    configuration.creation = creation
    let report = OrderExploration(
      of: ["first", "second", "third"].map { Plain($0, queues: queues) },
      configuration: configuration
    ).run()
    print("chain of three, \(queues), \(creation): \(report)")
    #expect(report.violation == nil)
    #expect(report.isComplete)
    #expect(report.orders > 1_000)
  }

  @Test("An interceptor that drops the close is detected by an order that shows it")
  func detects() {
    let report = OrderExploration(
      of: [Plain("first"), Plain("deaf", ConformanceTests.SwallowsClose())]
    ).run()
    #expect(
      report.violation?.text == "deaf never forwards the close: the user does not receive the end")
    #expect(report.violation?.order.first == "the user: start")
  }

  @Test("An interceptor that cancels on its own is detected by its late start")
  func lateStart() {
    let report = OrderExploration(of: [Plain("hasty", EndsBeforeStart())]).run()
    #expect(
      [
        "hasty forwards something after the close", "a call starts after the user received the end",
      ].contains(report.violation?.text))
  }

  /// A unary call that the user cancels after the given number of requests.
  struct Cancelled: Sendable, CustomTestStringConvertible {
    var after: Int
    var testDescription: String { "after \(after) requests" }

    var requests: [ChainRequest] {
      var requests: [ChainRequest] = [
        .start(OrderExploration.unaryStart), .write(Message("request")), .finish,
      ]
      requests.insert(.cancel, at: after)
      return requests
    }

    static let all = (0...3).map { Cancelled(after: $0) }
  }

  @Test(
    "A call that the user cancels ends once in every order", arguments: Cancelled.all,
    [InterceptorQueues.own, .separate])
  func cancel(_ cancelled: Cancelled, queues: InterceptorQueues) {
    let report = OrderExploration(
      of: ["first", "second"].map { Plain($0, queues: queues) }, requests: cancelled.requests
    ).run()
    print("chain of two, \(queues), cancelled \(cancelled.testDescription): \(report)")
    #expect(report.violation == nil, "\(report)")
    #expect(report.isComplete)
  }

  @Test("An interceptor that continues to send after its close is detected")
  func sendsAfterClose() {
    let report = OrderExploration(of: [Plain("late", ClosesAtWrite()), Plain("second")]).run()
    #expect(
      [
        "a message is sent after the user received the end",
        "the requests are finished after the user received the end",
        "late forwards something after the close",
      ].contains(report.violation?.text))
  }

  @Test(
    "An interceptor that does not forward the cancel is detected by the attempt that stays alive")
  func keepsCancel() {
    let report = OrderExploration(
      of: [Plain("selfish", ConformanceTests.KeepsCancel())],
      requests: [.start(OrderExploration.unaryStart), .cancel]
    ).run()
    #expect(report.violation != nil, "\(report)")
  }

  @Test("A retry that does not wait for the end of its first attempt is detected")
  func hastyRetry() {
    let report = OrderExploration(of: [Plain("hasty", RetriesAtOnce())]).run()
    #expect(
      report.violation?.text == "hasty creates the rest of the chain again before it has ended")
  }

  struct EndsBeforeStart: Interceptor {
    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.startNextInterceptor(start)
      manager.shutDown()
    }
  }

  struct ClosesAtWrite: Interceptor {
    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.writeNextInterceptor(message)
    }

    mutating func finish(_ manager: inout InterceptorManager) {
      manager.finishNextInterceptor()
      manager.shutDown()
    }
  }

  struct RetriesAtOnce: Interceptor {
    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      manager.startNextInterceptor(start)
      manager.renewNextInterceptor()
      manager.startNextInterceptor(start)
    }
  }
}

@Suite("Forbidden events at the ends of a chain")
struct OrderRulesTests {
  private static let call = ChainID(index: 0, generation: 0)
  private static let begin = TransportOrder.start(OrderExploration.unaryStart)

  /// Returns the violations in consecutive effects.
  private static func violations(
    _ effects: [ChainEffect], cancelIsUnderWay: Bool = false
  ) -> [String] {
    var rules = OrderRules()
    return effects.compactMap { rules.violation(of: $0, cancelIsUnderWay: cancelIsUnderWay) }
  }

  @Test("An attempt that starts while another is alive is a violation")
  func twoAttempts() {
    let first = ChainEffect.transport(Self.call, attempt: 1, Self.begin)
    let second = ChainEffect.transport(Self.call, attempt: 2, Self.begin)
    #expect(Self.violations([first, second]) == ["two attempts run simultaneously"])
    var rules = OrderRules()
    #expect(rules.violation(of: first, cancelIsUnderWay: false) == nil)
    rules.attemptEnded(1)
    #expect(rules.violation(of: second, cancelIsUnderWay: false) == nil)
  }

  @Test(
    "Data that is sent after the user received the end is a violation, unless a cancel follows",
    arguments: [
      (begin, "a call starts"), (.send([1]), "a message is sent"),
      (.finish, "the requests are finished"),
    ])
  func sentAfterEnd(order: TransportOrder, what: String) {
    let effects: [ChainEffect] = [
      .user(Self.call, .close(.cancelled)), .transport(Self.call, attempt: 1, order),
    ]
    #expect(Self.violations(effects) == ["\(what) after the user received the end"])
    #expect(Self.violations(effects, cancelIsUnderWay: true).isEmpty)
  }

  @Test("Anything that the user receives after the end is a violation")
  func receivedAfterEnd() {
    let close = ChainEffect.user(Self.call, .close(.cancelled))
    #expect(
      Self.violations([close, .user(Self.call, .writeDone), close])
        == ["the user receives something after the end", "the user receives the end twice"])
  }

  @Test("A call or an attempt that never ends is a violation")
  func debts() {
    var rules = OrderRules()
    #expect(rules.obligation == "the user never receives the end")
    _ = rules.violation(
      of: .transport(Self.call, attempt: 1, Self.begin), cancelIsUnderWay: false)
    _ = rules.violation(of: .user(Self.call, .close(.cancelled)), cancelIsUnderWay: false)
    #expect(rules.obligation == "an attempt continues after the call is over")
    rules.attemptEnded(1)
    #expect(rules.obligation == nil)
  }
}
