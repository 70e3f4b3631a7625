import HandoverCore
import HandoverScenario
import Testing

@testable import HandoverEngine

/// A failing expectation about the known run, and its messages.
struct FindingMessage: Sendable, CustomTestStringConvertible {
  var expectation: String
  var expected: String
  var seen: String
  var testDescription: String { expectation }

  static let table = [
    FindingMessage(
      expectation: #"{"call": "stream", "status": "OK", "at": "1.5s"}"#,
      expected: #"call "stream" ends OK at 1.5s"#,
      seen: #"it ended UNAVAILABLE ("Connectivity lost.") at 1s"#),
    FindingMessage(
      expectation: #"{"call": "next", "message": "no", "channel": "same"}"#,
      expected: #"call "next" ends with the message "no" on the same channel"#,
      seen: "it ended OK at 2.06s, on a new channel"),
    FindingMessage(
      expectation: #"{"call": "again", "channel": "new", "within": ["3s", "3.01s"]}"#,
      expected: #"call "again" ends on a new channel between 3s and 3.01s"#,
      seen: "it ended OK at 3.01s, on the channel that was there"),
    FindingMessage(
      expectation: #"{"call": "open", "status": "UNAVAILABLE", "before": "2min"}"#,
      expected: #"call "open" ends UNAVAILABLE before 2min"#,
      seen: "it was unfinished when the run was over"),
    FindingMessage(
      expectation: #"{"call": "stream", "after": "1s"}"#,
      expected: #"call "stream" ends after 1s"#,
      seen: #"it ended UNAVAILABLE ("Connectivity lost.") at 1s"#),
    FindingMessage(
      expectation: #"{"channels": {"host": "a:1", "alive": 0, "destroyed": 2, "state": "IDLE"}}"#,
      expected: "a:1 has no channel alive, 2 channels destroyed and every channel in IDLE",
      seen: "1 alive, 1 destroyed, READY"),
    FindingMessage(
      expectation: #"{"channels": {"host": "b:1", "state": "IDLE"}, "at": "250ms"}"#,
      expected: "b:1 has every channel in IDLE at 250ms", seen: "no channel yet"),
    FindingMessage(
      expectation: #"{"connections": {"host": "*", "attempts": 0, "open": 0}, "at": "1h"}"#,
      expected: "all hosts together have no attempt to connect and no connection open at 1h",
      seen: "2 attempts, 1 open"),
    FindingMessage(
      expectation: #"{"connections": {"host": "a:1", "path": "cellular"}}"#,
      expected: "a:1 has every connection over cellular", seen: "over WiFi"),
    FindingMessage(
      expectation: #"{"connections": {"host": "a:1", "path": "wifi"}, "at": "0s"}"#,
      expected: "a:1 has every connection over WiFi at 0s", seen: "none open"),
    FindingMessage(
      expectation: #"{"server": {"host": "a:1", "received": 0}, "at": "50ms"}"#,
      expected: "the server of a:1 has received nothing at 50ms", seen: "1 received"),
    FindingMessage(
      expectation: #"{"server": {"host": "*", "received": 9, "twice": 1, "path": "wifi", "#
        + #""since": "2s"}, "at": "3s"}"#,
      expected: "the servers have received 9 requests and messages and read 1 request more than "
        + "once over WiFi since 2s at 3s",
      seen: "2 received, 0 requests read more than once"),
    FindingMessage(
      expectation: #"{"monitor": {"notifications": 7}}"#,
      expected: "the monitor has posted 7 notifications", seen: "1 notification"),
    FindingMessage(
      expectation: #"{"never": {"channels": {"host": "*", "destroyed": 1}}}"#,
      expected: "all hosts together never have 1 channel destroyed", seen: "1 destroyed"),
    FindingMessage(
      expectation: #"{"never": {"call": "stream"}}"#,
      expected: #"call "stream" never ends"#,
      seen: #"it ended UNAVAILABLE ("Connectivity lost.") at 1s"#),
  ]
}

@Suite("Messages about expected and seen values")
struct WordingTests {
  @Test("A failed expectation has the documented messages", arguments: FindingMessage.table)
  func messages(_ message: FindingMessage) throws {
    let result = try KnownRun.run(expecting: message.expectation)
    #expect(result.findings.map(\.expected) == [message.expected])
    #expect(result.findings.map(\.seen) == [message.seen])
  }

  @Test(
    "Zero is a number in a sentence with never, which already negates",
    arguments: [
      (
        #"{"connections": {"host": "*", "attempts": 0, "open": 0}}"#,
        "all hosts together never have 0 attempts to connect and 0 connections open"
      ),
      (
        #"{"server": {"host": "a:1", "received": 0}}"#,
        "the server of a:1 has never received 0 requests and messages"
      ),
    ])
  func zero(subject: String, sentence: String) throws {
    let scenario = try Sample.scenario(timeline: [], expect: [#"{"never": \#(subject)}"#])
    let phrases = ExpectationPhrases(scenario.script)
    #expect(scenario.expectations.map { phrases.text(of: $0).text } == [sentence])
  }

  @Test("A call that was never started, and one without a channel, have specific messages")
  func neverStarted() throws {
    var scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "early", "host": "a:1", "options": {"token": "9s"}, "#
          + #""deadline": "1s"}}"#,
        #"{"at": "5s", "call": {"id": "late", "host": "a:1"}}"#,
      ],
      expect: [
        #"{"call": "early", "channel": "new"}"#, #"{"call": "late", "status": "OK"}"#,
      ])
    scenario.script.configuration.until = try Instant("3s")
    let result = try Sample.run(scenario)
    #expect(
      result.findings.map(\.seen) == [
        #"it ended DEADLINE_EXCEEDED ("Deadline Exceeded") at 1s, bound to no channel"#,
        "it was never started",
      ])
  }
}

@Suite("Messages about many channels")
struct ManyChannelsTests {
  @Test("A list of words ends at the word that exceeds 4,000 bytes")
  func longWords() {
    for (length, count) in [(3_999, 2), (4_000, 1)] {
      let words = [String(repeating: "x", count: length), "y"]
      #expect(Wording.shown(words).count == count, "\(length)")
      #expect(Wording.short(words, of: 2).hasSuffix(count == 2 ? ", y" : " and 1 more"))
    }
  }

  @Test(
    "The first twenty channels are listed, with the number of the rest", arguments: [20, 21, 23])
  func more(_ count: Int) throws {
    let scenario = try Sample.scenario(
      timeline: (0..<count).map {
        #"{"at": "0s", "call": {"id": "c\#($0)", "host": "h\#($0):1", "kind": "streaming"}}"#
      },
      expect: [#"{"channels": {"host": "*", "state": "IDLE"}}"#],
      hosts: (0..<count).map { #""h\#($0):1": {}"# }.joined(separator: ", "))
    let seen = try Sample.run(scenario).findings.map(\.seen)
    let reported = repeatElement("READY", count: 20).joined(separator: ", ")
    #expect(seen == [count > 20 ? "\(reported) and \(count - 20) more" : reported])
  }
}
