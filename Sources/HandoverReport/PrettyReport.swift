import HandoverCore
public import HandoverEngine
import HandoverScenario

/// The report for people: a line for each scenario, then in full what was not as it should be.
///
/// The details come last, so that they are on the screen when the run is over. Everything is said
/// without colour too.
public struct PrettyReport: Reporter {
  private let style: Style
  private var run = RunDescription()
  /// The failures in full, then one line for each further one.
  private var failures: [String] = []
  private var furtherFailures: [String] = []
  private var errors: [String] = []
  private var nonStrict: [String] = []
  private var known: [String] = []
  private var partlySeen: [String] = []
  private var unsupported: [(reason: String, cases: [String])] = []
  private var firstFailureCommand: String?
  private var firstErrorCommand: String?

  /// How many failures are told in full.
  private static let maximumFailures = 40
  /// How much of what one case did wrong is told.
  private static let maximumFindings = 8
  /// How many cases are named for each thing that is not shown.
  private static let maximumNames = 3
  /// The widest column of ids; a longer id moves its profiles to the right.
  private static let maximumIDWidth = 56

  /// Makes a report that was told nothing yet.
  public init(style: Style = .plain) {
    self.style = style
  }

  /// What is going to be run.
  public mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    var line = "Handover"
    if let scenarios = run.plannedScenarios {
      line += ": " + VisibleText.counted(scenarios, "scenario")
      if let cases = run.plannedCases { line += ", " + VisibleText.counted(cases, "case") }
    }
    line += ", backend \(VisibleText.of(run.backend))"
    if let seed = run.seed { line += ", seed \(seed)" }
    if let shard = run.shard { line += ", shard \(shard.index) of \(shard.count)" }
    return style.paint(line, .bold) + "\n\n"
  }

  /// The line of a scenario.
  public mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases { keep(one, result.scenario) }
    let worst = result.cases.map(\.verdict).max() ?? .unsupported
    let width = min(max(run.longestID, 8), Self.maximumIDWidth)
    let profiles = result.cases.map { one in
      let name = VisibleText.of(one.profile)
      switch one.verdict {
      case .passed where worst == .passed: return style.paint(name, .dim)
      case .passed: return style.paint(symbol(.passed), .green) + " " + style.paint(name, .dim)
      case .asFarAsSeen, .nonStrict, .unsupported, .failedAsExpected, .failed, .error:
        return paint("\(symbol(one.verdict)) \(name)", one.verdict)
      }
    }
    let id = VisibleText.padded(VisibleText.of(result.scenario.id), width)
    return paint(symbol(worst), worst) + " "
      + (worst >= .failed ? style.paint(id, .bold) : id) + "  "
      + profiles.joined(separator: worst == .passed ? ", " : "  ") + "\n"
  }

  /// Everything that needs a person's eye, the figures, the sum, and where to look next.
  public mutating func finish(_ summary: Summary) -> String {
    var text = ""
    text += section("Recommended and not seen (NON-STRICT)", nonStrict, .yellow)
    text += section(
      "Right as far as the backend shows it (OK AS FAR AS SEEN)",
      partlySeen.isEmpty ? [] : [partlySeen.joined()], .cyan)
    text += section("Not shown by the backend (UNSUPPORTED)", unsupportedLines(), .cyan)
    text += section(
      "Failed as expected (KNOWN)", known.isEmpty ? [] : [known.joined()], .yellow)
    text += section("Without a verdict (ERROR)", errors, .magenta)
    text += section("Failed", failures, .boldRed)
    if !furtherFailures.isEmpty {
      let count = VisibleText.counted(furtherFailures.count, "more failure")
      text += section("\(count), in short", furtherFailures, .boldRed)
    }
    text += section(
      "Not the same each time (flaky)", summary.flaky.map { "  \(VisibleText.of($0))\n" }, .yellow)
    text += figures(summary)
    if summary.wasInterrupted {
      text += "\n" + style.paint("I" + summary.interruption.dropFirst() + ".", .yellow)
    }
    text += "\n" + style.paint(summary.line, summary.isGood ? .green : .boldRed) + "\n"
    text += next(summary)
    guard let hangs = summary.hangs.line(run.gates) else { return text }
    return text + style.paint(hangs, summary.hangs.calls > 0 ? .boldRed : .green) + "\n"
  }

  // MARK: What is kept for the end

  private mutating func keep(_ result: CaseResult, _ scenario: Scenario) {
    switch result.verdict {
    case .passed: break
    case .asFarAsSeen:
      partlySeen.append(
        "  \(paint(symbol(result.verdict), result.verdict)) \(VisibleText.of(result.name))  "
          + style.paint("seen: \(result.sight.text)", .dim) + "\n")
    case .nonStrict:
      nonStrict.append(brief(result, "recommended"))
    case .unsupported:
      keepUnsupported(result)
    case .failedAsExpected:
      known.append(
        "  \(paint(symbol(.failedAsExpected), .failedAsExpected)) \(VisibleText.of(result.name))"
          + (result.knownFrom.map { "  \(style.paint(VisibleText.of($0), .dim))" } ?? "") + "\n")
    case .error:
      firstErrorCommand = firstErrorCommand ?? command(result)
      errors.append(
        brief(result, "expected") + "      repeat      " + style.paint(command(result), .bold)
          + "\n")
    case .failed:
      firstFailureCommand = firstFailureCommand ?? command(result)
      if failures.count < Self.maximumFailures {
        failures.append(failure(result, scenario, number: failures.count + 1))
      } else {
        furtherFailures.append(
          "  \(symbol(.failed)) \(VisibleText.of(result.name))\n      \(command(result))\n")
      }
    }
  }

  /// Many cases ask for the same thing, which is told once.
  private mutating func keepUnsupported(_ result: CaseResult) {
    for finding in result.weightiest {
      let reason = "\(VisibleText.of(finding.expected)): \(VisibleText.of(finding.seen))"
      if let place = unsupported.firstIndex(where: { $0.reason == reason }) {
        unsupported[place].cases.append(result.name)
      } else {
        unsupported.append((reason, [result.name]))
      }
    }
  }

  private func unsupportedLines() -> [String] {
    unsupported.map { reason, cases in
      var text = "  \(paint(symbol(.unsupported), .unsupported)) \(reason)\n"
      for name in cases.prefix(Self.maximumNames) { text += "      \(VisibleText.of(name))\n" }
      let more = cases.count - Self.maximumNames
      if more > 0 { text += "      and \(VisibleText.counted(more, "case")) more\n" }
      return text
    }
  }

  private func brief(_ result: CaseResult, _ wish: String) -> String {
    var text =
      "  \(paint(symbol(result.verdict), result.verdict)) "
      + style.paint(VisibleText.of(result.name), .bold) + "\n"
    for finding in result.weightiest {
      text += "      " + style.paint(VisibleText.of(place(of: finding, result)), .dim) + "\n"
      text += "      \(VisibleText.padded(wish, 11))  \(VisibleText.of(finding.expected))\n"
      text += "      \(VisibleText.padded("seen", 11))  \(VisibleText.of(finding.seen))\n"
    }
    return text
  }

  // MARK: A failure in full

  private func failure(_ result: CaseResult, _ scenario: Scenario, number: Int) -> String {
    let heading = "\(number). \(VisibleText.of(result.id))  [\(VisibleText.of(result.profile))]"
    var text = "  " + style.paint(heading, .boldRed) + "\n"
    if let title = scenario.title { text += "     \(VisibleText.of(title))\n" }
    for finding in result.weightiest.prefix(Self.maximumFindings) { text += tell(finding, result) }
    let more = result.weightiest.count - Self.maximumFindings
    if more > 0 {
      text += "\n     and \(VisibleText.counted(more, "further finding")) of this case\n"
    }
    let timeline = TimelineText.lines(of: result, scenario, style: style)
    if result.passedUnexpectedly {
      // Nothing went wrong that a timeline could show.
    } else if timeline.isEmpty {
      text += "\n     (no trace was kept, so there is no timeline)\n"
    } else {
      text += "\n" + timeline.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
    text += log(of: result)
    if let file = run.traceFile(of: result) {
      text += "\n     trace     \(VisibleText.of(file))"
    }
    return text + "\n     repeat    " + style.paint(command(result), .bold) + "\n"
  }

  private func log(of result: CaseResult) -> String {
    let lines = CaseText.log(of: result)
    guard !lines.isEmpty else { return "" }
    return "\n     " + style.paint("The backend's log", .dim) + "\n"
      + lines.map { "       \($0)\n" }.joined()
  }

  private func tell(_ finding: Finding, _ result: CaseResult) -> String {
    var text = "\n     " + style.paint(VisibleText.of(place(of: finding, result)), .cyan)
    switch finding.kind {
    case .invariant(let rule): text += style.paint("  rule \(rule), which holds in every run", .dim)
    case .neverEvaluated: text += style.paint("  never looked at", .dim)
    case .faultWithoutEffect: text += style.paint("  a fault without effect", .dim)
    case .unexpectedPass: text += style.paint("  an unexpected pass", .dim)
    case .flaky: text += style.paint("  flaky", .dim)
    case .hang: text += style.paint("  --max-hang", .dim)
    case .expectation, .partlySeen, .unsupported, .breakdown: break
    }
    text += "\n       expected  \(VisibleText.of(finding.expected))\n"
    text += "       seen      " + style.paint(VisibleText.of(finding.seen), .red)
    // The words about an expectation hold the instant wherever it says something.
    switch finding.kind {
    case .invariant: if let at = finding.at { text += ", at \(at.text)" }
    case .expectation, .neverEvaluated, .faultWithoutEffect, .hang, .unexpectedPass, .flaky,
      .partlySeen, .unsupported, .breakdown:
      break
    }
    return text + "\n"
  }

  private func place(of finding: Finding, _ result: CaseResult) -> String {
    guard let position = finding.position else { return result.file }
    return "\(result.file):\(position.line):\(position.column)"
  }

  private func command(_ result: CaseResult) -> String { run.command(repeating: result) }

  // MARK: The end

  private func section(_ title: String, _ entries: [String], _ paint: Style.Paint) -> String {
    guard !entries.isEmpty else { return "" }
    return "\n" + style.paint(title, paint) + "\n\n" + entries.joined(separator: "\n")
  }

  private func figures(_ summary: Summary) -> String {
    let figures = summary.figures
    guard !figures.isEmpty else { return "" }
    let width = figures.map(\.name.count).max() ?? 0
    let medians = figures.map { $0.median?.text.count ?? 1 }.max() ?? 0
    let worsts = figures.map { $0.worst?.text.count ?? 1 }.max() ?? 0
    let percentiles = figures.map { $0.percentile95?.text.count ?? 1 }.max() ?? 0
    var text = "\n" + style.paint("From the change to the end of a call", .bold) + "\n\n"
    for one in figures {
      text +=
        "  " + VisibleText.padded(VisibleText.of(one.name), width) + "  median "
        + VisibleText.aligned(one.median?.text ?? "-", medians)
      if summary.isRepeated {
        text += ", p95 " + VisibleText.aligned(one.percentile95?.text ?? "-", percentiles)
      }
      text +=
        ", worst "
        + VisibleText.aligned(one.worst?.text ?? "-", worsts) + "  (\(one.count))\n"
    }
    return text
  }

  private func next(_ summary: Summary) -> String {
    if summary.cases == 0 {
      return run.shard == nil
        ? "Nothing ran. `handover list` shows which scenarios there are.\n"
        : "This shard is empty; the scenarios are in the others.\n"
    }
    if let command = firstFailureCommand ?? firstErrorCommand {
      let what = summary.failed > 0 ? "Failed" : "Without a verdict (ERROR)"
      return "Next: read what stands under \"\(what)\"; the first of it is repeated by\n"
        + "  \(command)\n"
    }
    guard run.defects.isEmpty else {
      return "No case shows what \(run.defects.joined(separator: " and ")) does. Next: "
        + "`handover spec --uncovered` tells why some\ndefects are shown by no scenario.\n"
    }
    return "Next: `handover spec --uncovered` tells what no expectation shows yet.\n"
  }

  private func symbol(_ verdict: Verdict) -> String { style.symbol(of: verdict) }

  private func paint(_ text: String, _ verdict: Verdict) -> String {
    switch verdict {
    case .passed: style.paint(text, .green)
    case .nonStrict: style.paint(text, .yellow)
    case .asFarAsSeen, .unsupported: style.paint(text, .cyan)
    case .failedAsExpected: style.paint(text, .yellow)
    case .failed: style.paint(text, .boldRed)
    case .error: style.paint(text, .magenta)
    }
  }
}
