import DequeModule

/// Elements in the order of their arrival, of which there is almost always one at most.
///
/// The first lies in the queue itself, so that as long as it is the only one nothing else is looked
/// at, and nothing is allocated.
struct ShortQueue<Element> {
  /// Nil where the queue is empty.
  private var head: Element?
  private var rest = Deque<Element>()

  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if head == nil { head = consume element } else { rest.append(consume element) }
  }

  @inline(__always)
  mutating func popFirst() -> Element? {
    let first = head.take()
    if !rest.isEmpty { head = rest.removeFirst() }
    return first
  }

  /// Takes the first element where it is the only one; nil where there are others, or none.
  @inline(__always)
  mutating func popOnly() -> Element? {
    rest.isEmpty ? head.take() : nil
  }

  /// Forgets all elements; the room for further ones is kept.
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
