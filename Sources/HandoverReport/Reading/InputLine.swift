import HandoverCore
import HandoverScenario

/// The lines of a file that a run created; each ends with a line feed and has a limited length.
struct InputLines {
  let file: String
  /// The hint for errors in a line.
  let hint: String
  private let bytes: [UInt8]
  private let maximumLineByteCount: Int
  private var start = 0
  private var number = 0

  /// Creates a reader of a file with the limits of its format.
  init(
    file: String, bytes: [UInt8], maximumByteCount: Int, maximumLineByteCount: Int, hint: String
  ) throws(InputError) {
    self.file = file
    self.bytes = bytes
    self.maximumLineByteCount = maximumLineByteCount
    self.hint = hint
    let beginning = TextPosition(line: 1, column: 1)
    guard bytes.count <= maximumByteCount else {
      throw InputError(
        file: file, position: beginning,
        message: "the file has \(bytes.count) bytes, more than \(maximumByteCount)",
        hint: "run fewer or shorter scenarios")
    }
    guard !bytes.isEmpty else {
      throw InputError(
        file: file, position: beginning, message: "the file is empty", hint: hint)
    }
  }

  /// Returns the next line, or `nil` at the end of the file.
  mutating func next() throws(InputError) -> InputLine? {
    guard start < bytes.count else { return nil }
    number += 1
    let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.endIndex
    let line = InputLine(file: file, number: number, bytes: Array(bytes[start..<end]), hint: hint)
    guard end < bytes.endIndex else {
      throw line.error(
        atByte: line.bytes.count, "the last line is incomplete: it has no line feed",
        hint: "create the file again, because the command that wrote it was stopped")
    }
    guard line.bytes.count <= maximumLineByteCount else {
      throw line.error(
        atByte: 0, "the line has \(line.bytes.count) bytes, more than \(maximumLineByteCount)")
    }
    start = end + 1
    return line
  }

  /// The position after the last line.
  var end: TextPosition { TextPosition(line: number + 1, column: 1) }
}

/// A line of a file, with functions that report its errors.
struct InputLine {
  let file: String
  /// The number of the line, counted from 1.
  let number: Int
  /// The line without its line feed.
  let bytes: [UInt8]
  let hint: String

