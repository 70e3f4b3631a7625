import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverTry

extension RunCommand {
  /// The time after which a call hangs, if `--max-hang` does not set another.
  private static let searchedHang = Interval.minutes(1)

  /// Rejects options that a search does not support.
  func validateSearch() throws {
    let drawn = "a search draws its own scenarios"
    let single = "a search runs one timeline after the other"
    try searchOptions.validateSearch(
      .seconds(1),
      [
        (paths != ["Scenarios"], "A scenario file", drawn), (!only.isEmpty, "--only", drawn),
        (!conditions.texts.isEmpty, "--condition", drawn),
        (!knownFailing.isEmpty, "--known-failing", "random timelines have no fixed names"),
        (!output.isEmpty, "-o", "the report of a search is text on standard output"),
        (jobs != nil, "--jobs", single), (shard != nil, "--shard", single),
        (failFast, "--fail-fast", "a search looks for the worst failure"),
        (`repeat` != 1, "--repeat", "results in virtual time are always the same"),
        (variants != nil, "--variants", "only one client is searched"),
        (profiles.names.count > 1, "A second --profile", "only one client is searched"),
        (gates.strict, "--strict", "random timelines have no expectations"),
        (watch, "--watch", drawn),
        (
          choice.isLive, "--backend \(choice)",
          "it runs in real time. Use exec:COMMAND"
        ),
        (
          searchedProfile.client.work != .calls, "--profile \(searchedProfile.name)",
          "a search makes calls, and this client takes requests"
        ),
      ])
  }

  private var searchedProfile: Profile {
    profiles.names.first.flatMap(Profile.named) ?? Profile.all[0]
  }

  /// Searches for a timeline of network changes at which a call hangs.
  ///
  /// - Parameter time: The time of the search.
  /// - Throws: ``ExitError`` if a call hangs, or if no timeline has a verdict.
  func search(for time: Interval) throws {
    let (seed, file) = try searchOptions.start(seed)
    let interruption = Interruption()
    try interruption.listen()
    // The search ends by itself on a signal and must be able to report what it found.
    interruption.asLastResort { .alreadyFinishing }
    let profile = searchedProfile
    let limit = gates.maxHang?.interval ?? Self.searchedHang
    printError("Searching \(profile.name) for \(time.readable) with seed \(seed).")
    var search = HangSearch(
      try ScenarioPlayer(choice, backendSettings, defects.mutants, maxHang: limit), on: profile,
      seed: seed)
    let begin = ContinuousClock.now
    var findings = search.findings { worst in
      let drawing = SearchSeverity.drawingTime(of: time, after: worst)
      return interruption.received == nil
        && ContinuousClock.now - begin < .microseconds(drawing.microseconds)
    }
    // A failure that is found at the end is shortened too.
    let end = max(
      begin + .microseconds(time.microseconds),
      .now + .microseconds(TrySearch.leastShortening.microseconds))
    if let worst = findings.first {
      findings[0] = search.shortened(worst) {
        interruption.received == nil && ContinuousClock.now < end
      }
    }
    var arguments = ["handover", "run", file, "--profile", profile.name, "--max-hang", limit.text]
    arguments += backendSettings.arguments(selecting: choice) + defects.arguments
    let report = SearchReport(
      subject: "client", course: search.course, outcomes: search.outcomes, findings: findings,
      file: file, repetition: arguments.map(ShellWord.quoted).joined(separator: " "))
    let problem = report.save { $0.scenario(withCallsOn: profile, id: $1, title: $2) }
    StandardStream.output.show(report.text)
    if let problem = problem.map({ "\(file): error: \($0)" }) { printError(problem) }
    if let status = interruption.exitStatus { throw ExitError(status) }
    if problem != nil { throw ExitError(.badInput) }
    guard let status = report.status else { return }
    if status == .breakdown, let problem = search.problem { printError("error: \(problem)") }
    throw ExitError(status)
  }
}
