import HandoverCore
import HandoverEngine

// The findings as text below the table.
extension Matrix {
  /// The maximum number of findings listed; the panel shows all of them.
  private static let maximumCount = 200

  /// The columns of a row that have the same findings.
  private struct Alike {
    var row: Int
    var columns: [Int]
    var verdict: Verdict
    var findings: [Finding]
    /// The commands that repeat the cases, one for all columns of a backend.
    var commands: [(backend: Int, words: [String])] = []

    mutating func add(_ column: Int, of backend: Int, repeatedBy command: [String]) {
      columns.append(column)
      guard let last = commands.indices.last, commands[last].backend == backend,
        let option = commands[last].words.lastIndex(of: "--profile")
      else {
        commands.append((backend, command))
        return
      }
      // The commands of a backend differ only in the option for the profile, which comes first.
      let profile = command.dropFirst(Matrix.wordsOfRow).prefix(2)
      commands[last].words.insert(contentsOf: profile, at: option + 2)
    }
  }

  /// The findings, with one article for all columns of a row that have the same findings.
  var troubleSection: String {
    let all = groups.flatMap { $0.rows.flatMap { alike($0) } }
    guard !all.isEmpty else { return "" }
    let articles = all.prefix(Self.maximumCount).map { article($0) }.joined()
    let more = all.dropFirst(Self.maximumCount).reduce(0) { $0 + $1.columns.count }
    let rest =
      more > 0
      ? "<p>And \(counted(more, "case")) more; see their cells.</p>\n" : ""
    return """
      <section class="block trouble" aria-labelledby="h-trouble">
      <h2 id="h-trouble">Problems</h2>
      \(articles)\(rest)</section>

      """
  }

  private func alike(_ row: Int) -> [Alike] {
    var all: [Alike] = []
    for (column, cell) in rows[row].cells.enumerated() {
      guard case .run(let one) = cell, one.verdict.needsAttention else { continue }
      let findings = one.findings.filter { $0.verdict == one.verdict }
      let found = all.firstIndex { $0.verdict == one.verdict && $0.findings == findings }
      let position = found ?? all.endIndex
      if found == nil {
        all.append(Alike(row: row, columns: [], verdict: one.verdict, findings: findings))
      }
      all[position].add(column, of: columns[column].backend, repeatedBy: one.command)
    }
    return all
  }

  private func article(_ one: Alike) -> String {
    var text = "<article>\n<h3><span class=\"v \(one.verdict.cssClass)\">"
    text += "\(one.verdict.label)</span> <a href=\"#r\(one.row)\">"
    text += "\(HTMLText.of(rows[one.row].id))</a></h3>\n<ul>"
    for column in one.columns {
      text += "<li id=\"c\(one.row)-\(column)\">\(HTMLText.of(name(of: columns[column])))</li>"
    }
    text += "</ul>\n"
    for finding in one.findings {
      text += "<dl><dt>expected</dt><dd>\(HTMLText.of(finding.expectedText.exactText))</dd>"
      text += "<dt>seen</dt><dd>\(HTMLText.of(finding.seenText.exactText))</dd></dl>\n"
    }
    for (_, words) in one.commands {
      let command = HTMLText.of(words.joined(separator: " "))
      text += "<p class=\"repeat\"><span>repeat</span> <code>\(command)</code></p>\n"
    }
    return text + "</article>\n"
  }
}
