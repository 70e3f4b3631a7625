/// A growable table of plain values without a check for sharing at each access.
///
/// An array has this check. In a step that changes only one or two rows, the check costs more than
/// the change. A copy of this table shares its rows with the original until ``detach()`` is called
/// on one of them. The owner of a table does that before the first write after a copy.
///
/// This type is one of three in the core with unsafe memory; ``EffectLog`` and ``Fixed`` are
/// the others. The memory is sound for these reasons. `memory` keeps `capacity` rows from `base` on
/// alive until the last copy is gone, and the first `count` of them are initialized. Rows are
/// bitwise copyable, so nothing must be deinitialized. Every index is below `count`: only the
/// tables create the links between rows, and an index from outside is compared with `count` first.
/// Debug builds, and therefore all tests, check each index. No code writes to memory that two
/// tables share, so a table may be sent to any thread.
@safe
@frozen
@usableFromInline
package struct Rows<Row: BitwiseCopyable & Hashable & Sendable>: @unchecked Sendable {
  /// The memory, which is freed when the last table that uses it is gone.
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

  /// The memory and its address; both are `nil` until memory is allocated.
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
    get {
      assert(index >= 0 && index < count, "index out of range")
      return withExtendedLifetime(memory) { unsafe base.unsafelyUnwrapped[index] }
    }
    _modify {
      assert(index >= 0 && index < count, "index out of range")
      yield unsafe &base.unsafelyUnwrapped[index]
    }
  }

  @inlinable
  package mutating func append(_ row: Row) {
    if count == capacity { grow() }
    unsafe (base.unsafelyUnwrapped + count).initialize(to: row)
    count &+= 1
  }

  /// Appends some rows of another table.
  ///
  /// - Precondition: The rows of this table are not shared, and the other table has the range.
  @inlinable
  package mutating func append(_ other: borrowing Rows, from start: Int, count some: Int) {
    precondition(start >= 0 && some >= 0 && start &+ some <= other.count, "range out of bounds")
    if count &+ some > capacity { makeRoom(for: count &+ some) }
    if some == 0 { return }
    unsafe (base.unsafelyUnwrapped + count).initialize(
      from: other.base.unsafelyUnwrapped + start, count: some)
    count &+= some
  }

  @inlinable
  package mutating func removeLast() -> Row {
    precondition(count > 0, "cannot remove the last row of an empty table")
    count &-= 1
    return unsafe base.unsafelyUnwrapped[count]
  }

  /// Passes the rows to a closure that accesses many of them and adds none.
  ///
  /// The address of the rows is then not reloaded at each access.
  mutating func walk(_ body: (borrowing Walk) -> Void) {
    guard let base = unsafe base else { return }
    // The caller has exclusive access to the table, and therefore to its memory, during `body`.
    body(unsafe Walk(base: base, count: count))
  }

  /// The rows of a table with exclusive access; it never escapes the closure that receives it.
  @safe
  struct Walk: ~Copyable {
    private let base: UnsafeMutablePointer<Row>
    let count: Int

    fileprivate init(base: UnsafeMutablePointer<Row>, count: Int) {
      unsafe self.base = unsafe base
      self.count = count
    }

    subscript(index: UInt32) -> Row {
      get {
        assert(index < count, "index out of range")
        return unsafe base[Int(index)]
      }
      nonmutating _modify {
        assert(index < count, "index out of range")
        yield unsafe &base[Int(index)]
      }
    }
  }

  /// Removes all rows and keeps the memory.
  @inlinable
  package mutating func removeAll() {
    count = 0
  }

  /// Removes the last rows and keeps the memory.
  package mutating func removeLast(_ some: Int) {
    precondition(some <= count, "cannot remove more rows than the table has")
    count &-= some
  }

  /// Moves some rows towards the start.
  ///
  /// - Precondition: The rows are not shared, and both ranges are within the table.
  package mutating func move(from start: Int, count some: Int, to position: Int) {
    precondition(
      position >= 0 && position <= start && some >= 0 && start + some <= count,
      "range out of bounds")
    if position == start || some == 0 { return }
    unsafe (base.unsafelyUnwrapped + position).update(
      from: base.unsafelyUnwrapped + start, count: some)
  }

  /// Replaces the content by `count` copies of a row.
  ///
  /// - Precondition: The rows are not shared.
  @inlinable
  package mutating func fill(with row: Row, count: Int) {
    if capacity < count { move(toRoomFor: count) }
    for index in 0..<count { unsafe (base.unsafelyUnwrapped + index).initialize(to: row) }
    self.count = count
  }

  /// Makes the table equal to another one, and reuses its memory.
  ///
  /// - Precondition: The rows of this table are not shared.
  @inline(__always)
  @inlinable
  package mutating func assign(from other: inout Rows) {
    if capacity < other.count { makeRoom(for: other.count) }
    count = other.count
    guard count > 0 else { return }
    // For a few rows, copies of one row at a time are faster than a call of `memcpy`.
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

  /// Makes a private copy of the rows that the table shares.
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

/// Shows the rows of a table in reflection, instead of its memory.
extension Rows: CustomReflectable {
  @usableFromInline package var customMirror: Mirror {
    Mirror(self, unlabeledChildren: (0..<count).map { self[$0] }, displayStyle: .collection)
  }
}

extension Rows: RandomAccessCollection, MutableCollection {
  @inlinable
  package var startIndex: Int { 0 }
  @inlinable
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
