import HandoverCore
import HandoverScenario

/// The result of an exploration, or of a shard of one, as one line for programs.
///
/// The report contains no time, no machine names and no other data that differs from run to run.
package struct ExplorationReport: Hashable, Sendable {
  /// The name of the file that was read, or an empty string if there is none.
  package var file = ""
  /// The program that wrote the report.
  package var harness: Harness
  /// The client that was explored.
  package var client: ExploredClient
  /// The shard of the exploration, or `nil` if the report covers the whole.
  package var shard: RunDescription.Shard?
  /// The outcome.
  package var outcome: Outcome
  /// The states that were visited; in the report of a shard, those of this shard.
  ///
  /// If an invariant is violated, the exploration stops at an arbitrary point. The report then
  /// omits these figures.
  package var seen = Figures()
  /// The figures of all shards together, or `nil` in a report of the whole.
  package var whole: Sum?

  /// The outcome of an exploration.
  package enum Outcome: Hashable, Sendable {
    /// The exploration is complete.
    case closed
    /// The exploration was stopped, for this reason; the quantities in `growing` are unbounded.
    case stopped(String, growing: [String])
    /// An invariant is violated.
    ///
    /// The values are the number of actions, the number of actions of a sequence that is feasible
    /// in real time, and a shortest sequence as text.
    case broken(rule: Int, actions: Int, playableActions: Int?, sequence: [String])
  }

  /// The size of the explored state space.
  package struct Figures: Hashable, Sendable {
    /// The number of states at each depth.
    package var levels: [Int]
    /// The number of actions that were tried.
    package var transitions: Int

    /// Creates the figures.
    package init(levels: [Int] = [], transitions: Int = 0) {
      self.levels = levels
      self.transitions = transitions
    }

    /// The number of states.
    package var states: Int { levels.reduce(0, +) }
  }

  /// The total size of the explored state space.
  package struct Sum: Hashable, Sendable {
    /// The number of states.
    package var states: Int
    /// The number of actions that were tried.
    package var transitions: Int

    /// Creates a sum.
    package init(states: Int, transitions: Int) {
      self.states = states
      self.transitions = transitions
    }
  }

  /// Creates a report.
  package init(harness: Harness, client: ExploredClient, outcome: Outcome) {
    self.harness = harness
    self.client = client
    self.outcome = outcome
  }

  static let kind = "exploration"

  /// The line, with a line feed.
  package var text: String {
    var json = JSONText()
    json.beginObject()
    json.member("v", 1)
    json.member("kind", Self.kind)
    harness.write(into: &json)
    client.write(into: &json)
    shard?.write(into: &json)
    switch outcome {
    case .closed:
      json.member("verdict", "complete")
      seen.write(into: &json)
    case .stopped(let why, let growing):
      json.member("verdict", "stopped")
      json.member("why", why)
      json.array("growing", of: growing) { $0.value($1) }
      seen.write(into: &json)
    case .broken(let rule, let actions, let playableActions, let sequence):
      json.member("verdict", "violated")
      json.member("rule", rule)
      json.member("broken_after", actions)
      json.member("playable_acts", playableActions.map { Int64($0) })
      json.array("sequence", of: sequence) { $0.value($1) }
    }
    if let whole {
      json.key("whole")
      json.beginObject()
      json.member("states", whole.states)
      json.member("transitions", whole.transitions)
      json.endObject()
    }
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension ExplorationReport.Figures {
  fileprivate func write(into json: inout JSONText) {
    json.member("states", states)
    json.member("transitions", transitions)
    json.array("levels", of: levels) { $0.value($1) }
  }
}
