import HandoverCore
import HandoverEngine
import HandoverScenario

/// Draws the part of a timeline that is relevant for the findings.
///
/// Time runs down the page. Causes are to the left of their effects. The margin marks the instants
/// of the findings.
struct TimelineText {
  private let style: Style
  private var rows: [TimelineRow] = []
  /// Creates the rows with the text of selected rows, by their indices before any mark was added.
  private let makeRows: (@escaping (Int) -> Bool) -> TimelineRows

  /// The maximum number of rows of a timeline that is drawn completely.
  private static let wholeLength = 32
  /// The number of rows drawn before and after a marked instant, and at the instant itself.
  private static let rowsBefore = 10
  private static let rowsAfter = 3
  private static let rowsOfInstant = 14
  /// The maximum number of findings whose instants are marked.
  private static let maximumMarks = 5
  /// The minimum page width for a table; on a narrower page, the columns are stacked.
  private static let leastTable = 90
  /// The minimum width of a table column.
  private static let leastColumn = 12

  /// Returns the timeline of a case, or no lines if nothing was recorded.
  ///
  /// A case that passed unexpectedly has no failure that a timeline could show, and no lines.
  static func lines(of result: CaseResult, _ scenario: Scenario, style: Style) -> [String] {
    guard !result.passedUnexpectedly else { return [] }
    guard let trace = result.trace, !trace.records.isEmpty else {
      // A case without a verdict may have no records.
      return result.trace == nil && result.verdict == .failed
        ? ["its timeline is omitted, because other profiles ran too; run it alone to see it"] : []
    }
    let needsClosing = result.findings.contains { finding in
      if case .invariant = finding.kind { return true }
      return false
    }
    var drawing = TimelineText(style: style) {
      TimelineRows.of(trace, script: scenario.script, closing: needsClosing, keeping: $0)
    }
    drawing.layOut()
    for finding in result.decisiveFindings.prefix(maximumMarks) {
      drawing.mark(finding, in: scenario)
    }
    return drawing.lines()
  }

  private init(
    style: Style, makeRows: @escaping (@escaping (Int) -> Bool) -> TimelineRows
  ) {
    self.style = style
    self.makeRows = makeRows
  }

  /// Lays out all rows without their text, because most rows will not be drawn.
  private mutating func layOut() {
    let heads = makeRows { _ in false }.heads
    rows.reserveCapacity(heads.count)
    for head in heads {
      var row = TimelineRow(at: head.at)
      row.records = Int(head.records)
      rows.append(row)
    }
  }

  /// Returns the rows that are drawn, with their text.
  private func drawn(_ isDrawn: [Bool]) -> [TimelineRow] {
    // A row without records is a remark, which `makeRows` does not know.
    var isWanted: [Bool] = []
    for index in rows.indices where rows[index].records > 0 { isWanted.append(isDrawn[index]) }
    var texts = makeRows { isWanted[$0] }.rows.makeIterator()
    return rows.indices.filter { isDrawn[$0] }.map { index in
      var row = rows[index]
      guard row.records > 0, let shown = texts.next() else { return row }
      for column in TimelineRow.Column.allCases { row[column] = shown[column] }
      return row
    }
  }

  // MARK: Marks

  private mutating func mark(_ finding: Finding, in scenario: Scenario) {
    if let at = finding.at { mark(at, .seenHere, note: nil) }
    guard finding.kind == .expectation,
      let expectation = scenario.expectations.first(where: { $0.position == finding.position })
    else { return }
    switch expectation.moment {
    case nil: break
    case .at(let instant):
      // If the expectation was evaluated at this instant, the margin already has a mark.
      if instant != finding.at { mark(instant, .expectedHere, note: "expected here") }
    case .within(let first, let last):
      mark(first, .expectedHere, note: "expected from here …")
      mark(last, .expectedHere, note: "… to here")
    case .before(let instant): mark(instant, .expectedHere, note: "expected before this")
    case .after(let instant): mark(instant, .expectedHere, note: "expected after this")
    }
  }

