import HandoverCore
import HandoverEngine

// The matrix as a self-contained page, which needs no network and no other files.
//
// The page itself contains everything important. The details of each case are embedded as data,
// from which a script builds the panel of a case that the user opens. Without the script, the page
// shows the whole matrix and hides the parts that need the script.
extension Matrix {
  /// The matrix as an HTML page.
  package var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, minimum-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Handover matrix: \(HTMLText.of(headline))</title>
    <style>
    \(MatrixPageParts.style)
    \(space == nil ? "" : "\(MatrixPageParts.spaceStyle)\n")\(MatrixPageParts.mediaStyle)</style>
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
    <p class="block" id="nothing" role="status" hidden>No cases match these filters.</p>
    </section>
    \(troubleSection)<section class="block" aria-labelledby="h-columns">
    <h2 id="h-columns">Backends and profiles</h2>
    \(columnSums)
    </section>
    \(spaceSection)</main>
    \(foot)
    <dialog id="panel" aria-labelledby="panel-title"></dialog>
    <script type="application/json" id="data">\(HTMLText.embedded(json: pageData))</script>
    <script>
    \(MatrixPageParts.filterRule)
    \(MatrixPageParts.script)</script>
    </body>
    </html>

    """
  }

  private var interruption: String {
    wasInterrupted
      ? "<p class=\"notice\">Interrupted: only completed cases are shown.</p>\n" : ""
  }

  // MARK: Hangs

  private var ranking: String {
    guard !backends.isEmpty else { return "" }
    let ranking = MatrixRanking(self)
    let lines = ranking.lines.map { line(of: $0) }
    let sum = summary.hangs.line(gates).map { "<p class=\"note\">\($0)</p>\n" } ?? ""
    return """
      <h2 id="h-ranking">Clients that hang</h2>
      <ol class="ranking" aria-labelledby="h-ranking">
      \(lines.joined(separator: "\n"))
      </ol>
      \(sum)<p class="note">\(hangMeaning)</p>

