import HandoverCore
import HandoverInterceptors

/// Maps the chains of a run, and their interceptors, to the calls and interceptors of the script.
struct ChainTable {
  /// The chain of each call of the script.
  private(set) var ids: [ChainID?]
  /// The call of each chain.
  private var calls: [UInt32] = []
  /// The names of the script's interceptors.
  private let names: [String]
  /// For each chain, the script indices of its interceptors, by serial number.
  private var linkIndices: [[UInt16]] = []

  init(calls: Int, links names: [String]) {
    ids = Array(repeating: nil, count: calls)
    self.names = names
  }

  /// Records that a call now has a chain.
  mutating func began(_ id: ChainID, call: Int) {
    ids[call] = id
    while calls.count <= id.index {
      calls.append(0)
      linkIndices.append([])
    }
    calls[Int(id.index)] = UInt32(truncatingIfNeeded: call)
    linkIndices[Int(id.index)] = []
  }

  /// Records that a call no longer has a chain.
  mutating func forget(_ call: Int) { ids[call] = nil }

  func call(of id: ChainID) -> UInt32 { calls[Int(id.index)] }

  /// Returns the script index of the interceptor with a name.
  func position(named name: String) -> UInt16 {
    names.firstIndex(of: name).map { UInt16(truncatingIfNeeded: $0) } ?? ChainFact.ownLink
  }

  func position(of link: LinkID, in id: ChainID) -> UInt16 {
    linkIndices[Int(id.index)][Int(link.serial)]
  }

  /// Records which interceptor of the script an interceptor of a chain is.
  mutating func learn(_ name: String, of link: LinkID, in id: ChainID) {
    while linkIndices[Int(id.index)].count <= link.serial {
      linkIndices[Int(id.index)].append(ChainFact.ownLink)
    }
    linkIndices[Int(id.index)][Int(link.serial)] = position(named: name)
  }
}
