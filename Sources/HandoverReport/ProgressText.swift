package import HandoverCore

/// The progress of a long task, in one line for users.
package struct ProgressText: Hashable, Sendable {
  /// The unit of work, such as `scenario`.
  package var noun: String
  /// A label in front of the figures, or `nil` if there is only one task.
  package var label: String?
  /// The total number of units.
  package var total: Int
  /// The number of units that are done.
  package var done = 0
  /// The number of units in progress.
  package var running = 0
  /// The number of completed units that failed.
  package var failed = 0
  /// The duration of the work so far.
  package var elapsed = Interval.zero

  /// The elapsed time after which the remaining time is estimated.
  private static let shortest = Interval.seconds(2)

  /// Creates the progress of a task that has not begun.
  package init(total: Int, noun: String, label: String? = nil) {
    self.total = total
    self.noun = noun
    self.label = label
  }

  /// The estimated remaining time, or `nil` if too little is known.
  ///
  /// If every remaining unit is in progress, an average would grow instead of shrink.
  package var left: Interval? {
    guard done > 0, done + running < total, elapsed >= Self.shortest else { return nil }
    let each = elapsed.microseconds / Int64(done)
    let (left, isTooLong) = each.multipliedReportingOverflow(by: Int64(total - done))
    return isTooLong ? nil : Interval(microseconds: left)
  }

  /// Returns the line: `12 of 654 scenarios, 2 running, 1 failed, about 3 min left`.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown. A longer line is cut.
  /// - Returns: the line, without a line feed.
  package func line(width: Int? = nil) -> String {
    var parts = ["\(done) of \(counted(total, noun))"]
    if running > 0 { parts.append("\(running) running") }
    if failed > 0 { parts.append("\(failed) failed") }
    if let left { parts.append("about \(Self.rough(left)) left") }
    let line = VisibleText.of((label.map { "\($0): " } ?? "") + parts.joined(separator: ", "))
    return width.map { String(line.prefix(max(0, $0))) } ?? line
  }

  /// Returns an estimated duration: in seconds below a minute, and in minutes above, rounded up.
  private static func rough(_ interval: Interval) -> String {
    let seconds = max(1, (interval.microseconds + 999_999) / 1_000_000)
    guard seconds >= 60 else { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
