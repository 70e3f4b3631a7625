/// The line starts of a text, as found by the parser.
package struct TextLines: Sendable {
  /// The offset of the first byte of each line.
  package var starts: [UInt32] = [0]
  /// Whether all characters are ASCII, so that columns equal byte distances.
  package var isASCII = true
}

/// Converts offsets in a text to lines and columns.
///
/// The cursor remembers its last position. For increasing offsets it scans the text only once, even
/// if a line is long.
package struct TextCursor {
  private let bytes: [UInt8]
  private let lines: TextLines
  private var line = 0
  private var offset = 0
  private var column = 1

  /// Creates a cursor; the line starts must be known up to every requested offset.
  init(_ bytes: [UInt8], _ lines: TextLines) {
    self.bytes = bytes
    self.lines = lines
  }

  package init(_ document: JSONDocument) {
    self.init(document.bytes, document.lines)
  }

  /// Returns the line and the column, in characters, of the character that contains a byte.
  package mutating func position(at target: Int) -> TextPosition {
    if target < offset { move(toLine: 0) }
    while line + 1 < lines.starts.count, lines.starts[line + 1] <= target {
      move(toLine: line + 1)
    }
    if lines.isASCII {
      column += target - offset
    } else {
      // UTF-8 continuation bytes do not add a column.
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
