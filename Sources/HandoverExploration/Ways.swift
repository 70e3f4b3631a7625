import HandoverMachines

/// How each state was reached: from which one, and by which act.
///
/// In pieces, so that nothing is moved when there are more.
struct Ways {
  struct Way: BitwiseCopyable, Hashable, Sendable {
    /// The number of the state before; the largest there is for a first state.
    var parent: UInt32
    var act: Act
  }

  private static let pieceBits = 16
  private var pieces: ContiguousArray<Rows<Way>> = []
  private(set) var count = 0

  subscript(number: UInt32) -> Way {
    pieces[Int(number >> UInt32(Self.pieceBits))][Int(number) & (1 << Self.pieceBits - 1)]
  }

  mutating func append(_ way: Way) {
    if count == pieces.count << Self.pieceBits {
      // The first piece grows: most explorations are small.
      pieces.append(Rows(reserving: pieces.isEmpty ? 1_024 : 1 << Self.pieceBits))
    }
    pieces[pieces.count - 1].append(way)
    count += 1
  }

  /// The acts that lead to a state, and the read that comes before them.
  func path(to state: UInt32) -> (initialRead: NetworkCategory, acts: [Act]) {
    var acts: [Act] = []
    var state = state
    while self[state].parent != .max {
      acts.append(self[state].act)
      state = self[state].parent
    }
    return (self[state].act.category, acts.reversed())
  }
}
