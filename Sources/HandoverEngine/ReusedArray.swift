/// An array that is emptied again and again: it only forgets how much of it is in use, and what
/// comes next overwrites what was there.
///
/// An array that keeps its capacity pays some eighty instructions to be emptied, which a run of a
/// hundred records that has a dozen tables notices.
@frozen
package struct ReusedArray<Element: BitwiseCopyable> {
  /// The first `count` are in use.
  @usableFromInline var storage: ContiguousArray<Element> = []
  @usableFromInline package internal(set) var count = 0

  /// Nothing is in use, and there is no room.
  @inlinable
  package init() {}

  /// Adds an element behind those in use.
  @inlinable
  @inline(__always)
  package mutating func append(_ element: Element) {
    if count < storage.count {
      storage[count] = element
    } else {
      storage.append(element)
    }
    count &+= 1
  }

  /// Forgets every element; the room is kept.
  @inlinable
  @inline(__always)
  package mutating func removeAll() {
    count = 0
  }
}

extension ReusedArray: Sendable where Element: Sendable {}

extension ReusedArray: RandomAccessCollection, MutableCollection {
  @inlinable
  @inline(__always)
  package var startIndex: Int { 0 }
  @inlinable
  @inline(__always)
  package var endIndex: Int { count }

  @inlinable
  package subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index < count, "the array has no such place")
      return storage[index]
    }
    @inline(__always) _modify {
      precondition(index < count, "the array has no such place")
      yield &storage[index]
    }
  }
}

extension ReusedArray: Equatable where Element: Equatable {
  @inlinable
  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ReusedArray: Hashable where Element: Hashable {
  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}
