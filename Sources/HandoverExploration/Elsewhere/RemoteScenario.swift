package import HandoverMachines

/// A sequence after which a client elsewhere does otherwise, as a scenario with times.
///
/// What it expects is what the built-in client shows in the very same run: whoever writes it plays
/// it there first.
package struct RemoteScenario {
  private let path: PlayedPath
  /// The scenario's id.
  package let id: String
  private let title: String

  /// Why the scenario shows only the beginning of the sequence; nil where it shows all.
  package var obstacle: String? { path.obstacle }

  /// Writes the time line of a counterexample.
  package init(_ found: RemoteCounterexample, _ setup: RemoteSetup) {
    let sequence = Counterexample(
      initialRead: found.initialRead, acts: found.acts, breach: .callsDisagree)
    path = PlayedPath(sequence, setup.client, .timed, hasStreams: setup.hasStreams)
    id = "explored/\(setup.client.profile.name)-elsewhere"
    title = "What the built-in client does after \(found.acts.count) acts"
  }

  /// The scenario's text.
  package func text(expecting expectations: [String]) -> String {
    ScenarioWriter.text(
      path, id: id, title: title, entries: path.entries, until: path.now + .seconds(200),
      expectations: expectations)
  }

  /// Expectations of which some hold of the built-in client: the numbers of connections, channels,
  /// notifications and received messages at the end, and soon after.
  package var candidates: [String] {
    var candidates: [String] = []
    let monitors = path.setup.profile.policy.monitorsReachability
    for instant in [path.now, path.now + ActClock.pause, path.now + .seconds(1)] {
      let at = #""at": "\#(instant.text)""#
      for host in 0..<path.setup.hosts {
        let name = path.setup.hostName(host)
        for number in 0...path.setup.calls + 1 {
          candidates.append(
            #""connections": { "host": "\#(name)", "open": \#(number) }, \#(at)"#)
        }
        for number in 0...path.attempts(to: host) + 2 {
          candidates.append(
            #""connections": { "host": "\#(name)", "attempts": \#(number) }, \#(at)"#)
        }
        for number in 0...path.entries.count where path.setup.extras.contains(.messages) {
          candidates.append(
            #""server": { "host": "\#(name)", "received": \#(number) }, \#(at)"#)
        }
        for number in 0...1 {
          candidates.append(
            #""channels": { "host": "\#(name)", "alive": \#(number) }, \#(at)"#)
        }
      }
      for number in 0...path.changes + 1 where monitors {
        candidates.append(#""monitor": { "notifications": \#(number) }, \#(at)"#)
      }
    }
    return candidates
  }

  /// What is expected of calls that ended so in a run of the built-in client, and of the others.
  package static func expectation(_ call: String, _ end: CallEnd?, at instant: Instant?) -> String {
    guard let end, let instant else { return #""never": { "call": "\#(call)" }"# }
    return #""call": "\#(call)", "status": "\#(end.code)", "message": "\#(end.text.text)", "#
      + #""at": "\#(instant.text)""#
  }
}
