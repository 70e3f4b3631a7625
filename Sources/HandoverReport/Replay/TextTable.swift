/// A table of strings for users.
struct TextTable {
  private let titles: [String]
  private var rows: [[String]] = []
  /// The maximum number of rows to draw; further rows are only counted.
  private static let maximumRows = 40

  init(_ titles: String...) {
    self.init(titles)
  }

  init(_ titles: [String]) {
    self.titles = titles
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ cells: String...) { add(cells) }

  mutating func add(_ cells: [String]) {
    rows.append(cells.map(VisibleText.of))
  }

  /// Returns the table, or a list of its rows if the table is too wide.
  func text(width: Int?) -> String {
    let table = lines()
    guard let width, table.contains(where: { $0.count > width }) else {
      return table.map { $0 + "\n" }.joined()
    }
    var list = rows.prefix(Self.maximumRows).flatMap { row in
      VisibleText.indented("\(titles[0]) \(row[0])", by: 2, width: width)
        + zip(titles, row).dropFirst().filter { !$1.isEmpty && $1 != "-" }.flatMap {
          VisibleText.indented($0.isEmpty ? $1 : "\($0): \($1)", by: 4, width: width)
        }
    }
    let more = rows.count - Self.maximumRows
    if more > 0 { list.append("  and \(more) more") }
    return list.map { $0 + "\n" }.joined()
  }

  /// Returns the lines of the table, or no lines if it has no rows.
  ///
  /// - Parameter painting: returns the styled text of a cell. Its arguments are the row, where 0 is
  ///   the row of titles, the column, and the text.
  /// - Returns: the lines, without line feeds.
  func lines(painting: (Int, Int, String) -> String = { _, _, text in text }) -> [String] {
    guard !rows.isEmpty else { return [] }
    let drawn = [titles] + rows.prefix(Self.maximumRows)
    let widths = titles.indices.map { column in drawn.map { $0[column].count }.max() ?? 0 }
    var lines = drawn.enumerated().map { index, row in
      // Color codes take no columns, so the padding is computed without them.
      let cells = row.indices.map { column in
        painting(index, column, row[column])
          + VisibleText.spaces(widths[column] - row[column].count)
      }
      return "  " + cells.joined(separator: "  ").trimmedAtEnd
    }
    let more = rows.count - Self.maximumRows
    if more > 0 { lines.append("  and \(more) more") }
    return lines
  }
}

extension String {
  /// The string without spaces at its end.
  var trimmedAtEnd: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
