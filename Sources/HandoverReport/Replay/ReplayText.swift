import HandoverCore
import HandoverTrace

/// Tells what came of a replay, with the record that differs and those around it side by side.
public struct ReplayText {
  private let recorded: RecordedTrace
  private let difference: TraceReplay.Difference
  private var speller: RecordText
  private var rows: [Row] = []

  /// How many records are shown before the event.
  private static let context = 5
  /// How many rows are shown after the first that differs.
  private static let rowsAfter = 6
  private static let width = 42

  private struct Row {
    var number = ""
    var at = ""
    var left = ""
    var right = ""
    var differs = false
  }

  /// What came of a replay, in lines.
  public static func of(_ outcome: TraceReplay.Outcome, _ recorded: RecordedTrace) -> String {
    switch outcome {
    case .equal(let events):
      return VisibleText.counted(events, "event") + " replayed, all effects equal\n"
    case .differs(let difference):
      var text = ReplayText(recorded, difference)
      return text.text()
    }
  }

  private init(_ recorded: RecordedTrace, _ difference: TraceReplay.Difference) {
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
    text += difference.isMissing ? "after \(index):\n\n" : "at \(index):\n\n"
    let numbers = max(6, rows.map(\.number.count).max() ?? 0)
    let times = max(4, rows.map(\.at.count).max() ?? 0)
    text += line(Row(number: "record", at: "time", left: "recorded", right: "now"), numbers, times)
    for row in rows { text += line(row, numbers, times) }
    if length > 0 { text += "    and \(VisibleText.counted(length, "row")) more of this event\n" }
    if let refusal = difference.refusal {
      text += "\nThe event cannot be told to the client now: \(refusal).\n"
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
        number: "\(index + 1)", at: records[index].at.text, left: speller.of(body), right: "=")
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
        number: "\(index + 1)", at: recorded.trace.records[index].at.text, left: left,
        right: right))
  }

  private func line(_ row: Row, _ numbers: Int, _ times: Int) -> String {
    let left = VisibleText.wrapped(row.left, width: Self.width)
    let right = VisibleText.wrapped(row.right, width: Self.width)
    var text = ""
    for part in 0..<max(left.count, right.count) {
      let isFirst = part == 0
      let cells = [
        isFirst && row.differs ? "≠" : " ",
        VisibleText.aligned(isFirst ? row.number : "", numbers),
        VisibleText.aligned(isFirst ? row.at : "", times) + " │",
        VisibleText.padded(part < left.count ? left[part] : "", Self.width) + " │",
        part < right.count ? right[part] : "",
      ]
      text += cells.joined(separator: " ").trimmedAtEnd + "\n"
    }
    return text
  }
}
