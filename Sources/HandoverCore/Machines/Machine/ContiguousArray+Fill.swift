extension ContiguousArray {
  /// Removes all elements and keeps the memory; free of cost if the array is empty.
  @inlinable
  package mutating func empty() {
    if !isEmpty { removeAll(keepingCapacity: true) }
  }

  /// Replaces the content by `count` copies of a value.
  ///
  /// If the array already has `count` elements, they are overwritten in place.
  @inlinable
  package mutating func fill(_ value: Element, count: Int) {
    guard count == self.count else {
      removeAll(keepingCapacity: true)
      append(contentsOf: repeatElement(value, count: count))
      return
    }
    for index in indices { self[index] = value }
  }
}
