import HandoverCore
import HandoverTry

/// The verdicts on several programs at the same network changes.
///
/// There is a column for each program, and a row for each network change.
package struct TryMatrix: Hashable, Sendable {
  private let reports: [TryReport]

  /// Creates a matrix of reports.
  package init(_ reports: [TryReport]) {
    self.reports = reports
  }

  /// Whether a program fails or exceeds a limit, and this is not a known failure.
  package var isBad: Bool { reports.contains { $0.moves.contains(where: \.isBad) } }

  private struct Row {
    var name: String
    var title: String
    var cells: [TryReport.Move?]
  }

  private var rows: [Row] {
    var rows: [Row] = []
    for move in reports.flatMap(\.moves) where !rows.contains(where: { $0.name == move.name }) {
      rows.append(
        Row(
          name: move.name, title: move.title,
          cells: reports.map { $0.moves.first { $0.name == move.name } }))
    }
    return rows
  }

  /// The programs; if two programs are the same, their names include the report files.
  private var columns: [String] {
    let names = reports.map { $0.commandText }
    return zip(names, reports).map { name, report in
      names.count { $0 == name } > 1 ? "\(name) (\(report.file))" : name
    }
  }

  private static func text(_ cell: TryReport.Move?) -> String {
    guard let cell else { return "" }
    // If the data did not come back, the duration of the watch is a lower bound of the time.
    let missing = cell.isMissing ? cell.watched.map { " at least \($0.readable)" } : nil
    let after = cell.recovers.map { " \($0.readable)" } ?? missing ?? ""
    return cell.outcome.rawValue + (cell.outcome == .unharmed ? "" : after)
      + (cell.isKnown ? " (known)" : "")
  }

  private var sum: String {
    let bad = reports.count { $0.moves.contains(where: \.isBad) }
    return
      "\(bad) of \(counted(reports.count, "program")) \(bad == 1 ? "has" : "have")"
      + " failures that no known-failures file lists."
  }

  /// The matrix as Markdown.
  package var markdown: String { markdown(width: nil) }

  /// Returns the matrix as Markdown with a maximum line width; a wider table becomes a list.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the text.
  package func markdown(width: Int?) -> String {
    var table = MarkdownTable(["move"] + columns)
    for row in rows { table.add([row.title] + row.cells.map(Self.text)) }
    let text =
      "# Programs when the network changes\n\n\(sum) Each time is the longest time"
      + " from the network change to the first application data on a working connection.\n\n"
      + table.text(width: width)
    return Markdown.wrapped(text, width: width)
  }

  /// The matrix as one JSON object.
  package var json: String {
    var json = JSONText()
    json.line("tryMatrix") { json in
      json.objects("programs", of: reports) { json, report in
        json.member("file", report.file)
        json.member("command", report.commandText)
        json.objects("moves", of: report.moves) { json, move in
          json.member("move", move.name)
          json.member("word", move.outcome.rawValue)
          json.member("bad", move.isBad)
          json.member("silence_us", move.silence.microseconds)
          json.member("recovers_us", move.recovers?.microseconds)
          if let watched = move.watched { json.member("watched_us", watched.microseconds) }
        }
      }
    }
    return json.take()
  }

  /// The matrix as a self-contained HTML page.
  package var html: String {
    let head = columns.map { "<th scope=\"col\"><code>\(HTMLText.of($0))</code></th>" }.joined()
    let body = rows.map { row in
      let cells = row.cells.map(Self.cell).joined()
      return "<tr><th scope=\"row\">\(HTMLText.of(row.title))</th>\(cells)</tr>\n"
    }.joined()
    let table = """
      <table>
      <caption><span>Each time is the longest time from the network change to the first \
      application data on a working connection.</span></caption>
      <thead><tr><th scope="col">move</th>\(head)</tr></thead>
      <tbody>
      \(body)</tbody>
      </table>
      """
    return """
      \(TryPage.head("Handover matrix of programs"))<header>
      <h1>Programs when the network changes</h1>
      <p class="sum">\(HTMLText.of(sum))</p>
      </header>
      <main>
      \(TryPage.wide(table, name: "the verdicts on all programs"))</main>
      <footer><p class="legend"><code>handover try --help</code> explains the verdicts.</p></footer>
      </body>
      </html>

      """
  }

  private static func cell(_ move: TryReport.Move?) -> String {
    guard let move else { return "<td></td>" }
    return "<td><b class=\"\(TryPage.cssClass(move.outcome))\">\(HTMLText.of(text(move)))</b>"
      + "<p class=\"figures\">\(HTMLText.of(move.evidence))</p></td>"
  }
}
