import HandoverCore
import HandoverInterceptors
import Testing

@Suite("The conformance of an interceptor")
struct ConformanceTests {
  @Test("the base interceptor is as it should be in every order")
  func base() {
    let report = InterceptorConformance { Plain("base") }.run()
    #expect(report.passes, "\(report)")
    #expect(report.length == 7)
  }

  @Test("each of six wrong interceptors is convicted with a shortest order", arguments: Wrong.all)
  func wrong(_ wrong: Wrong) {
    let report = InterceptorConformance { Plain(wrong.name, wrong.link.interceptor) }.run()
    #expect(report.breach?.rule == wrong.rule, "\(report)")
    #expect(report.breach?.order == wrong.order, "\(report)")
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var name: String
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
        order: ["the user starts the call", "the next link closes OK"]),
      Wrong(
        name: "swallowed close", link: Boxed(interceptor: SwallowsClose()),
        rule: .manager(.closeNotForwarded),
        order: ["the user starts the call", "the next link closes OK"]),
      Wrong(
        name: "forward after shutdown", link: Boxed(interceptor: ForwardsAfterShutdown()),
        rule: .manager(.forwardedAfterShutDown), order: ["the user cancels"]),
      Wrong(
        name: "reorder", link: Boxed(interceptor: Reorders()), rule: .reordered,
        order: [
          "the user starts the call", "the next link forwards a message",
          "the next link forwards a message",
        ]),
      Wrong(
        name: "a message held for ever", link: Boxed(interceptor: HoldsMessage()),
        rule: .messageHeld,
        order: [
          "the user starts the call", "the next link forwards a message",
          "the next link forwards a message", "the next link closes OK",
        ]),
      Wrong(
        name: "two closes on cancel", link: Boxed(interceptor: ClosesTwiceOnCancel()),
        rule: .manager(.closedTwice), order: ["the user cancels"]),
    ]
  }

  struct ClosesTwice: Interceptor {
    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(close)
      manager.forwardPreviousInterceptorClose(close)
      manager.shutDown()
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
