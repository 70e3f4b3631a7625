import HandoverCore
import HandoverEngine

// The matrix as one page that needs nothing else: no network, no file beside it.
//
// Everything that matters stands in the page itself; what a case did stands in it as data, and a
// script builds the panel of the case that somebody opens.
extension Matrix {
  /// How many cases are told one by one below the table; the panel tells them all.
  private static let maximumTold = 200

  /// The matrix as an HTML page.
  public var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, minimum-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Handover matrix: \(HTMLText.of(headline))</title>
    <style>\(MatrixPageParts.style)</style>
    </head>
    <body>
    <a class="skip" href="#matrix">Skip to the matrix</a>
    <header>
    <p class="brand" aria-hidden="true">Handover</p>
    <h1>Handover matrix</h1>
    <p class="lead">\(HTMLText.of(headline))</p>
    \(counts)\(hangs)\(interruption)</header>
    <main>
    <section class="block" aria-labelledby="h-columns">
    <h2 id="h-columns">Backends and profiles</h2>
    \(sums)
    \(legend)
    </section>
    <section aria-labelledby="h-matrix">
    <div class="block">
    <h2 id="h-matrix">Scenarios</h2>
    \(controls)
    </div>
    \(table)
    <p class="block" id="nothing" role="status" hidden>No scenario matches.</p>
    </section>
    \(trouble)</main>
    <footer class="block"><p>Made by <code>handover matrix</code>. The same runs give the same \
    page.\(harness.map { " " + HTMLText.of($0.text) + "." } ?? "")</p></footer>
    <dialog id="panel" aria-labelledby="panel-title"></dialog>
    <script type="application/json" id="data">\(HTMLText.embedded(json: pageData))</script>
    <script>\(MatrixPageParts.script)</script>
    </body>
    </html>

