import HandoverCore
import HandoverScenario
import HandoverTrace
import HandoverTry

extension TryResult {
  // MARK: For people

  /// A table, and the sum on the last line.
  public var text: String {
    var table = TextTable("", "word", "notices", "recovers", "silence", "attempts", "")
    if let rhythm {
      table.add(
        "nothing at all", "-", "-", "-",
        rhythm.payloadCount == 0 ? "-" : Self.text(rhythm.longestGap),
        "-", rhythm.words)
    }
    for row in rows {
      guard let worst = row.worst else { continue }
      table.add(
        row.title, row.wordText, Self.text(worst.notices), Self.text(worst.recovers),
        worst.silence == .zero ? "-" : Self.text(worst.silence), String(worst.attempts),
        evidence(of: row))
    }
    return VisibleText.of(command.joined(separator: " ")) + "\n\n" + table.text + "\n" + written
      + sum + "\n"
  }

  private static func text(_ interval: Interval?) -> String { interval?.readable ?? "-" }

  /// One sentence, with the limits that are not kept.
  func evidence(of row: TryRow) -> String {
    let words = row.worst?.evidence ?? ""
    let last = row.lastWords.map { ": \"\($0)\"" } ?? ""
    let later = row.afterTimeout.map {
      "when the kernel gave up: \($0.word.rawValue), \($0.evidence)"
    }
    return ([words + last] + (later.map { [$0] } ?? []) + gates.complaints(about: row))
      .joined(separator: "; ")
  }

  /// What the program wrote, where nothing else says why there is no verdict.
  private var written: String {
    guard !isDecided, !output.isEmpty else { return "" }
    let lines = output.split(separator: "\n").suffix(8).map { "  " + VisibleText.of(String($0)) }
    return "It wrote:\n" + lines.joined(separator: "\n") + "\n\n"
  }

  // MARK: For programs

  /// A JSON object a line: the header, one for each move, the sum.
  public var jsonLines: String {
    var json = JSONText()
    Self.object("tryHeader", &json) { json in
      json.key("command")
      json.beginArray()
      for word in command { json.value(word) }
      json.endArray()
      if let rhythm {
        json.member("payloads", rhythm.payloadCount)
        json.member("longest_gap_us", rhythm.longestGap.microseconds)
      }
    }
    for row in rows { Self.object("tried", &json) { write(row, into: &$0) } }
    Self.object("trySummary", &json) { json in
      json.member("moves", rows.count)
      json.member("bad", rows.count { $0.isBad || !gates.complaints(about: $0).isEmpty })
      json.member("inconclusive", rows.count { $0.isInconclusive })
      json.member("sum", sum)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func object(
    _ kind: String, _ json: inout JSONText, _ members: (inout JSONText) -> Void
  ) {
    json.beginObject()
    json.member("v", 1)
    json.member("kind", kind)
    members(&json)
    json.endObject()
    json.newline()
  }

  private func write(_ row: TryRow, into json: inout JSONText) {
    json.member("move", row.name)
    json.member("word", row.words.first?.rawValue)
    json.member("evidence", evidence(of: row))
    json.key("runs")
    json.beginArray()
    for verdict in row.verdicts {
      json.beginObject()
      json.member("word", verdict.word.rawValue)
      json.member("notices_us", verdict.notices?.microseconds)
      json.member("recovers_us", verdict.recovers?.microseconds)
      json.member("silence_us", verdict.silence.microseconds)
      json.member("attempts", verdict.attempts)
      json.member("attempts_unanswered", verdict.deadAttempts)
      json.member("evidence", verdict.evidence)
      json.endObject()
    }
    json.endArray()
  }

  /// The document that JUnit made common: one test a move.
  ///
  /// HANGS, GIVES UP and what is beyond a limit are failures, INCONCLUSIVE is skipped.
  public var junit: String {
    let failures = rows.count { $0.isBad || !gates.complaints(about: $0).isEmpty }
    let skipped = rows.count { $0.isInconclusive }
    let counts =
      XMLText.attribute("tests", String(rows.count))
      + XMLText.attribute("failures", String(failures))
      + XMLText.attribute("errors", "0") + XMLText.attribute("skipped", String(skipped))
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(counts)>\n"
    let name = XMLText.attribute("name", command.joined(separator: " "))
    text += "  <testsuite\(name)\(counts)>\n"
    for row in rows {
      text += "    <testcase\(XMLText.attribute("name", row.title))"
      text += "\(XMLText.attribute("classname", "try.\(row.name)"))>\n"
      let message = XMLText.attribute("message", "\(row.wordText): \(evidence(of: row))")
      if row.isBad || !gates.complaints(about: row).isEmpty {
        text += "      <failure\(message)/>\n"
      } else if row.isInconclusive {
        text += "      <skipped\(message)/>\n"
      } else {
        text += "      <system-out>\(XMLText.content("\(row.wordText): \(evidence(of: row))"))"
        text += "</system-out>\n"
      }
      text += "    </testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  /// An annotation for each move at which the program is bad, and the sum.
  public var github: String {
    var text = ""
    for row in rows where row.isBad || !gates.complaints(about: row).isEmpty {
      let title = GitHubReport.escapedProperty("\(row.wordText) \(row.title)")
      text += "::error title=\(title)::\(GitHubReport.escaped(evidence(of: row)))\n"
    }
    return text + GitHubReport.plain(sum)
  }
}
