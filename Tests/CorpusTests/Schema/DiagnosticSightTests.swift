import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("Errors that the schema detects, and errors that only the reader detects")
struct DiagnosticSightTests {
  @Test("Every code is listed with a reason, in the order of the codes")
  func everyCode() {
    #expect(CodeSight.table.map(\.key) == DiagnosticCode.allCases)
    #expect(CodeSight.table.allSatisfy { !$0.value.reason.isEmpty })
  }

  @Test("The page about editors lists every code that only the reader detects, entirely or in part")
  func editors() throws {
    let page = try Repository.text(Repository.catalog.appending(path: "EditorSupport.md"))
    let section = try #require(page.split(separator: "## What only the command finds").last)
    let lines = section.split(separator: "\n")
    let unseen = lines.filter { $0.hasPrefix("| ") }.flatMap(Self.codes(in:))
    let inPart = lines.filter { $0.hasPrefix("- `") }.flatMap(Self.codes(in:))
    #expect(Self.sorted(unseen) == Self.sorted(Self.codes { $0.kind == .meaning }))
    #expect(
      Self.sorted(inPart) == Self.sorted(Self.codes { $0.kind == .shape && $0.isPartial }))
  }

  @Test("The page about diagnostics lists the codes, those of invalid JSON first")
  func index() throws {
    let page = try Repository.text(Repository.catalog.appending(path: "Diagnostics.md"))
    let start = try #require(page.range(of: "### Text that is not JSON\n")).upperBound
    let sections = page[start...].split(separator: "\n### ").map(Self.codes(in:))
    #expect(sections.flatMap { $0 } == DiagnosticCode.allCases)
    #expect(sections.first == Self.codes { $0.kind == .syntax })
  }

  /// Returns the codes between backticks in a text, with repetitions.
  private static func codes(in text: some StringProtocol) -> [DiagnosticCode] {
    String(text).matches(of: /`([a-z0-9-]+)`/)
      .compactMap { DiagnosticCode(rawValue: String($0.output.1)) }
  }

  private static func codes(_ isWanted: (CodeSight) -> Bool) -> [DiagnosticCode] {
    CodeSight.table.filter { isWanted($0.value) }.map(\.key)
  }

  private static func sorted(_ codes: [DiagnosticCode]) -> [DiagnosticCode] {
    codes.sorted { $0.rawValue < $1.rawValue }
  }

  /// Codes whose file is generated and not saved.
  ///
  /// Most are large, and too many calls take the schema checker half a minute.
  private static let withoutFile: Set<DiagnosticCode> = [
    .fileTooLarge, .tooManySources, .tooManyHosts, .tooManyPaths, .tooManyCalls, .tooManyEntries,
    .tooManyExpectations, .tooManyProblems,
  ]

  @Test("The table is true for the bad file of every code")
  func badFiles() throws {
    let codes = DiagnosticCode.allCases.filter { !Self.withoutFile.contains($0) }
    let folder = Repository.root.appending(path: "Fixtures/Diagnostics")
    let judge = try Judge(
      codes.map {
        .init(name: $0.rawValue, file: folder.appending(path: "\($0.rawValue).json").path)
      })
    for (code, answer) in zip(codes, judge.answers) {
      switch try #require(CodeSight.of(code)).kind {
      case .syntax:
        // Less strict parsers accept these two as JSON.
        guard code != .loneSurrogate, code != .tooDeep else { continue }
        #expect(answer.verdict == .notJSON, "\(code)")
      case .shape:
        #expect(answer.verdict == .rejected, "\(code)")
      case .meaning:
        #expect(answer.verdict == .accepted, "\(code): \(answer.errors)")
      }
    }
  }

  @Test("The table is true for files that are too long to save")
  func longFiles() throws {
    let source = Self.list(ScenarioLimits.sources + 1) { #"{"document": "d", "item": "i\#($0)"}"# }
    let hosts = Self.list(ScenarioLimits.hosts + 1) { #""h\#($0)": {}"# }
    let files: [(code: DiagnosticCode, text: String)] = [
      (.tooManySources, Self.text(more: #""source": [\#(source)]"#)),
      (.tooManyHosts, Self.text(hosts: hosts)),
      (.tooManyPaths, Self.text(Self.list(64) { #"{"at": "\#($0)s", "path": "p\#($0)"}"# })),
      (
        .tooManyEntries,
        Self.text(Self.list(ScenarioLimits.entries + 1) { _ in #"{"at":"1s","flags":2}"# })
      ),
      (
        .tooManyExpectations,
        Self.text(
          #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#,
          more: #""expect": ["#
            + Self.list(ScenarioLimits.expectations + 1) { _ in #"{"call":"c","at":"1s"}"# } + "]")
      ),
      (.tooManyProblems, Self.text(Self.list(1_500) { _ in "{}" })),
    ]
    let judge = try Judge(files.map { .init(name: $0.code.rawValue, text: $0.text) })
    for (file, answer) in zip(files, judge.answers) {
      let reading = ScenarioReader.read(file: "f.json", bytes: Array(file.text.utf8))
      #expect(reading.diagnostics.contains { $0.code == file.code })
      let kind = try #require(CodeSight.of(file.code)).kind
      #expect(answer.verdict == (kind == .shape ? .rejected : .accepted), "\(file.code)")
    }
    // With one call per entry, a timeline with too many calls is not too long for the schema.
    #expect(ScenarioLimits.calls < ScenarioLimits.entries)
  }

  /// Files with codes that are partly detected, as exceptions from the table's main entry.
  private static let exceptions: [(code: DiagnosticCode, text: String, verdict: Judge.Verdict)] = [
    (
      .textTooLong, text(more: #""title": "\#(String(repeating: "é", count: 6_000))""#), .accepted
    ),
    (.notAnInteger, text(more: #""config": {"seed": 1.5}"#), .rejected),
    (.invalidAddress, text(hosts: #""a:1": {"addresses": ["[::1]"]}"#), .rejected),
    (
      .timeOutOfRange,
      text(#"{"at": "1000000h", "flags": 2}, {"at": "+1us", "flags": 0}"#), .accepted
    ),
    (
      .unsupportedFormat, text().replacing(#""format": 1"#, with: #""format": 1.0"#), .accepted
    ),
    (
      .tooManyHeaders,
      text(
        more: #""config": {"interceptors": [{"kind": "mock", "#
          + #""messages": [\#(list(ScenarioLimits.headers + 1) { #""\#($0)""# })]}]}"#),
      .rejected
    ),
    (.tooManyProblems, text(list(1_500) { _ in #"{"at": "0s", "cancel": "c"}"# }), .accepted),
  ]

  @Test("Exceptions exist exactly where the table lists them")
  func partial() throws {
    let partial = CodeSight.table.filter(\.value.isPartial).map(\.key)
    #expect(Set(partial) == Set(Self.exceptions.map(\.code)))
    let judge = try Judge(
      Self.exceptions.map { .init(name: $0.code.rawValue, text: $0.text) })
    for (exception, answer) in zip(Self.exceptions, judge.answers) {
      let reading = ScenarioReader.read(file: "f.json", bytes: Array(exception.text.utf8))
      #expect(reading.diagnostics.last?.code == exception.code)
      #expect(answer.verdict == exception.verdict, "\(exception.code)")
    }
  }

  @Test("The schema and the reader agree at the limits of numbers, times and names")
  func bounds() throws {
    var requests: [Judge.Request] = []
    var expected: [Bool] = []
    for bound in Bounds.all {
      for value in bound.good + bound.bad {
        let text = bound.text.replacing("VALUE", with: value)
        requests.append(.init(name: "\(bound.name), \(value)", text: text, errors: true))
      }
      expected += bound.good.map { _ in true } + bound.bad.map { _ in false }
    }
    let judge = try Judge(requests)
    for (position, (request, answer)) in zip(requests, judge.answers).enumerated() {
      let reading = ScenarioReader.read(file: "f.json", bytes: Array((request.text ?? "").utf8))
      let isGood = expected[position]
      #expect((reading.scenario != nil) == isGood, "\(answer.name): \(reading.diagnostics)")
      #expect((answer.verdict == .accepted) == isGood, "\(answer.name): \(answer.errors)")
    }
  }

  static func text(
    _ timeline: String = "", hosts: String = #""a:1": {}"#, more: String = ""
  ) -> String {
    """
    {"format": 1, "id": "s", "initial": {"flags": 2}, "hosts": {\(hosts)}, \
    "timeline": [\(timeline)]\(more.isEmpty ? "" : ", " + more)}
    """
  }

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    (0..<count).map(item).joined(separator: ",")
  }
}

/// Values that are just valid and just invalid at one position of a scenario.
struct Bounds: Sendable {
  var name: String
  var text: String
  var good: [String]
  var bad: [String]

  static let all: [Bounds] = [
    Bounds(
      name: "times of entries", text: entry(#""at": VALUE, "flags": 2"#),
      good: texts(times + times.map { "+" + $0 }), bad: texts(noTimes) + ["1", "null", "[]"]),
    Bounds(
      name: "times elsewhere", text: member(#""config": {"idle": VALUE}"#),
      good: texts(times), bad: texts(noTimes + times.map { "+" + $0 })),
    Bounds(
      name: "times that must pass", text: member(#""config": {"tcpTimeout": VALUE}"#),
      good: texts(times.filter { $0.contains { "123456789".contains($0) } }),
      bad: texts(["0s", "0us", "0.000h", "00min"])),
    Bounds(
      name: "long times", text: member(#""config": {"idle": VALUE}"#),
      good: texts([String(repeating: "0", count: 197) + "s"]),
      bad: texts([String(repeating: "0", count: 198) + "s"])),
    Bounds(
      name: "flags", text: entry(#""at": "0s", "flags": VALUE"#),
      good: [
        "0", "4294967295", #""WR tcCiDld""#, #""-- -------""#, "[]", "{}",
        #"{"IsDirect": true, "Reachable": 0, "x-1": 7, "comment": []}"#,
      ],
      bad: [
        "-1", "4294967296", #""RW -------""#, #""WR tcCiDld\n""#, #""""#, "[1]", "true", "null",
        #"{"IsDirect": 2}"#, #"{"IsDirect": "1"}"#, #"{"isDirect": 1}"#,
      ]),
    Bounds(
      name: "ids", text: member("").replacing(#""id": "s""#, with: #""id": VALUE"#),
      good: texts(["a", "a/b", "..a/b.", "-", "_/9", String(repeating: "x", count: 200)]),
      bad: texts([
        "", "/", "a/", "/a", "a//b", ".", "..", "a/..", "../a", "a b", "ä", "a\\n",
        String(repeating: "x", count: 201),
      ])),
    Bounds(
      name: "names", text: entry(#""at": "0s", "path": VALUE"#),
      good: texts([" ", "ä", "a/b", String(repeating: "x", count: 200)]),
      bad: texts(["", "\\n", "a\\n", "a\\u0000", "\\u007f", String(repeating: "x", count: 201)])),
    Bounds(
      name: "messages",
      text: DiagnosticSightTests.text(
        #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#,
        more: #""expect": [{"call": "c", "message": VALUE}]"#),
      good: texts(["", "a\\n", String(repeating: "x", count: 10_000)]),
      bad: texts([String(repeating: "x", count: 10_001)])),
    Bounds(
      name: "hosts", text: member("").replacing(#""a:1""#, with: "VALUE"),
      good: texts(["a", "x-a", "comment", "*", String(repeating: "x", count: 200)]),
      bad: texts(["", "a\\nb", "a\\n", String(repeating: "x", count: 201)])),
    Bounds(
      name: "seeds", text: member(#""config": {"seed": VALUE}"#),
      good: ["0", "18446744073709551615"], bad: ["-1", "18446744073709551616", "1e999", "true"]),
    Bounds(
      name: "bytes", text: member(#""config": {"sendBuffer": VALUE}"#),
      good: ["1", "1073741824"], bad: ["0", "1073741825"]),
    Bounds(
      name: "factors", text: member(#""config": {"backoff": {"multiplier": VALUE}}"#),
      good: ["1", "1.0", "1e2", "99.999"], bad: ["0.999", "100.001", #""2""#]),
    Bounds(
      name: "jitter", text: member(#""config": {"backoff": {"jitter": VALUE}}"#),
      good: ["0", "-0", "0.001", "1"], bad: ["-0.001", "1.001"]),
    Bounds(
      name: "values in a channel's key",
      text: entry(#""at": "0s", "call": {"id": "c", "host": "a", "options": {"retry": VALUE}}"#)
        .replacing("a:1", with: "a"),
      good: ["-9223372036854775808", "9223372036854775807", "true", #""""#],
      bad: ["-9223372036854775809", "9223372036854775808", "null", "[]", "0.5"]),
    Bounds(
      name: "flow control",
      text: entry(
        #""at": "0s", "call": {"id": "c", "host": "a", "options": {"flowControl": VALUE}}"#
      )
      .replacing("a:1", with: "a"),
      good: ["null", "true", "false"], bad: ["0", "1", #""""#, "[]", "{}"]),
    Bounds(
      name: "headers",
      text: entry(#""at": "0s", "call": {"id": "c", "host": "a:1", "metadata": VALUE}"#),
      good: [
        "{}", #"{"k": ""}"#, #"{"k": "a\n", "x-1": 7, "comment": []}"#,
        #"{"k": "\#(String(repeating: "x", count: 200))"}"#,
      ],
      bad: [
        "[]", "null", #"{"": "v"}"#, #"{"k": 1}"#, #"{"k\n": "v"}"#,
        #"{"k": "\#(String(repeating: "x", count: 201))"}"#,
      ]),
    Bounds(
      name: "attempts",
      text: member(#""config": {"interceptors": [{"kind": "retry", "attempts": VALUE}]}"#),
      good: ["2", "100"], bad: ["1", "101", "null", #""2""#]),
    Bounds(
      name: "tokens",
      text: member(#""config": {"interceptors": [{"kind": "token", "token": VALUE}]}"#),
      good: ["null", #""t""#], bad: ["1", #""""#, "[]", #""a\n""#]),
    Bounds(
      name: "values outside a channel's key",
      text: entry(
        #""at": "0s", "call": {"id": "c", "host": "a", "options": {"serverAuthority": VALUE}}"#
      )
      .replacing("a:1", with: "a"),
      good: ["null", "0.5", "true", #""""#], bad: ["[]", "{}"]),
    Bounds(
      name: "limits of connections", text: member(#""config": {"requests": {"total": VALUE}}"#),
      good: ["2", "1000"], bad: ["0", "1001", "-1", "null"]),
    Bounds(
      name: "limits of long requests", text: member(#""config": {"requests": {"long": VALUE}}"#),
      good: ["0", "4"], bad: ["1001", "-1", "null"]),
    Bounds(
      name: "limits of the platform",
      text: member(#""config": {"requests": {"platform": VALUE}}"#),
      good: ["1", "1000"], bad: ["0", "1001"]),
    Bounds(
      name: "streams of a connection",
      text: member("").replacing("{}", with: #"{"streams": VALUE}"#),
      good: ["1", "1000000"], bad: ["0", "1000001", "null"]),
    Bounds(
      name: "kinds of requests", text: request(#", "kind": VALUE"#),
      good: texts(["short", "long", "synchronous", "websocket"]),
      bad: texts(["exempt", "unary", ""])),
    Bounds(
      name: "policies of long requests", text: request(#", "kind": "long", "policy": VALUE"#),
      good: texts(["throw", "fail", "enqueue", "ignore", "take-spare", "poll"]),
      bad: texts(["queue", ""])),
    Bounds(
      name: "policies of other requests", text: request(#", "kind": VALUE, "policy": "fail""#),
      good: texts(["long"]), bad: texts(["short", "synchronous", "websocket"])),
    Bounds(
      name: "polls of other policies",
      text: request(#", "kind": "long", "policy": VALUE, "poll": "1s""#),
      good: texts(["poll"]), bad: texts(["throw", "ignore"])),
    Bounds(
      name: "numbers of errors", text: request("", #""request": "r", "code": VALUE"#),
      good: ["-2147483648", "0", "2147483647"],
      bad: ["-2147483649", "2147483648", #""-1001""#, "1.5"]),
    Bounds(
      name: "places in a line", text: request("", #""request": "r", "position": VALUE"#),
      good: ["1", "1000000000"], bad: ["0", "1000000001"]),
    Bounds(
      name: "holders", text: request("", #""ask": "q", "holders": VALUE"#),
      good: ["[]", #"["r"]"#], bad: ["null", #""r""#, "[1]", #"[""]"#]),
    Bounds(
      name: "where the schema is", text: member(#""$schema": VALUE"#),
      good: ["null", "0.5", "true", #""""#, "[]", "{}"], bad: []),
  ]

  private static let times = [
    "0s", "0.0us", "7.000us", "0.001ms", "1.5s", "007min", "1h", "1000000h", "999999.999h",
    "1000000.000h", "60000000min", "59999999.999min", "3600000000s", "3599999999.999s",
    "3600000000000ms", "3599999999999.999ms", "3600000000000000us", "0003600000000000000us",
  ]

  private static let noTimes = [
    "", "s", "1", "-1s", "1.s", ".5s", "1.2345s", "1.5us", "0.001us", "1 s", "1sec", "1S", "1s\\n",
    "++1s", "1000001h", "1000000.001h", "60000001min", "60000000.001min", "3600000001s",
    "3600000000.001s", "3600000000001ms", "3600000000000.001ms", "3600000000000001us",
    "99999999999999999999s", "1e3s", "١s",
  ]

  private static func texts(_ values: [String]) -> [String] { values.map { "\"\($0)\"" } }

  private static func entry(_ members: String) -> String {
    DiagnosticSightTests.text("{\(members)}")
  }

  private static func member(_ member: String) -> String {
    DiagnosticSightTests.text(more: member)
  }

  /// Returns a request with additional members, and one expectation.
  private static func request(_ members: String, _ expectation: String? = nil) -> String {
    DiagnosticSightTests.text(
      #"{"at": "0s", "request": {"id": "r", "host": "a:1"\#(members)}}, "#
        + #"{"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#,
      more: #""profiles": ["url-dispatcher"]"#
        + (expectation.map { #", "expect": [{\#($0)}]"# } ?? ""))
  }
}
