import HandoverCore
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverTry

/// A timeline at which a program fails.
struct SearchFinding: Sendable {
  /// The timeline as it was drawn.
  var draw: SearchCourse.Draw
  /// The shortest timeline that shows the failure.
  var timeline: SearchTimeline
  /// The severity of the failure in the mildest run.
  var severity: SearchSeverity
  /// The verdicts of the runs that confirm the shortest timeline.
  var outcomes: [TryOutcome]
  /// The evidence of the worst verdict.
  var evidence: String

  /// The worst verdict.
  var outcome: TryOutcome { outcomes.min { $0.rank < $1.rank } ?? .inconclusive }
}

/// The reports of a search.
struct SearchReport {
  /// What was searched, such as `program`.
  var subject: String
  /// The draws and their coverage.
  var course: SearchCourse
  /// The verdicts on the timelines.
  var outcomes: [TryOutcome]
  /// The number of failures that did not occur again.
  var unconfirmedCount = 0
  /// Whether the search was interrupted while it repeated a failure.
  var hasUnrepeatedFailure = false
  /// The failures, the worst first.
  var findings: [SearchFinding]
  /// The file of the scenario that shows the worst failure.
  var file: String
  /// The command that repeats the worst failure.
  var repetition: String

  /// Whether at least one timeline has a conclusive verdict.
  var isDecided: Bool { outcomes.contains { $0 != .inconclusive } }

  /// The exit status, or `nil` if no timeline shows a failure.
  var status: ExitStatus? {
    if !findings.isEmpty { return .failure }
    return isDecided ? nil : .breakdown
  }

  /// Writes the scenario of the worst failure.
  ///
  /// - Parameter scenario: Returns the scenario of a timeline with an id and a title.
  /// - Returns: The problem, or `nil` if there is none.
  func save(_ scenario: (SearchTimeline, String, String) -> Scenario) -> String? {
    guard let worst = findings.first else { return nil }
    let scenario = scenario(
      worst.timeline, "search/\(course.seed)-\(worst.draw.number)", worst.timeline.phrase)
    return FileCreation.write([UInt8](scenario.text.utf8), to: file, replacing: false)
  }

  // MARK: For people

  /// The report for people.
  var text: String {
    var lines: [String] = []
    if let worst = findings.first {
      let entries = worst.draw.timeline.entries.count
      lines += [
        "\(worst.outcome.rawValue): \(worst.timeline.phrase)",
        "  \(worst.evidence)",
        "",
        "seed      \(course.seed), timeline \(worst.draw.number) of "
          + counted(entries, "entry", "entries"),
        "shortest  \(counted(worst.timeline.entries.count, "entry", "entries")), and the "
          + "\(subject) failed in "
          + (worst.outcomes.count == 1 ? "1 run" : "all \(worst.outcomes.count) runs"),
        "scenario  \(file)",
        "repeat    \(repetition)",
      ]
      lines += findings.dropFirst().map {
        "also      \($0.outcome.rawValue) at timeline \($0.draw.number): \($0.timeline.phrase)"
      }
      lines.append("")
    } else if unconfirmedCount > 0 || hasUnrepeatedFailure {
      lines.append("No failure at a timeline of seed \(course.seed) is confirmed.")
    } else if isDecided {
      lines.append("The \(subject) recovered after every timeline of seed \(course.seed).")
    } else {
      lines.append("No timeline of seed \(course.seed) has a verdict.")
    }
    return (lines + coverage).map { SafeText.line($0) + "\n" }.joined()
  }

  /// Sentences about what was covered.
  private var coverage: [String] {
    let counts = TryOutcome.fromWorst.compactMap { outcome in
      let count = outcomes.count { $0 == outcome }
      return count == 0 ? nil : "\(outcome.rawValue) \(count)"
    }
    let phases = course.coverage.map { "\($0.phase.rawValue) \($0.count)" }
    let count = counted(outcomes.count, "timeline")
    var lines = [
      counts.isEmpty ? "Tried \(count)." : "Tried \(count): \(counts.joined(separator: ", ")).",
      "Covered \(counted(course.combinations.count, "combination")) of a phase, a change and a "
        + "verdict: \(phases.joined(separator: ", ")).",
    ]
    if unconfirmedCount > 0 {
      lines.append(
        "\(counted(unconfirmedCount, "failure")) did not occur in each of "
          + "\(TrySearch.confirmations) further runs.")
    }
    if hasUnrepeatedFailure {
      lines.append("The last failure was not repeated, because the search was interrupted.")
    }
    return lines
  }

  // MARK: For programs

  /// The header, as a line of JSON.
  static func header(_ command: [String], seed: UInt64, lag: Int, time: Interval) -> String {
    line("searchHeader") { json in
      json.array("command", of: command) { $0.value($1) }
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
      json.array("phases", of: trial.result.phases) { $0.value($1.rawValue) }
      json.member("word", trial.result.outcome.rawValue)
      json.member("bad", trial.severity != nil)
      json.member("evidence", trial.evidence)
    }
  }

  /// The summary, as a line of JSON.
  var summary: String {
    Self.line("searchSummary") { json in
      json.member("timelines", outcomes.count)
      json.member("combinations", course.combinations.count)
      json.member("unsteady", unconfirmedCount)
      json.member("found", !findings.isEmpty)
      guard let worst = findings.first else { return }
      json.member("draw", worst.draw.number)
      Self.write(worst.timeline, into: &json)
      json.array("words", of: worst.outcomes) { $0.value($1.rawValue) }
      json.member("evidence", worst.evidence)
      json.member("scenario", file)
      json.member("repeat", repetition)
      json.objects("also", of: findings.dropFirst()) { json, finding in
        json.member("draw", finding.draw.number)
        json.member("word", finding.outcome.rawValue)
      }
    }
  }

  private static func write(_ timeline: SearchTimeline, into json: inout JSONText) {
    json.member("several_networks", timeline.hasSeveralNetworks)
    json.objects("timeline", of: timeline.entries) { json, entry in
      json.member("gap_us", entry.gap.microseconds)
      json.member("change", entry.change.rawValue)
    }
  }

  private static func line(_ kind: String, _ members: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    json.line(kind, members)
    return json.take()
  }
}
