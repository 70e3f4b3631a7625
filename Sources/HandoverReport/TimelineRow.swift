import HandoverCore

/// A row of a timeline before it is drawn: an instant, with events in up to three columns.
struct TimelineRow: Hashable, Sendable {
  /// The column of an event; causes are to the left of their effects.
  typealias Column = FactColumn

  /// The mark of a row in the margin.
  enum Mark: Int, Comparable, Sendable {
    case none
    case expectedHere
    case seenHere

    static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
  }

  var at: Instant
  // These are separate properties, so that a row without long strings needs no heap allocation.
  private var device = ""
  private var channels = ""
  private var calls = ""
  /// The number of records that the row represents.
  var records = 1
  var mark = Mark.none
  /// A remark that replaces the cells.
  var note: String?

  init(at instant: Instant) {
    at = instant
  }

  /// The text of each column; empty if the column has no event.
  var cells: [String] { [device, channels, calls] }

  /// Accesses the text of a column.
  subscript(column: Column) -> String {
    get {
      switch column {
      case .device: device
      case .channels: channels
      case .calls: calls
      }
    }
    set {
      switch column {
      case .device: device = newValue
      case .channels: channels = newValue
      case .calls: calls = newValue
      }
    }
  }
}

/// A row without its text: its instant, its number of records, and its used columns.
struct TimelineHead: Hashable, Sendable {
  var at: Instant
  var records: UInt32
  private var filled: UInt8

  init(at instant: Instant, _ column: TimelineRow.Column, records: Int) {
    at = instant
    self.records = UInt32(clamping: records)
    filled = 1 << UInt8(column.rawValue)
  }

  /// Returns whether a cell can follow the others, because rows are read from left to right.
  func hasRoom(in column: TimelineRow.Column) -> Bool { filled >> UInt8(column.rawValue) == 0 }

  mutating func fill(_ column: TimelineRow.Column, records: Int) {
    filled |= 1 << UInt8(column.rawValue)
    self.records += UInt32(clamping: records)
  }
}

extension FactColumn {
  var title: String {
    switch self {
    case .device: "device"
    case .channels: "channels"
    case .calls: "calls"
    }
  }
}
