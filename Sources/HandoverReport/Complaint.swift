package import HandoverCore
package import HandoverScenario

/// A problem in a file, as reported to users and programs.
package struct Complaint: Hashable, Sendable {
  /// The severity.
  package var severity: Diagnostic.Severity
  /// The stable name of the problem.
  package var code: String
  /// The problem as text.
  package var message: String
  /// The next step for the author of the file.
  package var hint: String
  /// The name of the file, as the caller gave it; `-` is standard input.
  package var file: String
  /// The position in the file, or `nil` if the problem concerns the whole file.
  package var position: TextPosition?
  /// The JSON pointer to the value in question; empty for the whole file.
  package var pointer = ""
  /// The line at the position, or `nil` if it is not known.
  package var line: String?

  /// Creates a complaint about a file as a whole.
  package init(
    _ severity: Diagnostic.Severity, code: String, file: String, message: String, hint: String
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.message = message
    self.hint = hint
  }

  /// Creates a complaint from a diagnostic, with the line at its position.
  package init(_ diagnostic: Diagnostic, in lines: FileLines? = nil) {
    self.init(
      diagnostic.severity, code: diagnostic.code.rawValue, file: diagnostic.file,
      message: diagnostic.message, hint: diagnostic.hint)
    position = diagnostic.position
    pointer = diagnostic.pointer
    line = diagnostic.position.flatMap { lines?.line($0.line) }
  }

  /// Returns the name of a file for messages.
  package static func shown(_ file: String) -> String {
    file == "-" ? "standard input" : SafeText.line(file)
  }

  /// Returns the complaint as text: position and message, the line of the file with a marker, the
  /// hint.
  ///
  /// - Parameter style: the style; without a width, no line is wrapped.
  /// - Returns: the text, without a line feed at its end.
  package func text(style: Style = .plain) -> String {
    var location = Self.shown(file)
    if let position { location += ":\(position.line):\(position.column)" }
    let word = style.paint(severity.rawValue, severity == .error ? .boldRed : .yellow)
    var lines = [
      "\(style.paint(location, .bold)): \(word): \(SafeText.line(message)) "
        + style.paint("[\(code)]", .dim)
    ]
    if let position, let line { lines += excerpt(of: line, at: position, style) }
    lines += VisibleText.hanging("    hint: ", SafeText.line(hint), style)
    return lines.joined(separator: "\n")
  }

  // MARK: The excerpt

  /// The maximum number of columns of an excerpt if the width is unknown.
  private static let defaultExcerpt = 100

  private func excerpt(of line: String, at position: TextPosition, _ style: Style) -> [String] {
    let scalars = Array(line.unicodeScalars)
    let column = position.column - 1
    guard column >= 0, column <= scalars.count else { return [] }
    let number = VisibleText.aligned("\(position.line)", 5)
    let bar = " \(style.symbols.bar) "
    let room = max(24, style.width.map { $0 - number.count - bar.count } ?? Self.defaultExcerpt)
    // A long line is shown only near the marker.
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

  /// Returns a character that takes one column, or its spelled-out form.
  private static func shown(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return " " }
    return SafeText.isHidden(scalar) ? SafeText.spelt(scalar) : String(Character(scalar))
  }

  /// Returns the end of the string, number or word that begins at an index of a line.
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
package struct FileLines: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]

  /// The maximum length of a line to show, in bytes; longer lines are not shown.
  private static let maximumLength = 64 << 10

  /// Creates the index of the lines of a file.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// Returns a line without its line feed, counted from 1.
  ///
  /// Returns `nil` if there is no such line or if it is too long.
  package func line(_ number: Int) -> String? {
    guard starts.indices.contains(number - 1) else { return nil }
    let end = number < starts.count ? starts[number] - 1 : bytes.count
    let line = bytes[starts[number - 1]..<end]
    guard line.count <= Self.maximumLength else { return nil }
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

extension Complaint {
  /// Returns the result of checking files as one line of JSON.
  ///
  /// - Parameters:
  ///   - complaints: the problems.
  ///   - files: the number of files that were read.
  /// - Returns: the object, with a line feed.
  package static func json(_ complaints: [Complaint], files: Int) -> String {
    var json = JSONText()
    json.line("check") { json in
      json.member("files", files)
      json.member("errors", complaints.count { $0.severity == .error })
      json.member("warnings", complaints.count { $0.severity == .warning })
      json.array("problems", of: complaints) { json, complaint in complaint.write(into: &json) }
    }
    return json.take()
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
