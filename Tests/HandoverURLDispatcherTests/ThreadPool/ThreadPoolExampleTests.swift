import Foundation
import HandoverThreadPool
import Testing

@Suite("The example on the thread pool's page")
struct ThreadPoolExampleTests {
  @Test("The example builds and does what the page describes")
  func example() throws {
    @Sendable func shrink(_ name: String) throws {}
    let pool = try ThreadPool(ThreadPool.Configuration(name: "Thumbnails", threads: 4))
    let operation = try pool.submit { try shrink("sunset") }
    switch try operation.wait() {
    case .completed: print("done")
    case .failed(let error): print("failed: \(error)")
    case .cancelled, .refused: print("never ran")
    }
    pool.shutDown(.orderly)
    try pool.waitForShutdown()
    #expect(pool.statistics.completed == 1)
    #expect(pool.statistics.threads == 0)
  }

  @Test("The example is the one on the page, line by line")
  func page() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let page = tests.appending(path: "../../../Sources/handover/Handover.docc/ThreadPool.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
    let example = try #require(blocks.first { $0.hasPrefix("swift\n") }).dropFirst(6)
    func lines(_ text: some StringProtocol) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: "\n")
    }
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    #expect(lines(source).contains(lines(example)))
  }
}
