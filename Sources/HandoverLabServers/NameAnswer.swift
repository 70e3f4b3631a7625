/// The answer of a name server for which every name is one address.
enum NameAnswer {
  private static let addressType: UInt16 = 1
  private static let address6Type: UInt16 = 28
  private static let headerLength = 12
  /// How long an answer may be kept, in seconds.
  private static let timeToLive: UInt32 = 30

  /// Answers a question of DNS; nil where it is none.
  ///
  /// Whoever asks for anything else than there is hears that the name exists and has none.
  ///
  /// - Parameters:
  ///   - query: the question.
  ///   - address: the bytes of the IPv4 address.
  ///   - address6: the bytes of the one of IPv6; nil where names have none.
  /// - Returns: the answer.
  static func answer(to query: [UInt8], address: [UInt8], address6: [UInt8]? = nil) -> [UInt8]? {
    guard let end = endOfName(query) else { return nil }
    let type = UInt16(query[end + 1]) << 8 | UInt16(query[end + 2])
    let content = type == addressType ? address : type == address6Type ? address6 : nil
    var answer = head(of: query, through: end, isFound: true, hasAnswer: content != nil)
    guard let content else { return answer }
    answer += [0xC0, UInt8(headerLength), 0, UInt8(type), 0, 1]
    answer += (0..<4).reversed().map { UInt8(truncatingIfNeeded: timeToLive >> (8 * $0)) }
    answer += [0, UInt8(content.count)] + content
    return answer
  }

  /// The answer that the look-up failed (SERVFAIL); nil where the query is no question.
  static func failure(of query: [UInt8]) -> [UInt8]? {
    endOfName(query).map { head(of: query, through: $0, isFound: false, hasAnswer: false) }
  }

  /// The beginning of an answer, with the question; it has authority, and recursion was wanted,
  /// perhaps, and is had.
  private static func head(
    of query: [UInt8], through end: Int, isFound: Bool, hasAnswer: Bool
  ) -> [UInt8] {
    query[0..<2] + [0x84 | query[2] & 1, isFound ? 0x80 : 0x82, 0, 1, 0, hasAnswer ? 1 : 0]
      + [0, 0, 0, 0] + query[headerLength..<(end + 5)]
  }

  /// Where the name of the one question ends; nil where the query is none.
  private static func endOfName(_ query: [UInt8]) -> Int? {
    guard query.count > headerLength, query[2] & 0x80 == 0, query[4] == 0, query[5] == 1 else {
      return nil
    }
    var end = headerLength
    while query.indices.contains(end), query[end] != 0 {
      // A label has at most 63 bytes; a question refers to nothing before it.
      guard query[end] <= 63 else { return nil }
      end += 1 + Int(query[end])
    }
    // The zero, the type and the class.
    return query.count >= end + 5 ? end : nil
  }
}
