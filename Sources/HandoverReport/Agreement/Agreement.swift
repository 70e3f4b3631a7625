package import HandoverCore

/// The agreement between two runs of one script, in virtual time and in real time.
///
/// The comparison covers what happens to each call, channel and connection, in order, and whether
/// the monitor notifies. Times may differ by the tolerance. Each consequence belongs to the
/// timeline entry that it follows.
package struct Agreement: Hashable, Sendable {
  /// The consequences of each entry, in the order of the timeline.
  package private(set) var steps: [Step] = []

  /// An entry and its consequences.
  package struct Step: Hashable, Sendable {
    /// The index of the entry, or `nil` for the beginning of the run.
    package var entry: Int?
    /// The consequences before the next entry.
    package var consequences: [Consequence] = []
  }

  /// An event of a call, a channel, a connection or the monitor.
  package struct Consequence: Hashable, Sendable {
    /// The event as text.
    package var what: String
    /// The instant in virtual time, or `nil` if the event did not occur there.
    package var simulated: Instant?
    /// The instant in real time, or `nil` if the event did not occur there.
    package var live: Instant?
    /// Whether both runs agree about the event.
    package var agrees: Bool
  }

  /// The number of consequences.
  package var count: Int { steps.reduce(0) { $0 + $1.consequences.count } }
  /// The number of consequences that agree.
  package var agreeing: Int {
    steps.reduce(0) { sum, step in sum + step.consequences.count(where: \.agrees) }
  }
  /// Whether all consequences agree.
  package var isFull: Bool { agreeing == count }

  /// Compares two traces of a script.
  ///
  /// - Parameters:
  ///   - script: the script of both runs.
  ///   - simulated: the trace in virtual time.
  ///   - live: the trace in real time.
  ///   - tolerance: the maximum difference between the instants of an event.
  package init(_ script: Script, simulated: Trace, live: Trace, tolerance: Interval) {
    let expected = Facts(script, simulated).facts
    var seen = Facts(script, live).facts
    var steps: [Step] = [Step(entry: nil)]
    for entry in script.entries.indices { steps.append(Step(entry: entry)) }
    for fact in expected {
      // Only the next event of the same subject can match; a different event is a disagreement.
      guard let index = seen.firstIndex(where: { $0.subject == fact.subject }) else {
        steps[fact.step].consequences.append(
          Consequence(what: fact.text, simulated: fact.at, live: nil, agrees: false))
        continue
      }
      let other = seen.remove(at: index)
      let isSame = other.text == fact.text
      let distance = abs(other.at.microseconds - fact.at.microseconds)
      steps[fact.step].consequences.append(
        Consequence(
          what: isSame ? fact.text : "\(fact.text); on the kernel: \(other.text)",
          simulated: fact.at, live: other.at,
          agrees: isSame && distance <= tolerance.microseconds))
    }
    for fact in seen {
      steps[min(fact.step, steps.count - 1)].consequences.append(
        Consequence(what: fact.text, simulated: nil, live: fact.at, agrees: false))
    }
    self.steps = steps
  }
}

/// The events of a run, in the order in which they occurred.
private struct Facts {
  struct Fact {
    /// The subject of the event; events of one subject are compared in order.
    var subject: String
    var text: String
    var at: Instant
    /// The index of the entry that the event follows, counted from 1; 0 is the beginning.
    var step: Int
  }

  private(set) var facts: [Fact] = []
  private let script: Script
  private let trace: Trace
  private var calls: [UInt32?] = []
  private var hosts: [UInt32?] = []
  private var step = 0

  init(_ script: Script, _ trace: Trace) {
    self.script = script
    self.trace = trace
    for record in trace.records {
      if case .event(.pool(.closed)) = record.body { break }
      handle(record)
    }
  }

  private mutating func handle(_ record: TraceRecord) {
    switch record.body {
    case .world(.entryPlayed(let index)):
      step = Int(index) + 1
    case .world(.callIntroduced(let index, let id)):
      while calls.count <= id.index { calls.append(nil) }
      calls[Int(id.index)] = index
    case .world(.attemptBegan(let id, let host, _)):
      while hosts.count <= id.index { hosts.append(nil) }
      hosts[Int(id.index)] = host
      add("connection \(host)", "attempt to connect to \(name(host))", record.at)
    case .event(.pool(.connected(let id))):
      guard let host = host(of: id) else { return }
      add("connection \(host)", "connected to \(name(host))", record.at)
    case .event(.pool(.connectionBroken(let id, let failure))),
      .event(.pool(.connectFailed(let id, let failure))):
      guard let host = host(of: id) else { return }
      add("connection \(host)", "\(name(host)): \(failure.callEnd.text.text)", record.at)
    case .effect(.notify(let change)):
      add("monitor", "monitor notifies \(change.from) to \(change.to)", record.at)
    case .effect(.channelDestroyed(let channel, let reason)):
      let host = trace.endpointHosts[Int(channel.endpoint.index)]
      add("channel \(host)", "channel to \(name(host)) destroyed (\(reason))", record.at)
    case .effect(.endCall(let id, let end)):
      guard id.index < calls.count, let index = calls[Int(id.index)] else { return }
      add("call \(index)", "\"\(script.calls[Int(index)].id)\" ends \(end.code)", record.at)
    case .request(.ended(let request, let end)):
      add(
        "request \(request)",
        "\"\(script.requests[Int(request)].id)\" ends \(RequestOutcome(end).rawValue)", record.at)
    case .event, .effect, .world, .chain, .request:
      return
    }
  }

  private mutating func add(_ subject: String, _ text: String, _ at: Instant) {
    facts.append(Fact(subject: subject, text: text, at: at, step: step))
  }

  private func host(of id: ConnectionID) -> UInt32? {
    id.index < hosts.count ? hosts[Int(id.index)] : nil
  }

  private func name(_ host: UInt32) -> String { script.hosts[Int(host)].written }
}
