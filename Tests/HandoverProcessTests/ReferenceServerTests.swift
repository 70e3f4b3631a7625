import HandoverCore
import HandoverProcess
import Testing

/// The built-in client behind the protocol, line by line.
@Suite("The reference client behind the protocol")
struct ReferenceServerTests {
  private func session(_ lines: String...) -> [String] {
    var server = ReferenceServer()
    return lines.map { line in
      String(decoding: server.answer(to: Array(line.utf8)), as: UTF8.self)
        .trimmingSuffix { $0.isNewline }
    }
  }

  private let open =
    #"{"cmd":"open","seq":1,"now":0,"scenario":"s","profile":"sockets-monitor","config":"#
    + #"{"backoff":{"initial":1000000,"multiplier":1.6,"jitter":0.2,"max":120000000,"#
    + #""minConnectTimeout":20000000},"idle":30000000,"seed":1},"#
    + #""initial":{"flags":["Reachable","IsWWAN"],"app":"foreground"}}"#
  private let call =
    #"{"call":{"id":"stream","host":"api.example:443","kind":"streaming","deadline":null,"#
    + #""failFast":false,"token":false,"complete":true,"options":{}}}"#

  @Test("A transition follows the example on the page about the protocol")
  func transition() {
    let answers = session(
      #"{"cmd":"start","version":1}"#, open,
      #"{"cmd":"event","seq":2,"now":0,"event":\#(call)}"#,
      #"{"cmd":"event","seq":3,"now":50000,"event":{"connected":{"connection":1}}}"#,
      #"{"cmd":"event","seq":4,"now":1000000,"event":{"flags":["Reachable"]}}"#,
      #"{"cmd":"close","seq":5,"now":2000000}"#, #"{"cmd":"stop"}"#)
    #expect(answers[0].hasPrefix(#"{"version":1,"name":"handover-reference","role":"client""#))
    #expect(answers[1] == #"{"seq":1,"out":[],"deadline":null,"pressing":null,"keepalive":null}"#)
    let connect = #"{"connect":{"connection":1,"host":"api.example:443","channel":1}}"#
    #expect(answers[2].contains(connect))
    #expect(answers[2].contains(#""deadline":20000000"#))
    #expect(answers[3].contains(#"{"send":{"connection":1,"call":"stream"}}"#))
    #expect(answers[4].contains(#"{"notify":{"from":"Cellular","to":"WiFi"}}"#))
    #expect(
      answers[4].contains(
        #"{"ended":{"call":"stream","status":"UNAVAILABLE","message":"Connectivity lost."}}"#))
    #expect(answers[5].hasPrefix(#"{"seq":5,"out":[]"#))
    #expect(answers[6].isEmpty)
  }

  @Test(
    "Calls are notified of a transition first if requested",
    arguments: [("", false), (#","observers":"calls""#, true)])
  func observers(_ more: String, notifiesCallsFirst: Bool) throws {
    let answers = session(
      open.replacing(#""seed":1"#, with: #""seed":1\#(more)"#),
      #"{"cmd":"event","seq":2,"now":0,"event":\#(call)}"#,
      #"{"cmd":"event","seq":3,"now":50000,"event":{"connected":{"connection":1}}}"#,
      #"{"cmd":"event","seq":4,"now":1000000,"event":{"flags":["Reachable"]}}"#)
    let reset = #"{"reset":{"connection":1,"call":"stream"}}"#
    #expect(answers[3].contains(reset) == notifiesCallsFirst)
    let end = try #require(answers[3].firstRange(of: #"{"ended":"#))
    let gone = try #require(answers[3].firstRange(of: #""state":"SHUTDOWN""#))
    #expect((end.lowerBound < gone.lowerBound) == notifiesCallsFirst)
  }

  @Test("A digest distinguishes hosts, and ignores which of them was called first")
  func digestOfHosts() throws {
    let other = call.replacing("stream", with: "other").replacing("api.", with: "cdn.")
    func digest(_ calls: String...) throws -> Substring {
      let events = calls.enumerated().map {
        #"{"cmd":"event","seq":\#($0 + 2),"now":0,"event":\#($1)}"#
      }
      var server = ReferenceServer()
      let asked = #"{"cmd":"digest","seq":9,"now":0}"#
      let answers = ([open] + events + [asked]).map { line in
        String(decoding: server.answer(to: Array(line.utf8)), as: UTF8.self)
      }
      let answer = try #require(answers.last)
      return answer[try #require(answer.firstRange(of: #""digest":"#)).upperBound...]
    }
    #expect(try digest(call) != digest(other))
    #expect(try digest(call, other) == digest(other, call))
    #expect(try digest(call, other) != digest(call))
  }

  @Test("Several events in one line are answered in one line")
  func batch() {
    let answers = session(
      open,
      #"{"cmd":"batch","events":[{"seq":2,"now":0,"event":\#(call)},"#
        + #"{"seq":3,"now":0,"event":{"cancel":"stream"}}]}"#)
    #expect(answers[1].hasPrefix(#"{"answers":[{"seq":2,"out":["#))
    #expect(answers[1].contains(#""status":"CANCELLED""#))
  }

  @Test(
    "An invalid line is answered with an error, and the server continues",
    arguments: [
      ("hello", "it is not JSON"), (#"{"cmd":"dance","seq":4}"#, "unknown command"),
      (#"{"cmd":"event","seq":4,"now":0,"event":{"flags":["Reachable"]}}"#, "no run is open"),
      (#"{"seq":4}"#, "\\\"cmd\\\" is missing"),
      (#"{"cmd":"start","version":9}"#, "this is version 1"),
    ])
  func errors(_ line: String, _ words: String) {
    let answers = session(line, open)
    #expect(answers[0].contains(#""error":""#) && answers[0].contains(words), "\(answers[0])")
    #expect(answers[1].hasPrefix(#"{"seq":1,"out":[]"#))
  }
}

extension String {
  fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, matches(last) { text.removeLast() }
    return text
  }
}
