import HandoverCore
import HandoverLab
import HandoverReport
import HandoverTry
import Synchronization

/// Verdicts on runs that are still watched, and on runs that have ended.
///
/// A run without a network change shows the rhythm with which the others are compared. Until it
/// ends, its latest observation is used.
final class EarlyVerdicts: Sendable {
  private struct State {
    var unchanged: [TryObservation] = []
    var latestUnchangedObservation: TryObservation?
    var announced: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Notes an observation of a run that is still watched.
  ///
  /// - Parameters:
  ///   - observation: The observation until now.
  ///   - traits: The effects of the network change on connections.
  ///   - move: The network change.
  ///   - position: The index of the run.
  /// - Returns: A line with the verdict when it becomes clear, once per run, or `nil`.
  func line(
    _ observation: TryObservation, _ traits: MoveTraits, of move: TryMove, at position: Int
  ) -> String? {
    guard move != .nothing else {
      state.withLock { $0.latestUnchangedObservation = observation }
      return nil
    }
    // A program that ended is compared with a whole run only, because it may end each time.
    guard observation.programEnd == nil, !state.withLock({ $0.announced.contains(position) }),
      let rhythm = rhythm(orLatest: true)
    else { return nil }
    let judge = TryJudge(rhythm)
    guard judge.isSettled(observation, traits) else { return nil }
    state.withLock { _ = $0.announced.insert(position) }
    let verdict = judge.verdict(on: observation, traits)
    let time = verdict.recovers.map { ", data again after \($0.readable)" } ?? ""
    return "\(move.title): \(verdict.outcome.rawValue) so far\(time)"
  }

  /// Notes a run that has ended, and returns the name of its network change with the verdict.
  ///
  /// The verdict is left out if no run without a network change has ended yet.
  func title(_ outcome: TryRun.Outcome, of move: TryMove) -> String {
    guard move != .nothing else {
      state.withLock { $0.unchanged.append(outcome.observation) }
      return move.title
    }
    guard let rhythm = rhythm(orLatest: false) else { return move.title }
    let verdict = TryJudge(rhythm).verdict(on: outcome.observation, outcome.traits)
    return "\(move.title), \(verdict.outcome.rawValue)"
  }

  private func rhythm(orLatest usesLatest: Bool) -> ProgramRhythm? {
    state.withLock { state in
      if let rhythm = ProgramRhythm(state.unchanged) { return rhythm }
      return usesLatest ? state.latestUnchangedObservation.map(ProgramRhythm.init) : nil
    }
  }
}
