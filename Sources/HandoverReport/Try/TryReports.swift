import HandoverCore
import HandoverScenario
import HandoverTry

// The machine-readable reports of the verdicts.
extension TryResult {
  /// One JSON object on each line: the header, one for each network change, and the summary.
  package var jsonLines: String {
    var json = JSONText()
    json.line("tryHeader") { json in
      json.array("command", of: command) { $0.value($1) }
      if let rhythm {
        json.member("payloads", rhythm.payloadCount)
        json.member("longest_gap_us", rhythm.longestGap.microseconds)
      }
      harness?.write(into: &json)
    }
    for row in rows { json.line("tried") { write(row, into: &$0) } }
    json.line("trySummary") { json in
      json.member("moves", rows.count)
      json.member("bad", rows.count { $0.fails(gates) })
      json.member("inconclusive", rows.count { $0.isInconclusive })
      json.member("sum", sum)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func write(_ row: TryRow, into json: inout JSONText) {
    json.member("move", row.name)
    json.member("title", row.title)
    json.member("word", row.outcomes.first?.rawValue)
    json.member("evidence", evidence(of: row))
    json.member("bad", row.fails(gates))
    if let position = row.knownLocation(gates) { json.member("known", position) }
    json.objects("runs", of: row.verdicts) { json, verdict in
      json.member("word", verdict.outcome.rawValue)
      json.member("notices_us", verdict.notices?.microseconds)
      json.member("recovers_us", verdict.recovers?.microseconds)
      json.member("silence_us", verdict.silence.microseconds)
      json.member("outage_us", verdict.outage.microseconds)
      json.member("watched_us", verdict.watched.microseconds)
      json.member("incomplete", verdict.isIncomplete)
      if let endpoint = verdict.endpoint { json.member("endpoint", endpoint.description) }
      Self.write(legsOf: verdict, into: &json)
      json.member("lost", verdict.messages.lost.map(Int64.init))
      json.member("duplicates", verdict.messages.duplicates.map(Int64.init))
      json.member("subscriptions", verdict.messages.subscriptions.map(Int64.init))
      json.member("attempts", verdict.attempts)
      json.member("attempts_unanswered", verdict.deadAttempts)
      json.member("attempts_without_frame", verdict.unframedAttempts)
      json.member("evidence", verdict.evidence)
    }
  }

  /// Writes the legs of a recovery.
  ///
  /// The times are rounded so that their sum is the rounded time of the recovery.
  private static func write(legsOf verdict: TryVerdict, into json: inout JSONText) {
    json.key("legs")
    json.beginArray()
    var end = Interval.zero
    for leg in verdict.legs {
      let start = end
      end = end + leg.length
      json.beginObject()
      json.member("leg", leg.kind.rawValue)
      json.member("ms", milliseconds(end) - milliseconds(start))
      json.endObject()
    }
    json.endArray()
    json.member("longestLeg", verdict.longestLeg?.kind.rawValue)
  }

  private static func milliseconds(_ interval: Interval) -> Int64 {
    (interval.microseconds + 500) / 1_000
  }

  /// The report in the XML format of JUnit, with a test for each network change.
  ///
  /// The element of a test is that of ``TestOutcome``.
  package var junit: String {
    let failures = rows.count { $0.testOutcome(gates) == .failed }
    let skipped = rows.count { $0.testOutcome(gates) == .skipped }
    let counts =
      XMLText.attribute("tests", String(rows.count))
      + XMLText.attribute("failures", String(failures))
      + XMLText.attribute("errors", "0") + XMLText.attribute("skipped", String(skipped))
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(counts)>\n"
    let name = XMLText.attribute("name", commandText)
    text += "  <testsuite\(name)\(counts)>\n"
    for row in rows {
      text += "    <testcase\(XMLText.attribute("name", row.title))"
      text += "\(XMLText.attribute("classname", "try.\(row.name)"))>\n"
      let message = XMLText.attribute("message", "\(row.outcomeText): \(evidence(of: row))")
      switch row.testOutcome(gates) {
      case .failed, .error: text += "      <failure\(message)/>\n"
      case .skipped: text += "      <skipped\(message)/>\n"
      case .passed:
        let line = VisibleText.of("\(row.outcomeText): \(evidence(of: row))")
        text += "      <system-out>\(XMLText.content(line))</system-out>\n"
      }
      text += "    </testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  /// An annotation for each network change at which the program fails, and the summary.
  package var github: String {
    var text = ""
    for row in rows where row.fails(gates) {
      let title = GitHubReport.escapedProperty("\(row.outcomeText) \(row.title)")
      text += "::error title=\(title)::\(GitHubReport.escaped(evidence(of: row)))\n"
    }
    for sentence in fixed { text += "::notice::\(GitHubReport.escaped(sentence))\n" }
    return text + GitHubReport.plain(sum)
  }
}
