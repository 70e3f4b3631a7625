/// Elements in the order of their arrival; taking the first moves none of the others.
struct WaitingLine<Element> {
  private var elements: [Element] = []
  /// How many of them were taken.
  private var taken = 0

  var isEmpty: Bool { taken == elements.count }

  /// Those that wait.
  var waiting: ArraySlice<Element> { elements[taken...] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[taken]
    taken += 1
    // The room of those that were taken is given back when it is half of all.
    if taken * 2 >= elements.count {
      elements.removeFirst(taken)
      taken = 0
    }
    return first
  }
}

extension WaitingLine: Sendable where Element: Sendable {}
