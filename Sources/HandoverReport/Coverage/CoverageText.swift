import HandoverCore
import HandoverScenario

/// The table of requirements, at most ``Style/defaultTextWidth`` columns wide.
package struct CoverageText: Sendable {
  private let coverage: Coverage

  private let width: Int
  /// The maximum number of expectations listed for each requirement.
  private static let shownWitnesses = 3

  /// Creates the text of a coverage table.
  ///
  /// - Parameters:
  ///   - coverage: the coverage of the requirements.
  ///   - width: the number of columns, or `nil` if it is unknown.
  package init(_ coverage: Coverage, width: Int? = nil) {
    self.coverage = coverage
    self.width = Style.textWidth(width)
  }

  /// Returns all requirements with their coverage.
  ///
  /// - Parameter onlyUncovered: whether requirements that an expectation shows are omitted.
  /// - Returns: the text, in lines.
  package func items(onlyUncovered: Bool) -> String {
    let rows = coverage.rows.filter { !onlyUncovered || $0.witnesses.isEmpty }
    return rows.map { lines(of: $0).map { "\($0)\n" }.joined() + "\n" }.joined()
  }

  /// The number of requirements in each state, for each specification.
  package var totals: String {
    let states = Coverage.State.allCases
    var table = [
      ["", "total"] + states.flatMap { $0 == .kept ? [$0.heading, "detected"] : [$0.heading] }
    ]
    for text in texts {
      table.append(
        Self.counts(text, coverage.rows.filter { Self.text(of: $0.item) == text }, states))
    }
    table.append(Self.counts("all", coverage.rows, states))
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    guard widths.reduce(2 * (widths.count - 1), +) <= width else { return list(of: table) + sum }
    let lines = table.map { cells in
      cells.enumerated().map { column, cell in
        column == 0
          ? VisibleText.padded(cell, widths[0]) : VisibleText.aligned(cell, widths[column])
      }.joined(separator: "  ")
    }
    return lines.map { "\($0)\n" }.joined() + "\n" + sum
  }

  /// Returns the rows of a table that is too wide as separate lists.
  private func list(of table: [[String]]) -> String {
    table.dropFirst().map { row in
      let counts = zip(table[0], row).dropFirst().map { "\($1) \($0)" }.joined(separator: ", ")
      return "\(row[0])\n" + indented(counts, by: 2).map { "\($0)\n" }.joined()
    }.joined() + "\n"
  }

  private var sum: String {
    let partial = coverage.rows.count { $0.state == .kept && $0.isPartial }
    let text =
      "\(coverage.rows.count) requirements: \(coverage.count(.kept)) covered (\(partial) in part, "
      + "\(coverage.rows.count(where: \.isDetected)) with a detected bug), "
      + "\(coverage.count(.deviates)) deliberately different, "
      + "\(coverage.count(.cited)) referenced, \(coverage.count(.inexpressible)) not expressible, "
      + "\(coverage.count(.open)) uncovered"
    let rest = coverage.undetected
    let remainder =
      rest.isEmpty
      ? ""
      : "Covered, without an injected bug that violates them: "
        + rest.map(\.item.id).joined(separator: ", ")
    return [text, remainder].filter { !$0.isEmpty }
      .flatMap { VisibleText.wrapped($0, width: width) }.map { "\($0)\n" }.joined()
  }

  // MARK: One requirement

  private func lines(of row: Coverage.Row) -> [String] {
    var lines = VisibleText.wrapped(head(of: row), width: width)
    lines += indented(row.item.sentence, by: 2)
    if let reason = row.reason {
      lines += indented("\(reason.kind.introduction): \(reason.reason)", by: 2)
      if let test = reason.test { lines += indented("Test: \(test)", by: 2) }
    }
    for witness in row.witnesses.prefix(Self.shownWitnesses) {
      lines += indented("\(witness.scenario):\(witness.position.line)", by: 4)
      lines += indented(
        "\(witness.phrase) [\(witness.profiles.joined(separator: ", "))]", by: 6)
    }
    let rest = row.witnesses.count - Self.shownWitnesses
    if rest > 0 { lines.append("    and \(rest) more") }
    if row.state == .kept { lines += kills(of: row) }
    if row.witnesses.isEmpty, let first = row.scenarios.first {
      let others = row.scenarios.count - 1
      lines += indented(
        "cited in: \(first)" + (others > 0 ? " and \(others) more" : "")
          + "; no expectation shows it", by: 4)
    }
    if row.state == .open {
      lines += indented("NO REASON: add an expectation that shows it, or a reason", by: 4)
    }
    return lines
  }

  private func kills(of row: Coverage.Row) -> [String] {
    guard !row.kills.isEmpty else {
      return indented("NO BUG: no injected bug violates it", by: 4)
    }
    let shown = row.kills.prefix(Self.shownWitnesses)
    let more = row.kills.count - shown.count
    return indented(
      "detected bugs: " + shown.map { "\($0.fault) (\($0.scenario))" }.joined(separator: ", ")
        + (more > 0 ? " and \(more) more" : ""), by: 4)
  }

  private func head(of row: Coverage.Row) -> String {
    let state = row.isPartial ? "\(row.state.phrase), in part" : row.state.phrase
    let restored = row.item.isRestored ? " (restored from other texts)" : ""
    let index =
      row.item.places.isEmpty ? row.item.document : row.item.places.joined(separator: "; ")
    return "\(row.item.id)  \(state.uppercased())  \(index)\(restored)"
  }

  private func indented(_ text: String, by count: Int) -> [String] {
    VisibleText.wrapped(text, width: width - count).map {
      String(repeating: " ", count: count) + $0
    }
  }

  // MARK: Specifications

  private static let others = "other texts"

  /// The specifications of the requirements, in the order of the catalog; others come last.
  private var texts: [String] {
    var texts: [String] = []
    for row in coverage.rows where !texts.contains(Self.text(of: row.item)) {
      texts.append(Self.text(of: row.item))
    }
    return texts.filter { $0 != Self.others } + texts.filter { $0 == Self.others }
  }

  /// Returns the specification of a requirement: the part of its first place before the comma.
  private static func text(of item: ItemCatalog.Item) -> String {
    item.places.first?.split(separator: ",").first.map(String.init) ?? others
  }

  /// Returns a row of the table of counts.
  private static func counts(
    _ name: String, _ rows: [Coverage.Row], _ states: [Coverage.State]
  ) -> [String] {
    [name, "\(rows.count)"]
      + states.flatMap { state in
        let count = "\(rows.count { $0.state == state })"
        return state == .kept ? [count, "\(rows.count(where: \.isDetected))"] : [count]
      }
  }
}

extension Coverage.State {
  /// The state as text.
  var phrase: String {
    switch self {
    case .kept: "covered"
    case .deviates: "deliberately different"
    case .cited: "referenced"
    case .inexpressible: "not expressible"
    case .open: "uncovered"
    }
  }

  /// The column heading of the state.
  fileprivate var heading: String {
    switch self {
    case .deviates: "different"
    case .kept, .cited, .inexpressible, .open: phrase
    }
  }
}

extension ItemCatalog.Reason.Kind {
  /// The words before a reason in the texts of `spec` and `explain`.
  var introduction: String {
    switch self {
    case .partly: "Not covered"
    case .deviates: "Instead"
    case .cited: "No expectation"
    case .inexpressible: "Not expressible"
    }
  }
}
