import HandoverCore
public import HandoverScenario
import HandoverTrace

/// Something that is wrong with a file, as people and programs are told of it.
public struct Complaint: Hashable, Sendable {
  /// How much it weighs.
  public var severity: Diagnostic.Severity
  /// What is wrong, as a stable name.
  public var code: String
  /// The same in words.
  public var message: String
  /// What to do next.
  public var hint: String
  /// The file, as it was named; `-` is standard input.
  public var file: String
  /// Where in the file; nil where it is meant as a whole.
  public var position: TextPosition?
  /// The JSON pointer to the value that is meant; empty for the whole file.
  public var pointer = ""
  /// The line of the file that the position is in; nil where it is not known.
  public var line: String?

  /// Takes a problem of a file as a whole.
  public init(
    _ severity: Diagnostic.Severity, code: String, file: String, message: String, hint: String
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.message = message
    self.hint = hint
  }

  /// Takes a diagnostic with the line that it is about.
  public init(_ diagnostic: Diagnostic, in lines: FileLines? = nil) {
    self.init(
      diagnostic.severity, code: diagnostic.code.rawValue, file: diagnostic.file,
      message: diagnostic.message, hint: diagnostic.hint)
    position = diagnostic.position
    pointer = diagnostic.pointer
    line = diagnostic.position.flatMap { lines?.line($0.line) }
  }

  /// The name of a file as people are told it.
  public static func shown(_ file: String) -> String {
    file == "-" ? "standard input" : SafeText.line(file)
  }

  /// The complaint in lines: place and message, the line of the file with a mark below, the hint.
  ///
  /// - Parameter style: how it looks; without a width no line is broken.
  /// - Returns: the text, without a line feed at its end.
  public func text(style: Style = .plain) -> String {
    var place = Self.shown(file)
    if let position { place += ":\(position.line):\(position.column)" }
    let word = style.paint(severity.rawValue, severity == .error ? .boldRed : .yellow)
    var lines = [
      "\(style.paint(place, .bold)): \(word): \(SafeText.line(message)) "
        + style.paint("[\(code)]", .dim)
    ]
    if let position, let line { lines += excerpt(of: line, at: position, style) }
    lines += VisibleText.hanging("    hint: ", SafeText.line(hint), style)
    return lines.joined(separator: "\n")
  }

  // MARK: The line

  /// How many columns of a line are shown at the most where nobody says how wide.
  private static let usualExcerpt = 100

  private func excerpt(of line: String, at position: TextPosition, _ style: Style) -> [String] {
    let scalars = Array(line.unicodeScalars)
    let column = position.column - 1
    guard column >= 0, column <= scalars.count else { return [] }
    let number = VisibleText.aligned("\(position.line)", 5)
    let bar = " \(style.symbols.bar) "
    let room = max(24, style.width.map { $0 - number.count - bar.count } ?? Self.usualExcerpt)
    // Of a long line what is near the mark is shown.
    let first = max(0, min(column - room / 2, scalars.count - room))
    let end = min(scalars.count, first + room)
    func shown(_ range: Range<Int>) -> String { scalars[range].map(Self.shown).joined() }
    let marked = column..<max(column, min(end, Self.end(of: scalars, from: column)))
    let before = VisibleText.spaces(shown(first..<column).count)
    let mark = "^" + String(repeating: "~", count: max(0, shown(marked).count - 1))
    let text = shown(first..<end).trimmedAtEnd
    return [
      style.paint(number + bar, .dim) + text,
      style.paint(VisibleText.spaces(number.count) + bar, .dim) + before
        + style.paint(mark, .green),
    ]
  }

  /// A character in one column, or spelt out.
  private static func shown(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return " " }
    return SafeText.isHidden(scalar) ? SafeText.spelt(scalar) : String(Character(scalar))
  }

  /// Where the text, number or word ends that begins at a place of a line.
  private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int {
    guard start < scalars.count else { return start }
    var index = start + 1
    if scalars[start] == "\"" {
      while index < scalars.count, scalars[index] != "\"" {
        index += scalars[index] == "\\" ? 2 : 1
      }
      return min(scalars.count, index + 1)
    }
    func isPart(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-+._".contains(
          Character(scalar))
    }
    guard isPart(scalars[start]) else { return index }
    while index < scalars.count, isPart(scalars[index]) { index += 1 }
    return index
  }
}

/// The lines of a file, by their numbers.
public struct FileLines: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]

  /// The longest line that is shown, in bytes; of a longer one nothing is.
  private static let maximumLength = 64 << 10

  /// Takes all of a file.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// A line without its line feed, counted from 1; nil where there is none, or it is too long.
  public func line(_ number: Int) -> String? {
    guard starts.indices.contains(number - 1) else { return nil }
    let end = number < starts.count ? starts[number] - 1 : bytes.count
    let line = bytes[starts[number - 1]..<end]
    guard line.count <= Self.maximumLength else { return nil }
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

extension Complaint {
  /// What came of looking at files, as one JSON object on a line, for programs.
  ///
  /// - Parameters:
  ///   - complaints: what is wrong.
  ///   - files: how many files were read.
  /// - Returns: the object, with a line feed.
  public static func json(_ complaints: [Complaint], files: Int) -> String {
    var json = JSONText()
    json.beginObject()
    json.member("v", 1)
    json.member("kind", "check")
    json.member("files", files)
    json.member("errors", complaints.count { $0.severity == .error })
    json.member("warnings", complaints.count { $0.severity == .warning })
    json.key("problems")
    json.beginArray()
    for complaint in complaints { complaint.write(into: &json) }
    json.endArray()
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private func write(into json: inout JSONText) {
    json.beginObject()
    json.member("file", file)
    if let position {
      json.member("line", position.line)
      json.member("column", position.column)
    }
    json.member("pointer", pointer)
    json.member("severity", severity.rawValue)
    json.member("code", code)
    json.member("message", message)
    json.member("hint", hint)
    json.endObject()
  }
}
