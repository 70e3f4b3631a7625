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
      <footer><p class="legend">In a drawing, each line is a connection, and each stroke on it is \
      application data. A cross is data that was sent again. A dashed line is a connection that \
      was never answered. A dotted vertical line is a network change. A diamond is an output line \
      of the program. The bars above a drawing are the legs of the recovery.</p>
      \(harness.map { "<p class=\"legend\">\(HTMLText.of($0.text))</p>\n" } ?? "")</footer>
      </body>
      </html>

      """
  }

  private var stillSection: String {
    guard let rhythm else { return "" }
    return "<section><h2>no change</h2>\n<p>\(HTMLText.of(rhythm.words))</p>\n"
      + (stillTimeline.map { Self.drawing($0, of: "no change") } ?? "") + "</section>\n"
  }

  private func section(of row: TryRow) -> String {
    guard let worst = row.worst else { return "" }
    let word = TryPage.cssClass(worst.word)
    let figures = [
      ("notices", worst.notices?.readable), ("recovers", worst.recovers?.readable),
      ("silence", worst.silence.readable), ("attempts", String(worst.attempts)),
    ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: " · ")
    return """
      <section><h2>\(HTMLText.of(row.title)) <b class="\(word)">\(row.wordText)</b></h2>
      <p>\(HTMLText.of(evidence(of: row)))</p>
      <p class="figures">\(figures)</p>
      \(Self.waterfall(worst.legs, of: row.title))\
      \(row.timeline.map { Self.drawing($0, of: row.title) } ?? "")</section>

      """
  }

  // MARK: The legs

  /// The width of the names to the left of the bars.
  private static let nameWidth: Int64 = 80
  /// The width of the bars, which leaves room for the time to the right of the last one.
  private static let barWidth: Int64 = 900
  private static let legHeight = 20

  /// Returns a bar for each leg of a recovery, each of which begins at the end of the previous one.
  private static func waterfall(_ legs: [RecoveryLeg], of title: String) -> String {
    guard legs.count > 1 else { return "" }
    let total = max(1, legs.reduce(0) { $0 + $1.length.microseconds })
    func x(_ microseconds: Int64) -> Int64 { nameWidth + microseconds * barWidth / total }
    var (parts, start) = ("", Int64(0))
    for (place, leg) in legs.enumerated() {
      let (from, to) = (x(start), x(start + leg.length.microseconds))
      let y = place * legHeight
      parts += "<text y=\"\(y + 14)\">\(leg.kind.rawValue)</text>"
      parts += "<rect class=\"leg\" x=\"\(from)\" y=\"\(y + 4)\""
      parts += " width=\"\(max(2, to - from))\" height=\"12\"/>"
      parts += "<text x=\"\(max(from + 2, to) + 6)\" y=\"\(y + 14)\">"
      parts += "\(leg.length.readable)</text>"
      start += leg.length.microseconds
    }
    let words = legs.map { "\($0.kind.rawValue) \($0.length.readable)" }.joined(separator: ", ")
    let name = HTMLText.of("legs of \(title): \(words)")
    return TryPage.wide(
      "<svg viewBox=\"-10 0 1120 \(legs.count * legHeight)\" role=\"img\""
        + " aria-label=\"\(name)\">\(parts)</svg>", name: "legs of \(title)")
  }

  // MARK: The drawing

  private static let width: Int64 = 1_000
  private static let rowHeight = 26
  private static let top = 48
  /// The maximum number of connections to draw; further connections are only counted.
  private static let maximumRows = 16
  /// The maximum number of strokes and diamonds of one kind in a row.
  private static let maximumStrokes = 600

  private static func drawing(_ timeline: TryTimeline, of title: String) -> String {
    let drawn = timeline.connections.prefix(maximumRows)
    let height = top + (drawn.count + 1) * rowHeight + 22
    func x(_ at: Instant) -> String {
      String(at.microseconds * width / max(1, timeline.end.microseconds))
    }
    var parts = ""
    for (place, mark) in timeline.acts.enumerated() {
      let y = 12 + place % 2 * 14
      parts += "<line class=\"act\" x1=\"\(x(mark.at))\" x2=\"\(x(mark.at))\" y1=\"\(y)\" "
      parts += "y2=\"\(height - 20)\"/><text x=\"\(x(mark.at))\" y=\"\(y)\">"
      parts += "\(HTMLText.of(mark.text))</text>"
    }
    for (place, connection) in drawn.enumerated() {
      let y = top + place * rowHeight
      let (from, to) = (x(connection.opened), x(connection.closed ?? timeline.end))
      parts += line(connection, y, from, to)
      // A name that begins near the end of the drawing would extend beyond it.
      let isLate = connection.opened.microseconds > timeline.end.microseconds / 2
      parts += "<text\(isLate ? " text-anchor=\"end\"" : "") x=\"\(isLate ? to : from)\""
      parts += " y=\"\(y - 7)\">\(HTMLText.of(connection.name))</text>"
      for at in connection.payload.prefix(maximumStrokes) {
        parts += "<path class=\"payload\" d=\"M\(x(at)) \(y - 4)v8\"/>"
      }
      for at in connection.resent.prefix(maximumStrokes) {
        parts += "<path class=\"resent\" d=\"M\(x(at)) \(y)m-3-3l6 6m0-6l-6 6\"/>"
      }
    }
    let y = top + drawn.count * rowHeight
    for mark in timeline.lines.prefix(maximumStrokes) {
      parts += "<path class=\"line\" d=\"M\(x(mark.at)) \(y - 4)l4 4l-4 4l-4-4z\">"
      parts += "<title>\(HTMLText.of("\(seconds(mark.at)): \(mark.text)"))</title></path>"
    }
    parts += axis(until: timeline.end, height, x)
    let more = timeline.connections.count - drawn.count
    let name = HTMLText.of("timeline of \(title): \(words(for: timeline))")
    return TryPage.wide(
      "<svg viewBox=\"-10 0 1120 \(height)\" role=\"img\" aria-label=\"\(name)\">\(parts)</svg>",
      name: "timeline of \(title)")
      + (more > 0 ? "<p class=\"figures\">and \(more) more connections</p>\n" : "")
  }

  /// Returns a description of a drawing for screen readers.
  private static func words(for timeline: TryTimeline) -> String {
    let count = VisibleText.counted(timeline.connections.count, "connection")
    let acts = timeline.acts.map { "\($0.text) at \(seconds($0.at))" }
    return ([count] + acts).joined(separator: "; ")
  }

  private static func line(
    _ connection: TryTimeline.Connection, _ y: Int, _ from: String, _ to: String
  ) -> String {
    let kind = connection.isAnswered ? "flow" : "flow dead"
    return "<line class=\"\(kind)\" x1=\"\(from)\" x2=\"\(to)\" y1=\"\(y)\" y2=\"\(y)\">"
      + "<title>\(HTMLText.of(connection.name))</title></line>"
  }

  private static func axis(
    until end: Instant, _ height: Int, _ x: (Instant) -> String
  ) -> String {
    // The axis has at most a dozen labels, although a watch may take 20 min.
    let steps: [Int64] = [5, 10, 30, 60, 120, 300]
    let step = 1_000_000 * (steps.first { $0 * 12_000_000 >= end.microseconds } ?? 600)
    return stride(from: 0, through: end.microseconds, by: Int(step)).map { microseconds in
      let at = Instant(microseconds: microseconds)
      return "<text class=\"axis\" x=\"\(x(at))\" y=\"\(height - 4)\">\(seconds(at))</text>"
    }.joined()
  }

  private static func seconds(_ at: Instant) -> String {
    at == .zero ? "0 s" : at.since(.zero).readable
  }
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
  static func cssClass(_ word: TryOutcome) -> String {
    word.rawValue.lowercased().replacing(" ", with: "-")
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
    svg { display: block; width: 100%; min-width: 64rem; height: auto;
      font: 13px system-ui, sans-serif; fill: var(--soft); }
    svg text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
    .flow { stroke: var(--line); stroke-width: 3; } .dead { stroke-dasharray: 4 4; }
    .payload { stroke: var(--good); } .resent { stroke: var(--bad); fill: none; }
    .line { fill: var(--warn); } .leg { fill: var(--focus); } .act { stroke: var(--bad); stroke-dasharray: 2 3; }
    .act + text { transform: translate(4px); }
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
    @media print { .wide { overflow: visible; } svg { min-width: 0; }
      th, td { min-width: 0; font-size: .75rem; } tr { break-inside: avoid; } }
    """
}