  private mutating func mark(_ instant: Instant, _ mark: TimelineRow.Mark, note: String?) {
    let first = rows.firstIndex { $0.at == instant }
    if let first { rows[first].mark = max(rows[first].mark, mark) }
    let isReported = rows.contains { $0.at == instant && $0.note == note }
    guard first == nil || note != nil, !isReported else { return }
    var row = TimelineRow(at: instant)
    row.records = 0
    row.mark = first == nil ? mark : .none
    row.note = note ?? "nothing happens at this instant"
    rows.insert(row, at: rows.firstIndex { $0.at > instant } ?? rows.endIndex)
  }

  // MARK: Selection

  /// Returns whether each row is drawn.
  private func chosen() -> [Bool] {
    guard rows.count > Self.wholeLength else { return rows.map { _ in true } }
    var isDrawn = rows.map { $0.note != nil }
    // The beginning of the run is always needed to understand the rest.
    isDrawn[0] = true
    isDrawn[1] = true
    let marked = rows.indices.filter { rows[$0].mark != .none }
    for index in marked.isEmpty ? [rows.count - 1] : marked {
      var last = index
      while last + 1 < rows.count, rows[last + 1].at == rows[index].at,
        last - index < Self.rowsOfInstant
      {
        last += 1
      }
      let first = max(0, index - Self.rowsBefore)
      for near in first...min(last + Self.rowsAfter, rows.count - 1) { isDrawn[near] = true }
    }
    // A gap of up to two rows is filled, because the gap itself takes a line.
    for index in isDrawn.indices.dropLast(2) where isDrawn[index] && !isDrawn[index + 1] {
      let end = isDrawn[(index + 1)...].firstIndex(of: true) ?? isDrawn.endIndex
      if end - index <= 3 {
        for near in index + 1..<end { isDrawn[near] = true }
      }
    }
    return isDrawn
  }

  // MARK: Drawing

  private func lines() -> [String] {
    let isDrawn = chosen()
    let drawn = drawn(isDrawn)
    let timeWidth = max(4, drawn.map(\.at.exactText.count).max() ?? 0)
    // The caller indents the timeline by two columns.
    let room = style.tableWidth - 2 - 2 - timeWidth
    let widths = widths(of: drawn, room: room - 3 * bar.count)
    var lines = widths.map { heading(timeWidth, $0) } ?? []
    var hidden = 0
    var last: Instant?
    var texts = drawn.makeIterator()
    for index in rows.indices {
      guard isDrawn[index] else {
        hidden += rows[index].records
        continue
      }
      if hidden > 0 { lines.append(gap(hidden, timeWidth)) }
      hidden = 0
      if let row = texts.next() {
        let isNew = row.at != last
        lines +=
          widths.map { draw(row, showingTime: isNew, timeWidth, $0) }
          ?? stack(row, showingTime: isNew, timeWidth, room)
      }
      last = rows[index].at
    }
    if hidden > 0 { lines.append(gap(hidden, timeWidth)) }
    return lines + legend()
  }

  private func heading(_ timeWidth: Int, _ widths: [Int]) -> [String] {
    let symbols = style.symbols
    let titles = TimelineRow.Column.allCases.map(\.title)
    let rule = widths.map { String(repeating: symbols.dash, count: $0) }
    let corner = symbols.dash + symbols.cross + symbols.dash
    return [
      style.paint(
        margin(.none) + VisibleText.aligned("time", timeWidth) + bar
          + joined(titles, widths), .dim),
      style.paint(
        VisibleText.spaces(2) + String(repeating: symbols.dash, count: timeWidth) + corner
          + rule.joined(separator: corner), .dim),
    ]
  }

  /// Returns the margin and the time at the beginning of a row.
  private func start(_ row: TimelineRow, showingTime: Bool, _ timeWidth: Int) -> String {
    let showsTime = showingTime || row.mark != .none
    return margin(row.mark) + VisibleText.aligned(showsTime ? row.at.exactText : "", timeWidth)
  }

