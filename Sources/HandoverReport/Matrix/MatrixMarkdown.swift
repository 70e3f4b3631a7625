import HandoverCore
import HandoverEngine

// The matrix as Markdown, which is also readable as plain text.
extension Matrix {
  /// The maximum number of cases listed below the table.
  private static let maximumCount = 50

  /// The matrix as Markdown: the counts of each column, a row for each scenario, and the findings.
  package var markdown: String { markdown(width: nil) }

  /// Returns the matrix as Markdown with a maximum line width; wider tables become lists.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the text.
  package func markdown(width: Int?) -> String {
    var text = "# Handover matrix\n\n\(Markdown.text(headline)).\n"
    if let harness { text += "\n\(Markdown.text(harness.text)).\n" }
    if wasInterrupted { text += "\nInterrupted: only completed cases are shown.\n" }
    text += "\n## Backends and profiles\n\n"
    for index in backends.indices {
      text += "- \(Markdown.text(label(of: index))): \(Markdown.code(backends[index].argument))\n"
    }
    text += "\n\(sums.text(width: width))"
    for group in groups {
      let document = group.document.map { "\(Markdown.text($0)) " } ?? ""
      text += "\n## \(document)\(Markdown.text(group.name))\n\n"
      if let sentence = group.sentence { text += "\(Markdown.text(sentence))\n\n" }
      text += table(of: group).text(width: width)
    }
    text += trouble + (summary.hangs.line(gates).map { "\n\($0)\n" } ?? "")
    return Markdown.wrapped(text, width: width)
  }

  private var sums: MarkdownTable {
    var table = MarkdownTable(
      ["column"] + Verdict.allCases.map(\.label) + ["median", "worst", "calls", "never ended"])
    for column in columns {
      let figures = column.summary.figures.first
      table.add(
        [name(of: column)] + Verdict.allCases.map { "\(column.summary.count($0))" }
          + [
            figures?.median?.measured ?? "-", figures?.worst?.measured ?? "-",
            "\(figures?.calls ?? 0)",
            "\(figures?.neverEnded ?? 0)",
          ])
    }
    return table
  }

  private func table(of group: Group) -> MarkdownTable {
    // A column without a case in this group would be empty.
    let used = columns.indices.filter { column in
      group.rows.contains { rows[$0].cells[column] != nil }
    }
    var table = MarkdownTable(["scenario"] + used.map { name(of: columns[$0]) })
    for row in group.rows.map({ rows[$0] }) {
      table.add([row.id] + used.map { Self.text(of: row.cells[$0]) })
    }
    return table
  }

  private static func text(of cell: Cell?) -> String {
    switch cell {
    case nil: ""
    case .notRun: "not run"
    case .run(let one): one.label + (one.longestText.map { " \($0)" } ?? "")
    }
  }

  private var trouble: String {
    var text = ""
    var count = 0
    for (row, column, one) in troubled {
      count += 1
      guard count <= Self.maximumCount else { continue }
      text += "\n### \(one.verdict.label): \(Markdown.text(row.id)) "
      text += "(\(Markdown.text(name(of: column))))\n\n"
      for finding in one.findings where finding.verdict == one.verdict {
        text += "- expected: \(Markdown.text(finding.expectedText.exactText))\n"
        text += "  - seen: \(Markdown.text(finding.seenText.exactText))\n"
      }
      text += "- repeat: \(Markdown.code(one.command.joined(separator: " ")))\n"
    }
    guard count > 0 else { return "" }
    let more = count - Self.maximumCount
    if more > 0 { text += "\nAnd \(counted(more, "case")) more.\n" }
    return "\n## Failures and errors\n" + text
  }

  /// The cases that need attention, in the order of the page.
  var troubled: [(row: Row, column: Column, one: Case)] {
    groups.flatMap(\.rows).flatMap { index in
      zip(rows[index].cells, columns).compactMap { cell, column in
        guard case .run(let one) = cell, one.verdict.needsAttention else { return nil }
        return (rows[index], column, one)
      }
    }
  }
}

extension Verdict {
  /// Whether a case with this verdict needs attention.
  var needsAttention: Bool {
    switch self {
    case .passed, .passedPartially, .unsupported, .failedAsExpected: false
    case .nonStrict, .failed, .error: true
    }
  }
}

/// A table whose columns are as wide as their longest cells.
struct MarkdownTable {
  private var rows: [[String]]

  init(_ titles: [String]) {
    rows = [titles.map(Markdown.text)]
  }

  mutating func add(_ cells: [String]) {
    rows.append(cells.map(Markdown.text))
  }

  var text: String { text(width: nil) }

  /// Returns the table, or a list of its rows if the table is too wide.
  func text(width: Int?) -> String {
    let table = drawn
    guard let width, table.split(separator: "\n").contains(where: { $0.count > width }) else {
      return table
    }
    return rows.dropFirst().map { row in
      "- \(row[0])\n"
        + zip(rows[0], row).dropFirst().filter { !$1.isEmpty }.map { "  - \($0): \($1)\n" }
        .joined()
    }.joined()
  }

  private var drawn: String {
    let widths = rows[0].indices.map { column in
      max(3, rows.map { $0[column].count }.max() ?? 0)
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([rows[0], rule] + rows.dropFirst()).map { cells in
      "| " + zip(cells, widths).map(VisibleText.padded).joined(separator: " | ") + " |\n"
    }.joined()
  }
}

/// Escapes text for Markdown.
enum Markdown {
  /// Returns text for a line or for the cell of a table.
  static func text(_ text: String) -> String {
    var result = ""
    let visible = VisibleText.of(text)
    for scalar in visible.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "&", "#":
        result += "\\\(scalar)"
      // Before a space, `~` is our own symbol and does not begin a strikethrough.
      case "~" where !(result.isEmpty && visible.hasPrefix("~ ")): result += "\\~"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns text with wrapped prose; headings, tables and code are not wrapped.
  static func wrapped(_ text: String, width: Int?) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > width, !line.hasPrefix("#"), !line.hasPrefix("|"), !line.contains("`")
      else { return String(line) }
      let indent = VisibleText.spaces(line.prefix { $0 == " " }.count)
      return VisibleText.wrapped(
        String(line.dropFirst(indent.count)), width: max(20, width - indent.count)
      ).map { indent + $0 }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// Returns text as a code span, with more backticks around it than it contains in sequence.
  static func code(_ text: String) -> String {
    // A CI runner would execute a command in this text, and code in Markdown cannot be escaped.
    let visible = SafeText.withoutCommands(VisibleText.of(text))
    let longest = visible.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let space = longest > 0 ? " " : ""
    return fence + space + visible + space + fence
  }
}
