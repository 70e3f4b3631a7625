import Synchronization
import Testing

@testable import HandoverLabServers

@Suite("The name server of a lab")
struct NameAnswerTests {
  /// Returns a query for `api.example`.
  static func query(type: UInt8) -> [UInt8] {
    [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3] + Array("api".utf8) + [7]
      + Array("example".utf8) + [0, 0, type, 0, 1]
  }

  @Test("A packet that is not a query gets no answer, wherever it is cut")
  func cut() {
    func reply(_ query: [UInt8]) -> [UInt8]? {
      NameAnswer.reply(to: query, from: "", longest: 512) { _ in .addresses([[1, 2, 3, 4]]) }
    }
    let query = Self.query(type: 1)
    for count in query.indices { #expect(reply(Array(query[..<count])) == nil) }
    var answer = query
    answer[2] |= 0x80
    #expect(reply(answer) == nil)
    var pointing = query
    pointing[12] = 0xC0
    #expect(reply(pointing) == nil)
  }

  /// Returns the answer of a name server that gives every client the same answer.
  private func reply(
    _ reply: NameReply, type: UInt8 = 1, longest: Int = 512,
    seen: (NameQuestion) -> Void = { _ in }
  ) -> [UInt8]? {
    let asked = Mutex<NameQuestion?>(nil)
    let bytes = NameAnswer.reply(
      to: Self.query(type: type), from: "192.0.2.9", longest: longest
    ) { question in
      asked.withLock { $0 = question }
      return reply
    }
    if let question = asked.withLock({ $0 }) { seen(question) }
    return bytes
  }

  @Test(
    "The callback receives the name, the type and the client of a query",
    arguments: [(1, .address), (28, .address6), (15, .other)] as [(UInt8, NameQuestion.Kind)])
  func question(type: UInt8, kind: NameQuestion.Kind) {
    var seen: NameQuestion?
    _ = reply(.silence, type: type) { seen = $0 }
    #expect(seen == NameQuestion(name: "api.example", kind: kind, client: "192.0.2.9"))
  }

  @Test("All addresses are returned, in their order")
  func several() throws {
    let query = Self.query(type: 1)
    let answer = try #require(reply(.addresses([[192, 0, 2, 7], [8, 8, 8, 8]])))
    #expect(Array(answer.prefix(12)) == [0x12, 0x34, 0x85, 0x80, 0, 1, 0, 2, 0, 0, 0, 0])
    #expect(
      Array(answer[query.count...])
        == [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, 192, 0, 2, 7]
        + [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, 8, 8, 8, 8])
  }

  @Test("An answer that is too long is truncated, so that the client asks again over TCP")
  func truncated() throws {
    let address = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 7, count: 12)
    let all = NameReply.addresses(Array(repeating: address, count: 18))
    let cut = try #require(reply(all, type: 28))
    #expect(cut.count == Self.query(type: 28).count)
    #expect(cut[2] & 0x02 != 0 && cut[7] == 0)
    let whole = try #require(reply(all, type: 28, longest: 65_535))
    #expect(whole[2] & 0x02 == 0 && whole[7] == 18 && whole.count == cut.count + 18 * 28)
  }

  @Test(
    "A name that does not exist and a failure have different codes",
    arguments: [(.noSuchName, 3), (.failure, 2), (.addresses([]), 0)] as [(NameReply, UInt8)])
  func codes(answer: NameReply, code: UInt8) throws {
    let bytes = try #require(reply(answer))
    #expect(bytes[3] & 0x0F == code && bytes[7] == 0)
    #expect(Array(bytes[12...]) == Array(Self.query(type: 1)[12...]))
  }

  @Test("Silence sends no answer")
  func silence() { #expect(reply(.silence) == nil) }
}
