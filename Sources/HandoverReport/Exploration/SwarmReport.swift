import HandoverCore
import HandoverScenario

/// The result of a swarm of random runs, or of a shard of one, as lines for programs.
///
/// The first line has the parameters. A line for each run and a line with the summary follow.
package struct SwarmReport: Hashable, Sendable {
  /// The name of the file that was read, or an empty string if there is none.
  package var file = ""
  /// The program that wrote the report.
  package var harness: Harness
  /// The client that was tested.
  package var client: ExploredClient
  /// The seed of the first run.
  package var firstSeed: UInt64
  /// The number of runs of the whole swarm.
  package var count: Int
  /// The number of actions of each run, before the network is restored.
  package var length: Int
  /// The shard of the swarm, or `nil` if the report covers the whole.
  package var shard: RunDescription.Shard?
  /// The runs that were executed, in order.
  package var runs: [Run] = []
  /// Whether the swarm was stopped before its last run.
  package var wasStopped = false

  /// One run.
  package struct Run: Hashable, Sendable {
    /// The number of the run, counted from 1 in the whole swarm.
    package var number: Int
    /// The number of entries of its scenario.
    package var entries: Int
    /// The number of calls that it makes.
    package var calls: Int
    /// The finding, or `nil` if there is none.
    package var finding: String?

    /// Creates a run.
    package init(number: Int, entries: Int, calls: Int, finding: String? = nil) {
      self.number = number
      self.entries = entries
      self.calls = calls
      self.finding = finding
    }
  }

  /// Creates a report without runs.
  package init(
    harness: Harness, client: ExploredClient, firstSeed: UInt64, count: Int, length: Int
  ) {
    self.harness = harness
    self.client = client
    self.firstSeed = firstSeed
    self.count = count
    self.length = length
  }

  static let kind = "swarm"

  /// The first run that violated an invariant or did not settle, or `nil` if there is none.
  package var broken: Run? { runs.first { $0.finding != nil } }

  /// The lines, each with a line feed.
  package var text: String {
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

  /// A summary in one line, for users.
  package var line: String {
    if let broken { return "run \(broken.number) fails: \(broken.finding ?? "")" }
    let entries = runs.reduce(0) { $0 + $1.entries }
    let calls = runs.reduce(0) { $0 + $1.calls }
    return "\(wasStopped ? "stopped: " : "")\(counted(runs.count, "run")) with "
      + counted(entries, "entry", "entries")
      + " and \(counted(calls, "call")) keep the invariants"
  }
}
