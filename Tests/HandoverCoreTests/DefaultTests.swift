import HandoverCore
import Testing

/// The values that apply by default.
///
/// Readers of scenarios set all of them, so no scenario depends on these.
@Suite("Defaults")
struct DefaultTests {
  @Test("The defaults of a run are the documented numbers")
  func run() {
    let run = RunConfiguration()
    #expect(run.tcpTimeout == .seconds(900))
    #expect(run.sendBuffer == 128 * 1_024)
    #expect(run.monitorLatency == .zero)
    #expect(run.seed == 1)
    #expect(run.idle == nil && run.keepalive == nil && run.until == nil)
    let requests = run.requests
    #expect([requests.limits.total, requests.limits.long, requests.platformLimit] == [4, 3, 4])
    #expect(requests.policy == .throw && !requests.chargesWaiting)
    #expect(requests.keepAlive == .zero && requests.platform == nil && requests.threads == nil)
  }

  @Test("A call requests nothing by default")
  func call() {
    let call = ScriptCall(id: "call", host: 0, kind: .unary, takes: nil)
    #expect(call.every == nil && call.deadline == nil && call.tokenDelay == nil)
    #expect(!call.failFast && !call.hasFlowControl && !call.isLegacy)
    #expect(call.options == ChannelOptions() && call.safety == .standard)
    #expect(call.metadata.isEmpty && call.marshaller == nil)
    let settings = CallSettings()
    #expect(settings.deadline == .never && settings.requestIsComplete)
    #expect(!settings.failsFast && !settings.awaitsToken)
  }

  @Test("The defaults of a request are those of the article")
  func request() {
    let request = ScriptRequest(id: "request", host: 0, kind: .short, takes: nil)
    #expect(request.timeout == nil)
    for client in [ClientKind.urlLoading, .urlDispatcher] {
      #expect(client.requestTimeout == .seconds(60))
    }
    #expect(request.responds == .zero && request.every == nil && request.deadline == nil)
    #expect(request.policy == nil && request.pool == 0)
    let question = ScriptQuestion(id: "question", host: 0, kind: .long)
    #expect(question.policy == nil && question.pool == 0)
    let dispatcher = DispatcherConfiguration(limits: ConnectionLimitsPreset.iOS7.limits)
    #expect(dispatcher.policy == .throw && !dispatcher.chargesWaiting && dispatcher.defects == [])
    #expect(LongLimitPolicy.poll() == .poll(every: .seconds(1)))
  }
}
