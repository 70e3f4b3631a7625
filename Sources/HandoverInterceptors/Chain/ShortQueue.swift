import DequeModule

/// A first-in, first-out queue that almost always has at most one element.
///
/// The first element is stored inline, so that a queue with one element allocates nothing.
struct ShortQueue<Element> {
  /// The first element, or `nil` if the queue is empty.
  private var head: Element?
  private var rest = Deque<Element>()

  mutating func append(_ element: consuming Element) {
    if head == nil { head = consume element } else { rest.append(consume element) }
  }

  mutating func popFirst() -> Element? {
    let first = head.take()
    if !rest.isEmpty { head = rest.removeFirst() }
    return first
  }

  /// Removes and returns the only element, or returns `nil` if there are several or none.
  mutating func popOnly() -> Element? {
    rest.isEmpty ? head.take() : nil
  }

  /// Removes all elements and keeps the capacity.
  mutating func removeAll() {
    head = nil
    rest.removeAll(keepingCapacity: true)
  }
}

extension ShortQueue: Equatable where Element: Equatable {}
extension ShortQueue: Hashable where Element: Hashable {}
extension ShortQueue: Sendable where Element: Sendable {}

extension ShortQueue: RandomAccessCollection, ExpressibleByArrayLiteral {
  init(arrayLiteral elements: Element...) {
    for element in elements { append(element) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { head == nil ? 0 : rest.count + 1 }

  subscript(position: Int) -> Element {
    guard position == 0, let head else { return rest[position - 1] }
    return head
  }
}
