/// Where the lines of a text are, as its reader met them.
package struct TextLines: Sendable {
  /// The first byte of each line.
  package var starts: [UInt32] = [0]
  /// Whether every byte is a character, so that columns need no counting.
  package var isASCII = true
}

/// Turns places in a text into lines and columns.
///
/// It remembers where it was: asked in rising order it walks the text once, however long a line is.
package struct TextCursor {
  private let bytes: [UInt8]
  private let lines: TextLines
  private var line = 0
  private var offset = 0
  private var column = 1

  /// A cursor in a text whose lines are known as far as it is asked about them.
  init(_ bytes: [UInt8], _ lines: TextLines) {
    self.bytes = bytes
    self.lines = lines
  }

  package init(_ document: JSONDocument) {
    self.init(document.bytes, document.lines)
  }

  /// The line and the column, in characters, of the character that a byte belongs to.
  package mutating func position(at target: Int) -> TextPosition {
    if target < offset { move(toLine: 0) }
    while line + 1 < lines.starts.count, lines.starts[line + 1] <= target {
      move(toLine: line + 1)
    }
    if lines.isASCII {
      column += target - offset
    } else {
      // The bytes that continue a character in UTF-8 take no column of their own.
      for byte in bytes[offset..<target] where byte & 0xC0 != 0x80 { column += 1 }
    }
    offset = target
    return TextPosition(line: line + 1, column: column)
  }

  private mutating func move(toLine next: Int) {
    line = next
    offset = Int(lines.starts[next])
    column = 1
  }
}
