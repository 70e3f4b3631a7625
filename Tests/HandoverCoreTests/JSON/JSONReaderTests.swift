import Foundation
import Testing

@testable import HandoverCore

@testable import HandoverScenario

@Suite("The JSON reader")
struct JSONReaderTests {
  static let good = [
    "null", "true", "false", "0", "-0", "1", "-1", "10", "1.0", "0.5", "-0.25", "1e3", "1E+3",
    "1e-3", "1.5e10", "123456789012345678901234567890", "1e999", "\"\"", "\"a\"", "\"\\\"\"",
    "\"\\\\ \\/ \\b\\f\\n\\r\\t\"", "\"\\u0041\\u00e9\\u20AC\"", "\"\\ud83d\\ude00\"",
    "\"\\u0000\"", "\"\u{7F}\"", "\"é€😀\"", "\"\u{10FFFF}\"", "\"\u{2028}\"", "[]", "[ ]",
    "[1]", "[1,2]", "[1 , [2, [3]]]", "{}", "{ }", "{\"a\":1}", "{\"a\":{\"b\":[{}]}}",
    "{\"\":0}", " \t\r\n1 \t\r\n", "[null,true,false,\"x\",1,{}]", "\"\u{FEFF}\"", "[[],[]]",
  ]

  static let bad: [(text: String, code: DiagnosticCode, offset: Int)] = [
    ("", .emptyFile, 0), (" \n", .emptyFile, 0), ("\u{FEFF}1", .byteOrderMark, 0),
    ("nul", .truncated, 3), ("tru", .truncated, 3), ("True", .invalidLiteral, 0),
    ("NaN", .invalidLiteral, 0), ("Infinity", .invalidLiteral, 0), ("nulll", .invalidLiteral, 0),
    ("-Infinity", .invalidNumber, 0), ("01", .invalidNumber, 0), ("-01", .invalidNumber, 0),
    ("+1", .invalidNumber, 0), (".5", .invalidNumber, 0), ("1.", .truncated, 2),
    ("[1.]", .invalidNumber, 1), ("1e", .truncated, 2), ("[1e]", .invalidNumber, 1),
    ("1e+", .truncated, 3), ("0x10", .invalidNumber, 0), ("1_000", .trailingText, 1),
    ("1.5.2", .invalidNumber, 0), ("-", .truncated, 1), ("--1", .invalidNumber, 0),
    ("1 2", .trailingText, 2), ("{}{}", .trailingText, 2), ("[1]]", .trailingText, 3),
    ("1\0", .nulByte, 1), ("\0", .nulByte, 0), ("[1,\0]", .nulByte, 3),
    ("\"a", .truncated, 2), ("\"\\", .truncated, 2), ("\"\\u00", .truncated, 5),
    ("\"\\ut\ni", .invalidEscape, 1), ("\"\\u\"", .invalidEscape, 1),
    ("\"\\ud83d\\u1\"", .invalidEscape, 7), ("\"\\ud83d\\u1", .truncated, 10),
    ("\"\\x\"", .invalidEscape, 1), ("\"\\u00g0\"", .invalidEscape, 1),
    ("\"\\'\"", .invalidEscape, 1), ("\"\n\"", .controlCharacter, 1),
    ("\"\t\"", .controlCharacter, 1), ("\"\0\"", .nulByte, 1), ("\"\u{1F}\"", .controlCharacter, 1),
    ("\"\\ud83d\"", .loneSurrogate, 1), ("\"\\ude00\"", .loneSurrogate, 1),
    ("\"\\ud83dx\"", .loneSurrogate, 1), ("\"\\ud83d\\n\"", .loneSurrogate, 1),
    ("\"\\ud83d\\ud83d\"", .loneSurrogate, 1), ("\"\\ude00\\ud83d\"", .loneSurrogate, 1),
    ("[", .truncated, 1), ("[1", .truncated, 2), ("[1,", .truncated, 3), ("{", .truncated, 1),
    ("{\"a\"", .truncated, 4), ("{\"a\":", .truncated, 5), ("{\"a\":1", .truncated, 6),
    ("{\"a\":1,", .truncated, 7), ("[1,]", .trailingComma, 2), ("{\"a\":1,}", .trailingComma, 6),
    ("[,1]", .unexpectedCharacter, 1), ("[1,,2]", .unexpectedCharacter, 3),
    ("{,}", .keyNotText, 1), ("{a:1}", .keyNotText, 1), ("{1:1}", .keyNotText, 1),
    ("{'a':1}", .unexpectedCharacter, 1), ("{\"a\" 1}", .missingColon, 5),
    ("{\"a\",1}", .missingColon, 4), ("{\"a\"=1}", .missingColon, 4), ("[1 2]", .missingComma, 3),
    ("{\"a\":1 \"b\":2}", .missingComma, 7), ("[1}", .unexpectedCharacter, 2),
    ("{\"a\":1]", .unexpectedCharacter, 6), ("]", .unexpectedCharacter, 0),
    ("// c\n1", .jsonComment, 0), ("1 // c", .jsonComment, 2), ("[1 /* c */]", .jsonComment, 3),
    ("# c\n1", .jsonComment, 0), ("[1]\u{A0}", .trailingText, 3),
    ("\u{B}1", .unexpectedCharacter, 0),
    ("é", .unexpectedCharacter, 0),
  ]

