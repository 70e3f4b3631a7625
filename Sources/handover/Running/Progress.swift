import ArgumentParser
import HandoverCore
import HandoverLinux
import HandoverReport

/// The setting for progress messages.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
  /// On if standard error is a terminal.
  case auto
  /// On for files and pipes too, with a line from time to time.
  case always
  case never

  /// Whether progress messages are shown.
  var isWanted: Bool {
    switch self {
    case .never: false
    case .auto: StandardStream.error.isTerminal
    case .always: true
    }
  }
}

/// The option for progress messages.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "Show progress on standard error: auto (on a terminal), always or never.")
  var progress = ProgressChoice.auto
}

/// A line of progress on standard error.
///
/// On a terminal, a single line is updated. In a pipe, a line is written from time to time. Work
/// that takes less than a second shows no progress.
struct ProgressLine {
  private let rewrites: Bool
  /// The time of the next message on the caller's clock, in microseconds.
  private(set) var due: Int64

  /// The time before the first message, in microseconds.
  private static let patience: Int64 = 1_000_000
  /// The interval between updates of a line, and the interval between separate lines, in
  /// microseconds.
  private static let rewriting: Int64 = 200_000
  private static let repeating: Int64 = 10_000_000

  /// Starts the display, or returns `nil` if it is not wanted.
  ///
  /// - Parameters:
  ///   - choice: The choice of the user.
  ///   - begin: The time of the beginning on the caller's clock, in microseconds.
  ///   - rewrites: Whether a single line is updated.
  init?(
    _ choice: ProgressChoice, since begin: Int64 = monotonicMicroseconds(),
    rewrites: Bool = StandardStream.error.isTerminal
  ) {
    guard choice.isWanted else { return nil }
    self.rewrites = rewrites
    due = begin + Self.patience
  }

  /// Shows a text if an update is due.
  ///
  /// - Parameters:
  ///   - now: The time on the caller's clock, in microseconds.
  ///   - text: Returns the text, with at most a number of columns if the line is updated.
  mutating func show(at now: Int64 = monotonicMicroseconds(), _ text: (_ width: Int?) -> String) {
    guard now >= due else { return }
    due = now + (rewrites ? Self.rewriting : Self.repeating)
    guard rewrites else {
      StandardStream.error.say(text(nil))
      return
    }
    // Some terminals wrap after output in the last column.
    StandardStream.showTransient(text((StandardStream.error.columnCount ?? 80) - 1))
  }
}

/// The progress of cases or labs on standard error.
struct Progress {
  private var text: ProgressText
  private let began = monotonicMicroseconds()
  private var line: ProgressLine

  /// Starts the display, or returns `nil` if it is not wanted.
  init?(_ choice: ProgressChoice, of text: ProgressText) {
    guard let line = ProgressLine(choice, since: began) else { return nil }
    self.text = text
    self.line = line
  }

  /// The time until the next message, in microseconds.
  var wait: Int64 { max(0, line.due - monotonicMicroseconds()) }

  /// Shows the progress if an update is due.
  mutating func show(done: Int, running: Int, failed: Int) {
    let now = monotonicMicroseconds()
    (text.done, text.running, text.failed) = (done, running, failed)
    text.elapsed = Interval(microseconds: now - began)
    line.show(at: now) { [text] in text.line(width: $0) }
  }
}
