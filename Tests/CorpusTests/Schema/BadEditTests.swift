import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("Typical mistakes of authors")
struct BadEditTests {
  /// One mistake: the intended text, the written text, and the command's message.
  struct Slip: Sendable {
    var name: String
    var meant: String
    var written: String
    var complaint: String
  }

  static let text = """
    {
      "format": 1,
      "id": "slips/none",
      "profiles": ["sockets", "sockets-monitor"],
      "initial": { "flags": ["Reachable", "IsWWAN"] },
      "hosts": { "api.example:443": { "connect": "50ms" } },
      "timeline": [
        { "at": "0s", "call": { "id": "a", "host": "api.example:443", "deadline": "20s" } },
        { "at": "1s", "flags": ["Reachable"] },
        { "at": "+1s", "app": "background" }
      ],
      "expect": [{ "call": "a", "status": "OK", "at": "60ms" }]
    }
    """

  static let slips = [
    Slip(
      name: "a misspelt key", meant: #""deadline""#, written: #""dedline""#,
      complaint: #"8:67: error: a call has no key "dedline" [unknown-key]"#),
    Slip(
      name: "a misspelt flag", meant: "IsWWAN", written: "IsWAAN",
      complaint: #"5:39: error: unknown flag "IsWAAN" [unknown-flag]"#),
    Slip(
      name: "a time without a unit", meant: #""at": "1s""#, written: #""at": 1"#,
      complaint: #"9:13: error: "at" is a number without a unit [time-without-unit]"#),
    Slip(
      name: "two actions in one entry", meant: #""app": "background""#,
      written: #""app": "background", "cancel": "a""#,
      complaint: #"10:41: error: an entry can do only one thing; this one has both "app" and "#
        + #""cancel" [several-actions]"#),
    Slip(
      name: "a misspelt status", meant: #""OK""#, written: #""Ok""#,
      complaint: #"12:39: error: "status" cannot be "Ok" [unknown-status]"#),
    Slip(
      name: "a call without its host", meant: #""host": "api.example:443", "#, written: "",
      complaint: #"8:27: error: a call must have the key "host" [missing-key]"#),
    Slip(
      name: "a misspelt profile", meant: "sockets-monitor", written: "socket-monitor",
      complaint: #"4:27: error: unknown profile "socket-monitor" [unknown-profile]"#),
    Slip(
      name: "a relative time outside the timeline", meant: #""20s""#, written: #""+20s""#,
      complaint: #"8:79: error: "deadline" cannot be a relative time "#
        + "[relative-time]"),
    Slip(
      name: "two times for one expectation", meant: #""at": "60ms""#,
      written: #""at": "60ms", "before": "1s""#,
      complaint: "12:59: error: the expectation has more than one time [several-times]"),
    Slip(
      name: "one flag without a list", meant: #"["Reachable"]"#, written: #""Reachable""#,
      complaint: "9:28: error: a single flag must be in a list [invalid-flags-text]"),
  ]

  @Test("The scenario without mistakes is valid")
  func original() throws {
    #expect(Self.reading(Self.text).diagnostics == [])
    #expect(try Judge([.init(name: "original", text: Self.text)]).answers[0].verdict == .accepted)
  }

  @Test("The command and the schema report each mistake at the same position")
  func slips() throws {
    let texts = Self.slips.map {
      Self.text.replacing($0.meant, with: $0.written, maxReplacements: 1)
    }
    let judge = try Judge(
      zip(Self.slips, texts).map { .init(name: $0.name, text: $1, errors: true) })
    for (slip, (text, answer)) in zip(Self.slips, zip(texts, judge.answers)) {
      #expect(text != Self.text, "\(slip.name)")
      let diagnostics = Self.reading(text).diagnostics
      let reported = try #require(diagnostics.first)
      #expect(diagnostics.count == 1, "\(slip.name)")
      #expect("\(reported)".hasPrefix("slip.json:\(slip.complaint)\n"), "\(reported)")
      #expect(answer.verdict == .rejected, "\(slip.name)")
      // The schema reports a key at the object that contains it.
      let around = reported.pointer.lastIndex(of: "/").map { String(reported.pointer[..<$0]) }
      for complaint in answer.errors {
        let isPresent = complaint.pointer == reported.pointer || complaint.pointer == around
        #expect(isPresent, "\(slip.name), \(reported.pointer): \(complaint)")
      }
    }
  }

  @Test("The documentation shows the same messages")
  func page() throws {
    let page = try Repository.text(Repository.catalog.appending(path: "EditorSupport.md"))
    for slip in Self.slips {
      let reported = slip.complaint.split(separator: ": error: ").last?.split(separator: " [").first
      #expect(page.contains("| `\(try #require(reported))` |"), "\(slip.name)")
    }
  }

  private static func reading(_ text: String) -> ScenarioReading {
    ScenarioReader.read(file: "slip.json", bytes: Array(text.utf8))
  }
}
