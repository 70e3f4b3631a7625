import HandoverCore

/// Selects which kind of event happens next within an instant, if the order is not the usual one.
struct TieBreaker: Hashable, Sendable {
  /// The rank of each kind, in the usual order of the kinds.
  private let ranks: [Int]
  /// The generator for a random order, or `nil` if the order follows the ranks.
  private var random: SeededGenerator?

  /// Creates the order of a run, or returns `nil` if the order is the usual one.
  init?(_ order: InstantOrder, seed: UInt64) {
    guard !order.isDefault else { return nil }
    ranks = InstantOrder.Kind.allCases.map { order.kinds.firstIndex(of: $0) ?? 0 }
    // A separate label, so that these random numbers do not change those of the client.
    random =
      order.isRandom
      ? SeededGenerator(seed: seed).forked(label: 0x696E_7374_616E_74) : nil
  }

  /// Adds the state of the generator to a digest.
  ///
  /// The ranks belong to the script.
  func combine(into digest: inout StateDigest) {
    if let random { digest.combine(random.state) }
  }

  /// Returns the kind that happens next among those that are due, given in their usual order.
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
