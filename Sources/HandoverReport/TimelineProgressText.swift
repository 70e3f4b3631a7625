package import HandoverCore

/// The progress of a timeline that runs in real time, in one line for users.
package struct TimelineProgressText: Hashable, Sendable {
  /// The total number of steps.
  package var total: Int
  /// The number of steps that are done.
  package var done = 0
  /// A description of the last step; empty before the first one.
  package var step = ""
  /// The instant of the last step.
  package var since = Instant.zero
  /// The instant of the next step, or `nil` if there is none.
  package var next: Instant?
  /// The latest end of the timeline, or `nil` if it is unknown.
  package var until: Instant?

  /// Creates the progress of a timeline that has not begun.
  package init(total: Int) {
    self.total = total
  }

  /// Returns the line: `12.3 s: step 3 of 5, WiFi appears, since 8.0 s; next at 15.0 s`.
  ///
  /// - Parameters:
  ///   - now: the time since the start.
  ///   - width: the number of columns, or `nil` if it is unknown. A longer line is cut.
  /// - Returns: the line, without a line feed.
  package func line(at now: Instant, width: Int? = nil) -> String {
    func time(_ instant: Instant) -> String {
      Interval(microseconds: instant.microseconds).measured
    }
    var text = "\(time(now)): "
    if done == 0 {
      text += total == 0 ? "no step to play" : "before step 1 of \(total)"
    } else {
      text += "step \(done) of \(total), \(step), since \(time(since))"
    }
    if let next {
      text += "; next at \(time(next))"
    } else if let until {
      text += "; over at \(time(until))"
    }
    let line = VisibleText.of(text)
    return width.map { String(line.prefix(max(0, $0))) } ?? line
  }
}
