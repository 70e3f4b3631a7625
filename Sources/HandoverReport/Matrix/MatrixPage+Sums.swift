import HandoverCore
import HandoverEngine

// The summary of the columns, and the legend of the page.
extension Matrix {
  /// The table of the columns' counts.
  var columnSums: String {
    let verdicts = Verdict.allCases.filter { verdict in
      verdict == .passed || verdict == .failed || summary.count(verdict) > 0
    }
    var text = """
      <div class="scroll" role="region" aria-label="Totals of the columns" tabindex="0">
      <table class="sums">
      <caption><span>The results of each column, and how long calls continued after a network \
      change</span></caption>
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

  /// Returns a bar with the counts for sighted users; the numbers next to it have the same content.
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

  /// The legend of the page.
  var legend: String {
    let phrase = CellState.allCases.map {
      "<dt class=\"v \($0.cssClass)\"><i aria-hidden=\"true\">\($0.glyph)</i> \($0.phrase)</dt>"
        + "<dd>\(HTMLText.of($0.meaning))</dd>"
    }
    return """
      <details class="legend"><summary>How to read this</summary>
      <dl>
      <dt class="v h"><i class="hang"></i> hangs</dt><dd>How long a call hung; “never” if it did
      not end before the run was over.</dd>
      \(phrase.joined(separator: "\n"))
      <dt>Other time in a cell</dt><dd>The longest time from a network change to
      the end of a call.</dd>
      <dt>Empty cell</dt><dd>The scenario does not name this profile.</dd>
      </dl>
      </details>
      """
  }
}
