import HandoverCore
import Testing

@testable import HandoverScenario

/// Limits on parts of a scenario together, without which a larger scenario would exceed another
/// limit.
@Suite("Limits on the combined parts of a scenario")
struct LimitReadingTests {
  private static func codes(_ entries: [String], _ config: String = "{}") -> [DiagnosticCode] {
    Sample.codes(
      Sample.text(timeline: entries.joined(separator: ","), more: #""config": \#(config)"#))
  }

  private static func call(_ number: Int, _ more: String = "") -> String {
    #"{"at": "0s", "call": {"id": "c\#(number)", "host": "a:1"\#(more)}}"#
  }

  @Test("The number of channels is limited, however many calls share them")
  func channels() {
    func calls(_ count: Int) -> [String] {
      // Each channel is requested twice, because the limit counts channels.
      (0..<count).flatMap { number in
        let options = #", "options": {"logContext": "\#(number)"}"#
        return [Self.call(2 * number, options), Self.call(2 * number + 1, options)]
      }
    }
    #expect(Self.codes(calls(ScenarioLimits.channels)) == [])
    let extra = Self.call(65_535, #", "options": {"logContext": "one more"}"#)
    #expect(
      Self.codes(calls(ScenarioLimits.channels - 1) + [Self.call(65_534), extra]) == [
        .tooManyCalls
      ])
  }

  @Test("Two hosts with equal options need two channels")
  func channelsOfHosts() {
    func codes(_ count: Int) -> [DiagnosticCode] {
      let calls = (0..<count).map {
        let host = $0 % 2 == 0 ? "a:1" : "b:1"
        return #"{"at": "0s", "call": {"id": "c\#($0)", "host": "\#(host)", "#
          + #""options": {"logContext": "\#($0 / 2)"}}}"#
      }
      let text = Sample.text(timeline: calls.joined(separator: ","))
      return Sample.codes(text.replacing(#""a:1": {}"#, with: #""a:1": {}, "b:1": {}"#))
    }
    #expect(codes(ScenarioLimits.channels) == [])
    #expect(codes(ScenarioLimits.channels + 1) == [.tooManyCalls])
  }

  @Test(
    "Calls and their interceptors are counted together; calls without any do not count",
    arguments: [(1, 25_000), (4, 10_000), (99, 500)])
  func links(links: Int, most: Int) {
    let kinds = (0..<links).map { #"{"kind": "forward", "name": "l\#($0)"}"# }
    let config = #"{"interceptors": [\#(kinds.joined(separator: ","))]}"#
    let calls = (0..<most).map { Self.call($0) }
    let legacy = Self.call(most, #", "legacy": true"#)
    #expect(Self.codes(calls + [legacy], config) == [])
    #expect(Self.codes(calls + [Self.call(most)], config) == [.tooManyCalls])
  }

  @Test("Messages that interceptors see have a common limit in bytes, and others one each")
  func bytes() {
    let bidi = Self.call(0, #", "kind": "bidi""#)
    func send(_ bytes: Int) -> String {
      #"{"at": "0s", "send": {"call": "c0", "bytes": \#(bytes)}}"#
    }
    let config = #"{"interceptors": [{"kind": "forward"}]}"#
    let half = ScenarioLimits.interceptedByteCount / 2
    #expect(Self.codes([bidi, send(half), send(half)], config) == [])
    #expect(Self.codes([bidi, send(half), send(half), send(1)], config) == [.tooManyBytes])
    #expect(Self.codes([bidi, send(ScenarioLimits.messageByteCount), send(1)]) == [])
  }

  @Test("Requests that may be polled are counted, by their own policy or the default")
  func polls() {
    func requests(_ count: Int, _ more: String) -> [String] {
      (0..<count).map { #"{"at": "0s", "request": {"id": "r\#($0)", "host": "a:1"\#(more)}}"# }
    }
    func codes(_ entries: [String], _ config: String) -> [DiagnosticCode] {
      Sample.codes(
        Sample.text(
          timeline: entries.joined(separator: ","),
          more: #""profiles": ["url-dispatcher"], "config": {"requests": {\#(config)}}"#))
    }
    let most = ScenarioLimits.polledRequests
    let polled = #", "kind": "long", "policy": "poll""#
    #expect(codes(requests(most, polled), "") == [])
    #expect(codes(requests(most + 1, polled), "") == [.tooManyCalls])
    #expect(
      codes(requests(most + 1, #", "kind": "long""#), #""policy": "poll""#) == [.tooManyCalls])
    #expect(codes(requests(most + 1, ""), #""policy": "poll""#) == [])
  }
}
