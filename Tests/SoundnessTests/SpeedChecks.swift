/// Checks that no test can fail because the machine is slow.
///
/// A test waits for an event with a guard of a minute or more. An upper limit on real time would be
/// a statement about the machine; `make bench` measures speed.
func checkSpeed(_ file: SourceFile) -> [Complaint] {
  guard isTest(file.path) else { return [] }
  let measured = file.measuredNames
  let complaints =
    file.boundedAssertions(measured) + file.shortGuards + file.shortWaits + file.timeLimits
    + file.sleeps + file.busyWaits + file.shortTimeouts
  return complaints.filter { !file.isAnnotated("short wait:", line: $0.line) }
}

/// Checks how long scripts wait for anything other than tests.
func checkSpeed(path: String, text: String) -> [Complaint] {
  guard isTest(path), !path.hasSuffix(".swift"), text.contains("timeout") else { return [] }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.enumerated().compactMap { index, line in
    guard let match = line.firstMatch(of: /timeout(=|\()(?<seconds>\d+)\b(?! \*)/),
      let seconds = Int64(match.seconds), seconds < leastGuard / second,
      !line.contains("short wait:")
    else { return nil }
    return Complaint(
      path: path, line: index + 1, what: "a wait of \(seconds) s", why: whyNot, remedy: remedy)
  }
}

private let second: Int64 = 1_000_000
/// The shortest guard that a wait may have, in microseconds.
private let leastGuard = 60 * second
private let whyNot = "a slow machine fails the test"
private let remedy =
  "wait for the condition with a guard of 60 s or more, check an order or a lower bound, or "
  + "add `// short wait: why` if the wait expires or the event must not happen"

/// Whether a file belongs to the tests.
///
/// Benchmarks are excluded, because they are about speed.
private func isTest(_ path: String) -> Bool {
  let isOfPackage = path.hasPrefix("Tests/") && !path.hasPrefix("Tests/Benchmarks/")
  let name = path.split(separator: "/").last ?? ""
  return isOfPackage || path.hasPrefix("Fixtures/") && path.contains("/Tests/")
    || path.hasPrefix("Fixtures/") && name.hasPrefix("test_")
}

private let clocks: Set<String> = [
  "ContinuousClock", "SuspendingClock", "monotonicMicroseconds", "monotonicTime", "clock_gettime",
  "timeIntervalSince", "timeIntervalSinceNow",
]
private let waits: Set<String> = [
  "wait", "waitReadable", "waitForSubmitted", "waitForShutdown", "read", "receive", "greet",
  "ProcessClientFactory", "ProcessBackend", "BackendProgram", "AdapterCheck", "start",
]

extension SourceFile {
  private func complaint(_ index: Int, _ what: String) -> Complaint {
    complaint(line: tokens[index].line, what, why: whyNot, remedy: remedy)
  }

  // MARK: Comparisons

  /// The variables and functions that contain or return a difference of two clock readings.
  fileprivate var measuredNames: Set<String> {
    var names: Set<String> = []
    // Twice, because a variable may contain the result of a function that is declared below it.
    for _ in 0..<2 {
      var function = ""
      for index in tokens.indices {
        let token = tokens[index]
        if token.isKeyword("func") { function = self.token(index + 1)?.text ?? "" }
        let isVariable = token.isKeyword("let") || token.isKeyword("var")
        if isVariable || token.isKeyword("return") {
          let statement = index..<statementEnd(from: index)
          guard isDifference(statement, names) else { continue }
          names.insert(isVariable ? self.token(index + 1)?.text ?? "" : function)
        }
        if token.isKeyword("append"), self.token(index + 1)?.text == "(",
          let close = closingBracket(of: index + 1), isDifference(index + 1..<close, names),
          let name = self.token(index - 2), name.isWord
        {
          names.insert(name.text)
        }
      }
    }
    return names
  }

  /// Returns the index after a statement, which ends with its line, outside of brackets.
  private func statementEnd(from start: Int) -> Int {
    var depth = 0
    for index in start..<tokens.count {
      if index > start, depth <= 0, tokens[index].line > tokens[index - 1].line,
        tokens[index].text != ".", tokens[index - 1].text != "="
      {
        return index
      }
      if ["(", "[", "{"].contains(tokens[index].text) { depth += 1 }
      if [")", "]", "}"].contains(tokens[index].text) { depth -= 1 }
      if depth < 0 { return index }
    }
    return tokens.count
  }

  private func isDifference(_ range: Range<Int>, _ names: Set<String>) -> Bool {
    let callsMeasured = range.contains {
      names.contains(tokens[$0].text) && token($0 + 1)?.text == "(" && token($0 - 1)?.text != "func"
    }
    if callsMeasured { return true }
    return range.contains { clocks.contains(tokens[$0].text) }
      && range.contains { tokens[$0].text == "-" && token($0 + 1)?.text != ">" }
  }

  /// Returns assertions that a measured time is below a limit.
  fileprivate func boundedAssertions(_ measured: Set<String>) -> [Complaint] {
    func isTime(_ range: Range<Int>) -> Bool {
      range.contains { clocks.contains(tokens[$0].text) || measured.contains(tokens[$0].text) }
    }
    return assertions.flatMap(parts).compactMap { part in
      for index in part {
        let isRange = token(index - 1)?.text == "."
        let isArrow = token(index - 1)?.text == "-"
        let (before, after) = (part.lowerBound..<index, index + 1..<part.upperBound)
        let isBound =
          switch tokens[index].text {
          case "<": !isRange && isTime(before)
          case ">": !isArrow && isTime(after)
          case "contains":
            isTime(after)
              && before.contains { tokens[$0].text == "." && token($0 + 1)?.text == "." }
          default: false
          }
        if isBound { return complaint(index, "an upper bound on real time") }
      }
      return nil
    }
  }

  /// The ranges between the parentheses of assertions.
  private var assertions: [Range<Int>] {
    tokens.indices.compactMap { index in
      let isMacro =
        ["expect", "require"].contains(tokens[index].text) && token(index - 1)?.text == "#"
      let isCheck = tokens[index].isKeyword("check") && token(index - 1)?.text != "func"
      guard isMacro || isCheck, token(index + 1)?.text == "(",
        let close = closingBracket(of: index + 1)
      else { return nil }
      return index + 2..<close
    }
  }

  /// Returns the parts of a condition, separated by commas, `&&` and `||`.
  private func parts(_ range: Range<Int>) -> [Range<Int>] {
    let ends = range.filter { ["&", "|", ","].contains(tokens[$0].text) } + [range.upperBound]
    return zip([range.lowerBound - 1] + ends, ends).compactMap { start, end in
      start + 1 < end ? start + 1..<end : nil
    }
  }

  // MARK: Waits

  /// Returns the length of a literal duration in microseconds: `.seconds(5)`, or a number in a
  /// unit.
  private func length(at index: Int, unit: Int64?) -> Int64? {
    func number(_ index: Int) -> Int64? {
      token(index).flatMap { Int64($0.text.replacing("_", with: "")) }
    }
    if let unit, let count = number(index) {
      return count.multipliedReportingOverflow(by: unit).partialValue
    }
    guard token(index)?.text == ".", token(index + 2)?.text == "(", let count = number(index + 3),
      count < 1_000_000
    else { return nil }
    switch token(index + 1)?.text {
    case "seconds": return count * second
    case "milliseconds": return count * 1_000
    case "microseconds": return count
    default: return nil
    }
  }

  /// Guards of loops that add a short duration to a clock's time.
  fileprivate var shortGuards: [Complaint] {
    tokens.indices.compactMap { index in
      guard tokens[index].text == "+", let before = token(index - 1) else { return nil }
      let reading = max(0, index - 4)..<index
      let isDispatch = before.text == ")" && token(index - 3)?.text == "now"
      guard isDispatch || reading.contains(where: { clocks.contains(tokens[$0].text) }),
        let length = length(at: index + 1, unit: 1), length < leastGuard
      else { return nil }
      return complaint(index, "a guard of \(length / 1_000) ms")
    }
  }

  /// Calls that wait for a short duration, unless they wait for an event that must not happen.
  fileprivate var shortWaits: [Complaint] {
    tokens.indices.compactMap { index in
      guard waits.contains(tokens[index].text), token(index + 1)?.text == "(",
        token(index - 1)?.text != "func", let close = closingBracket(of: index + 1)
      else { return nil }
      let isForNothing = close + 4 < tokens.count && tokens[close + 4].text == "nothing"
      let isPause = (max(0, index - 3)..<index).contains { tokens[$0].text == "_" }
      guard !isForNothing, !isPause else { return nil }
      for label in index + 2..<close where token(label + 1)?.text == ":" {
        let (name, units) = (tokens[label].text, ["within": Int64(1_000), "atMost": 1])
        guard name == "timeout" || units[name] != nil,
          let length = length(at: label + 2, unit: units[name]), length < leastGuard
        else { continue }
        return complaint(label, "a wait of \(length / 1_000) ms")
      }
      return nil
    }
  }

  /// Time limits of whole tests.
  fileprivate var timeLimits: [Complaint] {
    tokens.indices.compactMap { index in
      guard tokens[index].isKeyword("timeLimit"), token(index + 3)?.text == "minutes",
        let minutes = token(index + 5).flatMap({ Int64($0.text) }), minutes < 10
      else { return nil }
      return complaint(index, "a time limit of \(minutes) min")
    }
  }

  /// Sleeps, after which a test assumes that an event has happened.
  fileprivate var sleeps: [Complaint] {
    tokens.indices.compactMap { index in
      guard ["sleep", "usleep", "nanosleep"].contains(tokens[index].text),
        token(index + 1)?.text == "(", token(index - 1)?.text != "func"
      else { return nil }
      return complaint(index, "a sleep")
    }
  }

  /// Loops that occupy a core until another process has done something.
  fileprivate var busyWaits: [Complaint] {
    tokens.filter { $0.text == "sched_yield" }.map {
      complaint(
        line: $0.line, "a busy wait", why: "it slows down the process that the test waits for",
        remedy: "call `comesTrue(within:_:)`, which pauses between two checks")
    }
  }

  /// The command's timeouts, in command lines.
  fileprivate var shortTimeouts: [Complaint] {
    lines.enumerated().compactMap { index, line in
      // A regular expression for every line of the tests would take seconds.
      guard line.contains("--timeout"),
        let match = line.firstMatch(of: /--timeout(", "| )(?<count>[1-9]\d*)(?<unit>ms|s)\b/),
        let count = Int64(match.count),
        count * (match.unit == "s" ? second : 1_000) < leastGuard
      else { return nil }
      return complaint(
        line: index + 1, "a timeout of \(count) \(match.unit)", why: whyNot, remedy: remedy)
    }
  }
}
