import HandoverCore
import HandoverScenario

/// Formats observations as text.
struct Wording {
  private let script: Script

  init(_ script: Script) {
    self.script = script
  }

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
        Self.listed([
          alive.map { _ in "\(state.sum(host, \.alive)) alive" },
          destroyed.map { _ in "\(state.sum(host, \.destroyed)) destroyed" },
          wanted.map { _ in states(of: host, state) },
        ]))
    case .connections(let host, let attempts, let open, let path):
      return TimedText(
        Self.listed([
          attempts.map { _ in counted(state.sum(host, \.attempts), "attempt") },
          open.map { _ in "\(state.sum(host, \.open)) open" },
          path.map { _ in paths(of: host, state) },
        ]))
    case .server(let host, let wanted):
      let seen = state.counts(of: host, wanted)
      return TimedText(
        Self.listed([
          wanted.received.map { _ in "\(seen.received) received" },
          wanted.accepted.map { _ in "\(counted(seen.accepted, "connection")) accepted" },
          wanted.twice.map { _ in "\(counted(seen.twice, "request")) read more than once" },
        ]))
    case .kernel(let wanted):
      guard let seen = state.kernel else { return "kernel counters not available" }
      return TimedText(
        Self.listed([
          wanted.retransmitted.map { _ in "\(counted(seen.retransmitted, "segment")) sent again" },
          wanted.resets.map { _ in "\(counted(seen.resets, "connection")) reset" },
          wanted.sockets.map { _ in "\(counted(seen.sockets, "socket")) left" },
        ]))
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
    let names = ScriptNames(script: script)
    return "over " + short(found.map { $0.path.map(names.path) ?? "no network" })
  }

  /// Returns the first words of a list, and the number of the remaining words.
  private func short(_ items: [String]) -> String {
    let listed = items.prefix(20).joined(separator: ", ")
    return items.count > 20 ? "\(listed) and \(items.count - 20) more" : listed
  }

  /// Returns the `count` words of a list, or as many as fit into the maximum text length.
  static func short(_ words: some Sequence<String>, of count: Int) -> String {
    let shown = shown(words)
    let rest = shown.count == count ? "" : " and \(count - shown.count) more"
    return shown.joined(separator: ", ") + rest
  }

  /// Returns as many of the first words as fit into the maximum text length.
  ///
  /// The limit is needed because a thousand findings may each list up to a million objects.
  static func shown(_ words: some Sequence<String>) -> [String] {
    var byteCount = 0
    return words.prefix { word in
      defer { byteCount += word.utf8.count + 2 }
      return byteCount < maximumByteCount + 2
    }
  }

  /// The size in bytes at which a list of words ends.
  static let maximumByteCount = 4_000

  // MARK: Formatting

  /// Returns the non-nil parts, separated by commas.
  static func listed(_ parts: [String?]) -> String {
    parts.compactMap(\.self).joined(separator: ", ")
  }

  private func quoted(_ text: String) -> String { "\"\(SafeText.line(text))\"" }
}
