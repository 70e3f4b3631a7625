import HandoverCore
import HandoverInterceptors
import Testing

@Suite("The ready interceptors in every order of events")
struct ConformanceReadyTests {
  /// A ready interceptor, and how it is tested.
  struct Ready: Sendable, CustomTestStringConvertible {
    var name: String
    var start = Self.plain
    var length = 7
    var make: @Sendable () -> any InterceptorFactory

    var testDescription: String { name }

    static let plain = CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C"))
    static let cacheable = CallStart(
      RequestOptions(host: "api.example:443", path: "/a.B/C", safety: .cacheable))

    static let all = [
      Ready(name: "logging") { LoggingInterceptor.Factory() },
      Ready(name: "metrics") { MetricsInterceptor.Factory() },
      // Links that share what they know are made anew for each order.
      Ready(name: "token", length: 5) { TokenInterceptor.Factory() },
      Ready(name: "cache", start: cacheable, length: 5) { CacheInterceptor.Factory() },
      Ready(name: "mock") {
        MockInterceptor.Factory(
          answers: [
            MockInterceptor.Answer(
              "/a.B", CallResponse(messages: [Message("one")], close: CallClose(.ok)),
              delay: .seconds(1))
          ])
      },
      Ready(name: "retry") { RetryInterceptor.Factory() },
      Ready(name: "rewrite") {
        var changes = RewriteInterceptor.Changes()
        changes.metadata = ["key": "value"]
        return Plain("rewrite", RewriteInterceptor(changes))
      },
      Ready(name: "gate") { Plain("gate", GateInterceptor()) },
    ]
  }

  @Test("is as it should be", arguments: Ready.all)
  func conforms(ready: Ready) {
    var options = InterceptorConformance.Options()
    options.length = ready.length
    options.answer = "token"
    let report = InterceptorConformance(for: ready.start, options: options, make: ready.make).run()
    #expect(report.passes, "\(report)")
    #expect(report.length == ready.length)
    #expect(report.states > 100)
  }

  @Test("a retry makes one attempt at a time in every order across cellular to WiFi")
  func retry() {
    // Its wait is part of the orders: the deadline may pass at any moment.
    let policy = RetryInterceptor.Policy(
      attempts: 2, backoff: BackoffConfiguration(initial: .seconds(1), jitter: Ratio(0, outOf: 1)))
    let report = OrderExploration(
      of: [Plain("first"), Plain("retry", queues: .separate, retrying: policy), Plain("last")]
    ).run()
    print("retry between two links: \(report)")
    #expect(report.violation == nil, "\(report)")
    #expect(report.isComplete)
  }
}

extension Plain {
  /// A link that retries, without a factory whose calls draw from one generator.
  fileprivate init(
    _ name: String, queues: InterceptorQueues, retrying policy: RetryInterceptor.Policy
  ) {
    let made = RetryInterceptor.Factory(policy: policy)
      .makeInterceptor(for: ConformanceReadyTests.Ready.plain)
    self.init(name, made, queues: queues)
  }
}
