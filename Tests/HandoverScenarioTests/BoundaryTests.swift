import HandoverCore
import Testing

@testable import HandoverScenario

/// Values at the limits of what is accepted, and just beyond them.
@Suite("Limits of what can be read")
struct BoundaryTests {
  private static let until = #""config": {"until": "5s"}"#
  private static let channels = #""channels": {"host": "a:1", "alive": 0}"#

  private static func expecting(_ moment: String) -> [DiagnosticCode] {
    Sample.codes(Sample.text(expect: "{\(channels), \(moment)}", more: until))
  }

  @Test("An expectation is possible until the end of the run, and not later")
  func reachable() {
    #expect(Self.expecting(#""at": "5s""#) == [])
    #expect(Self.expecting(#""at": "5000001us""#) == [.expectationAfterUntil])
  }

  @Test("An entry at the end of the run is run, and later entries are reported")
  func played() {
    func codes(_ at: String) -> [DiagnosticCode] {
      Sample.codes(Sample.text(timeline: #"{"at": "\#(at)", "flags": []}"#, more: Self.until))
    }
    #expect(codes("5s") == [])
    #expect(codes("5000001us") == [.entryAfterUntil])
  }

  @Test(
    "A name has at most two hundred bytes, escaped or not",
    arguments: ["a", #"\u0061"#])
  func names(_ byte: String) {
    func codes(_ count: Int) -> [DiagnosticCode] {
      let id = String(repeating: byte, count: count)
      return Sample.codes(
        Sample.text(timeline: #"{"at": "0s", "call": {"id": "\#(id)", "host": "a:1"}}"#))
    }
    #expect(codes(200) == [])
    #expect(codes(201) == [.textTooLong])
  }

  @Test("A connection has at most a million streams")
  func streams() {
    func codes(_ count: Int) -> [DiagnosticCode] {
      Sample.codes(
        Sample.text(more: #""profiles": ["url-loading"]"#)
          .replacing(#""a:1": {}"#, with: #""a:1": {"streams": \#(count)}"#))
    }
    #expect(codes(1_000_000) == [])
    #expect(codes(1_000_001) == [.numberOutOfRange])
  }

  @Test("A cache needs a positive duration")
  func keep() {
    func codes(_ time: String) -> [DiagnosticCode] {
      Sample.codes(
        Sample.text(
          more: #""config": {"interceptors": [{"kind": "cache", "keep": "\#(time)"}]}"#))
    }
    #expect(codes("1us") == [])
    #expect(codes("0s") == [.timeNotPositive])
  }

  @Test(
    "Only a scripted interceptor that closes may have a status", arguments: GateAction.allCases
  )
  func status(_ word: GateAction) {
    let call = #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#
    let command =
      #"{"name": "gate", "call": "c", "do": "\#(word.rawValue)", "status": "ABORTED"}"#
    let codes = Sample.codes(
      Sample.text(
        timeline: call + #", {"at": "0s", "interceptor": \#(command)}"#,
        more: #""config": {"interceptors": [{"kind": "gate"}]}"#))
    #expect(codes == (word == .close ? [] : [.keyOutOfPlace]))
  }

  @Test(
    "A window consists of two times in order",
    arguments: [
      (#"["1s", "1s"]"#, []), (#"["1s", "2s"]"#, []), (#"["2s", "1s"]"#, [.timeBackwards]),
      (#""1s""#, [.wrongType]), (#"["1s"]"#, [.wrongType]), ("[]", [.wrongType]),
      (#"["1s", "2s", "3s"]"#, [.wrongType]), (#"["5s", "9s"]"#, []),
      (#"["5000001us", "9s"]"#, [.expectationAfterUntil]),
    ] as [(String, [DiagnosticCode])])
  func window(_ window: String, _ codes: [DiagnosticCode]) {
    let text = Sample.text(
      timeline: #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#,
      expect: #"{"call": "c", "within": \#(window)}"#, more: Self.until)
    #expect(Sample.codes(text) == codes)
  }

  @Test(
    "The interval between messages is positive",
    arguments: [("1us", []), ("0s", [.timeNotPositive])] as [(String, [DiagnosticCode])])
  func every(_ time: String, _ codes: [DiagnosticCode]) {
    let call = #""call": {"id": "c", "host": "a:1", "kind": "streaming", "every": "\#(time)"}"#
    #expect(Sample.codes(Sample.text(timeline: #"{"at": "0s", \#(call)}"#)) == codes)
  }

  @Test(
    "A ratio may equal either limit of its range",
    arguments: [
      (#""multiplier": 1"#, []), (#""multiplier": 100"#, []), (#""jitter": 0"#, []),
      (#""jitter": 1"#, []), (#""multiplier": 0.999"#, [.numberOutOfRange]),
      (#""multiplier": 100.001"#, [.numberOutOfRange]),
      (#""jitter": 1.001"#, [.numberOutOfRange]), (#""jitter": -0.001"#, [.numberOutOfRange]),
      (#""jitter": 0.0001"#, [.tooManyDecimals]),
    ] as [(String, [DiagnosticCode])])
  func ratio(_ setting: String, _ codes: [DiagnosticCode]) {
    let config = #""config": {"backoff": {\#(setting)}}"#
    #expect(Sample.codes(Sample.text(more: config)) == codes)
  }

  @Test(
    "An expectation about calls is refused on a profile without calls",
    arguments: [
      channels, #""connections": {"host": "a:1", "open": 0}"#,
      #""server": {"host": "a:1", "received": 0}"#,
    ])
  func profiles(_ subject: String) {
    func codes(_ profile: String) -> [DiagnosticCode] {
      Sample.codes(
        Sample.text(expect: "{\(subject)}", more: #""profiles": ["\#(profile)"]"#))
    }
    #expect(codes("sockets") == [])
    #expect(codes("url-loading") == [.wrongProfile])
    #expect(codes("url-dispatcher") == [.wrongProfile])
  }

  @Test("A string in a message is truncated after sixty characters")
  func excerpt() {
    let sixty = String(repeating: "x", count: 60)
    #expect(Excerpt.quoted(sixty) == "\"\(sixty)\"")
    #expect(Excerpt.quoted(sixty + "x") == "\"\(sixty)...\"")
    #expect(Excerpt.quoted("\u{7}") == #""U+0007""#)
  }

  @Test("A duration has no sign, because it is not relative to another entry")
  func length() {
    #expect(TimeNotation.interval("250ms") == .milliseconds(250))
    #expect(TimeNotation.interval("+250ms") == nil)
    #expect(TimeNotation.interval("250") == nil)
  }

  @Test("A number is an integer or in thousandths, within the range of its type")
  func numbers() throws {
    func value(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)).root }
    #expect(try value("-7").wholeNumber == -7)
    #expect(try value("9223372036854775807").wholeNumber == .max)
    #expect(try value("9223372036854775808").wholeNumber == nil)
    #expect(try value("\"7\"").wholeNumber == nil)
    #expect(try value("7.5").wholeNumber == nil)
    #expect(try value("18446744073709551615").unsignedNumber == .max)
    #expect(try value("-1").unsignedNumber == nil)
    #expect(try value("\"7\"").unsignedNumber == nil)
    #expect(try value("1.25").wholeThousandths == 1_250)
    #expect(try value("\"1\"").wholeThousandths == nil)
  }

  @Test("A list of keywords has at most a thousand elements", arguments: [1_000, 1_001])
  func words(_ count: Int) {
    let words = Array(repeating: #""finished-twice""#, count: count).joined(separator: ", ")
    let text = Sample.text(
      timeline: #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#,
      expect: #"{"chain": {"call": "c", "breaks": [\#(words)]}}"#,
      more: #""config": {"interceptors": [{"kind": "gate"}]}"#)
    #expect(Sample.codes(text).isEmpty == (count == 1_000))
  }

  @Test("The long limit may equal the total", arguments: [4, 5])
  func longLimit(_ long: Int) {
    let text = Sample.text(
      timeline: #"""
        {"at": "0s", "request": {"id": "r", "host": "a:1"}},
        {"at": "1s", "dispatcher": {"do": "limit", "long": \#(long)}}
        """#, more: #""profiles": ["url-dispatcher"], "config": {"requests": {"total": 4}}"#)
    #expect(Sample.codes(text).isEmpty == (long == 4))
  }

  @Test("A name contains no control character", arguments: ["\u{7F}", "\\u001f", "\\u007f", "~"])
  func printable(_ character: String) {
    let text = Sample.text(
      timeline: #"{"at": "0s", "call": {"id": "c\#(character)", "host": "a:1"}}"#)
    #expect(Sample.codes(text) == (character == "~" ? [] : [.unprintableText]))
  }

  @Test(
    "A catalog must have arrays in the right places",
    arguments: [
      (#"{"items": [{"document": "d", "id": "1", "sentence": "s", "places": ["p"]}]}"#, true),
      (#"{"items": {"document": "d"}}"#, false), (#"{"items": "many"}"#, false),
      (#"{"items": [{"document": "d", "id": "1", "sentence": "s", "places": "p"}]}"#, false),
    ])
  func catalog(_ text: String, _ isRead: Bool) {
    let items = try? ItemCatalog.items(file: "items.json", bytes: Array(text.utf8))
    #expect(items?.first?.id == (isRead ? "1" : nil))
    #expect((items != nil) == isRead)
  }

  @Test(
    "A flag is 0 or 1",
    arguments: [(0, []), (1, []), (2, [.numberOutOfRange])] as [(Int, [DiagnosticCode])])
  func flag(_ number: Int, _ codes: [DiagnosticCode]) {
    let entry = #"{"at": "0s", "flags": {"Reachable": 1, "IsWWAN": \#(number)}}"#
    #expect(Sample.codes(Sample.text(timeline: entry)) == codes)
  }

  @Test("Only profiles with a monitor accept expectations about one")
  func monitors() {
    let monitored = Profile.known.filter { profile in
      Sample.codes(
        Sample.text(
          timeline: #"{"at": "0s", "monitor": {"do": "miss"}}"#,
          more: #""profiles": ["\#(profile.name)"]"#)) == []
    }
    #expect(monitored == Profile.known.filter(\.policy.monitorsReachability))
    #expect(monitored.contains(.socketsMonitor) && !monitored.contains(.sockets))
  }
}
