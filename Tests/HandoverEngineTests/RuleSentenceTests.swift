import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// The message of a violation: the first finding of a tampering.
struct Sentence: Sendable, CustomTestStringConvertible {
  /// The name of the tampering.
  var testDescription: String
  var expected: String
  var seen: String
  var at: String
  /// Whether the tampering violates only this invariant.
  var isAlone: Bool

  init(_ name: String, _ expected: String, _ seen: String, at: String, isAlone: Bool = true) {
    testDescription = name
    self.expected = expected
    self.seen = seen
    self.at = at
    self.isAlone = isAlone
  }
}

/// The number of an invariant alone is not enough, because another part of it may detect the
/// violation later.
@Suite("The message of each violation")
struct RuleSentenceTests {
  static let ends = [
    Sentence(
      "a call ends twice",
      "a call ends once",
      #""next" ended again, OK"#, at: "2.06s"),
    Sentence(
      "a call ends again later, with another status",
      "a call ends once",
      #""refused" ended again, CANCELLED"#, at: "6s"),
    Sentence(
      "a message is delivered after the end",
      "nothing is observed of a call after its end",
      #""next" is"#, at: "2.06s"),
    Sentence(
      "a token is asked for after the end",
      "nothing is observed of a call after its end",
      #""next" is"#, at: "2.06s"),
    Sentence(
      "a call ends that nobody started",
      "a call ends once",
      "an unknown call ended again, CANCELLED", at: "2.06s"),
  ]

  static let transitions = [
    Sentence(
      "a channel and its call outlive a change of category",
      "a change of category destroys every channel",
      "the one to a:1 is still in READY", at: "1s", isAlone: false),
    Sentence(
      "a call continues after a category change",
      "a change of category ends every call on a channel",
      #""stream" continues"#, at: "1s", isAlone: false),
    Sentence(
      "a change of category ends a call CANCELLED",
      "a change of category ends calls UNAVAILABLE",
      #""stream" ended CANCELLED"#, at: "1s"),
    Sentence(
      "a change of category ends a call OK",
      "a change of category ends calls UNAVAILABLE",
      #""stream" ended OK"#, at: "1s"),
    Sentence(
      "a change of category ends a call that waits for its token",
      "a category change does not affect calls without a channel",
      #""token" ended UNAVAILABLE"#, at: "12s", isAlone: false),
    Sentence(
      "a change of category is reported with another category",
      "a change of category is reported as one from Cellular to WiFi",
      "it was reported as one from None to WiFi", at: "1s"),
    Sentence(
      "a change of category is not reported",
      "a change of category is reported",
      "nothing was reported of the one from Cellular to WiFi", at: "1s"),
    Sentence(
      "a callback of the category held is reported",
      "a callback of the current category is not a change",
      "one from WiFi to None was reported", at: "2.5s"),
    Sentence(
      "a callback of the category held destroys a channel",
      "a callback of the current category destroys nothing",
      "1 destroyed", at: "2.5s", isAlone: false),
  ]

  static let sharing = [
    Sentence(
      "a call is bound to a channel that was destroyed",
      "a destroyed channel is never used again",
      #""late" was bound to one"#, at: "5s"),
    Sentence(
      "a call is bound to a channel that was never made",
      "a destroyed channel is never used again",
      #""next" was bound to one"#, at: "2s", isAlone: false),
    Sentence(
      "a second channel is made beside the first",
      "calls of one key share a channel",
      "a second channel was created in addition to the first", at: "5s", isAlone: false),
    Sentence(
      "the first call after a destruction is said to share a channel",
      "the first call after a destruction makes a new channel, the others share it",
      #""next" got a different channel"#, at: "2s"),
    Sentence(
      "a later call is said to have a channel of its own",
      "the first call after a destruction makes a new channel, the others share it",
      #""late" got a different channel"#, at: "5s"),
    Sentence(
      "a call is bound to the channel of another key",
      "calls of one key share its channel",
      #""late" was bound to another key's"#, at: "5s"),
    Sentence(
      "a call is bound to another key's channel, as if it were new",
      "calls of one key share its channel",
      #""late" was bound to another key's"#, at: "5s"),
    Sentence(
      "a second connection is made while the first is open",
      "calls of one key share a connection",
      "a second one was opened while the first was open", at: "5s", isAlone: false),
    Sentence(
      "a call is bound to a channel of no key at all",
      "a destroyed channel is never used again",
      #""late" was bound to one"#, at: "5s"),
  ]

  static let waiting = [
    Sentence(
      "an attempt begins before its backoff is over",
      "the next attempt starts at least 1s after the one of 3s",
      "it started at 3.5s", at: "3.5s"),
    Sentence(
      "a fail-fast call waits in a backoff",
      "a fail-fast call ends in TRANSIENT_FAILURE",
      #""fast" waits"#, at: "3.3s", isAlone: false),
    Sentence(
      "a call does not wait in a backoff",
      "a call waits in TRANSIENT_FAILURE unless it is a fail-fast call",
      #""waits" ended UNAVAILABLE"#, at: "3.2s", isAlone: false),
    Sentence(
      "the first call of a channel does not connect it",
      "the first call of a channel connects it",
      #""next" waits"#, at: "2s", isAlone: false),
    Sentence(
      "an attempt begins for a call that has ended",
      "an attempt begins for a call that waits",
      "no call to a:1 waits for it", at: "2s", isAlone: false),
    Sentence(
      "a failed attempt leaves a call waiting",
      "a failed attempt ends the calls that wait for it",
      #""refused" waits"#, at: "3s", isAlone: false),
    Sentence(
      "a failed attempt ends a call CANCELLED",
      "a failed attempt ends calls UNAVAILABLE",
      #""refused" ended CANCELLED"#, at: "3s"),
    Sentence(
      "an attempt that is given up leaves a call waiting",
      "a failed attempt ends the calls that wait for it",
      #""unheard" waits"#, at: "51s", isAlone: false),
    Sentence(
      "a call waits on although its channel is connected",
      "a call continues when its channel is connected",
      #""next" waits"#, at: "2.05s"),
    Sentence(
      "nothing at all follows a connection",
      "a call continues when its channel is connected",
      #""next" waits"#, at: "2.05s", isAlone: false),
    Sentence(
      "a call ends after its deadline",
      #""late" ends by its deadline, 6s"#,
      "it was there until 6.5s", at: "6.5s"),
    Sentence(
      "a call ends DEADLINE_EXCEEDED before its deadline",
      "a call ends of its deadline when it has passed",
      #""late" ended DEADLINE_EXCEEDED before it"#, at: "5.5s"),
    Sentence(
      "a call with a deadline never ends",
      "a call ends when its channel is destroyed",
      #""late" continues"#, at: "10s", isAlone: false),
    Sentence(
      "a call outlives the disconnection of its channel",
      "a call ends when its channel is destroyed",
      #""upload" continues"#, at: "10s", isAlone: false),
    Sentence(
      "a cancelled call goes on",
      "a call ends when it is cancelled",
      #""cancelled" continues"#, at: "8s", isAlone: false),
  ]

  static let sending = [
    Sentence(
      "a request is sent after the end of its call",
      "nothing is sent for a call after its end",
      #""next" is sent"#, at: "2.06s"),
    Sentence(
      "messages are sent after the end of their call",
      "nothing is sent for a call after its end",
      #""late" is sent"#, at: "6s"),
    Sentence(
      "the requests are finished after the end of their call",
      "nothing is sent for a call after its end",
      #""late" is sent"#, at: "6s"),
    Sentence(
      "a request is sent twice",
      "the request of a call is sent once",
      #""next" is sent again"#, at: "2.05s"),
    Sentence(
      "the requests of a call end twice",
      "the requests of a call end once",
      #""next" ends them again"#, at: "2.05s"),
    Sentence(
      "a message is sent after the end of the requests",
      "no message is sent after the end of the requests",
      #""next" sends another message"#, at: "2.05s"),
    Sentence(
      "a call is reset that both sides have ended",
      "a call that both sides have ended is not reset",
      #""next" is reset"#, at: "2.06s"),
    Sentence(
      "the reset is sent after the end, not before it",
      "nothing is sent for a call after its end",
      #""late" is sent"#, at: "6s"),
  ]

  static let requests = [
    Sentence(
      "a request ends twice",
      "a request ends once, and nothing follows its end",
      #"something was observed of "one""#, at: "20s"),
    Sentence(
      "something is observed of a request after its end",
      "a request ends once, and nothing follows its end",
      #"something was observed of "one""#, at: "20s"),
    Sentence(
      "a user is told before the slot is free",
      "the slot of a request is free before its user is notified of the end",
      #""slow" still holds one"#, at: "12.05s"),
    Sentence(
      "a request is never told of its end",
      "every request ends, at the latest when its client is closed",
      #""one" never received its end"#, at: "20s"),
    Sentence(
      "a request arrives, and nothing more happens to it",
      "every request ends, at the latest when its client is closed",
      #""one" never received its end"#, at: "20s"),
    Sentence(
      "a waiting request is handed over although every slot is held",
      "no more requests run than the limit of their endpoint",
      #""waits" starts while 4 others run"#, at: "4s"),
    Sentence(
      "a refused stream is handed over",
      "no more requests run than the limit of their endpoint",
      #""refused" starts while 4 others run"#, at: "5s", isAlone: false),
    Sentence(
      "a short request waits while a slot is free",
      "a short request waits only while every slot is held",
      #""waits" waits although a slot is free"#, at: "12.05s", isAlone: false),
    Sentence(
      "the platform opens one connection too many",
      "the OS keeps no more connections than its limit",
      "a connection was opened in addition to 4 others", at: "3s", isAlone: false),
  ]

  static let aliveness = [
    Sentence(
      "time runs backwards",
      "time goes forward",
      "a record of 0s follows one of 6s", at: "6s"),
    Sentence(
      "a connection is closed twice",
      "effects name existing objects",
      "a connection was closed that does not exist", at: "1s"),
    Sentence(
      "a connection is closed that was never opened",
      "effects name existing objects",
      "a connection was closed that does not exist", at: "6s"),
    Sentence(
      "a closed connection is pinged",
      "effects name existing objects",
      "a ping was sent on a connection that is not open", at: "1s"),
    Sentence(
      "a request is sent on a connection that is not made yet",
      "effects name existing objects",
      "something was sent on a connection that is not open", at: "2s", isAlone: false),
    Sentence(
      "a connection is opened for a channel that was destroyed",
      "effects name existing objects",
      "a connection was opened for no channel", at: "1s"),
    Sentence(
      "a channel is destroyed that was destroyed before",
      "effects name existing objects",
      "a channel was destroyed that does not exist", at: "1s"),
    Sentence(
      "a channel moves that was destroyed",
      "effects name existing objects",
      "a channel moved to CONNECTING that does not exist", at: "1s", isAlone: false),
    Sentence(
      "a channel of no key at all is made",
      "effects name existing objects",
      "a channel was made for no key", at: "1s"),
    Sentence(
      "a channel of no key at all moves",
      "effects name existing objects",
      "a channel moved to CONNECTING that does not exist", at: "1s"),
    Sentence(
      "a call is left without end by the closing",
      "nothing remains after the client was closed",
      #"call "open" was never ended"#, at: "51s"),
    Sentence(
      "a channel is left by the closing",
      "nothing remains after the client was closed",
      "a channel to a:1 remains in READY", at: "51s"),
    Sentence(
      "a connection is left by the closing",
      "nothing remains after the client was closed",
      "a connection to a:1 was never closed", at: "51s"),
    Sentence(
      "a timer is left by the closing",
      "nothing remains after the client was closed",
      "a timer remains", at: "51s"),
  ]

  static let chains = [
    Sentence(
      "a user receives a second end",
      #"call "a" ends once"#,
      "its user received a second end", at: "3s"),
    Sentence(
      "a user receives something after the end",
      #"nothing comes after the end of call "a""#,
      "its user received message", at: "3s"),
    Sentence(
      "a message is sent after the end",
      #"nothing is sent after the end of call "a""#,
      "a message was sent", at: "3s"),
    Sentence(
      "another attempt begins after the end",
      #"nothing starts after the end of call "a""#,
      "another attempt began", at: "3s"),
    Sentence(
      "a link breaks a rule",
      #"the interceptors and the user of call "a" follow the rules of the chain"#,
      #""gate" leaves the next interceptor running, neither closed nor canceled"#, at: "3s"),
    Sentence(
      "the user breaks a rule",
      #"the interceptors and the user of call "a" follow the rules of the chain"#,
      "the user finishes the requests twice", at: "3s"),
    Sentence(
      "two attempts live at a time",
      #"one attempt of call "a" lives at a time"#,
      "another began while the one before it lived", at: "1s"),
  ]

  static let moves = [
    Sentence(
      "a channel is READY that never connected",
      "channels move as B8 allows",
      "one in IDLE went from CONNECTING to READY", at: "2.05s"),
    Sentence(
      "a channel goes from IDLE to READY",
      "channels move as B8 allows",
      "one in IDLE went from IDLE to READY", at: "2s", isAlone: false),
    Sentence(
      "a channel moves from a state in which it is not",
      "channels move as B8 allows",
      "one in IDLE went from TRANSIENT_FAILURE to CONNECTING", at: "2s"),
  ]

  static let table =
    ends + transitions + sharing + waiting + sending + requests + aliveness + chains + moves

  private static let tamperings =
    Tampering.all + RequestRuleTests.tamperings + ChainRuleTests.tamperings

  private static func scenario(of tampering: Tampering) throws -> Scenario {
    switch tampering.rule {
    case 7: try RequestRuleTests.scenario()
    case 9: try ChainRuleTests.scenario()
    default: try InvariantTests.scenario()
    }
  }

  @Test("Each violation has its own message, and is reported immediately", arguments: table)
  func sentence(_ sentence: Sentence) throws {
    let tampering = try #require(
      Self.tamperings.first { $0.testDescription == sentence.testDescription })
    let result = try Sample.run(
      try Self.scenario(of: tampering), on: TamperingBackend(tampering: tampering))
    let finding = try #require(result.findings.first)
    #expect(finding.kind == .invariant(tampering.rule))
    #expect(finding.expected == sentence.expected)
    #expect(finding.seen == sentence.seen)
    #expect(finding.at == (try Instant(sentence.at)))
    #expect(!sentence.isAlone || result.findings.count == 1, "\(result.findings)")
  }

  @Test("Violations come before expectations that fail")
  func order() throws {
    let tampering = try #require(
      Tampering.all.first { $0.testDescription == "a change of category ends a call CANCELLED" })
    let scenario = try Sample.scenario(
      timeline: TamperedRun.timeline,
      expect: [#"{"call": "stream", "status": "UNAVAILABLE", "at": "1s"}"#],
      hosts: TamperedRun.hosts, config: TamperedRun.config)
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(result.findings.map(\.kind) == [.invariant(2), .expectation])
  }

  @Test(
    "A violation is reported again in the next run, whatever the run before left", arguments: table)
  func again(_ sentence: Sentence) throws {
    let tampering = try #require(
      Self.tamperings.first { $0.testDescription == sentence.testDescription })
    let scenario = try Self.scenario(of: tampering)
    var worker = Worker(TamperingBackend(tampering: tampering))
    let first = try #require(worker.run(scenario).cases.first)
    #expect(try #require(worker.run(scenario).cases.first).findings == first.findings)
  }
}
