package import HandoverCore
package import HandoverScenario

/// A sequence after which a remote client behaves differently, as a timed scenario.
///
/// The scenario expects what the built-in client shows in the same run; the caller therefore runs
/// it with the built-in client first.
package struct RemoteScenario {
  private let path: PlayedPath
  /// The ID of the scenario.
  package let id: String
  private let title: String

  /// Creates the timeline of a counterexample.
  package init(_ found: RemoteCounterexample, _ setup: RemoteSetup) {
    let sequence = Counterexample(
      initialRead: found.initialRead, actions: found.actions, violation: .callsDisagree)
    path = PlayedPath(sequence, setup.client, .timed, hasStreams: setup.hasStreams)
    id = "explored/\(setup.client.profile.name)-elsewhere"
    title = "The built-in client after \(found.actions.count) actions"
  }

  /// Returns the scenario with the given expectations.
  package func scenario(expecting expectations: [Expectation]) -> Scenario {
    path.scenario(
      id: id, title: title, until: path.now + .seconds(200), expectations: expectations)
  }

  /// Possible expectations, of which some are true for the built-in client.
  ///
  /// They are about the numbers of connections, channels, notifications and received messages, at
  /// the end and soon after.
  package var candidates: [Expectation] {
    var candidates: [Expectation.Subject] = []
    var all: [Expectation] = []
    let monitors = path.setup.profile.policy.monitorsReachability
    for instant in [path.now, path.now + ActionClock.pause, path.now + .seconds(1)] {
      candidates.removeAll()
      for host in 0..<path.setup.hosts {
        for number in 0...path.setup.calls + 1 {
          candidates.append(.connections(.one(host), attempts: nil, open: number, path: nil))
        }
        for number in 0...path.attempts(to: host) + 2 {
          candidates.append(.connections(.one(host), attempts: number, open: nil, path: nil))
        }
        for number in 0...path.entries.count where path.setup.extras.contains(.messages) {
          candidates.append(.server(.one(host), ServerExpectation(received: number)))
        }
        for number in 0...1 {
          candidates.append(
            .channels(.one(host), alive: number, destroyed: nil, state: nil))
        }
      }
      for number in 0...path.changes + 1 where monitors {
        candidates.append(.monitor(notifications: number))
      }
      all += candidates.map { Expectation($0, .at(instant)) }
    }
    return all
  }

  /// Returns the expectation for a call with the given end, or that it never ends if `end` is
  /// `nil`.
  package static func expectation(
    _ call: Int, _ end: CallEnd?, at instant: Instant?
  ) -> Expectation {
    guard let end, let instant else {
      return Expectation(.call(call, status: nil, message: nil, channel: nil), isNever: true)
    }
    return Expectation(ofCall: call, ends: end, at: instant)
  }
}
