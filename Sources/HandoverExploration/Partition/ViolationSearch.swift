/// The violations of all shards, merged in the order in which one process would have found them.
struct ViolationSearch: Hashable, Sendable {
  /// The number of sequences to try in the search for one that can be replayed in real time.
  static let sequencesToTry = 1_000

  /// The first violation.
  private(set) var shortest: ActionSequence?
  /// The first violation that can be replayed in real time.
  private(set) var playable: ActionSequence?
  private var tried = 0
  /// Whether the search is finished.
  private(set) var isOver = false

  /// Merges the violations that were found in states of one depth.
  mutating func take(_ found: [RoundSummary.FoundViolation]) {
    let found = found.sorted { $0.way < $1.way }
    for (index, one) in found.enumerated() where !isOver {
      shortest = shortest ?? one.way
      tried += 1
      if one.isPlayable {
        playable = one.way
        isOver = true
      }
      let state = one.way.bytes.prefix(one.stateLength)
      let isLastOfState =
        index + 1 == found.count
        || found[index + 1].way.bytes.prefix(found[index + 1].stateLength) != state
      if isLastOfState, tried >= Self.sequencesToTry { isOver = true }
    }
  }
}
