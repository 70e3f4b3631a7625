import HandoverCore
package import HandoverEngine
package import HandoverScenario

/// Describes in plain sentences what a scenario does and what happens on each profile.
package struct Explanation: Sendable {
  /// A heading with its paragraphs.
  struct Chapter: Hashable, Sendable {
    var heading: String
    var paragraphs: [String]
  }

  /// The chapters: one for the script, and one for each different story of the cases.
  let chapters: [Chapter]
  /// The lines above the chapters.
  let title: [String]

  /// Creates the explanation of a scenario's result.
  ///
  /// - Parameters:
  ///   - result: the result, with the trace of every case that is not in `stories`.
  ///   - stories: the results of ``story(of:_:)``, by profile name.
  package init(_ result: ScenarioResult, stories: [String: [String]] = [:]) {  // lookup only
    let scenario = result.scenario
    title = Self.title(of: scenario)
    chapters = [Self.script(of: scenario)] + Self.chapters(of: result, stories)
  }

  /// Describes a run in paragraphs of limited size; the trace is not needed afterwards.
  ///
  /// - Parameters:
  ///   - result: the case, with its trace.
  ///   - scenario: its scenario.
  /// - Returns: the paragraphs.
  package static func story(of result: CaseResult, _ scenario: Scenario) -> [String] {
    guard let trace = result.trace, let profile = Profile.named(result.profile) else {
      return ["The run was not recorded."]
    }
    return RunStory.paragraphs(of: trace, script: scenario.script, profile: profile).texts
  }

  /// The whole text in the default width.
  package var text: String { text() }

  /// Returns the whole text in lines of readable width.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown. The lines are never wider
  ///   than ``Style/defaultTextWidth``.
  /// - Returns: the lines, each with a line feed.
  package func text(width: Int? = nil) -> String {
    let width = Style.textWidth(width)
    var lines = title.flatMap { VisibleText.wrapped($0, width: width) }
    for chapter in chapters {
      lines += [""] + VisibleText.wrapped(chapter.heading, width: width)
      for paragraph in chapter.paragraphs {
        lines += VisibleText.wrapped(paragraph, width: width - 2).map { "  \($0)" }
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }

  // MARK: Chapters

  private static func title(of scenario: Scenario) -> [String] {
    let id = VisibleText.of(scenario.id)
    var lines = scenario.title.map { [VisibleText.of($0), id] } ?? [id]
    let items = scenario.sources.map { VisibleText.of($0.item) }
    if !items.isEmpty {
      lines.append("It cites \(ScriptNames.listed(items)).")
    }
    return lines
  }

  private static func script(of scenario: Scenario) -> Chapter {
    let story = ScriptStory(scenario.script)
    var paragraphs = Paragraphs()
    var left = 0
    for entry in story.entries {
      if paragraphs.isFull { left += 1 } else { paragraphs.add(entry) }
    }
    paragraphs.finish(leavingOut: left, "entry", "entries")
    let beginning = story.beginning.map(\.withoutTime).joined(separator: " ")
    let entries = scenario.script.entries.isEmpty ? ["Nothing happens."] : paragraphs.texts
    return Chapter(heading: "Timeline", paragraphs: [beginning] + entries)
  }

  /// Returns the chapters of the cases; profiles with identical stories share a chapter.
  private static func chapters(
    of result: ScenarioResult, _ stories: [String: [String]]  // lookup only
  ) -> [Chapter] {
    var tales: [(profiles: [String], paragraphs: [String])] = []
    for one in result.cases {
      let paragraphs =
        (stories[one.profile] ?? story(of: one, result.scenario))
        + expectations(of: one, result.scenario) + otherFindings(of: one)
      if let index = tales.firstIndex(where: { $0.paragraphs == paragraphs }) {
        tales[index].profiles.append(one.profile)
      } else {
        tales.append(([one.profile], paragraphs))
      }
    }
    return tales.map { profiles, paragraphs in
      let heading = "On " + ScriptNames.listed(profiles.map(VisibleText.of))
      let alike = profiles.count > 1 ? [alike(profiles.count)] : []
      let summaries = profiles.compactMap(Profile.named).map { "\($0.name): \($0.summary)" }
      return Chapter(heading: heading, paragraphs: summaries + alike + paragraphs)
    }
  }

  private static func alike(_ count: Int) -> String {
    count == 2 ? "The same happens on both." : "The same happens on all of them."
  }

  // MARK: Expectations

  /// The maximum number of expectations to list.
  private static let maximumExpectations = 1_000

  private static func expectations(of result: CaseResult, _ scenario: Scenario) -> [String] {
    let phrase = ExpectationPhrases(scenario.script)
    let wanted = scenario.expectations.filter {
      $0.profiles.contains { $0.name == result.profile }
    }
    guard !wanted.isEmpty else { return ["Nothing is expected on this profile."] }
    guard result.verdict != .error else { return [] }
    let findings = wanted.map(result.finding)
    let sentences = zip(wanted, findings).prefix(Self.maximumExpectations).map {
      expectation, finding in
      let wish = expectation.level == .should ? "Recommended" : "Expected"
      let sentence = Sentence(
        text: "\(wish): \(phrase.text(of: expectation).exactText)",
        items: expectation.shows.map { VisibleText.of(scenario.sources[$0].item) })
      let holds = finding.map { finding in
        let how =
          switch finding.kind {
          case .partlySeen: "the observable part passed"
          case .unsupported: "it is not observable"
          case .expectation, .neverEvaluated, .faultWithoutEffect, .invariant, .hang,
            .unexpectedPass, .flaky, .breakdown:
            "it failed"
          }
        return "\(how): \(VisibleText.of(finding.seenText.exactText))"
      }
      return sentence.withoutTime + " " + Sentence(text: holds ?? "it passed").withoutTime
    }
    // An unmet recommendation does not count as an expectation that failed.
    let all = Array(zip(wanted, findings))
    let requiredOnes = all.filter { $0.0.level == .must }
    let denied = all.count { $0.0.level == .should && $0.1 != nil }
    let rest = wanted.count - sentences.count
    return sentences
      + (rest > 0
        ? ["\(counted(rest, "further expectation")) \(rest == 1 ? "is" : "are") not listed here."]
        : [])
      + (requiredOnes.isEmpty
        ? [] : [sum(requiredOnes.count { $0.1 == nil }, of: requiredOnes.count)])
      + (denied == 0
        ? []
        : [
          denied == 1 ? "One recommendation is not met." : "\(denied) recommendations are not met."
        ])
  }

  private static func sum(_ held: Int, of count: Int) -> String {
    switch (held, count) {
    case (1, 1): "The expectation passed."
    case (_, 1): "The expectation failed."
    case (count, 2): "Both expectations passed."
    case (count, _): "All \(count) expectations passed."
    case (0, _): "All \(count) expectations failed."
    default: "\(held) of the \(count) expectations passed."
    }
  }

  private static func otherFindings(of result: CaseResult) -> [String] {
    result.findings.compactMap { finding in
      let what: String
      switch finding.kind {
      case .expectation, .neverEvaluated, .partlySeen, .unsupported: return nil
      case .invariant(let rule): what = "Invariant \(rule) is violated"
      case .faultWithoutEffect: what = "A fault has no effect"
      case .hang: what = "A call hangs"
      case .unexpectedPass: what = "The case is known to fail"
      case .flaky: what = "The case is flaky"
      case .breakdown: what = "The run failed with an internal error"
      }
      let phrase =
        "expected: \(finding.expectedText.exactText); seen: \(finding.seenText.exactText)"
      return Sentence(text: "\(what): \(VisibleText.of(phrase))").withoutTime
    }
  }
}
