/// How a state was reached: the number of the first state, then the number of each act among those
/// of its state.
///
/// Of two ways of one length the one that an exploration in one piece finds first is the smaller
/// one, byte for byte: it looks at the states of a depth in the order in which it found them, and
/// at the acts of each in theirs. So every part knows by itself which of two ways to a state
/// counts.
package struct Way: Hashable, Sendable {
  /// Each number as a byte; 255 stands for itself and is added to the next byte, so that the order
  /// of bytes is that of numbers.
  package var bytes: ContiguousArray<UInt8>

  /// The way that has these bytes.
  package init(_ bytes: some Sequence<UInt8> = []) {
    self.bytes = ContiguousArray(bytes)
  }

  /// Goes on by a number.
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

  /// The numbers; without the last one where it is cut off.
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

extension Way: Comparable {
  package static func < (one: Way, other: Way) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