      """
  }

  /// The definition of a hang on this page.
  private var hangMeaning: String {
    guard let limit = gates.maxHang ?? gates.shownHang else {
      return "Hanging calls were not checked."
    }
    return "A call hangs if, after a network change, it receives nothing and does not end for "
      + "more than \(limit.exactText), or does not end before the run is over."
  }

  private func line(of line: MatrixRanking.Line) -> String {
    var text = "<li class=\"\(line.hangs.calls > 0 ? Self.hangClass : "calm")\">"
    text += "<b>\(HTMLText.of(label(of: line.backend)))</b> <span class=\"answer\">"
    text += answer(line) + "</span> <span class=\"more\">\(details(line))</span>"
    let reported: [CellState] =
      [.passed, .failed] + [.error, .nonStrict].filter { line.count($0) > 0 }
    let scores = reported.map { state in
      let count = line.count(state)
      let phrase = "<i aria-hidden=\"true\">\(state.glyph)</i> \(count) \(state.phrase)"
      return count == 0
        ? "<span class=\"zero\">\(phrase)</span>"
        : filterLink(phrase, state.cssClass, line.backend, cssClass: "v \(state.cssClass)")
    }
    return text + " <span class=\"score\">\(scores.joined(separator: " "))</span></li>"
  }

  private func answer(_ line: MatrixRanking.Line) -> String {
    guard line.hangs.calls > 0 else {
      guard line.played > 0 else {
        return line.count(.error) > 0 ? "not known: the backend fails" : "not known: no case ran"
      }
      return gates.maxHang == nil && gates.shownHang == nil ? "not checked" : "does not hang"
    }
    var parts: [String] = []
    if let worst = line.hangs.worstText, let position = line.worst {
      parts.append("hangs \(caseLink(worst, position))")
    }
    if let position = line.endless {
      let calls = counted(line.hangs.neverEnded, "call")
      parts.append(
        caseLink("\(calls) never \(line.hangs.neverEnded == 1 ? "ends" : "end")", position))
    }
    return parts.joined(separator: ", ")
  }

  private func details(_ line: MatrixRanking.Line) -> String {
    let played = counted(line.played, "case")
    guard line.hangs.calls > 0 else { return "\(played) ran" }
    let cases = filterLink(
      "\(line.hangingCases) of \(played)", Self.hangClass, line.backend, cssClass: nil)
    var text = "\(counted(line.hangs.calls, "call")) in \(cases)"
    if let position = line.worst ?? line.endless {
      text += ", worst on \(HTMLText.of(columns[position.column].profile))"
    }
    return text
  }

  /// Returns a link to the row of a case; the script makes it open the case.
  private func caseLink(_ text: String, _ position: MatrixRanking.Position) -> String {
    "<a href=\"#r\(position.row)\" data-case=\"\(position.row)-\(position.column)\">\(text)</a>"
  }

  /// Returns a link to the table; the script makes it filter the table by the state.
  private func filterLink(
    _ text: String, _ state: String, _ backend: Int, cssClass: String?
  ) -> String {
    let style = cssClass.map { " class=\"\($0)\"" } ?? ""
    return "<a href=\"#matrix\"\(style) data-show=\"\(state)\" data-backend=\"\(backend)\">"
      + "\(text)</a>"
  }

  // MARK: Tiles

  /// The number of cells in each state that occurs; the script turns them into buttons.
  private var tiles: String {
    var items = [Self.tile(hangingCount, Self.hangClass, "<i class=\"hang\"></i>", "hangs")]
    for state in CellState.allCases {
      let count = count(state)
      guard count > 0 || state == .failed else { continue }
      items.append(
        Self.tile(count, state.cssClass, "<i aria-hidden=\"true\">\(state.glyph)</i>", state.phrase)
      )
    }
    return "<ul class=\"tiles\" id=\"tiles\" aria-label=\"Cases by result\">\n"
      + items.joined(separator: "\n") + "\n</ul>\n"
  }

  private static func tile(_ count: Int, _ letter: String, _ glyph: String, _ phrase: String)
    -> String
  {
    "<li class=\"\(count > 0 ? "v \(letter)" : "zero")\" data-show=\"\(letter)\"><b>\(count)</b> "
      + "\(glyph) \(phrase)</li>"
  }

  // MARK: Footer

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
    let seeds = seeds.map { "\($0.seed) (\(counted($0.count, "scenario")))" }
    guard seeds.count <= 8 else {
      return "\(seeds.count) different seeds, from the scenario files"
    }
    return seeds.isEmpty
      ? "none" : "from the scenario files: " + seeds.joined(separator: ", ")
  }
}

extension Verdict {
  /// The CSS class for the verdict.
  var cssClass: String {
    switch self {
    case .passed: "p"
    case .nonStrict: "n"
    case .passedPartially: "s"
    case .unsupported: "u"
    case .failedAsExpected: "k"
    case .failed: "f"
    case .error: "e"
    }
  }
}

/// The constant parts of the page of a matrix, which are resource files.
enum MatrixPageParts {
  /// The style of the page and its table, and of the panel of a case.
  ///
  /// Successful results are inconspicuous, so that problems stand out. Every color has a word and a
  /// symbol next to it, and a contrast of at least 4.5 in light and in dark mode.
  static let style = EmbeddedFile.text(PackageResources.matrix_css)

  /// The style of the heat map; numbers and text convey everything without colors.
  static let spaceStyle = EmbeddedFile.text(PackageResources.matrix_space_css)

  /// The style changes for phones, for print, and for users who set their own colors.
  static let mediaStyle = EmbeddedFile.text(PackageResources.matrix_media_css)

  /// The filter of rows and columns, which is independent of the page.
  ///
  /// A row consists of its requirement, its text in lower case, and the letters of each cell, which
  /// are empty for a missing cell. A choice consists of state letters, visible columns, a
  /// requirement, search words, and whether the cells must differ. A specification with a colon at
  /// its end selects all its requirements. A cell matches if its column is visible and it has one
  /// of the state letters. A row stays if one of its cells matches, and a column stays if one of
  /// its cells in a remaining row matches.
  static let filterRule = EmbeddedFile.text(PackageResources.matrix_filter_js)

  /// The filter controls, the keyboard control, and the panel of a case.
  ///
  /// Tab reaches one cell of the table, and the arrow keys reach the others. Text is always
  /// inserted as text, never as markup.
  static let script = EmbeddedFile.text(PackageResources.matrix_js)
}
