import HandoverCore
import HandoverEngine
import HandoverScenario

/// The cases that are known to fail, as listed in files that users keep with their scenarios.
///
/// A line is `GLOB` or `GLOB [PROFILE]`, so the name of a case can be copied from a report. Empty
/// lines, and text after a `#`, are ignored.
struct KnownFailures: Sendable {
  /// A line of a file.
  struct Line: Sendable {
    var id: Glob
    /// The pattern of profiles, or `nil` for every profile.
    var profile: Glob?
    /// The file and the line number, such as `known.txt:3`.
    var position: String
    /// The line as written, without its comment.
    var text: String
    /// The position of the file in the list of files.
    var file = 0

    /// Returns whether the line concerns a profile, or another value in brackets.
    func isAbout(_ word: String) -> Bool { profile?.matches(word) ?? true }
  }

  /// The maximum number of lines.
  static let maximumCount = 100_000

  /// The values that are allowed in the brackets of a line.
  struct Brackets {
    /// The kind of value for messages, such as `profile`.
    var what: String
    /// The code of a complaint about an unknown value.
    var code: DiagnosticCode
    var words: [String]

    static let profiles = Brackets(
      what: "profile", code: .unknownProfile, words: Profile.known.map(\.name))
  }

  private(set) var lines: [Line] = []
  private let brackets: Brackets
  /// The patterns of the lines.
  private var index = GlobIndex([])
  /// The maximum number of unmatched lines that are listed; the rest is counted.
  private static let maximumWarnings = 100
  /// The complaints about the files, as text.
  private(set) var complaints: [String] = []

  /// Reads all files.
  init(_ files: [String], brackets: Brackets = .profiles) {
    self.brackets = brackets
    for (number, file) in files.enumerated() {
      switch BoundedFile.content(of: file) {
      case .bytes(let bytes):
        read(bytes, from: file, number)
      case .tooLarge:
        complain(
          at: file, "the file is longer than 16 MiB", DiagnosticCode.fileTooLarge,
          "use patterns that match several cases, such as stalls/*")
      case .unreadable(let reason):
        complain(
          at: file, "the file cannot be read: \(systemErrorText(reason))", FileCode.unreadable,
          "check the spelling and its permissions")
      }
    }
    index = GlobIndex(lines.map(\.id))
  }

  /// Returns the lines of some of the files, without reading a file again.
  ///
  /// - Parameter isWanted: Returns whether to include a file, by its position in the list.
  /// - Returns: The lines of these files.
  func part(ofFiles isWanted: (Int) -> Bool) -> KnownFailures {
    var part = self
    part.lines.removeAll { !isWanted($0.file) }
    part.index = GlobIndex(part.lines.map(\.id))
    return part
  }

  /// Inverts the verdicts of the cases that are known to fail.
  func apply(to result: inout ScenarioResult) {
    guard !lines.isEmpty else { return }
    let about = lines(about: result.scenario.id)
    for position in result.cases.indices {
      let profile = result.cases[position].profile
      if let known = about.first(where: { $0.isAbout(profile) }) {
        result.cases[position].expectFailure(from: known.position)
      }
    }
  }

  /// Returns the lines about an id in their order, whatever their brackets contain.
  func lines(about id: String) -> [Line] { index.matches(of: id).map { lines[$0] } }

  /// Returns the lines that match no case of some scenarios.
  func unmatched(among scenarios: [Scenario]) -> [Line] {
    unmatched(among: scenarios.map { ($0.id, $0.profiles.map(\.name)) })
  }

  /// Returns the lines that match none of some ids with the allowed values in brackets.
  func unmatched(among cases: [(id: String, words: [String])]) -> [Line] {
    guard !lines.isEmpty else { return [] }
    var isMatched = Array(repeating: false, count: lines.count)
    for one in cases {
      for position in index.matches(of: one.id) where !isMatched[position] {
        isMatched[position] = one.words.contains(where: lines[position].isAbout)
      }
    }
    return lines.indices.filter { !isMatched[$0] }.map { lines[$0] }
  }

  /// Warns about lines that match no case, regardless of which cases are selected to run.
  func warnOfUnmatched(among scenarios: [Scenario]) {
    warn(unmatched(among: scenarios), "case", "list the names with `handover list`")
  }

  /// Warns about lines that match nothing.
  func warn(_ unmatched: [Line], _ what: String, _ hint: String) {
    for line in unmatched.prefix(Self.maximumWarnings) {
      printError(
        "\(line.position): warning: no \(what) matches \"\(line.text)\" "
          + "[\(FileCode.unmatchedLine.rawValue)]\n"
          + "    hint: remove the line, or \(hint)")
    }
    let rest = unmatched.count - Self.maximumWarnings
    if rest > 0 { printError("warning: no \(what) matches \(counted(rest, "further line"))") }
  }

  // MARK: Reading

  private mutating func read(_ bytes: [UInt8], from file: String, _ number: Int) {
    // Some editors begin every file with an invisible byte order mark.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      complain(
        at: file, "the file is not UTF-8", FileCode.notUTF8, "save the file as UTF-8")
      return
    }
    var first: [String: Int] = [:]
    let rows = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, row) in rows.enumerated() {
      let words = Self.words(of: row)
      guard !words.isEmpty else { continue }
      let position = "\(SafeText.line(file)):\(index + 1)"
      guard lines.count < Self.maximumCount else {
        complain(
          at: position, "there are more than \(Self.maximumCount) lines", FileCode.tooManyLines,
          "use patterns that match several cases, such as stalls/*")
        return
      }
      guard var line = line(words, at: position) else { continue }
      line.file = number
      if let other = first.updateValue(index + 1, forKey: line.text) {
        complain(
          at: position, "\"\(line.text)\" is also in line \(other)", FileCode.duplicateLine,
          "remove one of the two lines")
      }
      lines.append(line)
    }
  }

  /// Returns the words before the comment; a `#` in the middle of a word belongs to the word.
  private static func words(of row: Substring) -> [Substring] {
    let words = row.split { $0 == " " || $0 == "\t" }
    return Array(words.prefix { !$0.hasPrefix("#") })
  }

  private mutating func line(_ words: [Substring], at position: String) -> Line? {
    let id = String(words[0])
    guard !id.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      complain(
        at: position, "the line contains a control character", DiagnosticCode.controlCharacter,
        "remove the character")
      return nil
    }
    guard words.count > 1 else {
      guard !id.hasPrefix("[") else {
        complain(
          at: position, "a \(brackets.what) has no pattern before it", FileCode.noPattern,
          "write `** \(id)` to match everything with it")
        return nil
      }
      return Line(id: Glob(id), profile: nil, position: position, text: id)
    }
    guard words.count == 2, words[1].first == "[", words[1].last == "]" else {
      complain(
        at: position,
        "after the pattern, a \(brackets.what) in brackets is expected",
        FileCode.malformed,
        "write `GLOB` or `GLOB [\(brackets.what.uppercased())]`; a comment begins with #")
      return nil
    }
    let profile = Glob(String(words[1].dropFirst().dropLast()))
    guard brackets.words.contains(where: profile.matches) else {
      complain(
        at: position, "no \(brackets.what) matches \"\(profile.pattern)\"", brackets.code,
        "write one of \(brackets.words.joined(separator: ", "))")
      return nil
    }
    return Line(id: Glob(id), profile: profile, position: position, text: "\(id) \(words[1])")
  }

  private mutating func complain(
    at position: String, _ message: String, _ code: some RawRepresentable<String>, _ hint: String
  ) {
    complaints.append("\(position): error: \(message) [\(code.rawValue)]\n    hint: \(hint)")
  }
}
