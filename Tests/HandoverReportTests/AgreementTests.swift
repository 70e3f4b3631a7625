import HandoverCore
import HandoverReport
import Testing

@Suite("The agreement of a run in real time with the simulation")
struct AgreementTests {
  /// A call that a category change ends.
  static let script: Script = {
    var script = Script()
    script.initial.flags = [.reachable, .isWWAN]
    script.hosts = [ScriptHost(written: "api.example:443")]
    script.calls = [ScriptCall(id: "stream", host: 0, kind: .streaming, takes: nil)]
    script.entries = [
      ScriptEntry(at: .zero, action: .startCall(0)),
      ScriptEntry(
        at: Instant(microseconds: 1_000_000),
        action: .flags([.reachable], path: nil, linksUp: [], linksDown: [])),
    ]
    return script
  }()

  /// Returns a trace of the script in which the call ends at an instant.
  static func trace(_ end: CallEnd?, at microseconds: Int64) -> Trace {
    let call = CallID(index: 0, generation: 0)
    var trace = Trace()
    trace.append(.world(.entryPlayed(0)), at: .zero)
    trace.append(.world(.callIntroduced(0, call)), at: .zero)
    trace.append(.world(.entryPlayed(1)), at: Instant(microseconds: 1_000_000))
    trace.append(
      .effect(.notify(CategoryChange(from: .cellular, to: .wifi))),
      at: Instant(microseconds: 1_000_100))
    if let end {
      trace.append(.effect(.endCall(call, end)), at: Instant(microseconds: microseconds))
    }
    trace.append(.event(.pool(.closed)), at: Instant(microseconds: 9_000_000))
    trace.append(.effect(.endCall(call, .clientClosed)), at: Instant(microseconds: 9_000_000))
    return trace
  }

  func agreement(_ live: Trace) -> Agreement {
    Agreement(
      Self.script, simulated: Self.trace(.connectivityLost, at: 1_000_000), live: live,
      tolerance: .milliseconds(100))
  }

  @Test("Equal consequences within the tolerance agree, and are listed under their entry")
  func same() {
    let agreement = agreement(Self.trace(.connectivityLost, at: 1_090_000))
    #expect(agreement.isFull && agreement.count == 2)
    #expect(agreement.steps.map(\.consequences.count) == [0, 0, 2])
    let text = AgreementText(Self.script)
    #expect(text.sum(agreement) == "matches the simulation in 2 events")
    #expect(
      text.lines(agreement) == [
        "0 s  \"stream\" starts",
        "1 s  WiFi appears",
        "  ✓ monitor notifies Cellular to WiFi  simulated 1.0001 s, kernel 1.0001 s",
        "  ✓ \"stream\" ends UNAVAILABLE          simulated 1 s, kernel 1.09 s",
      ])
  }

  @Test("A consequence that is late, different or missing does not agree")
  func others() {
    #expect(agreement(Self.trace(.connectivityLost, at: 1_100_001)).agreeing == 1)
    #expect(agreement(Self.trace(.deadlineExceeded, at: 1_000_000)).agreeing == 1)
    let missing = agreement(Self.trace(nil, at: 0))
    #expect(missing.agreeing == 1 && missing.count == 2)
    #expect(
      AgreementText(Self.script).sum(missing) == "matches the simulation in 1 of 2 events"
    )
  }

  @Test("A consequence that occurs only in real time does not agree either")
  func extra() {
    let live = Agreement(
      Self.script, simulated: Self.trace(nil, at: 0),
      live: Self.trace(.connectivityLost, at: 1_000_000), tolerance: .milliseconds(100))
    #expect(live.count == 2 && live.agreeing == 1)
    #expect(live.steps[2].consequences.last?.simulated == nil)
  }
}
