import HandoverCore

/// A position in a text as editors count it: both numbers from 0, and the second in UTF-16 units.
package struct EditorPosition: Hashable, Sendable {
  package var line: Int
  package var character: Int

  /// Creates a position.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}

/// A part of a text between two positions.
package struct EditorRange: Hashable, Sendable {
  package var start: EditorPosition
  package var end: EditorPosition
}

/// A text that can be written at the cursor.
package struct EditorCompletion: Hashable, Sendable {
  /// The kind of text.
  package enum Kind: Hashable, Sendable {
    case key, keyword, name
  }

  package var kind: Kind
  /// The text that the list shows.
  package var label: String
  /// The type of a key, or the origin of a name.
  package var detail: String
  /// The meaning, as Markdown.
  package var documentation: String
  /// The part of the text to replace.
  package var range: EditorRange
  /// The new text.
  package var text: String
  /// The value that the author replaces after the new text, or `nil` if nothing follows.
  package var placeholder: String?
}

/// The meaning of the word under the cursor, as Markdown.
package struct EditorHover: Hashable, Sendable {
  package var text: String
  package var range: EditorRange
}

/// The lines of a text as editors count them, which end with LF, CR LF or CR.
struct EditorLines: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]
  /// The starts of the lines that end with LF, as diagnostics count them.
  private let feeds: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (starts, feeds) = ([0], [0])
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case .lineFeed:
        feeds.append(index + 1)
        starts.append(index + 1)
      case 0x0D where index + 1 == bytes.count || bytes[index + 1] != .lineFeed:
        starts.append(index + 1)
      default: break
      }
    }
    (self.starts, self.feeds) = (starts, feeds)
  }

  /// Returns the offset of a position; positions after the end of a line are its end.
  func offset(of position: EditorPosition) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < starts.count else { return bytes.count }
    var offset = starts[position.line]
    var units = 0
    while offset < bytes.count, bytes[offset] != .lineFeed, bytes[offset] != 0x0D {
      let byte = bytes[offset]
      let width = byte < 0xF0 ? 1 : 2
      guard units + width <= position.character else { break }
      units += width
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  /// Returns the position of an offset.
  func position(of offset: Int) -> EditorPosition {
    let line = Self.line(of: offset, starts)
    var character = 0
    for byte in bytes[starts[line]..<offset] where byte & 0xC0 != 0x80 {
      character += byte < 0xF0 ? 1 : 2
    }
    return EditorPosition(line: line, character: character)
  }

  /// Returns the offset of the position of a diagnostic, which counts characters from 1.
  func offset(of position: TextPosition) -> Int {
    guard position.line <= feeds.count else { return bytes.count }
    var offset = feeds[max(0, position.line - 1)]
    for _ in 1..<max(1, position.column) where offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  func range(_ offsets: Range<Int>) -> EditorRange {
    EditorRange(
      start: position(of: offsets.lowerBound), end: position(of: offsets.upperBound))
  }

  private static func line(of offset: Int, _ starts: [Int]) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
