import HandoverCore
import HandoverScenario

/// An error in an imported file, with its position, a message and a hint.
public struct ImportError: Error, Hashable, Sendable {
  /// A position in a file.
  public enum Position: Hashable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A byte of a binary file, counted from 0.
    case byte(Int)
  }

  /// The file name as given by the user.
  public var file: String
  /// The position in the file.
  public var position: Position
  /// A description of the problem and its reason.
  public var message: String
  /// An instruction for fixing the problem.
  public var hint: String
}

extension ImportError: CustomStringConvertible {
  /// Two lines in the style of compilers: `file:line: error: message`, and the hint.
  public var description: String {
    let shown =
      switch position {
      case .line(let number): "\(number)"
      case .byte(let offset): "byte \(offset)"
      }
    return "\(SafeText.line(file)):\(shown): error: \(message)\n    hint: \(hint)"
  }
}

struct ImportFile {
  let name: String
  let bytes: [UInt8]
  /// The default hint for errors in this file.
  let hint: String

  /// The maximum size of a file in bytes.
  static let maximumByteCount = 16 << 20
  /// The maximum length of a line in bytes.
  static let maximumLineByteCount = 65_536

  init(name: String, bytes: [UInt8], hint: String) throws(ImportError) {
    self.name = name
    self.bytes = bytes
    self.hint = hint
    guard bytes.count <= Self.maximumByteCount else {
      throw error(
        .byte(Self.maximumByteCount), "the file has more than \(Self.maximumByteCount) bytes",
        hint: "import a part of the file")
    }
    guard !bytes.isEmpty else { throw error(.line(1), "the file is empty") }
  }

  func error(_ position: ImportError.Position, _ message: String, hint: String? = nil)
    -> ImportError
  {
    // Control characters in the file must not move the cursor of the terminal that shows the
    // message.
    let visible = String(
      String.UnicodeScalarView(
        message.unicodeScalars.map {
          [.control, .format].contains($0.properties.generalCategory) ? "\u{fffd}" : $0
        }))
    return ImportError(file: name, position: position, message: visible, hint: hint ?? self.hint)
  }

  /// Calls a closure with each line, without its line terminator.
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
