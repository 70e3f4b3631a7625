import HandoverCore

/// An action in the encoding that is stored for each state, for every kind of exploration.
struct ActionCode: BitwiseCopyable, Hashable, Sendable {
  var kind: UInt8
  var first: UInt8
  var second: UInt8
}

/// The parent link of each state: the previous state, and the action that led from it.
///
/// The links are stored in blocks, so that growth moves no data.
struct ParentLinks {
  struct Link: BitwiseCopyable, Hashable, Sendable {
    /// The number of the previous state, or `UInt32.max` for an initial state.
    var parent: UInt32
    var action: ActionCode
  }

  private static let pieceBits = 16
  private var pieces: ContiguousArray<Rows<Link>> = []
  private(set) var count = 0

  subscript(number: UInt32) -> Link {
    pieces[Int(number >> UInt32(Self.pieceBits))][Int(number) & (1 << Self.pieceBits - 1)]
  }

  mutating func append(_ way: Link) {
    if count == pieces.count << Self.pieceBits {
      // The first block starts small because most explorations are small.
      pieces.append(Rows(reserving: pieces.isEmpty ? 1_024 : 1 << Self.pieceBits))
    }
    pieces[pieces.count - 1].append(way)
    count += 1
  }

  /// Returns the actions that lead to a state; the first one creates the initial state.
  func path(to state: UInt32) -> [ActionCode] {
    var actions: [ActionCode] = []
    var state = state
    while state != .max {
      actions.append(self[state].action)
      state = self[state].parent
    }
    return actions.reversed()
  }
}

extension ClientAction {
  var code: ActionCode { ActionCode(kind: kind.rawValue, first: host, second: position) }

  /// Creates the stored action, or `nil` if the code denotes none.
  init?(_ code: ActionCode) {
    guard let kind = Kind(rawValue: code.kind) else { return nil }
    self.init(kind, host: Int(code.first), position: Int(code.second))
  }
}

extension Counterexample {
  /// Creates the sequence that leads to a state, with the action that violates an invariant there.
  init(_ ways: ParentLinks, to state: UInt32, _ last: ClientAction, _ violation: Violation) {
    var actions = ways.path(to: state).compactMap { ClientAction($0) }
    let read = actions.removeFirst().category
    self.init(initialRead: read, actions: actions + [last], violation: violation)
  }
}
