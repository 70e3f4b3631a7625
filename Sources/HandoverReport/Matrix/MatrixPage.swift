import HandoverCore
import HandoverEngine

// The matrix as one page that needs nothing else: no network, no file beside it.
//
// Everything that matters stands in the page itself; what a case did stands in it as data, and a
// script builds the panel of the case that somebody opens. Without the script the page is the
// whole matrix, and what would only work with it is hidden.
extension Matrix {
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
    <style>\(MatrixPageParts.style)\(MatrixPageParts.tableStyle)\(MatrixPageParts.panelStyle)\
    \(space == nil ? "" : MatrixPageParts.spaceStyle)\(MatrixPageParts.mediaStyle)</style>
    </head>
    <body>
    <a class="skip" href="#matrix">Skip to the matrix</a>
    <header>
    <h1>Handover matrix</h1>
    <p class="lead">\(HTMLText.of(headline))</p>
    \(interruption)\(ranking)\(tiles)</header>
    <main>
    <section aria-labelledby="h-matrix">
    <div class="block">
    <h2 id="h-matrix">Scenarios</h2>
    \(controls)
    \(contents)\(legend)
    </div>
    \(table)
    <p class="block" id="nothing" role="status" hidden>No case is like that.</p>
    </section>
    \(troubleSection)<section class="block" aria-labelledby="h-columns">
    <h2 id="h-columns">Backends and profiles</h2>
    \(columnSums)
    </section>
    \(spaceSection)</main>
    \(foot)
    <dialog id="panel" aria-labelledby="panel-title"></dialog>
    <script type="application/json" id="data">\(HTMLText.embedded(json: pageData))</script>
    <script>\(MatrixPageParts.script)</script>
    </body>
    </html>

    """
  }

  private var interruption: String {
    wasInterrupted
      ? "<p class=\"notice\">Interrupted: only what was finished is told.</p>\n" : ""
  }

  // MARK: Who hangs

  private var ranking: String {
    guard !backends.isEmpty else { return "" }
    let ranking = MatrixRanking(self)
    let lines = ranking.lines.map { line(of: $0) }
    let sum = summary.hangs.line(gates).map { "<p class=\"note\">\($0)</p>\n" } ?? ""
    return """
      <h2 id="h-ranking">Who hangs</h2>
      <ol class="ranking" aria-labelledby="h-ranking">
      \(lines.joined(separator: "\n"))
      </ol>
      \(sum)<p class="note">\(hangMeaning)</p>

