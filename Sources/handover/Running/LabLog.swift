import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverNetlink
import HandoverReport
import Synchronization

/// A log of a foreign program's run, with one line for each event.
struct LabLog {
  private let script: Script
  private let words: EntryPhrases
  private let probe: ReachabilityProbe
  private var flags: ReachabilityFlags

  /// Creates a log for the network of this process, which is the device.
  init(_ script: Script) throws(LinuxError) {
    self.script = script
    words = EntryPhrases(script)
    flags = script.initial.flags
    probe = try ReachabilityProbe(
      target: DeviceLab.watchedAddress, fallback: DeviceLab.watchedAddress6)
  }

  /// Returns the line of an event: the time, the kernel's current flags, and the event.
  ///
  /// - Parameters:
  ///   - at: The instant of the event.
  ///   - event: The event.
  ///   - progress: The progress display, which is updated for each entry that was run.
  /// - Returns: The line, without a line feed.
  mutating func line(
    _ at: Instant, _ event: ProgramRun.Event, _ progress: LabProgress?
  ) -> String {
    let words = words(of: event)
    if case .played(let index, _) = event { progress?.played(index, as: words, at: at) }
    return "\(Self.time(at))  \(kernel)  \(words)"
  }

  /// Returns a description of an event.
  private mutating func words(of event: ProgramRun.Event) -> String {
    switch event {
    case .started: return "the program starts"
    case .happened(let text): return text
    case .timeLimitReached: return "the time is over"
    case .ended(.exited(let status)): return "the program ends with status \(status)"
    case .ended(.signalled(let signal)): return "signal \(signal) ends the program"
    case .played(let index, let remark):
      let action = script.entries[index].action
      let text = words.text(of: action, after: flags)
      if case .flags(let next, _, _, _) = action { flags = next }
      return text + (remark.map { " (\($0))" } ?? "")
    }
  }

  /// Returns seconds with milliseconds, aligned in a column.
  private static func time(_ at: Instant) -> String {
    let milliseconds = String(at.microseconds / 1_000)
    let digits = String(repeating: "0", count: max(0, 4 - milliseconds.count)) + milliseconds
    let time = "\(digits.dropLast(3)).\(digits.suffix(3))"
    return String(repeating: " ", count: max(0, 8 - time.count)) + time
  }

  /// The current flags and the current route, according to the kernel.
  private var kernel: String {
    do throws(LinuxError) {
      let reading = try probe.read()
      return reading.flags.logText + " " + (reading.path?.interface ?? "-----")
    } catch {
      return error.description
    }
  }
}

/// The progress of a foreign program's timeline on standard error.
///
/// If the program writes to the same terminal, or in a pipe, a line is written from time to time.
/// Otherwise a single line is updated.
final class LabProgress: Sendable {
  private struct State {
    var text: TimelineProgressText
    var line: ProgressLine
  }

  private let state: Mutex<State>
  private let script: Script

  /// Starts the display, or returns `nil` if it is not wanted.
  init?(_ choice: ProgressChoice, of script: Script, until: Instant?) {
    let rewrites = StandardStream.error.isTerminal && !StandardStream.output.isTerminal
    guard let line = ProgressLine(choice, since: 0, rewrites: rewrites) else { return nil }
    self.script = script
    var text = TimelineProgressText(total: script.entries.count)
    (text.next, text.until) = (script.entries.first?.at, until)
    state = Mutex(State(text: text, line: line))
  }

  /// Records that an entry was run.
  func played(_ index: Int, as words: String, at now: Instant) {
    state.withLock { state in
      (state.text.done, state.text.step, state.text.since) = (index + 1, words, now)
      state.text.next = index + 1 < script.entries.count ? script.entries[index + 1].at : nil
    }
  }

  /// Shows the progress if an update is due.
  ///
  /// - Returns: The time until the next update, in microseconds.
  func show(at now: Instant) -> Int64 {
    state.withLock { state in
      state.line.show(at: now.microseconds) { [text = state.text] in
        text.line(at: now, width: $0)
      }
      return state.line.due - now.microseconds
    }
  }
}
