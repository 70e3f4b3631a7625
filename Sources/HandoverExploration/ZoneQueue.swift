import HandoverMachines

/// The zones that wait to be looked at, by turns: those of the first turn come first, and of one
/// turn the one that waits for longest.
struct ZoneQueue {
  struct Node: BitwiseCopyable, Hashable, Sendable {
    /// The number of the way to it.
    var number: UInt32
    /// Its zone in the table.
    var record: UInt32
    /// How many acts lead to it.
    var depth: UInt32
    /// Where its form begins, among those of its turn.
    var form: Int
  }

  /// The nodes of one turn, and their forms; at places of their own, where nobody asks whether
  /// somebody else changes them just now.
  final class Turn: @unchecked Sendable {
    // Sound to send: while workers look at it nobody adds anything.

    let forms = Fixed(FormBytes())
    fileprivate let nodes = Fixed(Rows<Node>())
    fileprivate var next = 0
  }

  private var turns: ContiguousArray<Turn> = []
  private var first = 0
  private(set) var count = 0

  /// The place of the turn that has the next node; nil where nobody waits.
  mutating func nextTurn() -> Int? {
    guard count > 0 else { return nil }
    while turns[first].next == turns[first].nodes.value.count {
      // What was looked at need not be kept.
      turns[first].nodes.value.removeAll()
      turns[first].forms.value.removeAll()
      turns[first].next = 0
      first += 1
    }
    return first
  }

  /// Takes the next node of a turn; nil where it has no more.
  mutating func take(_ turn: Int) -> Node? {
    let turn = turns[turn]
    guard turn.next < turn.nodes.value.count else { return nil }
    defer {
      turn.next += 1
      count -= 1
    }
    return turn.nodes.value[turn.next]
  }

  /// The turn at a place, to which forms are added.
  mutating func turn(_ place: Int) -> Turn {
    while turns.count <= place { turns.append(Turn()) }
    return turns[place]
  }

  mutating func append(_ node: Node, turn place: Int) {
    turn(place).nodes.value.append(node)
    first = min(first, place)
    count += 1
  }
}
