public import HandoverCore

/// How far a timeline has come that is played in real time, on one line for people.
public struct TimelineProgressText: Hashable, Sendable {
  /// How many steps there are to be.
  public var total: Int
  /// How many were played.
  public var done = 0
  /// What the last one was, in words; empty before the first.
  public var step = ""
  /// When that was.
  public var since = Instant.zero
  /// When the next one is due; nil where none is left.
  public var next: Instant?
  /// When it is over at the latest; nil where nobody says.
  public var until: Instant?

  /// A timeline of which nothing was played yet.
  public init(total: Int) {
    self.total = total
  }

  /// The line: `12.3 s: step 3 of 5, WiFi appears, since 8.0 s; next at 15.0 s`.
  ///
  /// - Parameters:
  ///   - now: the time since the start.
  ///   - width: the columns there are; nil where nobody says. A longer line is cut.
  /// - Returns: the line, without a line feed.
  public func line(at now: Instant, width: Int? = nil) -> String {
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
