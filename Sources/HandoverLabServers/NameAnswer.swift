/// Encodes the answers of name servers.
enum NameAnswer {
  private static let addressType: UInt16 = 1
  private static let address6Type: UInt16 = 28
  private static let headerLength = 12
  /// The time to live of an answer, in seconds.
  private static let timeToLive: UInt32 = 30

  /// Returns the answer to a DNS query, or `nil` if the data is not a query or gets no answer.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - client: the client's address.
  ///   - longest: the maximum length of an answer. A longer answer is omitted and marked as
  ///     truncated.
  ///   - answer: a closure that returns the records of the name.
  /// - Returns: the answer.
  static func reply(
    to query: [UInt8], from client: String, longest: Int, _ answer: (NameQuestion) -> NameReply
  ) -> [UInt8]? {
    guard let end = endOfName(query) else { return nil }
    let question = NameQuestion(
      name: name(query, end), kind: kind(query, end), client: client)
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

  /// Returns the name of a query, as labels separated by dots.
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
      of: query, through: end, .found, answerCount: UInt16(clamping: addresses.count))
    for address in addresses {
      let type = address.count == 4 ? addressType : address6Type
      answer += [0xC0, UInt8(headerLength), 0, UInt8(type), 0, 1]
      answer += (0..<4).reversed().map { UInt8(truncatingIfNeeded: timeToLive >> (8 * $0)) }
      answer += [0, UInt8(truncatingIfNeeded: address.count)] + address
    }
    return answer
  }

  /// The encoded result of a lookup.
  private enum Code: UInt8 {
    case found = 0x80
    case failed = 0x82
    case noSuchName = 0x83
  }

  /// Returns the header of an answer, followed by the question.
  ///
  /// The answer is authoritative, repeats whether recursion was desired, and reports that recursion
  /// is available.
  private static func head(
    of query: [UInt8], through end: Int, _ code: Code, answerCount: UInt16
  ) -> [UInt8] {
    query[0..<2] + [0x84 | query[2] & 1, code.rawValue, 0, 1]
      + [UInt8(answerCount >> 8), UInt8(truncatingIfNeeded: answerCount), 0, 0, 0, 0]
      + query[headerLength..<(end + 5)]
  }

  /// Returns the end of the name of the only question, or `nil` if the data is not a query.
  private static func endOfName(_ query: [UInt8]) -> Int? {
    guard query.count > headerLength, query[2] & 0x80 == 0, query[4] == 0, query[5] == 1 else {
      return nil
    }
    var end = headerLength
    while query.indices.contains(end), query[end] != 0 {
      // A label has at most 63 bytes. A question contains no references to earlier data.
      guard query[end] <= 63 else { return nil }
      end += 1 + Int(query[end])
    }
    // The zero byte, the type and the class.
    return query.count >= end + 5 ? end : nil
  }
}
