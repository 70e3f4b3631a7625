import HandoverBackend
import HandoverCore
import HandoverLab
import Testing

@testable import handover

@Suite("Requests of handover lab serve")
struct LabRequestTests {
  private static func problem(_ line: String) -> LabRequest.Problem? {
    do throws(LabRequest.Problem) {
      _ = try LabRequest(Array(line.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test("Valid requests are read")
  func valid() throws {
    let start = try LabRequest(
      Array(#"{"cmd":"start","program":["a","-b",""],"environment":{"C":"d=e","F":""}}"#.utf8))
    guard case .start(["a", "-b", ""], environment: ["C=d=e", "F="]) = start else {
      Issue.record("\(start)")
      return
    }
    guard case .stop(3) = try LabRequest(Array(#"{"cmd":"stop","program":3}"#.utf8)),
      case .observe = try LabRequest(Array(#"{"cmd":"observe"}"#.utf8)),
      case .move(let change) = try LabRequest(Array(#"{"to":"cellular","cmd":"move"}"#.utf8)),
      case .quality(let condition) = try LabRequest(
        Array(#"{"cmd":"quality","condition":"wifi:delay=80ms,loss=1%"}"#.utf8))
    else {
      Issue.record("a request was not recognized")
      return
    }
    #expect(change.name == "cellular")
    #expect(condition.medium == .wifi)
    #expect(condition.conditions.quality.delay == .milliseconds(80))
  }

  @Test(
    "A mistake is reported with its reason",
    arguments: [
      ("", "invalid JSON"), ("{", "invalid JSON"), ("[]", "the line is an array, not an object"),
      ("7", "the line is a number, not an object"), ("{}", "\"cmd\" must be a string, not missing"),
      (#"{"cmd":1}"#, "\"cmd\" must be a string, not a number"),
      (#"{"cmd":"strat"}"#, "unknown request \"strat\""),
      (#"{"cmd":"observe","cmd":"stop"}"#, "the key \"cmd\" appears twice"),
      (#"{"cmd":"observe","at":1}"#, "unknown key \"at\""),
      (#"{"cmd":"move"}"#, "\"to\" must be a string, not missing"),
      (#"{"cmd":"move","to":"celular"}"#, "unknown move \"celular\""),
      (#"{"cmd":"stop","program":1.5}"#, "\"program\" must be an integer, not a number"),
      (#"{"cmd":"stop","program":99999999999999999999}"#, "\"program\" must be an integer"),
      (#"{"cmd":"start"}"#, "\"program\" must be an array of strings, not missing"),
      (#"{"cmd":"start","program":[]}"#, "\"program\" must contain a name"),
      (#"{"cmd":"start","program":[""]}"#, "\"program\" must contain a name"),
      (#"{"cmd":"start","program":["a",1]}"#, "\"program\" must contain a name"),
      (#"{"cmd":"start","program":["a\u0000b"]}"#, "\"program\" must contain a name"),
      (#"{"cmd":"start","program":["a"],"environment":[]}"#, "\"environment\" must be an object"),
      (#"{"cmd":"start","program":["a"],"environment":{"B=":""}}"#, "\"environment\" must contain"),
      (#"{"cmd":"start","program":["a"],"environment":{"":""}}"#, "\"environment\" must contain"),
      (#"{"cmd":"start","program":["a"],"environment":{"B":2}}"#, "\"environment\" must contain"),
      (
        #"{"cmd":"quality","condition":"wifi:slow"}"#,
        "invalid condition \"wifi:slow\": \"slow\" is not a key with a valid value"
      ),
      (
        #"{"cmd":"quality","condition":"vpn:delay=1s"}"#,
        "invalid condition \"vpn:delay=1s\": it must begin with wifi: or cellular:"
      ),
      (
        #"{"cmd":"quality","condition":"wifi:burst=3"}"#,
        "invalid condition \"wifi:burst=3\": burst needs loss"
      ),
      (
        #"{"cmd":"quality","condition":"wifi:trace=/no/such"}"#,
        "invalid condition \"wifi:trace=/no/such\": the trace /no/such cannot be read: No such"
      ),
    ])
  func mistakes(_ line: String, _ message: String) throws {
    let problem = try #require(Self.problem(line))
    #expect(problem.message.hasPrefix(message), "\(problem.message)")
    #expect(!problem.hint.isEmpty)
  }

  @Test("A similar name is suggested")
  func suggestion() {
    #expect(Self.problem(#"{"cmd":"move","to":"celular"}"#)?.hint.contains("\"cellular\"?") == true)
    #expect(Self.problem(#"{"cmd":"strat"}"#)?.hint.contains("\"start\"?") == true)
  }

  @Test("Lines are separated, and lines that are too long are discarded")
  func lines() {
    var lines = BoundedLines()
    lines.append(Array("a\n\n  \r\nb".utf8)[...])
    #expect(lines.next() == .text(Array("a".utf8)))
    #expect(lines.next() == nil)
    let most = [UInt8](repeating: 0x78, count: LabRequest.maximumLength - 1)
    lines.append((most + [0x0A])[...])
    #expect(lines.next() == .text([0x62] + most))
    for _ in 0..<3 { lines.append(most[...]) }
    #expect(lines.next() == nil)
    lines.append(Array("\nc\n".utf8)[...])
    #expect(lines.next() == .tooLong)
    #expect(lines.next() == .text([0x63]))
    #expect(lines.next() == nil)
  }
}
