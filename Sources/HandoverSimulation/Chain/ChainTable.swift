import HandoverInterceptors
import HandoverTrace

/// Who is who among the chains of a run: the calls and the links of the script that they belong to.
struct ChainTable {
  /// The chain of each call of the script.
  private(set) var ids: [ChainID?]
  /// The call of each chain.
  private var calls: [UInt32] = []
  /// The names of the links of the script.
  private let names: [String]
  /// The places in the script of the links of each chain, by their serial numbers.
  private var linkPlaces: [[UInt16]] = []

  init(calls: Int, links names: [String]) {
    ids = Array(repeating: nil, count: calls)
    self.names = names
  }

  /// A call has a chain from now on.
  mutating func began(_ id: ChainID, call: Int) {
    ids[call] = id
    while calls.count <= id.index {
      calls.append(0)
      linkPlaces.append([])
    }
    calls[Int(id.index)] = UInt32(truncatingIfNeeded: call)
    linkPlaces[Int(id.index)] = []
  }

  /// A call has none any more.
  mutating func forget(_ call: Int) { ids[call] = nil }

  @inline(__always)
  func call(of id: ChainID) -> UInt32 { calls[Int(id.index)] }

  /// The place in the script of the link with a name.
  func position(named name: String) -> UInt16 {
    names.firstIndex(of: name).map { UInt16(truncatingIfNeeded: $0) } ?? ChainFact.ownLink
  }

  @inline(__always)
  func position(of link: LinkID, in id: ChainID) -> UInt16 {
    linkPlaces[Int(id.index)][Int(link.serial)]
  }

  /// A link of a chain is the one of the script with a name.
  mutating func learn(_ name: String, of link: LinkID, in id: ChainID) {
    while linkPlaces[Int(id.index)].count <= link.serial {
      linkPlaces[Int(id.index)].append(ChainFact.ownLink)
    }
    linkPlaces[Int(id.index)][Int(link.serial)] = position(named: name)
  }
}
