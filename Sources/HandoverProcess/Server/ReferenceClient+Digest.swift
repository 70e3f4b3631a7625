import HandoverBackend
import HandoverCore

extension ReferenceClient {
  /// Returns a string that is equal for states with the same future behavior.
  ///
  /// It contains no numbers that the client assigned, and of each timer only whether it is armed.
  func digest(at now: Instant) -> String {
    var survey = ClientSurvey()
    core.survey(into: &survey, at: now)
    var digest = Digest()
    digest.combine(text(survey, at: now).utf8)
    return digest.text
  }

  /// Returns the state as text.
  ///
  /// Hosts are sorted by name, because the order of their rows depends on the order of their first
  /// calls.
  private func text(_ seen: borrowing ClientSurvey, at now: Instant) -> String {
    var parts = ["\(seen.category)"]
    let names = (0..<seen.hosts.count).map(name)
    let order = names.indices.sorted { names[$0] < names[$1] }
    for position in order {
      let host = seen.hosts[position]
      parts.append("host \(names[position]) \(host.state.name)")
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
        parts.append("call \(carrier) \(Self.traits(call))")
      }
    }
    for host in order {
      for position in 0..<seen.awaitingTokens.count where seen.awaitingTokens[position].host == host
      {
        let call = seen.awaitingTokens[position]
        parts.append("awaiting \(names[host]) \(Self.traits(call))")
      }
    }
    return parts.joined(separator: "\n")
  }

  /// Returns the host and the options of a channel's key as text.
  private func name(_ host: Int) -> String {
    var json = JSONText()
    json.beginObject()
    json.member("host", keys[host].host)
    json.options(keys[host].options)
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func traits(_ call: ClientSurvey.Call) -> String {
    "\(call.failsFast) \(call.requestIsComplete) \(call.queuedMessages) \(call.queuedBytes) "
      + "\(call.deadline != .never)"
  }
}
