import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report for users: a line for each scenario, followed by the findings in full.
///
/// The details come last, so that they are visible on the screen when the run is over. All
/// information is available without colors.
package struct PrettyReport: Reporter {
  private let style: Style
  private var run = RunDescription()
  private var failures = Listing()
  private var errors = Listing()
  private var nonStrict = Listing()
  private var known: [String] = []
  private var partlySeen: [String] = []
  private var unsupported: [(reason: String, cases: [String])] = []
  private var firstFailureCommand: String?
  private var firstErrorCommand: String?

  /// The output for some cases: the first cases in full, and a line for each further case.
  private struct Listing {
    var full: [String] = []
    var short: [String] = []
  }

  /// The number of failures shown in full, and also of other cases that need attention.
  private let detailCount: Int
  /// The default number of failures shown in full.
  package static let defaultDetailCount = 10
  /// The maximum number of findings shown for one case.
  private static let maximumFindings = 8
  /// The maximum number of cases named for each unsupported feature.
  private static let maximumNames = 3
  /// The maximum width of the column of IDs; a longer ID shifts its profiles to the right.
  private static let maximumIDWidth = 56

  /// Creates a report that has received no results yet.
  ///
  /// - Parameters:
  ///   - style: the style of the output.
  ///   - detailCount: the number of failures shown in full; each other failure gets one line.
  package init(style: Style = .plain, detailCount: Int = Self.defaultDetailCount) {
    self.style = style
    self.detailCount = detailCount
  }

  /// Returns the description of the run.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    var line = "Handover"
    if let scenarios = run.plannedScenarios {
      line += ": " + counted(scenarios, "scenario")
      if let cases = run.plannedCases { line += ", " + counted(cases, "case") }
    }
    line += ", backend \(VisibleText.of(run.backend))"
    if let seed = run.seed { line += ", seed \(seed)" }
    if let shard = run.shard { line += ", shard \(shard.index) of \(shard.count)" }
    let harness = run.harness.map { painted($0.text, .dim) } ?? ""
    return harness + painted(line, .bold) + "\n"
  }

  /// Returns the line of a scenario.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for alike in result.alike { keep(alike, result.scenario) }
    let worst = result.cases.map(\.verdict).max() ?? .unsupported
    let room = min(Self.maximumIDWidth, style.width.map { $0 / 2 } ?? .max)
    let width = min(max(run.longestID, 8), room)
    let id = VisibleText.padded(VisibleText.of(result.scenario.id), width)
    let names = profiles(of: result, worst, behind: symbol(worst).count + 1 + id.count)
    let begin = names.hasPrefix("\n") ? id.trimmedAtEnd : id
    return paint(symbol(worst), worst) + " "
      + (worst >= .failed ? style.paint(begin, .bold) : begin) + names + "\n"
  }

  /// Returns the profiles of a scenario, which follow its ID.
  ///
  /// If they do not fit, profiles that all passed are counted, and others are listed on the lines
  /// below.
  private func profiles(of result: ScenarioResult, _ worst: Verdict, behind used: Int) -> String {
    let isPassed = worst == .passed
    let names = result.cases.map { one in
      let name = VisibleText.of(one.profile)
      return isPassed ? name : "\(symbol(one.verdict)) \(name)"
    }
    let painted = zip(names, result.cases).map { name, one in
      switch one.verdict {
      case .passed where isPassed: style.paint(name, .dim)
      case .passed:
        style.paint(symbol(.passed), .green) + " "
          + style.paint(String(name.dropFirst(symbol(.passed).count + 1)), .dim)
      case .passedPartially, .nonStrict, .unsupported, .failedAsExpected, .failed, .error:
        paint(name, one.verdict)
      }
    }
    let separator = isPassed ? ", " : "  "
    let length = names.reduce(used) { $0 + 2 + $1.count }
    guard let width = style.width, length > max(Style.leastWidth, width) else {
      return "  " + painted.joined(separator: separator)
    }
    if isPassed {
      let count = counted(names.count, "profile")
      let fits = used + 2 + count.count <= max(Style.leastWidth, width)
      return (fits ? "  " : "\n    ") + style.paint(count, .dim)
    }
    return painted.map { "\n    " + $0 }.joined()
  }

  /// Returns the cases that need attention, the figures, the summary, and the suggested next step.
  package mutating func finish(_ summary: Summary) -> String {
    var text = ""
    text += section("Recommendations not met (NON-STRICT)", nonStrict, .yellow, "more", "more")
    text += section(
      "Passed, but partly observable (PASSED IN PART)",
      partlySeen.isEmpty ? [] : [partlySeen.joined()], .cyan)
    text += section("Not supported by the backend (UNSUPPORTED)", unsupportedLines(), .cyan)
    text += section(
      "Failed as expected (KNOWN)", known.isEmpty ? [] : [known.joined()], .yellow)
    text += section("Without a verdict (ERROR)", errors, .magenta, "more error")
    text += section("Failed", failures, .boldRed, "more failure")
    text += section(
      "Different results in repetitions (flaky)", summary.flaky.map { "  \(VisibleText.of($0))\n" },
      .yellow)
    text += figures(summary)
    if summary.wasInterrupted {
      text += "\n" + painted("I" + summary.interruption.dropFirst() + ".", .yellow)
    }
    text += "\n" + painted(summary.line, summary.isGood ? .green : .boldRed)
    text += next(summary)
    guard let hangs = summary.hangs.line(run.gates) else { return text }
    return text + painted(hangs, summary.hangs.calls > 0 ? .boldRed : .green)
  }

  // MARK: Details for the end

  /// Stores the result of a scenario on one profile, or an equal result on several profiles.
  private mutating func keep(_ alike: [CaseResult], _ scenario: Scenario) {
    guard let result = alike.first else { return }
    switch result.verdict {
    case .passed: break
    case .passedPartially:
      partlySeen.append(
        "  \(paint(symbol(result.verdict), result.verdict)) \(VisibleText.of(result.name))  "
          + style.paint("\(result.coverage.text) observable", .dim) + "\n")
    case .nonStrict:
      if nonStrict.full.count < detailCount {
        nonStrict.full.append(brief(alike, "recommended"))
      } else {
        nonStrict.short.append(short(alike))
      }
    case .unsupported:
      keepUnsupported(result)
    case .failedAsExpected:
      known.append(
        "  \(paint(symbol(.failedAsExpected), .failedAsExpected)) \(VisibleText.of(result.name))"
          + (result.knownFailureLocation.map { "  \(style.paint(VisibleText.of($0), .dim))" } ?? "")
          + "\n")
    case .error:
      firstErrorCommand = firstErrorCommand ?? command(alike)
      if errors.full.count < detailCount {
        errors.full.append(
          brief(alike, "expected") + "      repeat      " + style.paint(command(alike), .bold)
            + "\n")
      } else {
        errors.short.append(short(alike))
      }
    case .failed:
      firstFailureCommand = firstFailureCommand ?? command(alike)
      if failures.full.count < detailCount {
        failures.full.append(failure(alike, scenario, number: failures.full.count + 1))
      } else {
        failures.short.append(short(alike))
      }
    }
  }

  /// Stores an unsupported feature; cases with the same feature share one entry.
  private mutating func keepUnsupported(_ result: CaseResult) {
    for finding in result.decisiveFindings {
      let reason = VisibleText.of(
        "\(finding.expectedText.exactText): \(finding.seenText.exactText)")
      if let location = unsupported.firstIndex(where: { $0.reason == reason }) {
        unsupported[location].cases.append(result.name)
      } else {
        unsupported.append((reason, [result.name]))
      }
    }
  }

  private func unsupportedLines() -> [String] {
    unsupported.map { reason, cases in
      var text = "  \(paint(symbol(.unsupported), .unsupported)) "
      text += set(reason, behind: "    ").dropFirst(4)
      for name in cases.prefix(Self.maximumNames) { text += "      \(VisibleText.of(name))\n" }
      let more = cases.count - Self.maximumNames
      if more > 0 { text += "      and \(counted(more, "case")) more\n" }
      return text
    }
  }

  /// Returns the name of a case, or of equal cases on several profiles: `id [profile, profile]`.
  private func name(_ alike: [CaseResult]) -> String {
    VisibleText.of(
      "\(alike.first?.id ?? "") [\(alike.map(\.profile).joined(separator: ", "))]")
  }

  /// Returns a case in short: its name, and as much of the observed behavior as fits on the line.
  private func short(_ alike: [CaseResult]) -> String {
    guard let result = alike.first else { return "" }
    let lines = VisibleText.hanging("  \(symbol(result.verdict)) ", name(alike), style)
    let seen =
      result.decisiveFindings.first.map { "  " + VisibleText.of($0.seenText.exactText) } ?? ""
    let room = style.tableWidth - (lines.last?.count ?? 0)
    let shown = seen.count <= room ? seen : seen.prefix(max(0, room - 3)) + style.symbols.gap
    return lines.map { paint($0, result.verdict) }.joined(separator: "\n")
      + (room > 12 ? style.paint(shown, .dim) : "") + "\n"
  }

  private func brief(_ alike: [CaseResult], _ wish: String) -> String {
    guard let result = alike.first else { return "" }
    let symbol = symbol(result.verdict)
    let margin = String(repeating: " ", count: 3 + symbol.count)
    let heading = style.broken(name(alike), indent: margin.count).enumerated().map { number, line in
      (number == 0 ? "  \(paint(symbol, result.verdict)) " : margin) + style.paint(line, .bold)
        + "\n"
    }
    var text = heading.joined()
    for finding in result.decisiveFindings {
      text += "      " + style.paint(VisibleText.of(location(of: finding, result)), .dim) + "\n"
      text += set(
        VisibleText.of(finding.expectedText.exactText),
        behind: "      \(VisibleText.padded(wish, 11))  "
      )
      text += set(
        VisibleText.of(finding.seenText.exactText),
        behind: "      \(VisibleText.padded("seen", 11))  ")
    }
    return text
  }

  // MARK: Failures in full

  /// Returns a case in full, or equal failures on several profiles.
  private func failure(_ alike: [CaseResult], _ scenario: Scenario, number: Int) -> String {
    // Not every trace is kept if there are many, but any of them shows the failure.
    guard let result = alike.first(where: { $0.trace != nil }) ?? alike.first else { return "" }
    let profiles = alike.map { VisibleText.of($0.profile) }
    let several = profiles.count == 1 ? "" : "  on \(profiles.count) profiles"
    let heading = "\(VisibleText.of(result.id))  [\(profiles.joined(separator: ", "))]\(several)"
    // The first two columns are empty; they are not painted.
    let lines = VisibleText.hanging("  \(number). ", heading, style)
    var text = lines.map { "  " + style.paint(String($0.dropFirst(2)), .boldRed) + "\n" }.joined()
    if let title = scenario.title { text += set(VisibleText.of(title), behind: "     ") }
    for finding in result.decisiveFindings.prefix(Self.maximumFindings) {
      text += describe(finding, result)
    }
    let more = result.decisiveFindings.count - Self.maximumFindings
    if more > 0 {
      text += "\n     and \(counted(more, "further finding")) of this case\n"
    }
    let timeline = TimelineText.lines(of: result, scenario, style: style)
    if result.passedUnexpectedly {
      // The case has no timeline on purpose, although a trace may be there.
    } else if timeline.isEmpty {
      text += "\n     (no trace was kept, so there is no timeline)\n"
    } else {
      if profiles.count > 1 { text += "\n     on \(VisibleText.of(result.profile)):\n" }
      text += "\n" + timeline.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
    text += log(of: result)
    for file in alike.compactMap(run.traceFile) {
      text += "\n     trace     \(VisibleText.of(file))"
    }
    return text + "\n     repeat    " + style.paint(command(alike), .bold) + "\n"
  }

  private func log(of result: CaseResult) -> String {
    let lines = CaseText.log(of: result)
    guard !lines.isEmpty else { return "" }
    return "\n     " + style.paint("The backend's log", .dim) + "\n"
      + lines.map { "       \($0)\n" }.joined()
  }

  private func describe(_ finding: Finding, _ result: CaseResult) -> String {
    let location = VisibleText.of(location(of: finding, result))
    var text = "\n     " + style.paint(location, .cyan)
    let remark =
      switch finding.kind {
      case .invariant(let rule): "invariant \(rule)"
      case .neverEvaluated: "never evaluated"
      case .faultWithoutEffect: "a fault without effect"
      case .unexpectedPass: "an unexpected pass"
      case .flaky: "flaky"
      case .hang: "--max-hang"
      case .expectation, .partlySeen, .unsupported, .breakdown: ""
      }
    if !remark.isEmpty {
      let fits = 7 + location.count + remark.count <= style.width ?? .max
      text += (fits ? "  " : "\n     ") + style.paint(remark, .dim)
    }
    // The text of an expectation contains the instant if it is relevant.
    var seen = VisibleText.of(finding.seenText.exactText)
    switch finding.kind {
    case .invariant: if let at = finding.at { seen += ", at \(at.exactText)" }
    case .expectation, .neverEvaluated, .faultWithoutEffect, .hang, .unexpectedPass, .flaky,
      .partlySeen, .unsupported, .breakdown:
      break
    }
    text += "\n" + set(VisibleText.of(finding.expectedText.exactText), behind: "       expected  ")
    return text + set(seen, behind: "       seen      ", .red)
  }

  /// Returns text after a prefix, wrapped to the width.
  private func set(_ text: String, behind lead: String, _ paint: Style.Paint? = nil) -> String {
    VisibleText.hanging(lead, text, style).map { line in
      let shown = String(line.dropFirst(lead.count))
      return "\(line.prefix(lead.count))\(paint.map { style.paint(shown, $0) } ?? shown)\n"
    }.joined()
  }

  /// Returns text wrapped to the width.
  private func painted(_ text: String, _ paint: Style.Paint) -> String {
    style.broken(text, indent: 0).map { style.paint($0, paint) + "\n" }.joined()
  }

  private func location(of finding: Finding, _ result: CaseResult) -> String {
    let file = Complaint.shown(result.file)
    guard let position = finding.position else { return file }
    return "\(file):\(position.line):\(position.column)"
  }

  private func command(_ alike: [CaseResult]) -> String { run.command(repeating: alike) }

  // MARK: The end

  private func section(_ title: String, _ entries: [String], _ paint: Style.Paint) -> String {
    guard !entries.isEmpty else { return "" }
    return "\n" + style.paint(title, paint) + "\n\n" + entries.joined(separator: "\n")
  }

  /// Returns a section: the first cases in full, a line for each further one, and how to see more.
  private func section(
    _ title: String, _ shown: Listing, _ paint: Style.Paint, _ noun: String,
    _ nouns: String? = nil
  ) -> String {
    let text = section(title, shown.full, paint)
    guard !shown.short.isEmpty else { return text }
    let heading =
      text.isEmpty ? title : "\(counted(shown.short.count, noun, nouns)), one line each"
    let short = section(heading, [shown.short.joined()], paint)
    let all = shown.full.count + shown.short.count
    return text + short + "\n" + painted("  --failures \(all) prints them in full.", .dim)
  }

  private func figures(_ summary: Summary) -> String {
    let figures = summary.figures
    guard !figures.isEmpty else { return "" }
    let width = figures.map(\.name.count).max() ?? 0
    func column(_ length: (Summary.Figures) -> Interval?) -> [String] {
      let texts = figures.map { length($0)?.measured ?? "-" }
      let width = texts.map(\.count).max() ?? 0
      return texts.map { VisibleText.aligned($0, width) }
    }
    let (medians, worsts) = (column(\.median), column(\.worst))
    let percentiles = column(\.percentile95)
    var text =
      "\n" + style.paint("Time from the network change to the end of a call", .bold) + "\n\n"
    for (location, one) in figures.enumerated() {
      let name = "  " + VisibleText.padded(VisibleText.of(one.name), width)
      var lengths = "median \(medians[location])"
      if summary.isRepeated { lengths += ", p95 \(percentiles[location])" }
      lengths += ", worst \(worsts[location])  (\(one.count))"
      let fits = name.count + 2 + lengths.count <= style.width ?? .max
      guard !fits else {
        text += "\(name)  \(lengths)\n"
        continue
      }
      text += name.trimmedAtEnd + "\n" + set(lengths, behind: "    ")
    }
    return text
  }

  private func next(_ summary: Summary) -> String {
    if summary.cases == 0 {
      // The summary has already stated how far the run got.
      if summary.wasInterrupted { return "" }
      return set(
        run.shard == nil
          ? "Nothing ran. `handover list` lists all scenarios."
          : "This shard is empty: there are fewer scenarios than shards.", behind: "")
    }
    if let command = firstFailureCommand ?? firstErrorCommand {
      let what = summary.failed > 0 ? "failures" : "errors"
      let text = "Next: see the \(what) above. To rerun the first one:"
      return style.broken(text, indent: 0).map { "\($0)\n" }.joined() + "  \(command)\n"
    }
    guard run.defects.isEmpty else {
      return set(
        "No case detects the bug \(run.defects.joined(separator: " and ")). Next: "
          + "`handover selftest --list` names the scenarios that detect each bug.",
        behind: "")
    }
    // Standard input was consumed, so no command can read it again.
    if run.ownPaths.contains("-") { return "" }
    switch run.ownPaths.count {
    case 0:
      return set(
        "Next: `handover explain ID` describes what happens in a scenario; "
          + "`handover list` lists the IDs.", behind: "")
    case 1 where summary.scenarios == 1:
      return "Next: see what happened, step by step:\n"
        + "  handover explain \(RunDescription.shellQuoted(run.ownPaths[0]))\n"
    default:
      let paths = run.ownPaths.map(RunDescription.shellQuoted).joined(separator: " ")
      return "Next: compare the profiles:\n"
        + "  handover matrix \(paths) -o html=matrix.html\n"
    }
  }

  private func symbol(_ verdict: Verdict) -> String { style.symbol(of: verdict) }

  private func paint(_ text: String, _ verdict: Verdict) -> String {
    switch verdict {
    case .passed: style.paint(text, .green)
    case .nonStrict: style.paint(text, .yellow)
    case .passedPartially, .unsupported: style.paint(text, .cyan)
    case .failedAsExpected: style.paint(text, .yellow)
    case .failed: style.paint(text, .boldRed)
    case .error: style.paint(text, .magenta)
    }
  }
}
