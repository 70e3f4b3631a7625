import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverTry

/// A search, in virtual time, for network timelines at which a call of a client hangs.
struct HangSearch {
  private let player: ScenarioPlayer
  private let profile: Profile
  /// The draws and their coverage.
  private(set) var course: SearchCourse
  /// The verdicts on the timelines.
  private(set) var outcomes: [TryOutcome] = []
  /// Why the last timeline without a verdict has none.
  private(set) var problem: String?

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - player: A player whose cases fail if a call hangs.
  ///   - profile: The profile of the client.
  ///   - seed: The seed of the timelines.
  init(_ player: ScenarioPlayer, on profile: Profile, seed: UInt64) {
    self.player = player
    self.profile = profile
    course = SearchCourse(seed: seed, lag: 1)
  }

  /// Draws timelines.
  ///
  /// - Parameter mayContinue: Returns whether the search may continue after a failure of a
  ///   severity, or without one.
  /// - Returns: The failures, each worse than the next one.
  mutating func findings(while mayContinue: (SearchSeverity?) -> Bool) -> [SearchFinding] {
    var findings: [SearchFinding] = []
    while mayContinue(findings.first?.severity), let draw = course.next() {
      let (finding, result) = run(draw, as: draw.timeline)
      course.record(result, ofDraw: draw.number)
      outcomes.append(result.outcome)
      if outcomes.count == Self.firstCount, outcomes.allSatisfy({ $0 == .inconclusive }) { break }
      if let finding, finding.severity.isWorse(than: findings.first?.severity) {
        findings.insert(finding, at: 0)
      }
    }
    return findings
  }

  /// The number of timelines without a verdict after which a search ends, because a backend that
  /// cannot run these cannot run the others either.
  private static let firstCount = 16

  /// The number of shorter timelines that are tried between two choices of the shortest one.
  private static let candidateCount = 8

  /// Shortens the timeline of a failure.
  ///
  /// - Parameters:
  ///   - finding: The failure.
  ///   - mayContinue: Returns whether to try another timeline.
  /// - Returns: The failure at the shortest timeline that was tried.
  mutating func shortened(
    _ finding: SearchFinding, while mayContinue: () -> Bool
  ) -> SearchFinding {
    var shortest = finding
    var reducer = TimelineReducer(finding.timeline)
    while true {
      let candidates = reducer.candidates(atMost: Self.candidateCount)
      guard !candidates.isEmpty else { return shortest }
      var found: [SearchFinding?] = []
      for timeline in candidates {
        guard mayContinue() else { return shortest }
        let one = run(finding.draw, as: timeline).finding
        found.append(one.flatMap { $0.severity >= finding.severity ? $0 : nil })
      }
      reducer.record(zip(candidates, found).map { ($0, $1 != nil) })
      shortest = found.compactMap(\.self).first { $0.timeline == reducer.best } ?? shortest
    }
  }

  /// Runs a timeline.
  private mutating func run(
    _ draw: SearchCourse.Draw, as timeline: SearchTimeline
  ) -> (finding: SearchFinding?, result: SearchResult) {
    let scenario = timeline.scenario(withCallsOn: profile, id: "search", title: "")
    let result = player.play(scenario, on: [profile]).cases[0]
    let phases = result.trace.map(timeline.phases) ?? []
    if result.verdict == .error || result.verdict == .unsupported {
      problem = result.findings.first?.seen
      return (nil, SearchResult(phases: phases, outcome: .inconclusive))
    }
    guard let hang = result.hangs.first(where: { !$0.hasEnded }) ?? result.hangs.first else {
      let allCallsSucceeded = result.calls.allSatisfy { $0.end?.code == .ok }
      return (nil, SearchResult(phases: phases, outcome: allCallsSucceeded ? .unharmed : .recovers))
    }
    let outcome: TryOutcome = hang.hasEnded ? .late : .hangs
    let since = "\(hang.call) \(hang.hasEnded ? "hung for \(hang.lasted.readable)" : "never ended")"
    return (
      SearchFinding(
        draw: draw, timeline: timeline, severity: hang.hasEnded ? .late : .hangs,
        outcomes: [outcome],
        evidence: "\(since), since \(hang.since.since(.zero).readable)"),
      SearchResult(phases: phases, outcome: outcome)
    )
  }
}
