import HandoverCore
import HandoverScenario
import Testing

@Suite("Bad input of every kind has a position, a code and a hint")
struct BadInputTests {
  struct Input: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var code: DiagnosticCode
    var index: TextPosition

    init(_ name: String, _ bytes: [UInt8], _ code: DiagnosticCode, _ line: Int, _ column: Int) {
      testDescription = name
      self.bytes = bytes
      self.code = code
      index = TextPosition(line: line, column: column)
    }

    init(_ name: String, _ text: String, _ code: DiagnosticCode, _ line: Int, _ column: Int) {
      self.init(name, Array(text.utf8), code, line, column)
    }
  }

  static let sample = SampleScenarioTests.text
  static let megabytes16 = JSONReader.maximumByteCount

  static let inputs = [
    Input("truncated", String(sample.dropLast(3)), .truncated, 22, 3),
    Input(
      "nested 10,000 deep", String(repeating: "{\"a\":[", count: 5_000), .tooDeep, 1, 193),
    Input(
      "more than 16 MiB of one string",
      Array(repeating: UInt8(ascii: "\""), count: megabytes16 + 1),
      .fileTooLarge, 1, 1),
    Input(
      "16 MiB of one string",
      [UInt8(ascii: "\"")]
        + Array(repeating: UInt8(ascii: "x"), count: megabytes16 - 2) + [UInt8(ascii: "\"")],
      .wrongType, 1, 1),
    Input(
      "a title of a megabyte",
      Sample.text(more: "\n\"title\": \"\(String(repeating: "x", count: 1 << 20))\""), .textTooLong,
      2, 10),
    Input(
      "a key twice", sample.replacing("\"format\": 1,", with: "\"format\": 1, \"format\": 1,"),
      .duplicateKey, 3, 16),
    Input(
      "a lone surrogate", sample.replacing("WiFi appears", with: "WiFi\\udc00"), .loneSurrogate, 5,
      17),
    Input("a byte order mark", "\u{FEFF}" + sample, .byteOrderMark, 1, 1),
    Input(
      "1e999", sample.replacing("\"destroyed\": 1", with: "\"destroyed\": 1e999"),
      .numberOutOfRange, 18, 94),
    Input("a NUL byte", sample.replacing("cfstream\"],", with: "cfstream\"],\0"), .nulByte, 7, 58),
    Input("nothing but NUL bytes", [0, 0, 0, 0], .nulByte, 1, 1),
    Input(
      "bytes that are not UTF-8", Array("{\n\"a\": \"".utf8) + [0xC3, 0x28], .invalidUTF8, 2, 7),
    Input("nothing", "", .emptyFile, 1, 1),
    Input(
      "a time beyond all ranges", sample.replacing("\"+1s\"", with: "\"9999999999999999999h\""),
      .timeOutOfRange, 13, 13),
    Input(
      "a time that runs backwards", sample.replacing("\"+1s\"", with: "\"500ms\""), .timeBackwards,
      13, 13),
    Input(
      "an undeclared host", sample.replacing("\"api.example:443\": {", with: "\"other:443\": {"),
      .unknownHost, 11, 53),
    Input(
      "two calls of one id", sample.replacing("\"id\": \"next\"", with: "\"id\": \"stream\""),
      .duplicateCall, 13, 36),
    Input(
      "an expectation about an unknown call",
      sample.replacing("\"call\": \"next\"", with: "\"call\": \"later\""), .unknownCall, 19, 48),
  ]

  @Test("The input is refused at the position of the error", arguments: inputs)
  func refused(input: Input) throws {
    let reading = ScenarioReader.read(file: "bad.json", bytes: input.bytes)
    let first = try #require(reading.diagnostics.first)
    #expect(reading.scenario == nil)
    #expect(first.code == input.code)
    #expect(first.position == input.index)
    // Counting the characters of 16 MiB takes seconds without optimization, and would show nothing
    // more.
    guard input.bytes.count < Self.megabytes16 else { return }
    #expect(ReadingProperties.violation(of: reading, bytes: input.bytes) == nil)
  }

  @Test("A comment of almost 16 MiB is accepted")
  func longComment() {
    let comment = String(repeating: "x", count: 15 << 20)
    #expect(Sample.read(Sample.text(more: "\"comment\": \"\(comment)\"")).scenario != nil)
  }

  @Test("A file that is cut anywhere is refused and never read past its end")
  func everyPrefix() {
    let bytes = Array(Self.sample.utf8)
    for length in 0..<bytes.count {
      let prefix = Array(bytes.prefix(length))
      let reading = ScenarioReader.read(file: "cut.json", bytes: prefix)
      #expect(reading.scenario == nil)
      #expect([.truncated, .emptyFile].contains(reading.diagnostics.first?.code))
    }
  }
}

@Suite("Input designed to be slow or large")
struct HostileInputTests {
  @Test("A key of a megabyte is not part of any pointer")
  func longPointers() {
    let key = String(repeating: "k", count: 1 << 20)
    let unknown = (0..<50).map { "\"u\($0)\": 1" }.joined(separator: ", ")
    let reading = Sample.read(
      Sample.text().replacing("\"a:1\": {}", with: "\"\(key)\": {\(unknown)}"))
    #expect(reading.diagnostics.count == 51)
    #expect(reading.diagnostics.allSatisfy { $0.pointer == "/hosts" })
  }

  @Test("Thousands of unknown names among as many known ones give a bounded number of errors")
  func manyUnknownNames() {
    let name = String(repeating: "n", count: 40)
    let calls = (0..<2_000).map { number in
      "{\"at\": \"0s\", \"call\": {\"id\": \"\(name)\(number)\", \"host\": \"a:1\"}}"
    }
    let cancels = (0..<2_000).map { "{\"at\": \"1s\", \"cancel\": \"\(name)x\($0)\"}" }
    let text = Sample.text(timeline: (calls + cancels).joined(separator: ","))
    let diagnostics = Sample.read(text).diagnostics
    #expect(diagnostics.count == 1_001)
    #expect(diagnostics.last?.code == .tooManyProblems)
    #expect(diagnostics.first?.hint.hasPrefix("did you mean \"\(name)") == true)
  }
  @Test("A network in place of flags is reported as one, with its flags")
  func networkForFlags() throws {
    let text = Sample.text(timeline: #"{"at": "1s", "flags": "WiFi"}"#)
    let found = try #require(Sample.read(text).diagnostics.first)
    #expect(found.code == .invalidFlagsText)
    #expect(found.message.contains("a network") && found.hint.contains("Reachable"))
  }

  @Test("An invalid value does not make other keys necessary")
  func unknownCondition() {
    let text = Sample.text(timeline: #"{"at": "1s", "monitor": {"do": "dely"}}"#)
    #expect(Sample.codes(text) == [.unknownKeyword])
  }
}
