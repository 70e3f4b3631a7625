/// The escape sequences of JSON strings.
enum JSONEscapes {
  /// Returns the UTF-8 of a string whose escapes were already validated.
  static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = text.startIndex
    while at < text.endIndex {
      guard text[at] == .backslash else {
        result.append(text[at])
        at += 1
        continue
      }
      guard text[at + 1] == UInt8(ascii: "u") else {
        result.append(byte(named: text[at + 1]) ?? text[at + 1])
        at += 2
        continue
      }
      var unit = codeUnit(text, at: at + 2) ?? 0
      at += 6
      if isHighSurrogate(unit) {
        let low = codeUnit(text, at: at + 2) ?? 0
        unit = 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        at += 6
      }
      if let scalar = Unicode.Scalar(unit) { result.append(contentsOf: Character(scalar).utf8) }
    }
    return result
  }

  /// Returns the byte that a letter after a backslash represents, or `nil` if the letter is
  /// invalid.
  static func byte(named letter: UInt8) -> UInt8? {
    switch letter {
    case .quote, .backslash, .slash: letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Returns the value of four hexadecimal digits, or `nil` if there are not four.
  static func codeUnit(_ bytes: ArraySlice<UInt8>, at start: Int) -> UInt32? {
    guard start + 4 <= bytes.endIndex else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[start..<start + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  static func isHighSurrogate(_ unit: UInt32) -> Bool { (0xD800..<0xDC00).contains(unit) }
  static func isLowSurrogate(_ unit: UInt32) -> Bool { (0xDC00..<0xE000).contains(unit) }
}
