import HandoverMachines

/// An act as it is kept for each state, whatever is explored.
struct ActCode: BitwiseCopyable, Hashable, Sendable {
  var kind: UInt8
  var first: UInt8
  var second: UInt8
}

/// How each state was reached: from which one, and by which act.
///
/// In pieces, so that nothing is moved when there are more.
struct Ways {
  struct Way: BitwiseCopyable, Hashable, Sendable {
    /// The number of the state before; the largest there is for a first state.
    var parent: UInt32
    var act: ActCode
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

  /// The acts that lead to a state; the first one is what makes the first state.
  func path(to state: UInt32) -> [ActCode] {
    var acts: [ActCode] = []
    var state = state
    while state != .max {
      acts.append(self[state].act)
      state = self[state].parent
    }
    return acts.reversed()
  }
}

extension Act {
  var code: ActCode { ActCode(kind: kind.rawValue, first: host, second: place) }

  /// The act that was kept; nil where it is none.
  init?(_ code: ActCode) {
    guard let kind = Kind(rawValue: code.kind) else { return nil }
    self.init(kind, host: Int(code.first), place: Int(code.second))
  }
}

extension Counterexample {
  /// The sequence that leads to a state, and the act that breaks a rule there.
  init(_ ways: Ways, to state: UInt32, _ last: Act, _ breach: Breach) {
    var acts = ways.path(to: state).compactMap { Act($0) }
    let read = acts.removeFirst().category
    self.init(initialRead: read, acts: acts + [last], breach: breach)
  }
}
