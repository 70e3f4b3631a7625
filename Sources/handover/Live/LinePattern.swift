import ArgumentParser
import HandoverLinux
import Synchronization

/// A regular expression that selects lines, with a limit on the time that it takes.
struct LinePattern: ExpressibleByArgument {
  private let text: String

  /// The time limit of the expression for all lines, in microseconds.
  private static let limit: Int64 = 5_000_000

  init?(argument: String) {
    guard (try? Regex(argument)) != nil else { return nil }
    text = argument
  }

  /// The lines that an expression matches.
  struct Matches: Sendable {
    var lines: Set<String> = []
    /// The integers that the first group captures, by line, or `nil` if there is no group.
    var numbers: [String: Int]?
  }

  /// Returns the lines that the expression matches, or `nil` after an error message if it takes
  /// too long.
  ///
  /// A match may take exponential time, and Swift cannot cancel one. The thread is then left
  /// running and ends with the process.
  func matches(among lines: [String]) throws(LinuxError) -> Matches? {
    let search = Search()
    let news = try WakeupPipe()
    let text = text
    _ = try OSThread.start {
      // The expression was validated when the argument was parsed.
      guard let regex = try? Regex(text) else { return }
      var found = Matches()
      for line in lines where !found.lines.contains(line) {
        guard let match = line.firstMatch(of: regex) else { continue }
        found.lines.insert(line)
        guard match.output.count > 1 else { continue }
        let number = match.output[1].substring.flatMap { Int($0) }
        found.numbers = found.numbers ?? [:]
        if let number { found.numbers?[line] = number }
      }
      search.found.withLock { $0 = found }
      news.signal()
    }
    _ = try waitReadable([news.descriptor], atMost: Self.limit)
    let found = search.found.withLock { $0 }
    if found == nil {
      printError(
        "Error: --progress '\(text)' needs more than \(Self.limit / 1_000_000) s for the "
          + "output of the program.\n    hint: use a simpler expression, without nested repetitions"
      )
    }
    return found
  }

  private final class Search: Sendable {
    let found = Mutex<Matches?>(nil)
  }
}
