import HandoverCore
import HandoverTrace

extension ReferenceClient {
  /// A text that is the same wherever the client goes on alike: without the numbers that it gave,
  /// and of its timers with nothing but which are armed.
  func digest(at now: Instant) -> String {
    var survey = ClientSurvey()
    core.survey(into: &survey, at: now)
    var digest = Digest()
    digest.combine(Self.text(survey, at: now).utf8)
    return digest.text
  }

  private static func text(_ seen: borrowing ClientSurvey, at now: Instant) -> String {
    var parts = ["\(seen.category)"]
    for place in 0..<seen.hosts.count {
      let host = seen.hosts[place]
      parts.append("host \(host.state.name)")
      guard host.exists else { continue }
      parts.append(
        "\(host.mean.microseconds) \(host.notBefore > now) \(host.attemptDue != .never) "
          + "\(host.unusedDue != .never)")
      for index in host.connections {
        let one = seen.connections[index]
        parts.append(
          "connection \(one.phase.rawValue) \(one.awaitsPong) \(one.pingsWithoutData) "
            + "\(one.keepaliveDue != .never)")
      }
      for index in host.calls {
        let call = seen.calls[index]
        let carrier = call.connection < 0 ? -1 : call.connection - host.connections.lowerBound
        parts.append("call \(carrier) \(traits(call))")
      }
    }
    for place in 0..<seen.awaitingTokens.count {
      let call = seen.awaitingTokens[place]
      parts.append("awaiting \(call.host) \(traits(call))")
    }
    return parts.joined(separator: "\n")
  }

  private static func traits(_ call: ClientSurvey.Call) -> String {
    "\(call.failsFast) \(call.requestIsComplete) \(call.queuedMessages) \(call.queuedBytes) "
      + "\(call.deadline != .never)"
  }
}
