import HandoverCore

/// Whose turn it is at one instant, where that is not in the usual order.
struct InstantTurns: Hashable, Sendable {
  /// The place of each kind, in the usual order of the kinds.
  private let ranks: [Int]
  /// Draws the turns; nil where they go by rank.
  private var random: SeededGenerator?

  /// The turns of a run; nil where they are the usual ones.
  init?(_ order: InstantOrder, seed: UInt64) {
    guard !order.isUsual else { return nil }
    ranks = InstantOrder.Kind.allCases.map { order.kinds.firstIndex(of: $0) ?? 0 }
    // A label of its own, so that no draw of the client moves.
    random =
      order.isDrawn
      ? SeededGenerator(seed: seed).forked(label: 0x696E_7374_616E_74) : nil
  }

  /// Takes in what will be drawn; the ranks are the script's.
  func combine(into digest: inout StateDigest) {
    if let random { digest.combine(random.state) }
  }

  /// The kind whose turn it is among those that are due, given in their usual order.
  mutating func next(among due: [InstantOrder.Kind]) -> InstantOrder.Kind? {
    guard due.count > 1 else { return due.first }
    if let draw = random?.next(upToAndIncluding: UInt64(due.count - 1)) { return due[Int(draw)] }
    let kinds = InstantOrder.Kind.allCases
    return due.min { rank(of: $0, in: kinds) < rank(of: $1, in: kinds) }
  }

  private func rank(of kind: InstantOrder.Kind, in kinds: [InstantOrder.Kind]) -> Int {
    ranks[kinds.firstIndex(of: kind) ?? 0]
  }
}