  private func draw(
    _ row: TimelineRow, showingTime: Bool, _ timeWidth: Int, _ widths: [Int]
  ) -> [String] {
    let start = start(row, showingTime: showingTime, timeWidth) + bar
    if let note = row.note { return [painted(start + "(\(spelt(note)))", row.mark)] }
    let cells = zip(row.cells, widths).map { VisibleText.wrapped(spelt($0), width: $1) }
    return (0..<(cells.map(\.count).max() ?? 1)).map { line in
      let first = line == 0 ? start : VisibleText.spaces(2 + timeWidth) + bar
      return painted(
        first + joined(cells.map { line < $0.count ? $0[line] : "" }, widths),
        row.mark)
    }
  }

  /// Returns the columns of a row below each other.
  private func stack(
    _ row: TimelineRow, showingTime: Bool, _ timeWidth: Int, _ room: Int
  ) -> [String] {
    let start = start(row, showingTime: showingTime, timeWidth)
    if let note = row.note { return [painted(start + "  (\(spelt(note)))", row.mark)] }
    let titleWidth = TimelineRow.Column.allCases.map(\.title.count).max() ?? 0
    let textWidth = max(16, room - 4 - titleWidth)
    var lines: [String] = []
    for column in TimelineRow.Column.allCases where !row[column].isEmpty {
      let texts = VisibleText.wrapped(spelt(row[column]), width: textWidth)
      for (position, text) in texts.enumerated() {
        let first = lines.isEmpty ? start : VisibleText.spaces(start.count)
        let title = VisibleText.padded(position == 0 ? column.title : "", titleWidth)
        // A line that is painted as a whole contains no other color codes.
        let shown = row.mark == .none ? style.paint(title, .dim) : title
        lines.append(painted("\(first)  \(shown)  \(text)", row.mark))
      }
    }
    return lines.isEmpty ? [painted(start, row.mark)] : lines
  }

  private func gap(_ records: Int, _ timeWidth: Int) -> String {
    let text = "\(style.symbols.gap) \(counted(records, "more record"))"
    return style.paint(VisibleText.spaces(2 + timeWidth) + bar + text, .dim)
  }

  private func legend() -> [String] {
    var parts: [String] = []
    if rows.contains(where: { $0.mark == .seenHere }) {
      parts.append("\(style.symbols.seenHere) seen here")
    }
    if rows.contains(where: { $0.mark == .expectedHere }) {
      parts.append("\(style.symbols.expectedHere) expected here")
    }
    guard !parts.isEmpty else { return [] }
    return [style.paint(parts.joined(separator: "   "), .dim)]
  }

  private func margin(_ mark: TimelineRow.Mark) -> String {
    switch mark {
    case .none: "  "
    case .expectedHere: style.symbols.expectedHere + " "
    case .seenHere: style.symbols.seenHere + " "
    }
  }

  private func painted(_ line: String, _ mark: TimelineRow.Mark) -> String {
    switch mark {
    case .none: line
    case .expectedHere: style.paint(line, .yellow)
    case .seenHere: style.paint(line, .boldRed)
    }
  }

  private var bar: String { " \(style.symbols.bar) " }

  /// Joins cells side by side, without spaces at the end of the line.
  private func joined(_ cells: [String], _ widths: [Int]) -> String {
    let line = zip(cells, widths).map(VisibleText.padded).joined(separator: bar)
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// Returns the width of each column, or `nil` if the page is too narrow for a table.
  ///
  /// Each column is as wide as its longest text. If they do not fit, the widest columns shrink.
  private func widths(of rows: [TimelineRow], room: Int) -> [Int]? {
    var widths = TimelineRow.Column.allCases.map { column in
      max(column.title.count, rows.map { spelt($0[column]).count }.max() ?? 0)
    }
    var excess = widths.reduce(0, +) - room
    guard excess > 0 else { return widths }
    guard style.tableWidth >= Self.leastTable else { return nil }
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > Self.leastColumn
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  /// Returns text with the symbols of the style; records can contain text of clients and servers.
  private func spelt(_ text: String) -> String {
    let text = VisibleText.of(text)
    guard style.usesASCII, text.contains(where: { $0 == "→" || $0 == "…" }) else { return text }
    return text.map { character in
      switch character {
      case "→": style.symbols.arrow
      case "…": style.symbols.gap
      default: String(character)
      }
    }.joined()
  }
}
