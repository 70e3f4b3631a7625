/// The number of an operation: a later one has a higher one, and none is given twice.
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

/// Operations in the order they came, from which any can be withdrawn.
///
/// A ring buffer. What is withdrawn leaves a gap, which goes when the head comes past it or when
/// there are more gaps than operations, so that no pattern of use makes the ring outgrow what waits
/// in it by more than a factor.
@usableFromInline
struct TicketQueue<Operation: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var ticket: Ticket
    /// Nil in a gap, and where no entry is.
    @usableFromInline var operation: Operation?

    @inlinable
    init(ticket: Ticket, operation: Operation?) {
      self.ticket = ticket
      self.operation = operation
    }
  }

  /// As many places as a power of two; none before the first operation.
  @usableFromInline var ring: [Entry] = []
  @usableFromInline var head = 0
  /// The entries from the head on, gaps included; the first is never a gap.
  @usableFromInline var length = 0

  /// How many operations wait.
  @usableFromInline var count = 0
  /// The ticket that the next operation gets.
  @usableFromInline var nextTicket = Ticket()

  /// How many operations and gaps there is room for.
  @inlinable
  var places: Int { ring.count }

  /// The ticket of the operation that has waited longest.
  @inlinable
  var first: Ticket? { count == 0 ? nil : ring[head].ticket }

  @inlinable
  init() {}

  /// Adds an operation behind all others.
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

  /// Takes out the operation that has waited longest.
  @inlinable
  mutating func popFirst() -> (ticket: Ticket, operation: Operation)? {
    guard count > 0, let operation = ring[head].operation.take() else { return nil }
    let ticket = ring[head].ticket
    count -= 1
    skipHead()
    skipGaps()
    return (ticket, operation)
  }

  /// Takes out the operation with a ticket, if it still waits.
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
    if length > 2 * count + 32 { rebuild(places: ring.count) }
    return operation
  }

  /// The operations that wait, in their order.
  var waiting: [(ticket: Ticket, operation: Operation)] {
    (0..<length).compactMap { offset in
      let entry = ring[index(offset)]
      return entry.operation.map { (entry.ticket, $0) }
    }
  }

  /// Takes out all operations, in their order.
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

  /// Lets the first entry be an operation again.
  @inlinable
  mutating func skipGaps() {
    while length > 0, ring[head].operation == nil { skipHead() }
  }

  @inlinable
  mutating func makeRoom() {
    rebuild(places: max(16, 2 * ring.count))
  }

  /// Moves what waits into a ring without gaps.
  @inlinable
  mutating func rebuild(places: Int) {
    var fresh: [Entry] = []
    fresh.reserveCapacity(places)
    for offset in 0..<length {
      let entry = ring[index(offset)]
      if entry.operation != nil { fresh.append(entry) }
    }
    length = fresh.count
    while fresh.count < places { fresh.append(Entry(ticket: Ticket(), operation: nil)) }
    ring = fresh
    head = 0
  }
}
