import HandoverCore
import HandoverScenario
import Testing

@Suite("Calls that are created but not started")
struct MadeCallReadingTests {
  private static let made = #"{"at": "0s", "call": {"id": "a", "host": "a:1", "starts": false}}"#
  private static let start = #"{"at": "1s", "start": "a"}"#

  private static func codes(_ entries: String...) -> [DiagnosticCode] {
    Sample.codes(Sample.text(timeline: entries.joined(separator: ",")))
  }

  @Test("A call and its start can be two entries")
  func twoEntries() throws {
    let script = try Sample.scenario(Sample.text(timeline: Self.made + "," + Self.start)).script
    #expect(script.entries.map(\.action) == [.makeCall(0), .startCall(0)])
    #expect(script.calls.map(\.id) == ["a"])
  }

  @Test("A call need not be started")
  func neverStarted() throws {
    let text = Sample.text(timeline: Self.made, expect: #"{"never": {"call": "a"}}"#)
    #expect(try Sample.scenario(text).script.entries.map(\.action) == [.makeCall(0)])
  }

  @Test("A call starts immediately by default")
  func startAtOnce() throws {
    let call = #"{"at": "0s", "call": {"id": "a", "host": "a:1", "starts": true}}"#
    let script = try Sample.scenario(Sample.text(timeline: call)).script
    #expect(script.entries.map(\.action) == [.startCall(0)])
  }

  @Test("A call starts once")
  func startOnce() {
    #expect(Self.codes(Self.made, Self.start, Self.start) == [.callStartsTwice])
    let call = #"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#
    #expect(Self.codes(call, Self.start) == [.callStartsTwice])
  }

  @Test("A call cannot be named before its start")
  func namedTooEarly() {
    let cancel = #"{"at": "0s", "cancel": "a"}"#
    #expect(Self.codes(Self.made, cancel, Self.start) == [.callNotStarted])
    #expect(Self.codes(Self.made, cancel) == [.callNotStarted])
    #expect(Self.codes(Self.made, Self.start, #"{"at": "1s", "cancel": "a"}"#) == [])
    let start = #"{"at": "0s", "start": "a"}"#
    #expect(Self.codes(start, Self.made) == [.callNotStarted])
    #expect(Self.codes(start) == [.unknownCall])
  }

  @Test("Calls are created and started only while the app runs")
  func inBackground() {
    let away = #"{"at": "0s", "app": "background"}"#
    #expect(Self.codes(Self.made, away, Self.start) == [.inBackground])
    let running = #"{"at": "0s", "app": "background-running"}"#
    #expect(Self.codes(Self.made, running, Self.start) == [])
    #expect(Self.codes(Self.made, running, away, Self.start) == [.inBackground])
  }
}
