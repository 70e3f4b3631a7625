import ArgumentParser
import HandoverCore
import HandoverLinux
import HandoverReport

/// When people are told how far the work has come.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
  /// At a terminal.
  case auto
  /// Also where standard error is a file or a pipe: a line now and then.
  case always
  case never

  /// Whether they are told here.
  var isWanted: Bool {
    switch self {
    case .never: false
    case .auto: StandardStream.error.isTerminal
    case .always: true
    }
  }
}

/// The option about it.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "How far the work has come, on standard error: auto (at a terminal), always or never.")
  var progress = ProgressChoice.auto
}

/// How far long work has come, on standard error.
///
/// At a terminal that is one line that is written over, in a pipe a line now and then. What takes a
/// second at most says nothing.
struct Progress {
  private var text: ProgressText
  private let began = monotonicMicroseconds()
  private var due: Int64
  private let pause: Int64

  /// Before this long nothing is said, in microseconds.
  private static let patience: Int64 = 1_000_000
  /// How often a line is written over, and how often one more is written.
  private static let rewriting: Int64 = 200_000
  private static let repeating: Int64 = 10_000_000

  /// Begins; nil where nobody wants to know.
  init?(_ choice: ProgressChoice, of text: ProgressText) {
    guard choice.isWanted else { return nil }
    self.text = text
    let isTerminal = StandardStream.error.isTerminal
    pause = isTerminal ? Self.rewriting : Self.repeating
    due = began + Self.patience
  }

  /// How long nothing more is to be said, in microseconds.
  var wait: Int64 { max(0, due - monotonicMicroseconds()) }

  /// Says how far the work has come, where that is due.
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
    // In the last column some terminals begin a new line.
    StandardStream.showPassing(text.line(width: (stream.columnCount ?? 80) - 1))
  }
}