      """
  }

  /// What the page means by a hang.
  private var hangMeaning: String {
    guard let limit = gates.maxHang ?? gates.shownHang else {
      return "Nobody looked for calls that hang."
    }
    return "A call hangs if, after a change of the network, it hears nothing and does not end for "
      + "more than \(limit.told), or not before the run is over."
  }

  private func line(of line: MatrixRanking.Line) -> String {
    var text = "<li class=\"\(line.hangs.calls > 0 ? Self.hangClass : "calm")\">"
    text += "<b>\(HTMLText.of(label(of: line.backend)))</b> <span class=\"answer\">"
    text += answer(line) + "</span> <span class=\"more\">\(details(line))</span>"
    let told: [CellState] =
      [.passed, .failed] + [.error, .nonStrict].filter { line.count($0) > 0 }
    let scores = told.map { state in
      let count = line.count(state)
      let words = "<i aria-hidden=\"true\">\(state.glyph)</i> \(count) \(state.word)"
      return count == 0
        ? "<span class=\"zero\">\(words)</span>"
        : filterLink(words, state.cssClass, line.backend, cssClass: "v \(state.cssClass)")
    }
    return text + " <span class=\"score\">\(scores.joined(separator: " "))</span></li>"
  }

  private func answer(_ line: MatrixRanking.Line) -> String {
    guard line.hangs.calls > 0 else {
      guard line.played > 0 else {
        return line.count(.error) > 0 ? "not known: it breaks down" : "not known: it plays nothing"
      }
      return gates.maxHang == nil && gates.shownHang == nil ? "not looked at" : "does not hang"
    }
    var parts: [String] = []
    if let worst = line.hangs.worst, let place = line.worst {
      parts.append("hangs \(caseLink(worst.measured, place))")
    }
    if let place = line.endless {
      let calls = VisibleText.counted(line.hangs.neverEnded, "call")
      parts.append(
        caseLink("\(calls) never \(line.hangs.neverEnded == 1 ? "ends" : "end")", place))
    }
    return parts.joined(separator: ", ")
  }

  private func details(_ line: MatrixRanking.Line) -> String {
    let played = VisibleText.counted(line.played, "case")
    guard line.hangs.calls > 0 else { return "\(played) played" }
    let cases = filterLink(
      "\(line.hangingCases) of \(played)", Self.hangClass, line.backend, cssClass: nil)
    var text = "\(VisibleText.counted(line.hangs.calls, "call")) in \(cases)"
    if let place = line.worst ?? line.endless {
      text += ", worst on \(HTMLText.of(columns[place.column].profile))"
    }
    return text
  }

  /// A link to the row of a case; the script opens the case.
  private func caseLink(_ text: String, _ place: MatrixRanking.Place) -> String {
    "<a href=\"#r\(place.row)\" data-case=\"\(place.row)-\(place.column)\">\(text)</a>"
  }

  /// A link to the table; the script leaves only what has the state there.
  private func filterLink(
    _ text: String, _ state: String, _ backend: Int, cssClass: String?
  ) -> String {
    let style = cssClass.map { " class=\"\($0)\"" } ?? ""
    return "<a href=\"#matrix\"\(style) data-show=\"\(state)\" data-backend=\"\(backend)\">"
      + "\(text)</a>"
  }

  // MARK: Tiles

  /// How many cells there are of each state that came up; the script makes buttons of them.
  private var tiles: String {
    var items = [Self.tile(hangingCount, Self.hangClass, "<i class=\"hang\"></i>", "hangs")]
    for state in CellState.allCases {
      let count = count(state)
      guard count > 0 || state == .failed else { continue }
      items.append(
        Self.tile(count, state.cssClass, "<i aria-hidden=\"true\">\(state.glyph)</i>", state.word))
    }
    return "<ul class=\"tiles\" id=\"tiles\" aria-label=\"Cases by what came of them\">\n"
      + items.joined(separator: "\n") + "\n</ul>\n"
  }

  private static func tile(_ count: Int, _ letter: String, _ glyph: String, _ word: String)
    -> String
  {
    "<li class=\"\(count > 0 ? "v \(letter)" : "zero")\" data-show=\"\(letter)\"><b>\(count)</b> "
      + "\(glyph) \(word)</li>"
  }

  // MARK: The foot

  private var foot: String {
    var lines = ["<dt>Made by</dt><dd>\(HTMLText.of(harness?.text ?? "handover matrix"))</dd>"]
    if let date = provenance.date { lines.append("<dt>Date</dt><dd>\(HTMLText.of(date))</dd>") }
    if !provenance.command.isEmpty {
      lines.append("<dt>Command</dt><dd><code>\(HTMLText.of(provenance.command))</code></dd>")
    }
    for backend in backends.indices {
      let (name, argument) = (label(of: backend), backends[backend].argument)
      let version = backends[backend].version.map { " \($0)" } ?? ""
      lines.append(
        "<dt>Backend</dt><dd>\(HTMLText.of(name + version)): "
          + "<code>\(HTMLText.of(argument))</code></dd>"
      )
    }
    lines.append("<dt>Seeds</dt><dd>\(seedsText)</dd>")
    return """
      <footer class="block" aria-labelledby="h-foot">
      <h2 id="h-foot">How this page was made</h2>
      <dl class="foot">
      \(lines.joined(separator: "\n"))
      </dl>
      <p>The same runs give the same page.</p>
      </footer>
      """
  }

  private var seedsText: String {
    if let seed = provenance.seed { return "\(seed) for all scenarios" }
    let seeds = seeds.map { "\($0.seed) (\(VisibleText.counted($0.count, "scenario")))" }
    guard seeds.count <= 8 else {
      return "\(seeds.count) different ones, as the files of the scenarios have them"
    }
    return seeds.isEmpty
      ? "none" : "as the files of the scenarios have them: " + seeds.joined(separator: ", ")
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