  /// Parses the line as a JSON object.
  func object(as what: String) throws(InputError) -> JSONFields {
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONReader.read(bytes)
    } catch {
      // The message of the JSON reader is about a file, but this input is one line.
      let message = error.message.replacing("the file", with: "the line")
      throw self.error(atByte: error.offset, message)
    }
    if let key = document.duplicateKeys.first {
      throw error(at: key, "the key \(Self.quoted(key.text ?? "")) occurs twice in one object")
    }
    return try JSONFields(document.root, as: what, in: self)
  }

  func error(at value: JSONValue, _ message: String, hint: String? = nil) -> InputError {
    error(atByte: value.offset, message, hint: hint)
  }

  func error(atByte offset: Int, _ message: String, hint: String? = nil) -> InputError {
    // The continuation bytes of a UTF-8 character do not count as columns.
    let column = bytes.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
    return InputError(
      file: file, position: TextPosition(line: number, column: column), message: message,
      hint: hint ?? self.hint)
  }

  // MARK: Values

  /// Reads an integer within a range.
  func number<Number: FixedWidthInteger>(
    _ value: JSONValue, as what: String, in range: ClosedRange<Number>
  ) throws(InputError) -> Number {
    guard value.kind == .number else {
      throw error(at: value, "\(what) must be a number, not \(value.kind.description)")
    }
    guard let number: Number = Self.integer(notation(of: value)), range.contains(number) else {
      throw error(
        at: value,
        "\(what) must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func text(_ value: JSONValue, as what: String) throws(InputError) -> String {
    guard let text = value.text else {
      throw error(at: value, "\(what) must be a string, not \(value.kind.description)")
    }
    return text
  }

  func elements(_ value: JSONValue, as what: String) throws(InputError) -> [JSONValue] {
    guard value.kind == .array else {
      throw error(at: value, "\(what) must be an array, not \(value.kind.description)")
    }
    return Array(value.elements)
  }

  func notation(of value: JSONValue) -> ArraySlice<UInt8> {
    bytes[value.offset..<value.offset + value.byteCount]
  }

  private static func integer<Number: FixedWidthInteger>(_ notation: ArraySlice<UInt8>) -> Number? {
    Number(String(decoding: notation, as: UTF8.self))
  }

  /// Returns a string in quotes for messages, shortened if it is long.
  static func quoted(_ text: String) -> String {
    let visible = VisibleText.of(text)
    return "\"\(visible.count > 60 ? visible.prefix(60) + "..." : visible)\""
  }
}

/// The members of a JSON object, with typed access.
struct JSONFields {
  let line: InputLine
  let value: JSONValue
  let what: String
  let members: [(name: String, key: JSONValue, value: JSONValue)]

  init(_ value: JSONValue, as what: String, in line: InputLine) throws(InputError) {
    guard value.kind == .object else {
      throw line.error(at: value, "\(what) must be an object, not \(value.kind.description)")
    }
    self.line = line
    self.value = value
    self.what = what
    members = value.members.map { ($0.key.text ?? "", $0.key, $0.value) }
  }

  /// Reports an error for members that are not in `known`.
  func refuseOthers(than known: [String]) throws(InputError) {
    for member in members where !known.contains(member.name) {
      throw line.error(
        at: member.key, "\(what) has no key \(InputLine.quoted(member.name))",
        hint: "use the version of handover that wrote the file")
    }
  }

  /// Reports an error unless the member `v` is the version that this command reads.
  ///
  /// - Parameters:
  ///   - version: the version of the format.
  ///   - what: the kind of file, for the message.
  /// - Throws: ``InputError`` if the version is missing or another one.
  func requireVersion(_ version: Int, of what: String) throws(InputError) {
    let found = try number("v", in: 0...Int.max)
    guard found == version else {
      throw line.error(
        at: try required("v"),
        "the \(what) has version \(found), and this command reads version \(version)",
        hint: "use the version of handover that wrote it, or create it again")
    }
  }

  /// Returns the value of a member, or `nil` if it is missing.
  func optional(_ name: String) -> JSONValue? {
    members.first { $0.name == name }?.value
  }

  func required(_ name: String) throws(InputError) -> JSONValue {
    guard let value = optional(name) else {
      throw line.error(at: value, "\(what) must have the key \"\(name)\"")
    }
    return value
  }

  func text(_ name: String) throws(InputError) -> String {
    try line.text(required(name), as: "\"\(name)\"")
  }

  /// Reads a string that is not empty and contains no control character.
  func name(_ name: String) throws(InputError) -> String {
    let text = try text(name)
    guard !text.isEmpty,
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw line.error(
        at: try required(name),
        text.isEmpty ? "\"\(name)\" is empty" : "\"\(name)\" contains a control character")
    }
    return text
  }

  /// Reads a string, or `nil` for a JSON null.
  func textOrNull(_ name: String) throws(InputError) -> String? {
    let value = try required(name)
    return value.kind == .null ? nil : try line.text(value, as: "\"\(name)\"")
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(InputError) -> Number {
    try line.number(required(name), as: "\"\(name)\"", in: range)
  }

  /// Reads a number, or `nil` for a JSON null.
  func numberOrNull<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(InputError) -> Number? {
    let value = try required(name)
    return value.kind == .null ? nil : try line.number(value, as: "\"\(name)\"", in: range)
  }

  func flag(_ name: String) throws(InputError) -> Bool {
    let value = try required(name)
    guard value.kind == .true || value.kind == .false else {
      throw line.error(
        at: value, "\"\(name)\" must be true or false, not \(value.kind.description)")
    }
    return value.kind == .true
  }

  func elements(_ name: String) throws(InputError) -> [JSONValue] {
    try line.elements(required(name), as: "\"\(name)\"")
  }

  func object(_ name: String) throws(InputError) -> JSONFields {
    try JSONFields(required(name), as: "\"\(name)\"", in: line)
  }

  /// Reads a keyword from a list.
  func keyword<Keyword>(
    _ name: String, among all: some Sequence<Keyword>, spelt: (Keyword) -> String
  ) throws(InputError) -> Keyword {
    let value = try required(name)
    let text = try line.text(value, as: "\"\(name)\"")
    guard let keyword = all.first(where: { spelt($0) == text }) else {
      throw line.error(at: value, "\(InputLine.quoted(text)) is not a value of \"\(name)\"")
    }
    return keyword
  }
}
