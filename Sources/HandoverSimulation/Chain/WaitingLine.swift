/// A first-in, first-out queue whose `popFirst` moves no other elements.
struct WaitingLine<Element> {
  private var elements: [Element] = []
  /// The number of elements that were taken.
  private var taken = 0

  var isEmpty: Bool { taken == elements.count }

  /// The elements that are still waiting.
  var waiting: ArraySlice<Element> { elements[taken...] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[taken]
    taken += 1
    // The memory of taken elements is released when they make up half of the array.
    if taken * 2 >= elements.count {
      elements.removeFirst(taken)
      taken = 0
    }
    return first
  }
}

extension WaitingLine: Sendable where Element: Sendable {}
