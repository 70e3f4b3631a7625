import HandoverCore
import HandoverJSON

/// How much there is so far of what a scenario may have only so much of.
struct LimitedCounts {
  /// The channels of the calls.
  fileprivate var channels: Set<ChannelKey> = []  // lookup only
  /// Calls that go through interceptors, with their links.
  fileprivate var intercepted = 0
  /// The bytes of the messages of these.
  fileprivate var interceptedBytes = 0
  /// Requests that are made of short ones.
  fileprivate var polled = 0
}

extension ScenarioBuilder {
  /// Whether there may be one more call of the kind.
  mutating func hasRoom(for call: ScriptCall, at value: JSONValue) -> Bool {
    hasRoomForChannel(of: call, at: value) && hasRoomForLinks(of: call, at: value)
  }

  private mutating func hasRoomForChannel(of call: ScriptCall, at value: JSONValue) -> Bool {
    guard call.host < script.hosts.count else { return true }
    // Most calls share the channel of the call before.
    if let last = script.calls.indices.last, script.calls[last].host == call.host,
      script.calls[last].options == call.options
    {
      return true
    }
    let channel = ChannelKey(host: script.hosts[call.host].name, options: call.options)
    guard !counts.channels.contains(channel) else { return true }
    guard counts.channels.count < ScenarioLimits.channels else {
      report(
        .tooManyCalls, at: value,
        "the calls have more than \(ScenarioLimits.channels) channels between them",
        hint: "let calls share host and options, or split the scenario")
      return false
    }
    counts.channels.insert(channel)
    return true
  }

  private mutating func hasRoomForLinks(of call: ScriptCall, at value: JSONValue) -> Bool {
    let chain = script.configuration.chain
    guard call.isIntercepted(by: chain) else { return true }
    counts.intercepted += 1 + chain.links.count
    guard counts.intercepted > ScenarioLimits.interceptedCalls else { return true }
    let most = ScenarioLimits.interceptedCalls / (1 + chain.links.count)
    report(
      .tooManyCalls, at: value,
      "more than \(most) calls go through \(chain.links.count) "
        + "interceptor\(chain.links.count == 1 ? "" : "s")",
      hint: "split the scenario, or leave interceptors out")
    return false
  }

  /// Whether there may be one more request of the kind.
  mutating func hasRoom(for request: ScriptRequest, at value: JSONValue) -> Bool {
    guard request.kind == .long,
      case .poll = request.policy ?? script.configuration.requests.policy
    else { return true }
    counts.polled += 1
    guard counts.polled > ScenarioLimits.polledRequests else { return true }
    report(
      .tooManyCalls, at: value,
      "more than \(ScenarioLimits.polledRequests) requests are polled", hint: "split the scenario")
    return false
  }

  /// Whether a message may be so long: those that interceptors see are made byte by byte.
  mutating func hasRoom(forBytes bytes: Int, of call: Int, at value: JSONValue) -> Bool {
    // Mostly there are no interceptors, and a chain is large to hand over.
    guard !script.configuration.chain.links.isEmpty,
      script.calls[call].isIntercepted(by: script.configuration.chain)
    else { return true }
    counts.interceptedBytes += bytes
    guard counts.interceptedBytes > ScenarioLimits.interceptedByteCount else { return true }
    report(
      .tooManyBytes, at: value,
      "the messages that go through interceptors have more than "
        + "\(ScenarioLimits.interceptedByteCount) bytes together",
      hint: "write shorter messages: interceptors are given every byte of them")
    return false
  }
}
