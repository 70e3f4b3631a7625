import HandoverCore

/// One line of a timeline before it is drawn: an instant, and what happened in up to three places.
struct TimelineRow: Hashable, Sendable {
  /// Where something happened; causes stand left of what follows from them.
  enum Column: Int, CaseIterable, Sendable {
    case device
    case channels
    case calls

    var title: String {
      switch self {
      case .device: "device"
      case .channels: "channels"
      case .calls: "calls"
      }
    }
  }

  /// What the margin says of the row.
  enum Mark: Int, Comparable, Sendable {
    case none
    case expectedHere
    case seenHere

    static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
  }

  var at: Instant
  /// One text for each column; empty where nothing happened.
  var cells = ["", "", ""]
  /// How many records of the trace the row stands for.
  var records = 1
  var mark = Mark.none
  /// A remark across all columns, in place of the cells.
  var note: String?

  /// The text of a column.
  subscript(column: Column) -> String {
    get { cells[column.rawValue] }
    set { cells[column.rawValue] = newValue }
  }

  /// Whether a cell can still be put behind the others: rows are read from left to right.
  func hasRoom(in column: Column) -> Bool {
    note == nil && cells[column.rawValue...].allSatisfy(\.isEmpty)
  }
}
