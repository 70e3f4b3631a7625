import HandoverCore

/// The earliest deadline of each chain, indexed by chain, with constant-time access to the minimum.
///
/// The deadlines form a binary tree whose inner nodes contain the minimum of their children. A
/// change updates one node per level.
struct ChainDeadlines: Hashable, Sendable {
  /// The nodes: the root is at index 1, and the leaves are the second half.
  private var tree: [Instant] = []

  private var leafCount: Int { tree.count / 2 }

  /// The earliest deadline, or `never` if there is none.
  var earliest: Instant { tree.isEmpty ? .never : tree[1] }

  func deadline(of chain: Int) -> Instant {
    chain < leafCount ? tree[leafCount + chain] : .never
  }

  mutating func set(_ deadline: Instant, of chain: Int) {
    if chain >= leafCount {
      guard deadline != .never else { return }
      grow(toRoomFor: chain + 1)
    }
    var position = leafCount + chain
    tree[position] = deadline
    while position > 1 {
      position /= 2
      tree[position] = min(tree[position * 2], tree[position * 2 + 1])
    }
  }

  /// Returns the chains whose deadlines have expired, in ascending order.
  func due(by now: Instant) -> [Int] {
    guard earliest <= now else { return [] }
    var due: [Int] = []
    var open = [1]
    while let position = open.popLast() {
      guard tree[position] <= now else { continue }
      if position >= leafCount {
        due.append(position - leafCount)
      } else {
        open += [position * 2 + 1, position * 2]
      }
    }
    return due
  }

  private mutating func grow(toRoomFor count: Int) {
    let old = Array(tree.suffix(leafCount))
    var leaves = max(2, leafCount)
    while leaves < count { leaves *= 2 }
    tree = Array(repeating: .never, count: leaves * 2)
    for (chain, deadline) in old.enumerated() { tree[leaves + chain] = deadline }
    for position in (1..<leaves).reversed() {
      tree[position] = min(tree[position * 2], tree[position * 2 + 1])
    }
  }
}
