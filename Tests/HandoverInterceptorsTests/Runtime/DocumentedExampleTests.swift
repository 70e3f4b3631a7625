import Foundation
import HandoverCore
import HandoverInterceptors
import Testing

// The declarations in the examples of the article, unchanged.

struct HeaderInterceptor: Interceptor {
  let key: String
  let value: String

  mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    var start = start
    start.options.metadata[key] = value
    manager.startNextInterceptor(start)
  }
}

struct HeaderFactory: InterceptorFactory {
  let name = "header"
  let key: String
  let value: String

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
    HeaderInterceptor(key: key, value: value)
  }
}

struct CountingInterceptor: Interceptor {
  let calls: SharedState<Int>

  mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    calls.withValue { $0 += 1 }
    manager.startNextInterceptor(start)
  }
}

struct CountingFactory: InterceptorFactory {
  let name = "counting"
  let calls = SharedState(0)
  let sharesState = true

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
    CountingInterceptor(calls: calls)
  }
}

struct ForgetfulInterceptor: Interceptor {
  mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    manager.shutDown()
  }
}

@Suite("The examples of the article about interceptors", .timeLimit(.minutes(30)))
struct DocumentedExampleTests {
  @Test("The interceptor adds its header to the call")
  func header() async throws {
    let transport = ScriptedTransport()
    let handler = ResponseHandler()
    let client = InterceptedClient(transport)
    var options = CallOptions()
    options.interceptorFactories = [HeaderFactory(key: "client", value: "example")]
    let request = RequestOptions(host: "api.example:443", path: "/package.Service/Method")
    let call = try client.makeCall(request, options, handler: handler)
    call.start()
    call.write(Message("hello"))
    call.finish()

    let orders = await transport.orders(3).map(\.order)
    guard case .start(let start)? = orders.first else {
      Issue.record("nothing was started")
      return
    }
    #expect(start.options.metadata == ["client": "example"])
    #expect(orders.dropFirst() == [.send(Array("hello".utf8)), .finish])
  }

  @Test("The interceptors of the article conform in every order")
  func conformance() {
    let report = InterceptorConformance { HeaderFactory(key: "client", value: "example") }.run()
    #expect(report.passes, "\(report)")

    var short = InterceptorConformance.Options()
    short.length = 4
    let counting = InterceptorConformance(options: short) { CountingFactory() }.run()
    #expect(counting.passes, "\(counting)")

    var options = InterceptorConformance.Options()
    options.closes.append(CallStatus(.unauthenticated))
    options.answer = "token"
    options.earlierCalls = 1
    options.length = 5
    options.messages = 1
    let renewal = InterceptorConformance(options: options) { TokenInterceptor.Factory() }.run()
    #expect(renewal.passes, "\(renewal)")
  }

  @Test("The chain of the article is correct in every order")
  func exploration() {
    let orders = OrderExploration(of: [HeaderFactory(key: "client", value: "example")]).run()
    #expect(orders.violation == nil && orders.isComplete, "\(orders)")
  }

  @Test("The report in the article is the one of its interceptor")
  func reportShown() throws {
    let factory = Making("forgetful") { _ in ForgetfulInterceptor() }
    let report = InterceptorConformance { factory }.run()
    #expect(try Self.blocks("text") == ["\(report)\n"])
  }

  @Test("The code in the article is the code of these tests, line for line")
  func article() throws {
    let blocks = try Self.blocks("swift")
    #expect(blocks.count == 8)
    let tested = Self.lines(try String(contentsOf: Self.here, encoding: .utf8))
    for block in blocks {
      let shown = Self.lines(block)
      #expect(tested.indices.contains { tested[$0...].starts(with: shown) }, "\(block)")
    }
  }

  private static let here = URL(filePath: #filePath)

  /// Returns the article's code blocks in a language.
  private static func blocks(_ language: String) throws -> [String] {
    let root = (0..<4).reduce(here) { folder, _ in folder.deletingLastPathComponent() }
    let article = root.appending(path: "Sources/handover/Handover.docc/WritingAnInterceptor.md")
    return try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")
      .filter { $0.hasPrefix("\(language)\n") }.map { String($0.dropFirst(language.count + 1)) }
  }

  /// Returns the nonempty lines of a text, without indentation.
  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }
  }
}
