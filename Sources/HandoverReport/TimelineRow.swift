import HandoverCore
import HandoverTrace

/// One line of a timeline before it is drawn: an instant, and what happened in up to three places.
struct TimelineRow: Hashable, Sendable {
  /// Where something happened; causes stand left of what follows from them.
  typealias Column = FactColumn

  /// What the margin says of the row.
  enum Mark: Int, Comparable, Sendable {
    case none
    case expectedHere
    case seenHere

    static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
  }

  var at: Instant
  // Apart from each other, so that a row without long texts is all there is of it.
  private var device = ""
  private var channels = ""
  private var calls = ""
  /// How many records of the trace the row stands for.
  var records = 1
  var mark = Mark.none
  /// A remark across all columns, in place of the cells.
  var note: String?

  init(at instant: Instant) {
    at = instant
  }

  /// One text for each column; empty where nothing happened.
  var cells: [String] { [device, channels, calls] }

  /// The text of a column.
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

/// A row without its texts: when, how many records it stands for, and which columns have one.
struct TimelineHead: Hashable, Sendable {
  var at: Instant
  var records: UInt32
  private var filled: UInt8

  init(at instant: Instant, _ column: TimelineRow.Column, records: Int) {
    at = instant
    self.records = UInt32(clamping: records)
    filled = 1 << UInt8(column.rawValue)
  }

  /// Whether a cell can still be put behind the others: rows are read from left to right.
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
