/// Turns places in a text into lines and columns.
///
/// It remembers where it was: asked in rising order it walks the text once, however long a line is.
struct TextCursor {
  private let bytes: [UInt8]
  private var offset = 0
  private var position = TextPosition(line: 1, column: 1)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The line and the column, in characters, of the character that a byte belongs to.
  mutating func position(at target: Int) -> TextPosition {
    if target < offset {
      offset = 0
      position = TextPosition(line: 1, column: 1)
    }
    let end = min(target, bytes.count)
    for byte in bytes[offset..<end] {
      if byte == .lineFeed {
        position.line += 1
        position.column = 1
      } else if byte & 0xC0 != 0x80 {
        // The bytes that continue a character in UTF-8 take no column of their own.
        position.column += 1
      }
    }
    offset = end
    return position
  }
}
