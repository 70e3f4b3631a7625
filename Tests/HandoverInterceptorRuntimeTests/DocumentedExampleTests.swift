import Foundation
import HandoverInterceptorRuntime
import HandoverInterceptors
import Testing

// The first two examples of the article, as they stand there.

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

@Suite("The examples of the article on interceptors", .timeLimit(.minutes(1)))
struct DocumentedExampleTests {
  @Test("the interceptor adds its header to the call")
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

  @Test("what the article shows is what is tested here, line for line")
  func article() throws {
    let here = URL(filePath: #filePath)
    let root = (0..<3).reduce(here) { folder, _ in folder.deletingLastPathComponent() }
    let article = root.appending(path: "Sources/handover/Handover.docc/WritingAnInterceptor.md")
    let blocks = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")
      .filter { $0.hasPrefix("swift\n") }
    #expect(blocks.count == 3)
    let tested = try String(contentsOf: here, encoding: .utf8).split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    for block in blocks {
      let shown = block.dropFirst("swift\n".count).split(separator: "\n").map {
        $0.drop { $0 == " " }
      }
      #expect(tested.indices.contains { tested[$0...].starts(with: shown) })
    }
  }
}
