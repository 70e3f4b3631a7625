import HandoverCore
import HandoverScenario
import Testing

@Suite("Test arguments are shown as short strings")
struct ArgumentTextTests {
  /// Returns the string that a test shows for an argument whose static type is erased.
  private func shown(_ argument: some Any) -> String { String(describingForTest: argument) }

  @Test("An argument that has a name is shown by its name")
  func names() {
    #expect(shown(Profile.socketsMonitor) == "sockets-monitor")
    #expect(shown(DiagnosticCode.duplicateRank) == DiagnosticCode.duplicateRank.rawValue)
    #expect(shown([Profile.sockets, .cfStream]) == "[sockets, cfstream]")
  }

  @Test("Modules, types and fields without information are omitted")
  func dumps() {
    let action = ScriptAction.transport(.all, .stallAcked)
    #expect(shown(action) == "transport(all, stallAcked)")
    #expect(shown([action, action]) == "[transport(all, stallAcked), transport(all, stallAcked)]")
    let connection = ConnectionID(index: 1, generation: 2)
    #expect(shown(ChannelPool.Event.connected(connection)) == "connected(ConnectionID 1/2)")
    let first = ConnectionID(index: 1, generation: 0)
    #expect(shown(ChannelPool.Event.connected(first)) == "connected(ConnectionID 1)")
    let body = TraceRecord.Body.event(.pool(.connected(first)))
    #expect(shown(body) == "event(pool(connected(ConnectionID 1)))")
  }

  @Test("A shown argument is at most one line long")
  func lengths() {
    let many = Array(repeating: ScriptAction.transport(.all, .stallAcked), count: 20)
    #expect(shown(many).count == ShortText.limit)
    #expect(ShortText.of(String(repeating: "a", count: 101)).count == ShortText.limit)
    #expect(ShortText.of(String(repeating: "a", count: 100)).hasSuffix("a"))
  }
}
