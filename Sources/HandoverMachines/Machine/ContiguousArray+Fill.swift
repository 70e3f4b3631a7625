extension ContiguousArray {
  /// Takes everything out and keeps the room; what is empty already costs nothing.
  @inlinable
  @inline(__always)
  package mutating func empty() {
    if !isEmpty { removeAll(keepingCapacity: true) }
  }

  /// Holds one value so many times, and nothing else; where it held as many before, each is only
  /// overwritten.
  @inlinable
  @inline(__always)
  package mutating func fill(_ value: Element, count: Int) {
    guard count == self.count else {
      removeAll(keepingCapacity: true)
      append(contentsOf: repeatElement(value, count: count))
      return
    }
    for index in indices { self[index] = value }
  }
}
