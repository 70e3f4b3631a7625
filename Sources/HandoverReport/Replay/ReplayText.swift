import HandoverCore

/// Describes the outcome of a replay.
///
/// If a record differs, the text shows the recorded and the computed records side by side.
package struct ReplayText {
  private let recorded: RecordedTrace
  private let difference: TraceReplay.Difference
  private var speller: RecordText
  private var rows: [Row] = []
  private let width: Int?

  /// The number of records shown before the event.
  private static let context = 5
  /// The number of rows shown after the first one that differs.
  private static let rowsAfter = 6
  /// The width of a side if the page width is unknown, and the page width below which rows are
  /// stacked.
  private static let defaultSide = 42
  private static let narrowest = 90

  private struct Row {
    var number = ""
    var at = ""
    var left = ""
    var right = ""
    var differs = false
  }

  /// Returns the outcome of a replay as text.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - recorded: the trace.
  ///   - width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  package static func of(
    _ outcome: TraceReplay.Outcome, _ recorded: RecordedTrace, width: Int? = nil
  ) -> String {
    switch outcome {
    case .equal(let events):
      return counted(events, "event") + " replayed, all effects equal\n"
        + (recorded.hasEnd ? "" : "the trace is incomplete: the file or its run was cut off\n")
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
    var text = "The client now behaves differently. The first difference is "
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
    if length > 0 { text += "    and \(counted(length, "row")) more of this event\n" }
    if let refusal = difference.refusal {
      let reason = "The event cannot be delivered to the client now: \(refusal)."
      text +=
        "\n" + VisibleText.indented(reason, by: 0, width: width).joined(separator: "\n") + "\n"
    }
    return text
  }

  /// Adds the rows of the event that differs.
  ///
  /// - Returns: the number of omitted rows.
  private mutating func event(from start: Int) -> Int {
    let records = recorded.trace.records
    var event: [Row] = []
    var matched = 0
    var index = start
    while index < records.count {
      let body = records[index].body
      if case .event = body, index > start { break }
      var row = Row(
        number: "\(index + 1)", at: records[index].at.exactText, left: speller.of(body), right: "=")
      if case .effect(let effect) = body {
        let now = matched < difference.computed.count ? difference.computed[matched] : nil
        row.differs = now != effect
        if row.differs { row.right = now.map { speller.of(.effect($0)) } ?? "(nothing)" }
        matched += 1
      } else if index == difference.record, difference.refusal != nil {
        (row.differs, row.right) = (true, "(impossible)")
      }
      event.append(row)
      index += 1
    }
    for effect in difference.computed.dropFirst(matched) {
      event.append(Row(left: "(nothing)", right: speller.of(.effect(effect)), differs: true))
    }
    let first = event.firstIndex { $0.differs } ?? 0
    let shown = min(event.count, first + Self.rowsAfter)
    // For a long event, only the rows just before the difference are shown.
    rows += event[max(0, first - 2 * Self.rowsAfter)..<shown]
    return event.count - shown
  }

  private mutating func add(_ index: Int, _ left: String, _ right: String) {
    rows.append(
      Row(
        number: "\(index + 1)", at: recorded.trace.records[index].at.exactText, left: left,
        right: right))
  }

  /// Returns a row with its sides next to each other.
  private func line(_ row: Row, _ numbers: Int, _ times: Int) -> String {
    // The fixed columns are the mark, the columns before the sides, and the separators.
    let side = width.map { ($0 - numbers - times - 9) / 2 } ?? Self.defaultSide
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

  /// Returns a row with its sides below each other, or one line if they are equal.
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
