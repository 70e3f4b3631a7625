import HandoverCore
import HandoverExploration
import HandoverReport
import HandoverTry

/// The reports of a search.
struct SearchReport {
  /// The search.
  let search: TrySearch
  /// The file of the scenario that shows the failure.
  let file: String
  /// The command that repeats the failure.
  let repetition: String

  // MARK: For people

  /// Returns the report for people.
  func text(_ finding: SearchFinding?) -> String {
    var lines: [String] = []
    if let finding {
      let words = finding.row.verdicts.map(\.word).sorted { $0.rank < $1.rank }
      lines += [
        "\(words.first?.rawValue ?? ""): \(finding.timeline.words)",
        "  \(search.evidence(finding.row))",
        "",
        "seed      \(search.seed), timeline \(finding.draw) of "
          + "\(counted(finding.drawn.entries.count, "entry", "entries"))",
        "shortest  \(counted(finding.timeline.entries.count, "entry", "entries")), and the program "
          + "failed in \(finding.row.verdicts.count) of \(finding.row.verdicts.count) runs",
        "scenario  \(file)",
        "repeat    \(repetition)",
        "",
      ]
    } else if search.isDecided {
      lines.append("The program recovered after every timeline of seed \(search.seed).")
    } else {
      lines.append("No timeline of seed \(search.seed) has a verdict.")
    }
    return (lines + coverage).map { SafeText.line($0) + "\n" }.joined()
  }

  /// Sentences about what was covered.
  private var coverage: [String] {
    let course = search.course
    let words = search.words.map { "\($0.word.rawValue) \($0.count)" }
    let phases = course.coverage.map { "\($0.phase.rawValue) \($0.count)" }
    let count = counted(search.words.reduce(0) { $0 + $1.count }, "timeline")
    var lines = [
      words.isEmpty ? "Tried \(count)." : "Tried \(count): \(words.joined(separator: ", ")).",
      "Covered \(counted(course.combinations.count, "combination")) of a phase, a change and a "
        + "verdict: \(phases.joined(separator: ", ")).",
    ]
    if search.unsteadyCount > 0 {
      lines.append(
        "\(counted(search.unsteadyCount, "failure")) did not occur in each of "
          + "\(TrySearch.confirmations) further runs.")
    }
    return lines
  }

  // MARK: For programs

  /// The header, as a line of JSON.
  static func header(_ command: [String], seed: UInt64, lag: Int, time: Interval) -> String {
    line("searchHeader") { json in
      json.key("command")
      json.beginArray()
      for word in command { json.value(word) }
      json.endArray()
      json.key("seed")
      json.value(seed)
      json.member("lag", lag)
      json.member("time_us", time.microseconds)
    }
  }

  /// A timeline with its verdict, as a line of JSON.
  static func line(_ trial: TrySearch.Trial) -> String {
    line("searchTimeline") { json in
      json.member("draw", trial.draw.number)
      write(trial.draw.timeline, into: &json)
      json.key("phases")
      json.beginArray()
      for phase in trial.result.phases { json.value(phase.rawValue) }
      json.endArray()
      json.member("word", trial.result.word.rawValue)
      json.member("bad", trial.isBad)
      json.member("evidence", trial.evidence)
    }
  }

  /// Returns the summary, as a line of JSON.
  func summary(_ finding: SearchFinding?) -> String {
    Self.line("searchSummary") { json in
      json.member("timelines", search.words.reduce(0) { $0 + $1.count })
      json.member("combinations", search.course.combinations.count)
      json.member("unsteady", search.unsteadyCount)
      json.member("found", finding != nil)
      guard let finding else { return }
      json.member("draw", finding.draw)
      Self.write(finding.timeline, into: &json)
      json.key("words")
      json.beginArray()
      for verdict in finding.row.verdicts { json.value(verdict.word.rawValue) }
      json.endArray()
      json.member("evidence", search.evidence(finding.row))
      json.member("scenario", file)
      json.member("repeat", repetition)
    }
  }

  private static func write(_ timeline: SearchTimeline, into json: inout JSONText) {
    json.member("several_networks", timeline.hasSeveralNetworks)
    json.key("timeline")
    json.beginArray()
    for entry in timeline.entries {
      json.beginObject()
      json.member("gap_us", entry.gap.microseconds)
      json.member("change", entry.change.rawValue)
      json.endObject()
    }
    json.endArray()
  }

  private static func line(_ kind: String, _ members: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    json.beginObject()
    json.member("v", 1)
    json.member("kind", kind)
    members(&json)
    json.endObject()
    json.newline()
    return json.taken()
  }
}
