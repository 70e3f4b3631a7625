import HandoverJSON
import HandoverScenario

/// What came of an exploration, or of a part of one, as one line for programs.
///
/// It holds no time, no place and nothing else that differs from run to run.
public struct ExplorationReport: Hashable, Sendable {
  /// The file it was read from; empty where it was not.
  public var file = ""
  /// What made it.
  public var harness: Harness
  /// What was explored.
  public var client: ExploredClient
  /// Which part of how many it is of; nil where it is of the whole.
  public var shard: RunDescription.Shard?
  /// What came out.
  public var outcome: Outcome
  /// What was seen: of a part, by this part.
  ///
  /// Where a rule is broken an exploration stops in the middle, wherever that is, so that this is
  /// no part of the report then.
  public var seen = Figures()
  /// What all parts have seen together; nil in a report of the whole.
  public var whole: Sum?

  /// What came out of an exploration.
  public enum Outcome: Hashable, Sendable {
    /// It has closed.
    case closed
    /// It was stopped before, for this reason, and these things had no end.
    case stopped(String, growing: [String])
    /// A rule is broken after so many acts, and after so many where it can be played in time; a
    /// shortest sequence, in words.
    case broken(rule: Int, acts: Int, playableActs: Int?, sequence: [String])
  }

  /// What was seen.
  public struct Figures: Hashable, Sendable {
    /// How many states each depth has.
    public var levels: [Int]
    /// How many acts were tried.
    public var transitions: Int

    /// Counts something.
    public init(levels: [Int] = [], transitions: Int = 0) {
      self.levels = levels
      self.transitions = transitions
    }

    /// How many states there are.
    public var states: Int { levels.reduce(0, +) }
  }

  /// What was seen in sum.
  public struct Sum: Hashable, Sendable {
    /// How many states there are.
    public var states: Int
    /// How many acts were tried.
    public var transitions: Int

    /// Makes a sum.
    public init(states: Int, transitions: Int) {
      self.states = states
      self.transitions = transitions
    }
  }

  /// Makes a report.
  public init(harness: Harness, client: ExploredClient, outcome: Outcome) {
    self.harness = harness
    self.client = client
    self.outcome = outcome
  }

  static let kind = "exploration"

  /// The line, with its line feed.
  public var text: String {
    var json = JSONText()
    json.beginObject()
    json.member("v", 1)
    json.member("kind", Self.kind)
    harness.write(into: &json)
    client.write(into: &json)
    shard?.write(into: &json)
    switch outcome {
    case .closed:
      json.member("verdict", "closed")
      seen.write(into: &json)
    case .stopped(let why, let growing):
      json.member("verdict", "stopped")
      json.member("why", why)
      json.key("growing")
      json.beginArray()
      for name in growing { json.value(name) }
      json.endArray()
      seen.write(into: &json)
    case .broken(let rule, let acts, let playableActs, let sequence):
      json.member("verdict", "broken")
      json.member("rule", rule)
      json.member("broken_after", acts)
      json.member("playable_acts", playableActs.map { Int64($0) })
      json.key("sequence")
      json.beginArray()
      for act in sequence { json.value(act) }
      json.endArray()
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
    json.key("levels")
    json.beginArray()
    for states in levels { json.value(states) }
    json.endArray()
  }
}
