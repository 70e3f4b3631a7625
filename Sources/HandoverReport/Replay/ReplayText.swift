import HandoverCore
import HandoverTrace

/// Tells what came of a replay, with the record that differs and those around it side by side.
public struct ReplayText {
  private let recorded: RecordedTrace
  private let difference: TraceReplay.Difference
  private var speller: RecordText
  private var rows: [Row] = []
  private let width: Int?

  /// How many records are shown before the event.
  private static let context = 5
  /// How many rows are shown after the first that differs.
  private static let rowsAfter = 6
  /// How wide a side is where nobody says, and in how few columns both do not go side by side.
  private static let usualSide = 42
  private static let narrowest = 90

  private struct Row {
    var number = ""
    var at = ""
    var left = ""
    var right = ""
    var differs = false
  }

  /// What came of a replay, in lines.
  ///
  /// - Parameters:
  ///   - outcome: what came of it.
  ///   - recorded: the trace.
  ///   - width: the columns of a line; nil where nobody says.
  /// - Returns: the lines, each ended by a line feed.
  public static func of(
    _ outcome: TraceReplay.Outcome, _ recorded: RecordedTrace, width: Int? = nil
  ) -> String {
    switch outcome {
    case .equal(let events):
      return VisibleText.counted(events, "event") + " replayed, all effects equal\n"
        + (recorded.hasEnd ? "" : "the trace has no end: it was cut off, or its run was\n")
    case .differs(let difference):
      var text = ReplayText(recorded, difference, width)
      return text.text()
    }
  }

  private init(
    _ recorded: RecordedTrace, _ difference: TraceReplay.Difference, _ width: Int?
  ) {
    self.width = width
    self.recorded = recorded
    self.difference = difference
    speller = RecordText(recorded)
  }

  private mutating func text() -> String {
    let records = recorded.trace.records
    let start = difference.event ?? difference.record
    for number in max(0, start - Self.context)..<min(start, records.count) {
      let spelt = speller.of(records[number].body)
      add(number, spelt, "=")
    }
    let length = event(from: start)
    let step = difference.step
    let index = "record \(step) of \(records.count), line \(step + 1) of the file"
    var text = "The client does something else now. The first difference is "
    text += difference.isMissing ? "after \(index):" : "at \(index):"
    text = VisibleText.indented(text, by: 0, width: width).joined(separator: "\n") + "\n\n"
    let numbers = max(6, rows.map(\.number.count).max() ?? 0)
    let times = max(4, rows.map(\.at.count).max() ?? 0)
    let title = Row(number: "record", at: "time", left: "recorded", right: "now")
    if let width, width < Self.narrowest {
      for row in rows { text += stacked(row, numbers, times, width) }
    } else {
      for row in [title] + rows { text += line(row, numbers, times) }
    }
    if length > 0 { text += "    and \(VisibleText.counted(length, "row")) more of this event\n" }
    if let refusal = difference.refusal {
      let words = "The event cannot be told to the client now: \(refusal)."
      text += "\n" + VisibleText.indented(words, by: 0, width: width).joined(separator: "\n") + "\n"
    }
    return text
  }

  /// Adds the rows of the event that differs.
  ///
  /// - Returns: how many rows are left out.
  private mutating func event(from start: Int) -> Int {
    let records = recorded.trace.records
    var event: [Row] = []
    var matched = 0
    var index = start
    while index < records.count {
      let body = records[index].body
      if case .event = body, index > start { break }
      var row = Row(
        number: "\(index + 1)", at: records[index].at.told, left: speller.of(body), right: "=")
      if case .effect(let effect) = body {
        let now = matched < difference.computed.count ? difference.computed[matched] : nil
        row.differs = now != effect
        if row.differs { row.right = now.map { speller.of(.effect($0)) } ?? "(nothing)" }
        matched += 1
      } else if index == difference.record, difference.refusal != nil {
        (row.differs, row.right) = (true, "(cannot be)")
      }
      event.append(row)
      index += 1
    }
    for effect in difference.computed.dropFirst(matched) {
      event.append(Row(left: "(nothing)", right: speller.of(.effect(effect)), differs: true))
    }
    let first = event.firstIndex { $0.differs } ?? 0
    let shown = min(event.count, first + Self.rowsAfter)
    // Of a long event what comes right before the difference is enough.
    rows += event[max(0, first - 2 * Self.rowsAfter)..<shown]
    return event.count - shown
  }

  private mutating func add(_ index: Int, _ left: String, _ right: String) {
    rows.append(
      Row(
        number: "\(index + 1)", at: recorded.trace.records[index].at.told, left: left,
        right: right))
  }

  /// A row, both sides beside each other.
  private func line(_ row: Row, _ numbers: Int, _ times: Int) -> String {
    // The mark, the columns before the sides, and what stands between them.
    let side = width.map { ($0 - numbers - times - 9) / 2 } ?? Self.usualSide
    let left = VisibleText.wrapped(row.left, width: side)
    let right = VisibleText.wrapped(row.right, width: side)
    var text = ""
    for part in 0..<max(left.count, right.count) {
      let isFirst = part == 0
      let cells = [
        isFirst && row.differs ? "≠" : " ",
        VisibleText.aligned(isFirst ? row.number : "", numbers),
        VisibleText.aligned(isFirst ? row.at : "", times) + " │",
        VisibleText.padded(part < left.count ? left[part] : "", side) + " │",
        part < right.count ? right[part] : "",
      ]
      text += cells.joined(separator: " ").trimmedAtEnd + "\n"
    }
    return text
  }

  /// A row, both sides below each other; once where they are the same.
  private func stacked(_ row: Row, _ numbers: Int, _ times: Int, _ width: Int) -> String {
    let room = max(20, width - numbers - times - 6)
    var parts = VisibleText.wrapped(row.differs ? "recorded: \(row.left)" : row.left, width: room)
    if row.differs { parts += VisibleText.wrapped("now: \(row.right)", width: room) }
    return parts.enumerated().map { index, part in
      let isFirst = index == 0
      let cells = [
        isFirst && row.differs ? "≠" : " ",
        VisibleText.aligned(isFirst ? row.number : "", numbers),
        VisibleText.aligned(isFirst ? row.at : "", times) + " │", part,
      ]
      return cells.joined(separator: " ").trimmedAtEnd + "\n"
    }.joined()
  }
}
