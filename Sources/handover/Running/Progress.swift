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

/// The progress of long work on standard error.
///
/// On a terminal, a single line is updated. In a pipe, a line is written from time to time. Work
/// that takes less than a second shows no progress.
struct Progress {
  private var text: ProgressText
  private let began = monotonicMicroseconds()
  private var due: Int64
  private let pause: Int64

  /// The time before the first message, in microseconds.
  private static let patience: Int64 = 1_000_000
  /// The interval between updates of a line, and the interval between separate lines, in
  /// microseconds.
  private static let rewriting: Int64 = 200_000
  private static let repeating: Int64 = 10_000_000

  /// Starts the display, or returns `nil` if it is not wanted.
  init?(_ choice: ProgressChoice, of text: ProgressText) {
    guard choice.isWanted else { return nil }
    self.text = text
    let isTerminal = StandardStream.error.isTerminal
    pause = isTerminal ? Self.rewriting : Self.repeating
    due = began + Self.patience
  }

  /// The time until the next message, in microseconds.
  var wait: Int64 { max(0, due - monotonicMicroseconds()) }

  /// Shows the progress if an update is due.
  mutating func show(done: Int, running: Int, failed: Int) {
    let now = monotonicMicroseconds()
    guard now >= due else { return }
    due = now + pause
    (text.done, text.running, text.failed) = (done, running, failed)
    text.elapsed = Interval(microseconds: now - began)
    let stream = StandardStream.error
    guard stream.isTerminal else {
      stream.say(text.line())
      return
    }
    // Some terminals wrap after output in the last column.
    StandardStream.showTransient(text.line(width: (stream.columnCount ?? 80) - 1))
  }
}
