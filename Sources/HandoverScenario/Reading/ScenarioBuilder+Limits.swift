import HandoverCore

/// The counts of elements whose number in a scenario is limited.
struct LimitedCounts {
  /// The channels of the calls.
  fileprivate var channels: Set<ChannelKey> = []  // lookup only
  /// The calls through interceptors, where each call also counts its interceptors.
  fileprivate var intercepted = 0
  /// The total bytes of the messages of these calls.
  fileprivate var interceptedBytes = 0
  /// The long requests that consist of short requests.
  fileprivate var polled = 0
}

extension ScenarioBuilder {
  /// Returns whether the scenario can have this call in addition to the calls so far.
  mutating func hasRoom(for call: ScriptCall, at value: JSONValue) -> Bool {
    hasRoomForChannel(of: call, at: value) && hasRoomForLinks(of: call, at: value)
  }

  private mutating func hasRoomForChannel(of call: ScriptCall, at value: JSONValue) -> Bool {
    guard call.host < script.hosts.count else { return true }
    // Most calls use the same channel as the previous call.
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
        "the calls need more than \(ScenarioLimits.channels) channels",
        hint: "use the same host and options for several calls, or split the scenario")
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
      hint: "split the scenario, or remove interceptors")
    return false
  }

  /// Returns whether the scenario can have this request in addition to the requests so far.
  mutating func hasRoom(for request: ScriptRequest, at value: JSONValue) -> Bool {
    guard request.kind == .long,
      case .poll = request.policy ?? script.configuration.requests.policy
    else { return true }
    counts.polled += 1
    guard counts.polled > ScenarioLimits.polledRequests else { return true }
    report(
      .tooManyCalls, at: value,
      "more than \(ScenarioLimits.polledRequests) requests are polled",
      hint: "split the scenario into several")
    return false
  }

  /// Returns whether a message can have this length.
  ///
  /// The limit exists because messages through interceptors are created byte by byte.
  mutating func hasRoom(forBytes bytes: Int, of call: Int, at value: JSONValue) -> Bool {
    // Scenarios mostly have no interceptors, and passing a chain is expensive.
    guard !script.configuration.chain.links.isEmpty,
      script.calls[call].isIntercepted(by: script.configuration.chain)
    else { return true }
    counts.interceptedBytes += bytes
    guard counts.interceptedBytes > ScenarioLimits.interceptedByteCount else { return true }
    report(
      .tooManyBytes, at: value,
      "the messages that pass interceptors have more than "
        + "\(ScenarioLimits.interceptedByteCount) bytes in total",
      hint: "write shorter messages, because interceptors receive every byte")
    return false
  }
}
