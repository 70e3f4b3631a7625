import HandoverJSON
import HandoverScenario

/// The lines of a file that a run left behind, each ended by a line feed and not too long.
struct InputLines {
  let file: String
  /// What to do where a line is not what it should be.
  let hint: String
  private let bytes: [UInt8]
  private let maximumLineByteCount: Int
  private var start = 0
  private var number = 0

  /// Takes a file; the limits are those of its format.
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
        hint: "leave less behind: run fewer scenarios, or shorter ones")
    }
    guard !bytes.isEmpty else {
      throw InputError(
        file: file, position: beginning, message: "there is nothing in the file", hint: hint)
    }
  }

  /// The next line; nil at the end of the file.
  mutating func next() throws(InputError) -> InputLine? {
    guard start < bytes.count else { return nil }
    number += 1
    let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.endIndex
    let line = InputLine(file: file, number: number, bytes: Array(bytes[start..<end]), hint: hint)
    guard end < bytes.endIndex else {
      throw line.error(
        atByte: line.bytes.count, "the last line is cut off: no line feed ends it",
        hint: "whatever wrote the file was stopped in the middle; write it again")
    }
    guard line.bytes.count <= maximumLineByteCount else {
      throw line.error(
        atByte: 0, "the line has \(line.bytes.count) bytes, more than \(maximumLineByteCount)")
    }
    start = end + 1
    return line
  }

  /// The place right after the last line.
  var end: TextPosition { TextPosition(line: number + 1, column: 1) }
}

/// One line of a file, and how to tell what is wrong with it.
struct InputLine {
  let file: String
  /// Counted from 1.
  let number: Int
  /// The line without its line feed.
  let bytes: [UInt8]
  let hint: String

  /// The JSON object that the line is.
  func object(as what: String) throws(InputError) -> JSONFields {
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONReader.read(bytes)
    } catch {
      // The reader of JSON speaks of files, and this one reads line by line.
      let message = error.message.replacing("the file", with: "the line")
      throw self.error(atByte: error.offset, message)
    }
    if let key = document.duplicateKeys.first {
      throw error(at: key, "the key \(Self.quoted(key.text ?? "")) stands twice in one object")
    }
    return try JSONFields(document.root, as: what, in: self)
  }

  func error(at value: JSONValue, _ message: String, hint: String? = nil) -> InputError {
    error(atByte: value.offset, message, hint: hint)
  }

  func error(atByte offset: Int, _ message: String, hint: String? = nil) -> InputError {
    // The bytes that continue a character in UTF-8 take no column of their own.
    let column = bytes.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
    return InputError(
      file: file, position: TextPosition(line: number, column: column), message: message,
      hint: hint ?? self.hint)
  }

  // MARK: Values

  /// A whole number within bounds.
  func number<Number: FixedWidthInteger>(
    _ value: JSONValue, as what: String, in range: ClosedRange<Number>
  ) throws(InputError) -> Number {
    guard value.kind == .number else {
      throw error(at: value, "\(what) must be a number, not \(value.kind.description)")
    }
    guard let number: Number = Self.integer(notation(of: value)), range.contains(number) else {
      throw error(
        at: value,
        "\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func text(_ value: JSONValue, as what: String) throws(InputError) -> String {
    guard let text = value.text else {
      throw error(at: value, "\(what) must be a text, not \(value.kind.description)")
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

  /// A text as a message can show it.
  static func quoted(_ text: String) -> String {
    let visible = VisibleText.of(text)
    return "\"\(visible.count > 60 ? visible.prefix(60) + "..." : visible)\""
  }
}

/// The members of a JSON object, with their types asked for one by one.
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

  /// Refuses every member that is none of these.
  func refuseOthers(than known: [String]) throws(InputError) {
    for member in members where !known.contains(member.name) {
      throw line.error(
        at: member.key, "\(what) has no key \(InputLine.quoted(member.name))",
        hint: "it was written by another version of handover; read it with that one")
    }
  }

  /// The value of a member; nil where it is not there.
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

  /// A string that is not empty and contains no control character.
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

  /// A text, or nil where null stands.
  func textOrNull(_ name: String) throws(InputError) -> String? {
    let value = try required(name)
    return value.kind == .null ? nil : try line.text(value, as: "\"\(name)\"")
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(InputError) -> Number {
    try line.number(required(name), as: "\"\(name)\"", in: range)
  }

  /// A number, or nil where null stands.
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

  /// One of some words.
  func word<Word>(
    _ name: String, among all: some Sequence<Word>, spelt: (Word) -> String
  ) throws(InputError) -> Word {
    let value = try required(name)
    let text = try line.text(value, as: "\"\(name)\"")
    guard let word = all.first(where: { spelt($0) == text }) else {
      throw line.error(at: value, "\(InputLine.quoted(text)) is none of the words of \"\(name)\"")
    }
    return word
  }
}
