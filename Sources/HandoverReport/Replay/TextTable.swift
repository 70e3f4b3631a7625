/// Rows of texts in columns, for people.
struct TextTable {
  private let titles: [String]
  private var rows: [[String]] = []
  /// How many rows are drawn; of the others only the number is told.
  private static let maximumRows = 40

  init(_ titles: String...) {
    self.titles = titles
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ cells: String...) {
    rows.append(cells.map(VisibleText.of))
  }

  /// The table; empty where it has no rows.
  var text: String {
    guard !rows.isEmpty else { return "" }
    let drawn = [titles] + rows.prefix(Self.maximumRows)
    let widths = titles.indices.map { column in drawn.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in drawn {
      let line = zip(row, widths).map(VisibleText.padded).joined(separator: "  ")
      text += "  " + line.trimmedAtEnd + "\n"
    }
    let more = rows.count - Self.maximumRows
    if more > 0 { text += "  and \(more) more\n" }
    return text
  }
}

extension String {
  /// The text without spaces at its end.
  var trimmedAtEnd: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
