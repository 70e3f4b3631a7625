/// A path to a state: the number of the initial state, and then the index of each action.
///
/// Of two paths of the same length, an unsharded exploration first finds the one whose bytes come
/// first in lexicographic order. The reason is that it expands the states of a depth in the order
/// in which it found them, and their actions in their order. Each shard can therefore decide alone
/// which of two paths to a state counts.
package struct ActionSequence: Hashable, Sendable {
  /// The encoded numbers, in an encoding that keeps their order.
  ///
  /// A number below 255 is one byte. The byte 255 means that the next byte is added to it.
  package var bytes: ContiguousArray<UInt8>

  /// Creates the path with the given bytes.
  package init(_ bytes: some Sequence<UInt8> = []) {
    self.bytes = ContiguousArray(bytes)
  }

  package mutating func append(_ number: Int) {
    Self.append(number, to: &bytes)
  }

  static func append(_ number: Int, to bytes: inout ContiguousArray<UInt8>) {
    var rest = number
    while rest >= 255 {
      bytes.append(255)
      rest -= 255
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// The numbers of the path, without the last one if it is incomplete.
  package var numbers: [Int] {
    var numbers: [Int] = []
    var number = 0
    for byte in bytes {
      number += Int(byte)
      guard byte != 255 else { continue }
      numbers.append(number)
      number = 0
    }
    return numbers
  }
}

extension ActionSequence: Comparable {
  package static func < (one: ActionSequence, other: ActionSequence) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
