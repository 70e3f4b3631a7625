import HandoverCore
import HandoverScenario

/// Formats expectations and observations as text.
struct Wording {
  private let script: Script

  init(_ script: Script) {
    self.script = script
  }

  // MARK: Expected text

  func expected(_ expectation: Expectation) -> TimedText {
    var what = subject(expectation.subject) + moment(expectation.moment)
    for ending in expectation.otherwise {
      let end = end(ending.status, ending.message, ending.channel)
      what += ", or\(end)" + moment(ending.moment)
    }
    return expectation.isNever ? "never: \(what)" : what
  }

  private func subject(_ subject: Expectation.Subject) -> TimedText {
    switch subject {
    case .call(let call, let status, let message, let channel):
      return "call \(quoted(script.calls[call].id)) ends\(end(status, message, channel))"
    case .channels(let host, let alive, let destroyed, let state):
      let parts = listed([
        alive.map { "\($0) alive" }, destroyed.map { "\($0) destroyed" }, state?.name,
      ])
      return "channels of \(name(host)): \(parts)"
    case .connections(let host, let attempts, let open, let path):
      let parts = listed([
        attempts.map { counted($0, "attempt") }, open.map { "\($0) open" },
        path.map { "made on \(quoted(script.paths[Int($0.index)]))" },
      ])
      return "connections to \(name(host)): \(parts)"
    case .server(let host, let wanted):
      return "server of \(name(host)): \(server(host, wanted, wanted))"
    case .kernel(let wanted):
      return "kernel: at most \(kernel(wanted))"
    case .monitor(let notifications):
      return "monitor: \(listed([notifications.map { counted($0, "notification") }]))"
    case .interceptor(let link, let wanted):
      return TimedText(ChainWording.expected(link, wanted, script))
    case .chain(let call, let wanted):
      return TimedText(ChainWording.expected(call, wanted, script))
    case .request(let request, let wanted):
      return RequestWording(script).expected(request, wanted)
    case .ask(let question, let wanted):
      return RequestWording(script).expected(question, wanted)
    case .requests(let host, let wanted):
      return RequestWording(script).expected(host, wanted)
    }
  }

  private func kernel(_ numbers: KernelExpectation) -> String {
    listed([
      numbers.retransmitted.map { "\(counted($0, "segment")) sent again" },
      numbers.resets.map { "\(counted($0, "connection")) reset" },
      numbers.sockets.map { "\(counted($0, "socket")) left" },
    ])
  }

  /// Returns the counts that an expectation requires, with their nouns.
  private func server(
    _ host: HostSelector, _ wanted: ServerExpectation, _ numbers: ServerExpectation
  ) -> String {
    var accepted = ""
    if let address = wanted.address, case .one(let host) = host {
      accepted = " at \(script.address(address, of: host))"
    }
    let parts = listed([
      numbers.received.map { "\($0) received" },
      numbers.accepted.map { "\(counted($0, "connection")) accepted\(accepted)" },
      numbers.twice.map { "\(counted($0, "request")) read twice" },
    ])
    let path = wanted.path.map { " over \(quoted(script.paths[Int($0.index)]))" } ?? ""
    return "\(parts)\(path)\(wanted.since.map { " since \($0.text)" } ?? "")"
  }

  private func end(
    _ status: StatusCode?, _ message: String?, _ channel: Expectation.ChannelRelation?
  ) -> String {
    var text = ""
    if let status { text += " \(status)" }
    if let message { text += " with the message \(quoted(message))" }
    if let channel { text += channel == .new ? " on a new channel" : " on the same channel" }
    return text
  }

  private func moment(_ moment: Expectation.Moment?) -> TimedText {
    switch moment {
    case nil: ""
    case .at(let instant): " at \(instant)"
    case .within(let first, let last): " from \(first) to \(last)"
    case .before(let instant): " before \(instant)"
    case .after(let instant): " after \(instant)"
    }
  }

  // MARK: Observed text

