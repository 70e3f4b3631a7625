import HandoverJSON
import HandoverScenario

/// What is wrong with a file that was to be imported: where, what, and what to do next.
public struct ImportError: Error, Hashable, Sendable {
  /// A place in a file.
  public enum Place: Hashable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A byte of a binary file, counted from 0.
    case byte(Int)
  }

  /// The file, as it was named.
  public var file: String
  /// Where in the file.
  public var place: Place
  /// What is wrong and why.
  public var message: String
  /// What to do next.
  public var hint: String
}

extension ImportError: CustomStringConvertible {
  /// Two lines as compilers write them: `file:line: error: message`, and the hint.
  public var description: String {
    let position =
      switch place {
      case .line(let number): "\(number)"
      case .byte(let offset): "byte \(offset)"
      }
    return "\(SafeText.line(file)):\(position): error: \(message)\n    hint: \(hint)"
  }
}

/// A file to import.
struct ImportFile {
  let name: String
  let bytes: [UInt8]
  /// What to do where it is not what it should be.
  let hint: String

  /// How many bytes a file can have.
  static let maximumByteCount = 16 << 20
  /// How many bytes a line can have.
  static let maximumLineByteCount = 65_536

  init(name: String, bytes: [UInt8], hint: String) throws(ImportError) {
    self.name = name
    self.bytes = bytes
    self.hint = hint
    guard bytes.count <= Self.maximumByteCount else {
      throw error(
        .byte(Self.maximumByteCount), "the file has more than \(Self.maximumByteCount) bytes",
        hint: "import a part of it")
    }
    guard !bytes.isEmpty else { throw error(.line(1), "there is nothing in the file") }
  }

  func error(_ place: ImportError.Place, _ message: String, hint: String? = nil) -> ImportError {
    // What the file holds must not move the cursor of whoever reads the message.
    let visible = String(
      String.UnicodeScalarView(
        message.unicodeScalars.map {
          [.control, .format].contains($0.properties.generalCategory) ? "\u{fffd}" : $0
        }))
    return ImportError(file: name, place: place, message: visible, hint: hint ?? self.hint)
  }

  /// Hands over the lines one by one, without what ends them.
  func forEachLine(
    _ body: (_ number: Int, _ line: String) throws(ImportError) -> Void
  ) throws(ImportError) {
    var number = 0
    var start = 0
    while start < bytes.count {
      number += 1
      var end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let next = end + 1
      if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      guard end - start <= Self.maximumLineByteCount else {
        throw error(
          .line(number), "the line has more than \(Self.maximumLineByteCount) bytes")
      }
      try body(number, String(decoding: bytes[start..<end], as: UTF8.self))
      start = next
    }
  }
}
