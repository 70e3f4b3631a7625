import Foundation
import HandoverCore
import HandoverHTTPTesting
import HandoverURLDispatcher
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The examples on the URL dispatcher's page")
struct DocumentExampleTests {
  @Test("The examples build and do what the page describes")
  func examples() async throws {
    try await TestServer.run { server in
      let streamRequest = URLRequest(server.url("stream"))
      let controlRequest = URLRequest(server.url("short"))
      var shown = 0
      func show(_ data: Data) { shown += data.count }
      let dispatcher = try URLDispatcher(
        URLDispatcher.Configuration(limits: ConnectionLimits(total: 4, long: 3)))
      let stream = try dispatcher.startLong(streamRequest)
      for await event in stream {
        switch event {
        case .response(let response): print(response.statusCode)
        case .data(let data): show(data)
        case .answered: break
        case .finished: print("the server has closed the stream")
        case .failed(let error): print(error)
        }
        if shown > 0 { break }
      }
      let answer = try await dispatcher.answer(to: controlRequest)
      print(answer.status, answer.body.count)
      #expect(shown > 0 && answer.status == 200)

      let url = server.url("stream")
      let others = try (0..<3).map { _ in try dispatcher.startLong(streamRequest) }
      var notice = ""
      func tell(_ text: String) { notice = text }
      switch try dispatcher.prediction(for: .long, to: url) {
      case .startsNow: tell("live")
      case .waits(let position, let holders): tell("number \(position), behind \(holders.count)")
      case .polls, .freezes: tell("not live")
      case .refused(let error): tell("\(error.message)")
      }
      #expect(notice == "no connection is available for another long request")
      #expect(others.count == 3)
      let options = URLDispatcher.Options(
        deadline: .seconds(300), policy: .poll(every: .seconds(1)), poll: controlRequest)
      let polled = try dispatcher.startLong(streamRequest, options: options)
      #expect(polled.operation.admission.holders.count == 3)
      dispatcher.close(.immediate)
      await dispatcher.waitUntilClosed()
    }
  }

  @Test("The examples are those on the page, line by line")
  func page() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let page = tests.appending(path: "../../Sources/handover/Handover.docc/URLDispatcher.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
    let examples = blocks.filter { $0.hasPrefix("swift\n") }.map { $0.dropFirst(6) }
    #expect(examples.count == 3)
    func lines(_ text: some StringProtocol) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: "\n")
    }
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    for example in examples { #expect(lines(source).contains(lines(example))) }
  }
}