  /// Returns the observation that corresponds to an expectation.
  ///
  /// - Parameters:
  ///   - expectation: the expectation.
  ///   - state: the state of the run at the time of the decision.
  ///   - hidesChannels: whether the backend does not report its channels.
  /// - Returns: the text.
  func seen(_ expectation: Expectation, _ state: RunProjection, hidesChannels: Bool = false)
    -> TimedText
  {
    switch expectation.subject {
    case .call(let call, _, _, _):
      return seen(
        state.calls[call], state.outcome(of: call), saying: state.message(of: call),
        isIntercepted: state.isIntercepted(call),
        showingChannel: !hidesChannels && expectation.endings.contains { $0.channel != nil })
    case .channels(let host, let alive, let destroyed, let wanted):
      return TimedText(
        listed([
          alive.map { _ in "\(state.sum(host, \.alive)) alive" },
          destroyed.map { _ in "\(state.sum(host, \.destroyed)) destroyed" },
          wanted.map { _ in states(of: host, state) },
        ]))
    case .connections(let host, let attempts, let open, let path):
      return TimedText(
        listed([
          attempts.map { _ in counted(state.sum(host, \.attempts), "attempt") },
          open.map { _ in "\(state.sum(host, \.open)) open" },
          path.map { _ in paths(of: host, state) },
        ]))
    case .server(let host, let wanted):
      let seen = state.counts(of: host, wanted)
      return TimedText(
        server(
          host, wanted,
          ServerExpectation(
            received: wanted.received.map { _ in seen.received },
            accepted: wanted.accepted.map { _ in seen.accepted },
            twice: wanted.twice.map { _ in seen.twice })))
    case .kernel(let wanted):
      guard let seen = state.kernel else { return "kernel counters not available" }
      return TimedText(
        kernel(
          KernelExpectation(
            retransmitted: wanted.retransmitted.map { _ in seen.retransmitted },
            resets: wanted.resets.map { _ in seen.resets },
            sockets: wanted.sockets.map { _ in seen.sockets })))
    case .monitor:
      return TimedText(counted(state.notifications, "notification"))
    case .interceptor(let link, let wanted):
      return TimedText(ChainWording(state).seen(link, wanted))
    case .chain(let call, let wanted):
      return TimedText(ChainWording(state).seen(call, wanted))
    case .request(let request, let wanted):
      return RequestWording(script).seen(request, wanted, state)
    case .ask(let question, let wanted):
      return RequestWording(script).seen(question, wanted, state)
    case .requests(let host, let wanted):
      return RequestWording(script).seen(host, wanted, state)
    }
  }

  private func seen(
    _ call: RunProjection.Call, _ outcome: (end: CallEnd, at: Instant)?, saying message: String,
    isIntercepted: Bool, showingChannel: Bool
  ) -> TimedText {
    guard call.id != nil || isIntercepted else { return "it was never started" }
    var text: TimedText
    if let (end, endedAt) = outcome {
      text = "it ended \(end.code)"
      if !message.isEmpty { text += " (\(quoted(message)))" }
      text += " at \(endedAt)"
    } else {
      text = "it was unfinished when the run was over"
    }
    if showingChannel {
      text +=
        call.isBound
        ? (call.channelIsNew ? ", on a new channel" : ", on the channel that was there")
        : ", bound to no channel"
    }
    return text
  }

  private func states(of host: HostSelector, _ state: RunProjection) -> String {
    let found = state.channelStates(of: host)
    return found.isEmpty ? "no channel yet" : short(found.map(\.name))
  }

  private func paths(of host: HostSelector, _ state: RunProjection) -> String {
    let found = state.connections.filter { host.includes(Int($0.host)) && $0.phase == .open }
    guard !found.isEmpty else { return "none open" }
    return "made on "
      + short(
        found.map { connection in
          connection.path.map { quoted(script.paths[Int($0.index)]) } ?? "no path"
        })
  }

  /// Returns the first words of a list, and the number of the remaining words.
  private func short(_ items: [String]) -> String {
    let listed = items.prefix(20).joined(separator: ", ")
    return items.count > 20 ? "\(listed) and \(items.count - 20) more" : listed
  }

  /// Returns as many words as fit into the maximum text length, and the number of the remaining
  /// words.
  ///
  /// The limit is needed because a thousand findings may each list up to a million objects.
  static func short(_ items: some Sequence<String>, of count: Int) -> String {
    var listed = ""
    var number = 0
    for item in items {
      guard listed.utf8.count < mostByteCount else { return "\(listed) and \(count - number) more" }
      if number > 0 { listed += ", " }
      listed += item
      number += 1
    }
    return listed
  }

  private static let mostByteCount = 4_000

  // MARK: Formatting

  private func name(_ host: HostSelector) -> String {
    switch host {
    case .one(let index): script.hosts[index].written
    case .all: "all hosts"
    }
  }

  private func listed(_ parts: [String?]) -> String {
    parts.compactMap { $0 }.joined(separator: ", ")
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }
}
