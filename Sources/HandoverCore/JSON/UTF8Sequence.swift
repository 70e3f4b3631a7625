/// Validation of UTF-8 sequences.
enum UTF8Sequence {
  /// Returns the length of the well-formed sequence at an offset, or `nil` if it is malformed.
  ///
  /// Overlong forms, surrogates and values above U+10FFFF are malformed.
  static func length(in bytes: [UInt8], at start: Int) -> Int? {
    let first = bytes[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return nil
    }
    guard start + length <= bytes.count, second.contains(bytes[start + 1]) else { return nil }
    for index in start + 2..<max(start + 2, start + length) where bytes[index] & 0xC0 != 0x80 {
      return nil
    }
    return length
  }
}
