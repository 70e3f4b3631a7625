import HandoverJSON
import HandoverScenario

/// What came of a swarm of random runs, or of every n-th run of one, as lines for programs: what it
/// is made of, a line for each run, and the sum.
public struct SwarmReport: Hashable, Sendable {
  /// The file it was read from; empty where it was not.
  public var file = ""
  /// What made it.
  public var harness: Harness
  /// The client that the runs are of.
  public var client: ExploredClient
  /// The seed of the first run.
  public var firstSeed: UInt64
  /// How many runs the whole swarm has.
  public var count: Int
  /// Of how many acts each run is, before everything heals.
  public var length: Int
  /// Which part of how many it is of; nil where it is of the whole.
  public var shard: RunDescription.Shard?
  /// The runs that were played, in order.
  public var runs: [Run] = []
  /// Whether it was stopped before its last run.
  public var wasStopped = false

  /// One run.
  public struct Run: Hashable, Sendable {
    /// Counted from 1 in the whole swarm.
    public var number: Int
    /// How many entries its scenario has.
    public var entries: Int
    /// How many calls it makes.
    public var calls: Int
    /// What was wrong; nil where nothing was.
    public var finding: String?

    /// Makes a run.
    public init(number: Int, entries: Int, calls: Int, finding: String? = nil) {
      self.number = number
      self.entries = entries
      self.calls = calls
      self.finding = finding
    }
  }

  /// Makes a report of no run.
  public init(
    harness: Harness, client: ExploredClient, firstSeed: UInt64, count: Int, length: Int
  ) {
    self.harness = harness
    self.client = client
    self.firstSeed = firstSeed
    self.count = count
    self.length = length
  }

  static let kind = "swarm"

  /// The first run that broke a rule or came to no rest; nil where none did.
  public var broken: Run? { runs.first { $0.finding != nil } }

  /// The lines, each with its line feed.
  public var text: String {
    var json = JSONText()
    json.beginObject()
    json.member("v", 1)
    json.member("kind", Self.kind)
    harness.write(into: &json)
    client.write(into: &json)
    json.key("first_seed")
    json.value(firstSeed)
    json.member("runs", count)
    json.member("length", length)
    shard?.write(into: &json)
    json.endObject()
    json.newline()
    for run in runs {
      json.beginObject()
      json.member("kind", "run")
      json.member("run", run.number)
      json.member("entries", run.entries)
      json.member("calls", run.calls)
      if let finding = run.finding { json.member("finding", finding) }
      json.endObject()
      json.newline()
    }
    json.beginObject()
    json.member("kind", "swarmEnded")
    json.member("played", runs.count)
    json.member("stopped", wasStopped)
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// In one line, for a person.
  public var line: String {
    if let broken { return "run \(broken.number) fails: \(broken.finding ?? "")" }
    let entries = runs.reduce(0) { $0 + $1.entries }
    let calls = runs.reduce(0) { $0 + $1.calls }
    return "\(wasStopped ? "stopped: " : "")\(VisibleText.counted(runs.count, "run")) with "
      + VisibleText.counted(entries, "entry", "entries")
      + " and \(VisibleText.counted(calls, "call")) keep the rules"
  }
}
