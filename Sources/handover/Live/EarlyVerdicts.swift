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
    /// The runs that have ended and are not shown.
    var ended: [(move: TryMove, observation: TryObservation, traits: MoveTraits)] = []
    /// The number of runs that are shown as ended.
    var shownCount = 0
  }

  private let state = Mutex(State())
  private let total: Int
  /// Whether a run without a network change is among the runs.
  private let hasUnchanged: Bool

  init(on moves: [TryMove]) {
    total = moves.count
    hasUnchanged = moves.contains(.nothing)
  }

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
      let rhythm
    else { return nil }
    let judge = TryJudge(rhythm)
    guard judge.isSettled(observation, traits) else { return nil }
    state.withLock { _ = $0.announced.insert(position) }
    let verdict = judge.verdict(on: observation, traits)
    let time = verdict.recovers.map { ", data again after \($0.readable)" } ?? ""
    return "\(move.title): \(verdict.outcome.rawValue) so far\(time)"
  }

  /// Notes a run that has ended.
  ///
  /// - Returns: A line for each ended run that was not shown, with its network change and verdict.
  ///   The runs wait for the first run without a network change; if there is none, their lines
  ///   have no verdict.
  func lines(
    afterEndOf move: TryMove, _ observation: TryObservation, _ traits: MoveTraits
  ) -> [String] {
    state.withLock { state in
      // The run with which the others are compared is shown first.
      let position = move == .nothing ? 0 : state.ended.count
      state.ended.insert((move, observation, traits), at: position)
      if move == .nothing { state.unchanged.append(observation) }
      guard !state.unchanged.isEmpty || !hasUnchanged else { return [] }
      let judge = ProgramRhythm(state.unchanged).map(TryJudge.init)
      defer { state.ended = [] }
      return state.ended.map { move, observation, traits in
        state.shownCount += 1
        let verdict = move == .nothing ? nil : judge?.verdict(on: observation, traits)
        return "\(state.shownCount) of \(total): \(move.title)"
          + (verdict.map { ", \($0.outcome.rawValue)" } ?? "")
      }
    }
  }

  private var rhythm: ProgramRhythm? {
    state.withLock { state in
      ProgramRhythm(state.unchanged)
        ?? state.latestUnchangedObservation.map(ProgramRhythm.init)
    }
  }
}