    """
  }

  private var hangs: String {
    summary.hangs.line(gates).map { "<p class=\"notice\">\($0)</p>\n" } ?? ""
  }

  private var interruption: String {
    wasInterrupted
      ? "<p class=\"notice\">Interrupted: only what was finished is told.</p>\n" : ""
  }

  /// How many cases there are of each verdict that came up.
  private var counts: String {
    let items = Verdict.allCases.filter { summary.count($0) > 0 || $0 == .failed }.map {
      "<li class=\"\(summary.count($0) > 0 ? "v \($0.cssClass)" : "zero")\">"
        + "<b>\(summary.count($0))</b> \($0.label)</li>"
    }
    return "<ul class=\"counts\" aria-label=\"Cases by verdict\">\n"
      + items.joined(separator: "\n") + "\n</ul>\n"
  }

  // MARK: Columns

  private var sums: String {
    let verdicts = Verdict.allCases.filter { verdict in
      verdict == .passed || verdict == .failed || summary.count(verdict) > 0
    }
    var text = """
      <div class="scroll" role="region" aria-label="The columns in sum" tabindex="0">
      <table class="sums">
      <caption><span>What came out in each column, and how long calls lived on after the network \
      changed</span></caption>
      <thead><tr><th scope="col">Profile</th>
      """
    text += verdicts.map { "<th scope=\"col\" class=\"num\">\($0.label)</th>" }.joined()
    text += "<th scope=\"col\" class=\"bars\">Share</th>"
    for title in ["Median", "Worst", "Calls", "Never ended"] {
      text += "<th scope=\"col\" class=\"num\">\(title)</th>"
    }
    text += "</tr></thead>\n"
    for backend in backends.indices {
      text += "<tbody>\n" + backendHeading(backend, columnCount: verdicts.count + 6)
      for column in columns where column.backend == backend {
        text += "<tr><th scope=\"row\">\(HTMLText.of(column.profile))</th>"
        text += verdicts.map { Self.number(column.summary.count($0), $0) }.joined()
        text += "<td class=\"bars\">\(Self.bar(column.summary, verdicts))</td>"
        text += Self.figures(column.summary) + "</tr>\n"
      }
      text += "</tbody>\n"
    }
    return text + "</table>\n</div>"
  }

  private func backendHeading(_ backend: Int, columnCount: Int) -> String {
    let (name, argument) = (label(of: backend), backends[backend].argument)
    let second = name == argument ? "" : " <code>\(HTMLText.of(argument))</code>"
    return "<tr class=\"backend\"><th scope=\"rowgroup\" colspan=\"\(columnCount)\"><div>"
      + "\(HTMLText.of(name))\(second)</div></th></tr>\n"
  }

  private static func number(_ count: Int, _ verdict: Verdict) -> String {
    count == 0
      ? "<td class=\"num zero\">0</td>"
      : "<td class=\"num v \(verdict.cssClass)\">\(count)</td>"
  }

  /// The counts once more for the eye; the numbers beside it say the same.
  private static func bar(_ summary: Summary, _ verdicts: [Verdict]) -> String {
    let parts = verdicts.filter { summary.count($0) > 0 }.map {
      "<i class=\"\($0.cssClass)\" style=\"flex-grow:\(summary.count($0))\"></i>"
    }
    return "<span class=\"bar\" aria-hidden=\"true\">\(parts.joined())</span>"
  }

  private static func figures(_ summary: Summary) -> String {
    guard let figures = summary.figures.first else {
      return String(repeating: "<td class=\"num zero\">-</td>", count: 4)
    }
    return [
      figures.median?.measured ?? "-", figures.worst?.measured ?? "-", "\(figures.calls)",
      "\(figures.neverEnded)",
    ].map { "<td class=\"num\">\($0)</td>" }.joined()
  }

  private var legend: String {
    let words = Verdict.allCases.map {
      "<dt class=\"v \($0.cssClass)\">\($0.label)</dt><dd>\(HTMLText.of($0.meaning))</dd>"
    }
    return """
      <details class="legend"><summary>How to read this</summary>
      <dl>
      \(words.joined(separator: "\n"))
      <dt>Time in a cell</dt><dd>How long it took at the most from a change of the network to the end
      of a call; “never” where a call was not ended by the end of the run.</dd>
      <dt>Empty cell</dt><dd>The scenario is not about that profile.</dd>
      </dl>
      </details>
      """
  }

  // MARK: The table

  private var controls: String {
    let differing = rows.count { differs($0) }
    let troubled = rows.count { $0.verdicts.contains { $0 != .passed } }
    func choice(_ value: String, _ label: String, _ count: Int) -> String {
      "<label><input type=\"radio\" name=\"show\" value=\"\(value)\""
        + (value == "all" ? " checked" : "") + "> \(label) <span>(\(count))</span></label>"
    }
    return """
      <p>A row is a scenario, under the item of the documents that it is about. Each cell holds the \
      verdict, and the longest time from a change of the network to the end of a call.</p>
      <form class="controls" id="controls" hidden>
      <fieldset><legend>Show</legend>
      \(choice("all", "All", rows.count))
      \(choice("differ", "Columns differ", differing))
      \(choice("trouble", "Not all OK", troubled))
      </fieldset>
      <label class="find">Find <input type="search" id="find" autocomplete="off"
      placeholder="id or title"></label>
      <p class="hint">Select a cell to see what happened; the arrow keys move between cells.</p>
      </form>
      """
  }

  private var table: String {
    var text = """
      <table class="matrix" id="matrix">
      <caption class="hide">Verdicts of \(HTMLText.of(headline))</caption>
      <colgroup><col class="first"></colgroup>

