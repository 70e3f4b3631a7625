public import HandoverCore

/// How far long work has come, on one line for people.
public struct ProgressText: Hashable, Sendable {
  /// What is worked on, such as `scenario`.
  public var noun: String
  /// What stands before the figures; nil where there is only one thing to be told of.
  public var label: String?
  /// How many there are to be.
  public var total: Int
  /// How many are done.
  public var done = 0
  /// How many are under way.
  public var running = 0
  /// How many of those that are done failed.
  public var failed = 0
  /// How long the work has taken so far.
  public var elapsed = Interval.zero

  /// Before this much has passed, nobody foretells how long the rest takes.
  private static let shortest = Interval.seconds(2)

  /// Work of which nothing is done yet.
  public init(total: Int, noun: String, label: String? = nil) {
    self.total = total
    self.noun = noun
    self.label = label
  }

  /// How long the rest takes if it goes on like this; nil where too little is known.
  public var left: Interval? {
    guard done > 0, done < total, elapsed >= Self.shortest else { return nil }
    let each = elapsed.microseconds / Int64(done)
    let (left, isTooLong) = each.multipliedReportingOverflow(by: Int64(total - done))
    return isTooLong ? nil : Interval(microseconds: left)
  }

  /// The line: `12 of 654 scenarios, 2 running, 1 failed, about 3 min left`.
  ///
  /// - Parameter width: the columns there are; nil where nobody says. A longer line is cut.
  /// - Returns: the line, without a line feed.
  public func line(width: Int? = nil) -> String {
    var parts = ["\(done) of \(VisibleText.counted(total, noun))"]
    if running > 0 { parts.append("\(running) running") }
    if failed > 0 { parts.append("\(failed) failed") }
    if let left { parts.append("about \(Self.rough(left)) left") }
    let line = VisibleText.of((label.map { "\($0): " } ?? "") + parts.joined(separator: ", "))
    return width.map { String(line.prefix(max(0, $0))) } ?? line
  }

  /// A foretold length: seconds below a minute, and minutes above, rounded up.
  private static func rough(_ interval: Interval) -> String {
    let seconds = max(1, (interval.microseconds + 999_999) / 1_000_000)
    guard seconds >= 60 else { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
