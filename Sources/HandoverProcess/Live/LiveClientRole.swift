import HandoverBackend
import HandoverCore

/// The role of a process that is a whole client.
///
/// The process receives the actions of its user, and reports how calls end.
final class LiveClientRole: LiveRole {
  let title = "the client"
  let process: LiveProcess
  private let stage: LiveStage
  private var names: ClientNames
  private var endedCalls: Set<CallID> = []  // lookup only

  init(_ process: LiveProcess, on stage: LiveStage) {
    self.process = process
    self.stage = stage
    names = ClientNames(endpoints: stage.keys.endpoints)
  }

  var allCallsHaveEnded: Bool { endedCalls.count == stage.script.calls.count }

  /// There are none, because the process reads the kernel's flags itself.
  var callbacks: FlagCallbacks? { nil }

  /// There is none, because the process runs its own timers.
  var nextDeadline: Instant? { nil }

  func open() throws(BackendError) {
    try process.send { $0.open(stage.script, stage.profile, at: stage.hosts, seq: $1) }
  }

  func begin(into trace: inout Trace) {}

  func introduce(_ call: Int) -> CallID {
    let id = CallID(index: UInt32(truncatingIfNeeded: call), generation: 0)
    names.introduce(call, stage.script.calls[call].id, as: id)
    return id
  }

  func send(
    _ event: ChannelPool.Event, into trace: inout Trace
  ) throws(BackendError) {
    let at = stage.now
    trace.append(.event(.pool(event)), at: at)
    let text = EventText(
      script: stage.script, endpoints: stage.keys.endpoints, names: names, includesDurations: true)
    try process.send { writer, seq in
      writer.event(seq: seq, now: at) { text.write(.pool(event), to: &$0) }
    }
  }

  func poll(into trace: inout Trace) throws(BackendError) {
    try process.listen { order throws(AnswerError) in
      guard let name = order.first?.name, ["ended", "deliver"].contains(name) else {
        throw AnswerError("in real time, a client can report only \"ended\" and \"deliver\"")
      }
      var effects = EffectLog<ClientEffect>()
      try names.handle(order, into: &effects)
      for index in 0..<effects.count {
        if case .endCall(let id, _) = effects[index] {
          endedCalls.insert(id)
          if let text = names.endText(of: id) { trace.endTexts.store(text, of: id) }
        }
        trace.append(.effect(effects[index]), at: stage.now)
      }
    }
  }

  /// The process reads its pending input itself.
  func continueRun(into trace: inout Trace) {}

  func close(into trace: inout Trace) -> [String] {
    trace.append(.event(.pool(.closed)), at: stage.now)
    return []
  }
}
