package import HandoverMachines

/// A sequence after which a remote client behaves differently, as a timed scenario.
///
/// The scenario expects what the built-in client shows in the same run; the caller therefore runs
/// it with the built-in client first.
package struct RemoteScenario {
  private let path: PlayedPath
  /// The ID of the scenario.
  package let id: String
  private let title: String

  /// Why the scenario contains only the beginning of the sequence, or `nil` if it is complete.
  package var obstacle: String? { path.obstacle }

  /// Creates the timeline of a counterexample.
  package init(_ found: RemoteCounterexample, _ setup: RemoteSetup) {
    let sequence = Counterexample(
      initialRead: found.initialRead, acts: found.acts, breach: .callsDisagree)
    path = PlayedPath(sequence, setup.client, .timed, hasStreams: setup.hasStreams)
    id = "explored/\(setup.client.profile.name)-elsewhere"
    title = "The built-in client after \(found.acts.count) actions"
  }

  /// Returns the text of the scenario.
  package func text(expecting expectations: [String]) -> String {
    ScenarioWriter.text(
      path, id: id, title: title, entries: path.entries, until: path.now + .seconds(200),
      expectations: expectations)
  }

  /// Possible expectations, of which some are true for the built-in client.
  ///
  /// They are about the numbers of connections, channels, notifications and received messages, at
  /// the end and soon after.
  package var candidates: [String] {
    var candidates: [String] = []
    let monitors = path.setup.profile.policy.monitorsReachability
    for instant in [path.now, path.now + ActionClock.pause, path.now + .seconds(1)] {
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

  /// Returns the expectation for a call with the given end, or that it never ends if `end` is
  /// `nil`.
  package static func expectation(_ call: String, _ end: CallEnd?, at instant: Instant?) -> String {
    guard let end, let instant else { return #""never": { "call": "\#(call)" }"# }
    return #""call": "\#(call)", "status": "\#(end.code)", "message": "\#(end.text.text)", "#
      + #""at": "\#(instant.text)""#
  }
}
