import Foundation

/// Output that a page shows, compared with what a command printed.
struct Transcript {
  /// The lines that a page shows; a line `...` represents any number of lines.
  var shown: [Substring]
  /// Whether digits, times and the wrapping of lines may differ, because the run is a real one.
  var digitsVary = false

  /// The lines between those that are left out.
  private var segments: [ArraySlice<Substring>] {
    shown.split(omittingEmptySubsequences: false) { $0 == "..." }
  }

  var isComplete: Bool { segments.count == 1 }

  func matches(_ printed: [Substring]) -> Bool {
    let segments = segments.map(canonical)
    var rest = canonical(printed[...])[...]
    for (index, segment) in segments.enumerated() {
      if index == segments.count - 1 {
        return index == 0 ? rest == segment : rest.hasSuffix(segment)
      }
      guard let range = rest.range(of: segment),
        index > 0 || range.lowerBound == rest.startIndex
      else { return false }
      // The separator after a segment can be the one before the next.
      rest = rest[rest.index(before: range.upperBound)...]
    }
    return true
  }

  /// The transcript as it should be, with the same lines left out.
  func corrected(_ printed: [Substring]) -> [Substring] {
    if isComplete { return printed }
    var (lines, start): ([Substring], Int) = ([], 0)
    for (index, segment) in segments.enumerated() {
      if index > 0 { lines.append("...") }
      if index == 0 { start = 0 }
      if index == segments.count - 1 { start = max(start, printed.count - segment.count) }
      let last = max(start, printed.count - segment.count)
      let ends = index == 0 ? start : last
      let best = (start...ends).max {
        likeness(segment, printed[$0...]) < likeness(segment, printed[$1...])
      }
      start = best ?? start
      lines += printed[start...].prefix(segment.count)
      start = min(start + segment.count, printed.count)
    }
    return lines
  }

  /// The number of words that two groups of lines share, line by line.
  private func likeness(_ one: ArraySlice<Substring>, _ other: ArraySlice<Substring>) -> Int {
    zip(one, other).reduce(0) { sum, pair in
      let words = Set(pair.1.split(separator: " "))
      return sum + pair.0.split(separator: " ").count { words.contains($0) }
        + (pair.0 == pair.1 ? 1 : 0)
    }
  }

  /// Lines as a text that begins and ends with a separator.
  private func canonical(_ lines: ArraySlice<Substring>) -> String {
    guard digitsVary else { return lines.isEmpty ? "\n" : "\n\(lines.joined(separator: "\n"))\n" }
    let words = lines.joined(separator: " ").replacing(/─+/, with: "─")
      .replacing(/\d[\d.]*( ?(us|ms|s|min|h)\b)?/, with: "0").split(separator: " ")
    let text = words.joined(separator: " ").replacing(/0( 0)+/, with: "0")
    return text.isEmpty ? " " : " \(text) "
  }
}

/// The folder in which a reader types the commands of a page.
struct TranscriptFolder {
  private let scratch: ScratchDirectory

  /// A folder with the scenarios and fixtures of the repository.
  init() throws {
    scratch = try ScratchDirectory()
    for name in ["Scenarios", "Fixtures"] {
      try FileManager.default.createSymbolicLink(
        at: scratch.url.appending(path: name), withDestinationURL: packageRoot.appending(path: name)
      )
    }
  }

  func save(_ text: String, as name: String) throws {
    _ = try scratch.write(text, to: name)
  }

  /// Types a command, and returns the lines that it prints on a terminal of 96 columns.
  ///
  /// Standard error counts only if the transcript shows a line of it or nothing else is printed,
  /// because it also has notes on the machine. The line with version and kernel is left out.
  func run(
    _ command: String, showing shown: [Substring] = [], environment: [String: String] = [:]
  ) throws -> [Substring] {
    let path = CommandLineRun.command.deletingLastPathComponent().path
    let own = ["PATH": "\(path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      ["-c", "cd \"$0\" && eval \"$1\"", scratch.url.path, command],
      environment: own.merging(["COLUMNS": "96"]) { $1 }.merging(environment) { $1 })
    let errors = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
    let isShown =
      !shown.isEmpty
      && (run.output.isEmpty || shown.contains { !$0.isEmpty && errors.contains($0) })
    var text = ((isShown ? run.errors : "") + run.output)[...]
    if let header = text.prefixMatch(of: /(\e\[2m)?handover \d+\.\d+\.\d+.*, .*\n/) {
      text = text[header.range.upperBound...]
    }
    while text.last == "\n" { text.removeLast() }
    return text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
