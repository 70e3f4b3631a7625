/// The answers of name servers, as they are sent.
enum NameAnswer {
  private static let addressType: UInt16 = 1
  private static let address6Type: UInt16 = 28
  private static let headerLength = 12
  /// How long an answer may be kept, in seconds.
  private static let timeToLive: UInt32 = 30

  /// Answers a question of DNS as somebody says; nil where it is none, or where nobody answers.
  ///
  /// - Parameters:
  ///   - query: the question.
  ///   - asker: the address from which it is asked.
  ///   - longest: how long an answer may be; a longer one is left out, and that is said.
  ///   - answer: says what is known of the name.
  /// - Returns: the answer.
  static func reply(
    to query: [UInt8], from asker: String, longest: Int, _ answer: (NameQuestion) -> NameReply
  ) -> [UInt8]? {
    guard let end = endOfName(query) else { return nil }
    let question = NameQuestion(
      name: name(query, end), kind: kind(query, end), asker: asker)
    switch answer(question) {
    case .addresses(let addresses):
      let bytes = found(addresses, query, end)
      if bytes.count <= longest { return bytes }
      var cut = head(of: query, through: end, .found, answerCount: 0)
      cut[2] |= 0x02
      return cut
    case .noSuchName: return head(of: query, through: end, .noSuchName, answerCount: 0)
    case .failure: return head(of: query, through: end, .failed, answerCount: 0)
    case .silence: return nil
    }
  }

  private static func kind(_ query: [UInt8], _ end: Int) -> NameQuestion.Kind {
    switch UInt16(query[end + 1]) << 8 | UInt16(query[end + 2]) {
    case addressType: .address
    case address6Type: .address6
    default: .other
    }
  }

  /// The name of a question, its labels with dots between them.
  private static func name(_ query: [UInt8], _ end: Int) -> String {
    var labels: [String] = []
    var start = headerLength
    while start < end {
      let next = start + 1 + Int(query[start])
      labels.append(String(decoding: query[(start + 1)..<next], as: UTF8.self))
      start = next
    }
    return labels.joined(separator: ".")
  }

  private static func found(_ addresses: [[UInt8]], _ query: [UInt8], _ end: Int) -> [UInt8] {
    var answer = head(
      of: query, through: end, .found, answerCount: UInt8(truncatingIfNeeded: addresses.count))
    for address in addresses {
      let type = address.count == 4 ? addressType : address6Type
      answer += [0xC0, UInt8(headerLength), 0, UInt8(type), 0, 1]
      answer += (0..<4).reversed().map { UInt8(truncatingIfNeeded: timeToLive >> (8 * $0)) }
      answer += [0, UInt8(truncatingIfNeeded: address.count)] + address
    }
    return answer
  }

  /// How a look-up ended, as it is sent.
  private enum Code: UInt8 {
    case found = 0x80
    case failed = 0x82
    case noSuchName = 0x83
  }

  /// The beginning of an answer, with the question; it has authority, and recursion was wanted,
  /// perhaps, and is had.
  private static func head(
    of query: [UInt8], through end: Int, _ code: Code, answerCount: UInt8
  ) -> [UInt8] {
    query[0..<2] + [0x84 | query[2] & 1, code.rawValue, 0, 1, 0, answerCount] + [0, 0, 0, 0]
      + query[headerLength..<(end + 5)]
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
