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
      \(stillSection)\(rows.map(section).joined())</main>
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

  private var stillSection: String {
    guard let rhythm else { return "" }
    return "<section><h2>no change</h2>\n<p>\(HTMLText.of(rhythm.phrase))</p>\n"
      + (stillTimeline.map { TryDrawing($0, of: "no change").html } ?? "") + "</section>\n"
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
    ([stillTimeline] + rows.map(\.timeline)).contains { $0?.captureFile != nil }
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
    <style>\(style)</style>
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
  private static let style = """
    :root { --paper: #fff; --ink: #1b2430; --soft: #566172; --line: #c9d0d9; --bad: #a31621;
      --good: #2b6a45; --warn: #7a5200; --focus: #1f5fbf; }
    @media screen and (prefers-color-scheme: dark) { :root { --paper: #12161c; --ink: #e6eaf0;
      --soft: #a3aebd; --line: #3a4453; --bad: #ff9c9c; --good: #86cfa2; --warn: #f0c25e;
      --focus: #8ab8ff; } }
    body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; background: var(--paper);
      color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.3rem; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin: 0; }
    section { border-top: 1px solid var(--line); padding: 1rem 0; break-inside: avoid; }
    p { margin: .3rem 0; } .sum { margin-bottom: 1rem; }
    .figures, .legend { color: var(--soft); font-size: .875rem; }
    h2 b { margin-left: .5rem; } .hangs, .gives-up { color: var(--bad); }
    .unharmed, .recovers { color: var(--good); } .late, .cuts, .inconclusive { color: var(--warn); }
    svg { display: block; width: 100%; overflow: visible; margin: .5rem 0;
      font: 13px system-ui, sans-serif; fill: var(--ink); }
    svg text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
    svg .lane, svg .axis { fill: var(--soft); }
    svg line, svg path { fill: none; vector-effect: non-scaling-stroke; }
    .grid { stroke: var(--line); opacity: .5; } .act { stroke: var(--bad); stroke-dasharray: 4 3; }
    .network { fill: var(--line); } .leg { fill: var(--focus); }
    .flow { stroke: var(--soft); stroke-width: 4; } .idle { stroke: var(--soft); }
    .dead { stroke-dasharray: 4 4; }
    .payload { stroke: var(--good); } .resent { stroke: var(--bad); }
    .sent { stroke: var(--focus); } .received { stroke: var(--good); }
    .output { stroke: var(--warn); } .server { stroke: var(--ink); }
    details { font-size: .875rem; } summary { cursor: pointer; color: var(--soft); }
    summary:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    details ol { list-style: none; margin: .3rem 0; padding: 0; }
    details li { overflow-wrap: anywhere; padding: .1rem 0 .1rem 5rem; text-indent: -5rem; }
    details time { display: inline-block; min-width: 5rem; text-indent: 0; }
    details i { color: var(--soft); font-style: normal; } details code { color: var(--soft); }
    @media screen and (max-width: 40rem) { .dense text:nth-child(even) { display: none; } }
    .wide { overflow-x: auto; }
    .wide:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    table { border-collapse: separate; border-spacing: 0; border-top: 1px solid var(--line);
      border-left: 1px solid var(--line); }
    caption { text-align: left; color: var(--soft); font-size: .875rem; padding-bottom: .4rem; }
    caption span { position: sticky; left: 0; display: inline-block;
      max-width: min(100vw - 2rem, 68rem); }
    th, td { border: solid var(--line); border-width: 0 1px 1px 0; padding: .4rem .6rem;
      text-align: left; vertical-align: top; min-width: 9rem; max-width: 18rem; }
    th code { overflow-wrap: anywhere; }
    th:first-child { position: sticky; left: 0; background: var(--paper); min-width: 6rem;
      max-width: 9rem; }
    @media print { .wide { overflow: visible; }
      th, td { min-width: 0; font-size: .75rem; } tr { break-inside: avoid; } }
    """
}
