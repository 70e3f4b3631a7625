import HandoverCore
import HandoverTry

// The verdicts as a self-contained page, with a timeline for each network change.
extension TryResult {
  /// The verdicts as an HTML page.
  package var html: String {
    let name = HTMLText.of(commandText)
    let head = TryPage.head("handover try: \(commandText)")
    return """
      \(head)<header>
      <h1><code>\(name)</code></h1>
      <p class="sum">\(HTMLText.of(sum))</p>
      </header>
      <main>
      \(baselineSection)\(rows.map(section).joined())</main>
      <footer><p class="legend">All lanes of a drawing have the same time axis. A dashed vertical \
      line is a network change. A bar of a network or a leg lasts as long as the network is used or \
      the leg takes. The thick part of a connection lasts from its first to its last packet; it is \
      dashed if no answer came. Strokes above it are application data, and strokes below it are \
      data that was sent again.</p>
      \(hasFrames ? Self.frameLegend : "")\
      \(harness.map { "<p class=\"legend\">\(HTMLText.of($0.text))</p>\n" } ?? "")</footer>
      </body>
      </html>

      """
  }

  private var baselineSection: String {
    guard let rhythm else { return "" }
    return "<section><h2>no change</h2>\n<p>\(HTMLText.of(rhythm.phrase))</p>\n"
      + (baselineTimeline.map { TryDrawing($0, of: "no change").html } ?? "") + "</section>\n"
  }

  private func section(of row: TryRow) -> String {
    guard let worst = row.worst else { return "" }
    let style = TryPage.cssClass(worst.outcome)
    let figures = [
      ("notices", worst.notices?.readable), ("recovers", worst.recovers?.readable),
      ("silence", worst.silence.readable), ("attempts", String(worst.attempts)),
    ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: " · ")
    return """
      <section id="\(HTMLText.of(row.name))"><h2>\(HTMLText.of(row.title)) \
      <b class="\(style)">\(row.outcomeText)</b></h2>
      <p>\(HTMLText.of(evidence(of: row)))</p>
      <p class="figures">\(figures)</p>
      \(row.timeline.map { TryDrawing($0, worst.legs, of: row.title).html } ?? "")</section>

      """
  }

  private var hasFrames: Bool {
    ([baselineTimeline] + rows.map(\.timeline)).contains { $0?.captureFile != nil }
  }

  private static let frameLegend = """
    <p class="legend">Frame numbers are those of the files of <code>--pcap</code>. The frame of a \
    network change is the first one after it. To show frame 12 of a file: \
    <code>wireshark -g 12 FILE</code></p>

    """
}

/// The common parts of pages about programs.
enum TryPage {
  /// Returns the beginning of a page, up to its body.
  static func head(_ title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(HTMLText.of(title))</title>
    <style>
    \(style)</style>
    </head>
    <body>

    """
  }

  /// Returns a region for wide content, which can be scrolled separately, also with the keyboard.
  static func wide(_ content: String, name: String) -> String {
    "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"\(HTMLText.of(name))\">"
      + "\(content)</div>\n"
  }

  /// Returns the CSS class of a verdict.
  static func cssClass(_ outcome: TryOutcome) -> String {
    outcome.rawValue.lowercased().replacing(" ", with: "-")
  }

  /// The style of the pages, with a contrast of at least 4.5 and light colors for print.
  private static let style = EmbeddedFile.text(PackageResources.programs_css)
}
