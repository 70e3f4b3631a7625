import HandoverCore

/// The frontier of a zone exploration: a priority queue, first in, first out within a priority.
struct ZoneQueue {
  struct Node: BitwiseCopyable, Hashable, Sendable {
    /// The number of its parent link.
    var number: UInt32
    /// The record of its zone in the table.
    var record: UInt32
    /// The number of actions that lead to the zone.
    var depth: UInt32
    /// The position of its form in ``Turn/forms``.
    var form: Int
  }

  /// The zones of one priority, with their forms.
  ///
  /// Both are separate allocations, which avoids exclusivity checks on each access.
  final class Turn: @unchecked Sendable {
    // Sound to send: nothing is added while workers read it.

    let forms = Fixed(FormBytes())
    fileprivate let nodes = Fixed(Rows<Node>())
    fileprivate var next = 0
  }

  private var turns: ContiguousArray<Turn> = []
  private var first = 0
  private(set) var count = 0

  /// Returns the index of the turn with the next node, or `nil` if the queue is empty.
  mutating func nextTurn() -> Int? {
    guard count > 0 else { return nil }
    while turns[first].next == turns[first].nodes.value.count {
      // Zones that were expanded are no longer needed.
      turns[first].nodes.value.removeAll()
      turns[first].forms.value.removeAll()
      turns[first].next = 0
      first += 1
    }
    return first
  }

  /// Removes and returns the next node of a turn, or returns `nil` if the turn is empty.
  mutating func take(_ turn: Int) -> Node? {
    let turn = turns[turn]
    guard turn.next < turn.nodes.value.count else { return nil }
    defer {
      turn.next += 1
      count -= 1
    }
    return turn.nodes.value[turn.next]
  }

  /// Returns the turn at an index, to which callers append forms.
  mutating func turn(_ position: Int) -> Turn {
    while turns.count <= position { turns.append(Turn()) }
    return turns[position]
  }

  mutating func append(_ node: Node, turn position: Int) {
    turn(position).nodes.value.append(node)
    first = min(first, position)
    count += 1
  }
}
