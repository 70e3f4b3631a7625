import Testing

@testable import HandoverLabServers

@Suite("The name server of a lab")
struct NameAnswerTests {
  /// A question for `api.example`.
  static func query(type: UInt8) -> [UInt8] {
    [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3] + Array("api".utf8) + [7]
      + Array("example".utf8) + [0, 0, type, 0, 1]
  }

  @Test("a name has one address")
  func address() throws {
    let query = Self.query(type: 1)
    let answer = try #require(NameAnswer.answer(to: query, address: [203, 0, 113, 10]))
    #expect(Array(answer.prefix(12)) == [0x12, 0x34, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
    #expect(Array(answer[12..<query.count]) == Array(query[12...]))
    #expect(
      Array(answer[query.count...])
        == [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, 203, 0, 113, 10])
  }

  @Test("it has one of IPv6, too, where names are to have one")
  func address6() throws {
    let query = Self.query(type: 28)
    let bytes = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 7, count: 12)
    let answer = try #require(
      NameAnswer.answer(to: query, address: [203, 0, 113, 10], address6: bytes))
    #expect(Array(answer[6..<8]) == [0, 1])
    #expect(Array(answer[query.count...]) == [0xC0, 12, 0, 28, 0, 1, 0, 0, 0, 30, 0, 16] + bytes)
    let other = try #require(
      NameAnswer.answer(to: Self.query(type: 1), address: [203, 0, 113, 10], address6: bytes))
    #expect(Array(other.suffix(4)) == [203, 0, 113, 10])
  }

  @Test("a look-up that fails says so, and has no answer")
  func failure() throws {
    let query = Self.query(type: 1)
    let answer = try #require(NameAnswer.failure(of: query))
    #expect(Array(answer.prefix(12)) == [0x12, 0x34, 0x85, 0x82, 0, 1, 0, 0, 0, 0, 0, 0])
    #expect(Array(answer[12...]) == Array(query[12...]))
    #expect(NameAnswer.failure(of: Array(query.dropLast())) == nil)
  }

  @Test("it has nothing else, and is there all the same", arguments: [28, 15, 65] as [UInt8])
  func others(type: UInt8) throws {
    let answer = try #require(
      NameAnswer.answer(to: Self.query(type: type), address: [203, 0, 113, 10]))
    #expect(answer[3] & 0xF == 0)
    #expect(Array(answer[6..<8]) == [0, 0])
  }

  @Test("what is no question has no answer, wherever it is cut")
  func cut() {
    let query = Self.query(type: 1)
    for count in query.indices {
      #expect(NameAnswer.answer(to: Array(query[..<count]), address: [1, 2, 3, 4]) == nil)
    }
    var answer = query
    answer[2] |= 0x80
    #expect(NameAnswer.answer(to: answer, address: [1, 2, 3, 4]) == nil)
    var pointing = query
    pointing[12] = 0xC0
    #expect(NameAnswer.answer(to: pointing, address: [1, 2, 3, 4]) == nil)
  }
}
