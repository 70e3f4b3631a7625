/// A growing table of plain values that does not ask at every access whether it is shared.
///
/// An array asks, and where a step changes a row or two the asking costs more than the change. A
/// copy of this table shares its rows with the original until one of the two is told to
/// ``detach()``: whoever owns a table does that before the first write after it was copied.
///
/// One of the three places of the core with unsafe memory; ``EffectLog`` and ``ClientSurvey`` are
/// the others. What makes it sound: `memory` keeps `capacity` places from `base` on until the last
/// copy is gone, and the first `count` of them are initialised; rows are copied bit by bit, so
/// that there is nothing to destroy. Every index is below `count`: the links between rows are made
/// by the tables alone, and a place that comes from outside is compared with `count` first. Debug
/// builds, and with them all tests, check each index. Nobody writes to memory that two tables
/// share, so that a table may be sent anywhere.
@safe
@frozen
@usableFromInline
package struct Rows<Row: BitwiseCopyable & Hashable & Sendable>: @unchecked Sendable {
  /// What is freed when the last table that uses it is gone.
  @usableFromInline
  @safe
  final class Memory {
    let base: UnsafeMutablePointer<Row>

    @usableFromInline
    init(_ base: UnsafeMutablePointer<Row>) {
      unsafe self.base = unsafe base
    }

    deinit {
      unsafe base.deallocate()
    }
  }

  /// Nil, as `base` is, where there is no room yet.
  @usableFromInline var memory: Memory?
  @usableFromInline var base: UnsafeMutablePointer<Row>?
  @usableFromInline var capacity = 0
  @usableFromInline package var count = 0

  @inlinable
  package init(reserving capacity: Int = 0) {
    if capacity > 0 { move(toRoomFor: capacity) }
  }

  @inlinable
  package subscript(index: Int) -> Row {
    @inline(__always) get {
      assert(index >= 0 && index < count, "the table has no such row")
      return withExtendedLifetime(memory) { unsafe base.unsafelyUnwrapped[index] }
    }
    @inline(__always) _modify {
      assert(index >= 0 && index < count, "the table has no such row")
      yield unsafe &base.unsafelyUnwrapped[index]
    }
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ row: Row) {
    if count == capacity { grow() }
    unsafe (base.unsafelyUnwrapped + count).initialize(to: row)
    count &+= 1
  }

  /// Adds some rows of another table.
  ///
  /// - Precondition: nobody shares the rows of this one, and the others are there.
  @inlinable
  @inline(__always)
  package mutating func append(_ other: borrowing Rows, from start: Int, count some: Int) {
    precondition(start >= 0 && some >= 0 && start &+ some <= other.count, "they are there")
    if count &+ some > capacity { makeRoom(for: count &+ some) }
    if some == 0 { return }
    unsafe (base.unsafelyUnwrapped + count).initialize(
      from: other.base.unsafelyUnwrapped + start, count: some)
    count &+= some
  }

  @inlinable
  package mutating func removeLast() -> Row {
    precondition(count > 0, "there is a last row to remove")
    count &-= 1
    return unsafe base.unsafelyUnwrapped[count]
  }

  /// Lends the rows to a walk through many of them that adds none, so that where they are is not
  /// looked up again for each.
  @inline(__always)
  mutating func walk(_ body: (borrowing Walk) -> Void) {
    guard let base = unsafe base else { return }
    // The table is the caller's alone for as long as the walk lasts, and with it its memory.
    body(unsafe Walk(base: base, count: count))
  }

  /// The rows of a table that has them to itself; it never leaves the body that it is given to.
  @safe
  struct Walk: ~Copyable {
    private let base: UnsafeMutablePointer<Row>
    let count: Int

    @inline(__always)
    fileprivate init(base: UnsafeMutablePointer<Row>, count: Int) {
      unsafe self.base = unsafe base
      self.count = count
    }

    subscript(index: UInt32) -> Row {
      @inline(__always) get {
        assert(index < count, "the table has no such row")
        return unsafe base[Int(index)]
      }
      @inline(__always) nonmutating _modify {
        assert(index < count, "the table has no such row")
        yield unsafe &base[Int(index)]
      }
    }
  }

  /// Forgets all rows and keeps the room.
  @inlinable
  package mutating func removeAll() {
    count = 0
  }

  /// Forgets some of the last rows and keeps the room.
  package mutating func removeLast(_ some: Int) {
    precondition(some <= count, "there are so many rows to remove")
    count &-= some
  }

  /// Moves some rows to the front.
  ///
  /// - Precondition: nobody shares the rows, and there are as many at both places.
  package mutating func move(from start: Int, count some: Int, to place: Int) {
    precondition(
      place >= 0 && place <= start && some >= 0 && start + some <= count, "they are there")
    if place == start || some == 0 { return }
    unsafe (base.unsafelyUnwrapped + place).update(
      from: base.unsafelyUnwrapped + start, count: some)
  }

  /// Holds one row so many times, and nothing else.
  ///
  /// - Precondition: nobody shares the rows.
  @inlinable
  @inline(__always)
  package mutating func fill(with row: Row, count: Int) {
    if capacity < count { move(toRoomFor: count) }
    for index in 0..<count { unsafe (base.unsafelyUnwrapped + index).initialize(to: row) }
    self.count = count
  }

  /// Has the rows of another table, in its own room.
  ///
  /// - Precondition: nobody shares the rows of this one.
  @inlinable
  @inline(__always)
  package mutating func become(_ other: inout Rows) {
    if capacity < other.count { makeRoom(for: other.count) }
    count = other.count
    guard count > 0 else { return }
    // A few rows, which are copied faster one by one, and each as a whole, than by a call.
    var to = unsafe UnsafeMutableRawPointer(base.unsafelyUnwrapped)
    var from = unsafe UnsafeRawPointer(other.base.unsafelyUnwrapped)
    for _ in 0..<count {
      unsafe to.copyMemory(from: from, byteCount: MemoryLayout<Row>.stride)
      unsafe to += MemoryLayout<Row>.stride
      unsafe from += MemoryLayout<Row>.stride
    }
  }

  @inlinable
  @inline(never)
  mutating func makeRoom(for other: Int) {
    move(toRoomFor: Swift.max(4, other * 2))
  }

  /// Gives this table rows of its own, equal to those it shares.
  @inlinable
  package mutating func detach() {
    if capacity > 0 { move(toRoomFor: capacity) }
  }

  @inlinable
  @inline(never)
  mutating func grow() {
    move(toRoomFor: Swift.max(4, capacity * 2))
  }

  @inlinable
  @inline(never)
  mutating func move(toRoomFor capacity: Int) {
    let other = UnsafeMutablePointer<Row>.allocate(capacity: capacity)
    if let base = unsafe base { unsafe other.initialize(from: base, count: count) }
    self.capacity = capacity
    unsafe base = unsafe other
    unsafe memory = Memory(other)
  }
}

/// Whoever looks at a table sees its rows, and not where they are.
extension Rows: CustomReflectable {
  @usableFromInline package var customMirror: Mirror {
    Mirror(self, unlabeledChildren: (0..<count).map { self[$0] }, displayStyle: .collection)
  }
}

extension Rows: RandomAccessCollection, MutableCollection {
  @inlinable
  @inline(__always)
  package var startIndex: Int { 0 }
  @inlinable
  @inline(__always)
  package var endIndex: Int { count }
}

extension Rows: Hashable {
  @inlinable
  package static func == (left: Rows, right: Rows) -> Bool {
    left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] }
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for index in 0..<count { hasher.combine(self[index]) }
  }
}
