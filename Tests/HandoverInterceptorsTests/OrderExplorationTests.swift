import HandoverCore
import HandoverInterceptors
import Testing

@Suite("Every order of a call's queues across cellular to WiFi")
struct OrderExplorationTests {
  @Test(
    "a chain of three ends the call once in every order",
    arguments: [InterceptorQueues.own, .separate, .shared("all")],
    CallChains.Configuration.Creation.allCases)
  func threeLinks(queues: InterceptorQueues, creation: CallChains.Configuration.Creation) {
    var configuration = CallChains.Configuration()
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

  @Test("a link that swallows the close is convicted by an order that shows it")
  func convicts() {
    let report = OrderExploration(
      of: [Plain("first"), Plain("deaf", ConformanceTests.SwallowsClose())]
    ).run()
    #expect(
      report.violation?.what == "deaf never forwards the close: the user does not hear the end")
    #expect(report.violation?.order.first == "the user: start")
  }

  @Test("a link that cancels behind the user's back is told by its late start")
  func lateStart() {
    let report = OrderExploration(of: [Plain("hasty", EndsBeforeStart())]).run()
    #expect(report.violation?.what == "hasty forwards something after the close")
  }

  struct EndsBeforeStart: Interceptor {
    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(.cancelled)
      manager.startNextInterceptor(start)
      manager.shutDown()
    }
  }
}
