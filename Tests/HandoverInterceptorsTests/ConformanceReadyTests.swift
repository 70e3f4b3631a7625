import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The built-in interceptors in every order of events")
struct ConformanceReadyTests {
  /// A built-in interceptor, and how it is tested.
  struct Ready: Sendable, CustomTestStringConvertible {
    var name: String
    var safety = CallSafety.standard
    var change: @Sendable (inout InterceptorConformance.Options) -> Void = { _ in }
    var make: @Sendable () -> any InterceptorFactory

    var testDescription: String { name }

    static let all = [
      Ready(name: "logging") { LoggingInterceptor.Factory() },
      Ready(name: "metrics") { MetricsInterceptor.Factory() },
      Ready(name: "mock") { mock },
      Ready(name: "retry") { RetryInterceptor.Factory(policy: .init(calls: .any)) },
      Ready(name: "rewrite") { Plain("rewrite", RewriteInterceptor(changes)) },
      Ready(name: "gate") { Plain("gate", GateInterceptor()) },
      Ready(name: "token", change: forToken) { TokenInterceptor.Factory() },
      Ready(name: "token that is known", change: forKnownToken) {
        TokenInterceptor.Factory()
      },
      Ready(name: "cache", safety: .cacheable, change: forCache) { CacheInterceptor.Factory() },
      Ready(name: "cache that hits", safety: .cacheable, change: forWarmCache) {
        CacheInterceptor.Factory()
      },
    ]

    // Interceptors with shared state are made again for each order, and their states are never
    // merged. With one message in each direction, the orders that show everything are few enough to
    // try.

    /// The refusal of a token, its renewal, and the whole answer after it.
    private static func forToken(_ options: inout InterceptorConformance.Options) {
      (options.length, options.messages) = (7, 1)
      options.closes.append(CallStatus(.unauthenticated))
    }

    /// As above, but an earlier call has already obtained the token: one event less.
    private static func forKnownToken(_ options: inout InterceptorConformance.Options) {
      forToken(&options)
      (options.length, options.earlierCalls) = (6, 1)
    }

    private static func forCache(_ options: inout InterceptorConformance.Options) {
      (options.length, options.messages) = (8, 1)
    }

    /// A hit is over after at most seven events.
    private static func forWarmCache(_ options: inout InterceptorConformance.Options) {
      forCache(&options)
      (options.length, options.earlierCalls) = (7, 1)
    }
  }

  private static let mock = MockInterceptor.Factory(
    answers: [
      MockInterceptor.Answer(
        "**", CallResponse(messages: [Message("one")], close: CallClose(.ok)), delay: .seconds(1))
    ])

  private static var changes: RewriteInterceptor.Changes {
    var changes = RewriteInterceptor.Changes()
    changes.metadata = ["key": "value"]
    return changes
  }

  @Test("A built-in interceptor conforms in every order", arguments: Ready.all, [false, true])
  func conforms(ready: Ready, hasFlowControl: Bool) {
    var options = InterceptorConformance.Options()
    options.answer = "token"
    ready.change(&options)
    var start = ChainWorld.start { $0.flowControl = hasFlowControl }
    start.request.safety = ready.safety
    let report = InterceptorConformance(for: start, options: options, make: ready.make).run()
    print("\(ready.name), flow control \(hasFlowControl ? "on" : "off"), \(report)")
    #expect(report.passes, "\(report)")
    #expect(report.length == options.length)
    #expect(report.orders > 100)
  }

  /// The built-in interceptors that handle a cancel in their own way and share nothing, so that a
  /// state can be copied.
  ///
  /// Logging behaves like metrics.
  private static let cancelling = [
    Plain("metrics", MetricsInterceptor()),
    Plain("mock", mock.makeInterceptor(for: ChainWorld.start)),
    Plain("retry", retrying: RetryInterceptor.Policy(calls: .any, attempts: 2)),
  ]

  @Test(
    "A call that the user cancels ends once in every order", arguments: cancelling,
    OrderExplorationTests.Cancelled.all)
  func cancel(ready: Plain, cancelled: OrderExplorationTests.Cancelled) {
    let report = OrderExploration(of: [ready], requests: cancelled.requests).run()
    print("\(ready.name) alone, cancelled \(cancelled.testDescription): \(report)")
    #expect(report.violation == nil, "\(report)")
    #expect(report.isComplete)
  }

  @Test("A retry makes one attempt at a time in every order of a change from cellular to WiFi")
  func retry() {
    // The wait is part of the orders: the deadline may pass at any moment.
    let policy = RetryInterceptor.Policy(
      calls: .any, attempts: 2,
      backoff: BackoffConfiguration(initial: .seconds(1), jitter: Ratio(0, outOf: 1)))
    let report = OrderExploration(
      of: [Plain("first"), Plain("retry", queues: .separate, retrying: policy), Plain("last")]
    ).run()
    print("retry between two links: \(report)")
    #expect(report.violation == nil, "\(report)")
    #expect(report.isComplete)
  }
}

extension Plain {
  /// Creates a retrying interceptor without a factory, whose calls would share one random
  /// generator.
  fileprivate init(
    _ name: String, queues: InterceptorQueues = .own, retrying policy: RetryInterceptor.Policy
  ) {
    let made = RetryInterceptor.Factory(policy: policy)
      .makeInterceptor(for: ChainWorld.start)
    self.init(name, made, queues: queues)
  }
}
