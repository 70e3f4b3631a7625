/// The unique number of an operation, which is higher for later operations.
@usableFromInline
package struct Ticket: Hashable, Comparable, Sendable {
  @usableFromInline package internal(set) var number: UInt64 = 0

  @inlinable
  package init(number: UInt64 = 0) { self.number = number }

  /// The ticket after this one.
  @inlinable
  package var next: Ticket { Ticket(number: number + 1) }

  @inlinable
  package static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
}

/// A queue of operations from which any operation can be removed.
///
/// It is a ring buffer. A removed operation leaves a gap, which is dropped when the head passes it
/// or when there are more gaps than operations. Therefore the size of the ring is at most
/// proportional to the greatest number of operations that have waited together.
@usableFromInline
struct TicketQueue<Operation: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var ticket: Ticket
    /// The operation, or `nil` in a gap or an unused entry.
    @usableFromInline var operation: Operation?

    @inlinable
    init(ticket: Ticket, operation: Operation?) {
      self.ticket = ticket
      self.operation = operation
    }
  }

  /// The entries; their number is a power of two, or zero before the first operation.
  @usableFromInline var ring: [Entry] = []
  @usableFromInline var head = 0
  /// The number of entries from the head on, including gaps; the first entry is never a gap.
  @usableFromInline var length = 0

  /// The number of waiting operations.
  @usableFromInline var count = 0
  /// The ticket of the next operation.
  @usableFromInline var nextTicket = Ticket()

  /// The capacity for operations and gaps.
  @inlinable
  var capacity: Int { ring.count }

  /// The ticket of the operation that has waited longest, or `nil` if none waits.
  @inlinable
  var first: Ticket? { count == 0 ? nil : ring[head].ticket }

  @inlinable
  init() {}

  /// Appends an operation.
  @inlinable
  mutating func append(_ operation: Operation) -> Ticket {
    if length == ring.count { makeRoom() }
    let ticket = nextTicket
    nextTicket = ticket.next
    ring[index(length)] = Entry(ticket: ticket, operation: operation)
    length += 1
    count += 1
    return ticket
  }

  /// Removes and returns the operation that has waited longest, or returns `nil` if none waits.
  @inlinable
  mutating func popFirst() -> (ticket: Ticket, operation: Operation)? {
    guard count > 0, let operation = ring[head].operation.take() else { return nil }
    let ticket = ring[head].ticket
    count -= 1
    skipHead()
    skipGaps()
    return (ticket, operation)
  }

  /// Removes and returns the operation with a ticket, or returns `nil` if it no longer waits.
  @inlinable
  mutating func remove(_ ticket: Ticket) -> Operation? {
    var low = 0
    var high = length
    while low < high {
      let middle = (low + high) / 2
      if ring[index(middle)].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    guard low < length, ring[index(low)].ticket == ticket,
      let operation = ring[index(low)].operation.take()
    else { return nil }
    count -= 1
    skipGaps()
    if length > 2 * count + 32 { rebuild(positions: ring.count) }
    return operation
  }

  /// The waiting operations in order.
  var waiting: [(ticket: Ticket, operation: Operation)] {
    (0..<length).compactMap { offset in
      let entry = ring[index(offset)]
      return entry.operation.map { (entry.ticket, $0) }
    }
  }

  /// Removes and returns all operations in order.
  @inlinable
  mutating func removeAll() -> [Operation] {
    var all: [Operation] = []
    all.reserveCapacity(count)
    while let (_, operation) = popFirst() { all.append(operation) }
    return all
  }

  @inlinable
  func index(_ offset: Int) -> Int { (head + offset) & (ring.count - 1) }

  @inlinable
  mutating func skipHead() {
    head = index(1)
    length -= 1
  }

  /// Drops gaps at the head.
  @inlinable
  mutating func skipGaps() {
    while length > 0, ring[head].operation == nil { skipHead() }
  }

  @inlinable
  mutating func makeRoom() {
    rebuild(positions: max(16, 2 * ring.count))
  }

  /// Moves the waiting operations to a ring without gaps.
  @inlinable
  mutating func rebuild(positions: Int) {
    var fresh: [Entry] = []
    fresh.reserveCapacity(positions)
    for offset in 0..<length {
      let entry = ring[index(offset)]
      if entry.operation != nil { fresh.append(entry) }
    }
    length = fresh.count
    while fresh.count < positions { fresh.append(Entry(ticket: Ticket(), operation: nil)) }
    ring = fresh
    head = 0
  }
}
