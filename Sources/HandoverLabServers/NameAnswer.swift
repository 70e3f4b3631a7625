/// The answer of a name server for which every name is one address.
enum NameAnswer {
  private static let addressType: UInt16 = 1
  private static let headerLength = 12
  /// How long an answer may be kept, in seconds.
  private static let timeToLive: UInt32 = 30

  /// Answers a question of DNS; nil where it is none.
  ///
  /// Whoever asks for anything but an IPv4 address hears that the name exists and has none.
  static func answer(to query: [UInt8], address: [UInt8]) -> [UInt8]? {
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
    guard query.count >= end + 5 else { return nil }
    let type = UInt16(query[end + 1]) << 8 | UInt16(query[end + 2])
    let hasAnswer = type == addressType
    var answer = Array(query[0..<2])
    // An answer with authority; recursion was wanted, perhaps, and is had.
    answer += [0x84 | query[2] & 1, 0x80, 0, 1, 0, hasAnswer ? 1 : 0, 0, 0, 0, 0]
    answer += query[headerLength..<(end + 5)]
    guard hasAnswer else { return answer }
    answer += [0xC0, UInt8(headerLength), 0, 1, 0, 1]
    answer += (0..<4).reversed().map { UInt8(truncatingIfNeeded: timeToLive >> (8 * $0)) }
    answer += [0, UInt8(address.count)] + address
    return answer
  }
}