      """
    for backend in backends.indices {
      text += "<colgroup span=\"\(columns.count { $0.backend == backend })\"></colgroup>\n"
    }
    text += "<thead>\n\(columnHeadings)</thead>\n"
    for group in groups {
      text += "<tbody>\n\(heading(of: group))"
      for row in group.rows { text += line(of: row) }
      text += "</tbody>\n"
    }
    return text + "</table>"
  }

  private var columnHeadings: String {
    var text = "<tr><th scope=\"col\" rowspan=\"2\" class=\"first\">Scenario</th>"
    for backend in backends.indices {
      let span = columns.count { $0.backend == backend }
      guard span > 0 else { continue }
      let edge = backend > 0 ? " class=\"edge\"" : ""
      text += "<th scope=\"colgroup\" colspan=\"\(span)\"\(edge)>"
      text += "<span>\(HTMLText.of(label(of: backend)))</span></th>"
    }
    text += "</tr>\n<tr>"
    for (index, column) in columns.enumerated() {
      text += "<th scope=\"col\"\(isFirst(index) ? " class=\"edge\"" : "")>"
      text += "\(HTMLText.of(column.profile))</th>"
    }
    return text + "</tr>\n"
  }

  /// Whether a backend's columns begin here, after those of another.
  private func isFirst(_ column: Int) -> Bool {
    column > 0 && columns[column - 1].backend != columns[column].backend
  }

  private func heading(of group: Group) -> String {
    let document = group.document.map { " <small>\(HTMLText.of($0))</small>" } ?? ""
    let sentence = group.sentence.map { "<span>\(HTMLText.of($0))</span>" } ?? ""
    return "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"\(columns.count + 1)\"><div>"
      + "<b>\(HTMLText.of(group.name))</b>\(document)\(sentence)</div></th></tr>\n"
  }

  private func line(of index: Int) -> String {
    let row = rows[index]
    let marks =
      (differs(row) ? " differ" : "") + (row.verdicts.contains { $0 != .passed } ? " trouble" : "")
    var text = "<tr id=\"r\(index)\"\(marks.isEmpty ? "" : " class=\"\(marks.dropFirst())\"")>"
    // A long id is broken at its slashes.
    let id = HTMLText.of(row.id).split(separator: "/", omittingEmptySubsequences: false)
      .joined(separator: "/<wbr>")
    text += "<th scope=\"row\" class=\"first\"><code>\(id)</code>"
    if let title = row.title { text += "<span>\(HTMLText.of(title))</span>" }
    if !row.otherItems.isEmpty {
      let items = row.otherItems.map(HTMLText.of).joined(separator: ", ")
      text += "<small>also \(items)</small>"
    }
    text += "</th>"
    for (column, cell) in row.cells.enumerated() {
      text += Self.cell(cell, anchor: "c\(index)-\(column)", isFirst(column))
    }
    return text + "</tr>\n"
  }

  private static func cell(_ cell: Cell?, anchor: String, _ isFirst: Bool) -> String {
    let edge = isFirst ? " edge" : ""
    switch cell {
    case nil: return isFirst ? "<td class=\"edge\"></td>" : "<td></td>"
    case .notRun: return "<td class=\"x\(edge)\">not run</td>"
    case .run(let one):
      let time = one.longestText.map { "<small>\($0)</small>" } ?? ""
      let label = "\(one.label)\(time)"
      // Without a script the link leads to what stands below the table.
      let opener =
        one.verdict.isTrouble
        ? "<a href=\"#\(anchor)\">\(label)</a>" : "<button>\(label)</button>"
      return "<td class=\"\(one.verdict.cssClass)\(edge)\">\(opener)</td>"
    }
  }

  // MARK: What was not as it should be

  private var trouble: String {
    var text = ""
    var count = 0
    for group in groups {
      for index in group.rows {
        for (column, cell) in rows[index].cells.enumerated() {
          guard case .run(let one) = cell, one.verdict.isTrouble else { continue }
          count += 1
          if count <= Self.maximumTold { text += article(one, index, column) }
        }
      }
    }
    guard count > 0 else { return "" }
    let more = count - Self.maximumTold
    let rest =
      more > 0
      ? "<p>And \(VisibleText.counted(more, "case")) more; their cells tell of them.</p>\n" : ""
    return """
      <section class="block trouble" aria-labelledby="h-trouble">
      <h2 id="h-trouble">What was not as it should be</h2>
      \(text)\(rest)</section>

      """
  }

  private func article(_ one: Case, _ row: Int, _ column: Int) -> String {
    var text = "<article id=\"c\(row)-\(column)\">\n<h3><span class=\"v \(one.verdict.cssClass)\">"
    text += "\(one.verdict.label)</span> \(HTMLText.of(rows[row].id)) "
    text += "<small>\(HTMLText.of(name(of: columns[column])))</small></h3>\n"
    for finding in one.findings where finding.verdict == one.verdict {
      text += "<dl><dt>expected</dt><dd>\(HTMLText.of(finding.expected))</dd>"
      text += "<dt>seen</dt><dd>\(HTMLText.of(finding.seen))</dd></dl>\n"
    }
    let command = HTMLText.of(one.command.joined(separator: " "))
    text += "<p class=\"repeat\"><span>repeat</span> <code>\(command)</code></p>\n"
    return text + "</article>\n"
  }
}

extension Verdict {
  /// The class of what has the verdict, for the style of a page.
  var cssClass: String {
    switch self {
    case .passed: "p"
    case .nonStrict: "n"
    case .asFarAsSeen: "s"
    case .unsupported: "u"
    case .failedAsExpected: "k"
    case .failed: "f"
    case .error: "e"
    }
  }
}

/// What every page of a matrix holds, whatever came out.
enum MatrixPageParts {}