  @Test("The reader accepts what RFC 8259 allows", arguments: good)
  func accepts(text: String) throws {
    _ = try JSONReader.read(Array(text.utf8))
  }

  @Test("The reader refuses everything else, with a code and a position", arguments: bad)
  func refuses(text: String, code: DiagnosticCode, offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
  }

  @Test(
    "Bytes that are not UTF-8 are refused",
    arguments: [
      [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func invalidUTF8(sequence: [UInt8]) {
    let bytes = Array("\"x".utf8) + sequence + Array("\"".utf8)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes) }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == 2)
  }

  @Test("The message names the encoding if the file is UTF-16")
  func utf16() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONReader.read([0xFF, 0xFE, 0x7B, 0x00])
    }
    #expect(error?.code == .byteOrderMark)
    #expect(error?.message.contains("UTF-16") == true)
  }

  @Test(
    "64 levels are read and the next is refused, however many follow", arguments: [64, 65, 10_000])
  func depth(levels: Int) {
    let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let bytes = Array(text.utf8)
    if levels <= JSONReader.maximumDepth {
      #expect(throws: Never.self) { try JSONReader.read(bytes) }
    } else {
      let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes) }
      #expect(error?.code == .tooDeep)
      #expect(error?.offset == 64)
    }
  }

  @Test(
    "Strings are returned without quotes and escapes",
    arguments: [
      ("\"plain\"", "plain"), ("\"\\u0041\\n\\/\\\"\"", "A\n/\""), ("\"\\ud83d\\ude00!\"", "😀!"),
      ("\"é\\t€\"", "é\t€"), ("\"\"", ""), ("\"\\udbff\\udfff\"", "\u{10FFFF}"),
      ("\"\\ud800\\udc00\"", "\u{10000}"), ("\"\\ud7ff\\ue000\"", "\u{D7FF}\u{E000}"),
    ])
  func texts(notation: String, text: String) throws {
    #expect(try JSONReader.read(Array(notation.utf8)).root.text == text)
  }

  @Test("The reader accepts and refuses what Foundation does in its strict cases", arguments: good)
  func oracle(text: String) throws {
    // Foundation has no number as large as 1e999, and does not check the order of its digits.
    guard text != "1e999" else { return }
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }
  }

  @Test(
    "Duplicate keys are found, however they are written",
    arguments: [
      (#"{"a":1,"a":2}"#, [7]), (#"{"a":1,"\u0061":2,"b":3,"a":4}"#, [7, 24]),
      (#"[{"x":{"k":1,"k":2}},{"x":1}]"#, [13]), (#"{"a":{"a":{"a":1}}}"#, []),
    ])
  func duplicates(text: String, offsets: [Int]) throws {
    #expect(try JSONReader.read(Array(text.utf8)).duplicateKeys.map(\.offset) == offsets)
  }

  @Test("Duplicate keys are found among thousands")
  func manyKeys() throws {
    let keys = (0..<5_000).map { "\"k\($0)\":0" } + ["\"k17\":1", "\"k17\":2"]
    let document = try JSONReader.read(Array("{\(keys.joined(separator: ","))}".utf8))
    #expect(document.duplicateKeys.map(\.text) == ["k17", "k17"])
  }

  @Test(
    "A pointer refers to the nearest object if the keys together are too long",
    arguments: [1_998, 1_999])
  func longPointers(_ length: Int) throws {
    let key = String(repeating: "k", count: length)
    let document = try JSONReader.read(Array("{\"\(key)\":[0]}".utf8))
    // With its quotes the key has 2,000 bytes, or one more.
    let pointer = JSONValue(document: document, node: 3).pointer
    #expect(pointer == (length == 1_998 ? "/\(key)/0" : ""))
  }

  @Test(
    "Pointers refer to values and members",
    arguments: [
      (#"[0]"#, 1, "/0"), (#"{"a":[1,{"b/c":2}]}"#, 15, "/a/1/b~1c"),
      (#"{"x":1,"~":[2]}"#, 12, "/~0/0"),
      (#"{"a":1,"b":2}"#, 7, "/b"), ("{\"/\u{301}\":[1]}", 8, "/~1\u{301}/0"), (#"{}"#, 0, ""),
    ])
  func pointers(text: String, offset: Int, pointer: String) throws {
    let document = try JSONReader.read(Array(text.utf8))
    let node = try #require(document.nodes.firstIndex { $0.offset == offset })
    #expect(JSONValue(document: document, node: node).pointer == pointer)
  }

  @Test(
    "Numbers are read exactly or refused with a reason",
    arguments: [
      ("0", .success(0), .success(0)), ("-0", .success(0), .success(0)),
      ("18446744073709551615", .success(18_446_744_073_709_551_615), .failure(.outOfRange)),
      ("18446744073709551616", .failure(.outOfRange), .failure(.outOfRange)),
      ("1.6", .failure(.notAnInteger), .success(1_600)),
      ("0.125", .failure(.notAnInteger), .success(125)),
      ("0.1250", .failure(.notAnInteger), .success(125)),
      ("0.1255", .failure(.notAnInteger), .failure(.tooManyDecimals)),
      ("125e-3", .failure(.notAnInteger), .success(125)),
      ("-1.5E1", .failure(.notAnInteger), .success(-15_000)),
      ("1e3", .failure(.notAnInteger), .success(1_000_000)),
      ("1e999", .failure(.outOfRange), .failure(.outOfRange)),
      ("0e999", .failure(.notAnInteger), .success(0)),
      ("1e-999", .failure(.notAnInteger), .failure(.tooManyDecimals)),
      ("1e99999999999999999999", .failure(.outOfRange), .failure(.outOfRange)),
      ("10000000000", .success(10_000_000_000), .success(10_000_000_000_000)),
      ("1.0000000000000000000000000001", .failure(.notAnInteger), .failure(.tooManyDecimals)),
    ] as [(String, Result<Int128, JSONNumberProblem>, Result<Int128, JSONNumberProblem>)])
  func numbers(
    text: String, integer: Result<Int128, JSONNumberProblem>,
    thousandths: Result<Int128, JSONNumberProblem>
  ) throws {
    let value = try JSONReader.read(Array(text.utf8)).root
    #expect(value.integer == integer)
    #expect(value.thousandths == thousandths)
  }

  @Test("Columns are counted in characters, whatever their length in bytes")
  func columns() throws {
    let document = try JSONReader.read(Array("[\"é😀x\",\n\"€y\", 1]\n".utf8))
    var cursor = TextCursor(document)
    #expect(cursor.position(at: 8) == TextPosition(line: 1, column: 5))
    #expect(cursor.position(at: 16) == TextPosition(line: 2, column: 3))
    #expect(cursor.position(at: 4) == TextPosition(line: 1, column: 4))
    #expect(cursor.position(at: 22) == TextPosition(line: 2, column: 9))
    #expect(cursor.position(at: 23) == TextPosition(line: 3, column: 1))
  }

  @Test(
    "Every position has the line and column that counting from the start gives",
    arguments: [
      "[]", "\n\n[\r\n1,\n\t2\n]\n", "{\"a\": [\n{\"b\":\n\n\"c\"}],\n\"d\": 1}",
      "[\n\"é\",\n\"x\"\n]\n",
    ], [false, true])
  func positions(text: String, isBackwards: Bool) throws {
    let bytes = Array(text.utf8)
    var cursor = TextCursor(try JSONReader.read(bytes))
    for offset in isBackwards ? Array((0...bytes.count).reversed()) : Array(0...bytes.count) {
      let lines = bytes[..<offset].split(separator: .lineFeed, omittingEmptySubsequences: false)
      let characters = lines[lines.count - 1].count { $0 & 0xC0 != 0x80 }
      let expected = TextPosition(line: lines.count, column: characters + 1)
      #expect(cursor.position(at: offset) == expected)
    }
  }

  @Test(
    "An error has its line and column",
    arguments: [
      ("[1,\n \"é\", x]", 2, 7), ("[\n\n", 3, 1), ("{\"a\": 1,\n}", 1, 8), ("[\n01]", 2, 1),
      ("[\"é\",\n1] 2", 2, 4), ("", 1, 1),
    ])
  func errorPosition(text: String, line: Int, column: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(error?.position == TextPosition(line: line, column: column))
  }

  @Test("The message names the open bracket that a truncated file does not close")
  func innermostOpenBracket() {
    let text = "{\"a\": [],\n \"b\": [{}, {\"c\": {}"
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(error?.hint == "complete and close the object that begins at 2:12")
  }
}

@Suite("Characters in UTF-8")
struct UTF8SequenceTests {
  /// Returns the length of the one character at the start of the bytes, by the standard library.
  private static func known(_ bytes: [UInt8]) -> Int? {
    (1...bytes.count).first { count in
      String(validating: bytes.prefix(count), as: UTF8.self)?.unicodeScalars.count == 1
    }
  }

  @Test("The length of a character agrees with the standard library")
  func lengths() {
    // The bytes after the second are all continuation bytes, or none is.
    for third in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
      for first in 0...0xff as ClosedRange<UInt8> {
        for second in 0...0xff as ClosedRange<UInt8> {
          let bytes = [first, second, third, 0x80]
          let length = UTF8Sequence.length(in: bytes, at: 0)
          guard length != Self.known(bytes) else { continue }
          Issue.record("\(bytes): \(String(describing: length))")
        }
      }
    }
  }
}

@Suite("The JSON writer")
struct JSONWriterTests {
  @Test(
    "Thousandths are written with as few decimals as possible",
    arguments: [
      (0, "0"), (1, "0.001"), (20, "0.02"), (300, "0.3"), (4_000, "4"), (5_060, "5.06"),
      (78_901, "78.901"),
    ] as [(UInt64, String)])
  func thousandths(_ number: UInt64, _ written: String) {
    var text = JSONText()
    text.value(thousandths: number)
    #expect(String(decoding: text.bytes, as: UTF8.self) == written)
  }
}
