import HandoverCore
import Synchronization

/// The 128-bit digests of all visited states.
///
/// Two states with the same digest would be mistaken for one. With n states, the probability is
/// about n² / 2^129: for a billion states, one in 10^20.
///
/// The digests are in ``partCount`` tables, selected by their highest bits. Each table grows
/// separately, so that growth needs memory for only one more table. One thread at a time adds
/// states. Between ``beginSharing()`` and ``endSharing()``, other threads may call
/// ``contains(_:)``. They see all states that were added before ``beginSharing()`` and an arbitrary
/// part of those added since.
///
/// The unsafe memory is sound for these reasons. This object owns the tables, and all positions are
/// within them. Each half of a slot is read and written atomically. A table that was replaced stays
/// allocated until no thread reads it (``endSharing()``).
@safe
final class VisitedStates: @unchecked Sendable {
  static let partCount = 64

  /// A hash table with two words per slot, the high half and the low half of a digest.
  ///
  /// A slot is free if its high half is zero. The low half is written before the high half.
  @safe
  private struct Table: BitwiseCopyable {
    var words: UnsafeMutablePointer<Atomic<UInt64>>
    var capacity: Int
    var count = 0
    /// The number of states above which the table grows.
    var limit: Int

    init(capacity: Int) {
      self.capacity = capacity
      limit = capacity / 4 * 3
      let raw = UnsafeMutableRawPointer.allocate(
        byteCount: capacity * 16, alignment: MemoryLayout<UInt64>.alignment)
      unsafe raw.initializeMemory(as: UInt64.self, repeating: 0, count: 2 * capacity)
      // An atomic number has the same layout as the number.
      unsafe words = raw.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Returns the first slot to probe for a digest.
    func home(_ low: UInt64) -> Int {
      Int(
        truncatingIfNeeded: low.multipliedFullWidth(by: UInt64(bitPattern: Int64(capacity))).high)
    }

    /// Returns the slot of a digest, or the free slot at which it would be added.
    func slot(_ high: UInt64, _ low: UInt64) -> (position: Int, isPresent: Bool) {
      var position = home(low)
      while true {
        let other = unsafe words[2 &* position].load(ordering: .acquiring)
        if other == 0 { return (position, false) }
        if other == high, unsafe words[2 &* position &+ 1].load(ordering: .relaxed) == low {
          return (position, true)
        }
        position &+= 1
        if position == capacity { position = 0 }
      }
    }

    func fill(_ position: Int, _ high: UInt64, _ low: UInt64) {
      unsafe words[2 &* position &+ 1].store(low, ordering: .relaxed)
      unsafe words[2 &* position].store(high, ordering: .releasing)
    }

    func free() { unsafe UnsafeMutableRawPointer(words).deallocate() }
  }

  private let parts: UnsafeMutablePointer<Table>
  /// The tables that readers see; they differ from `parts` if a table has grown since
  /// ``beginSharing()``.
  private let shown: UnsafeMutablePointer<Table>
  /// Whether other threads may read.
  private var isShared = false
  private var retired: ContiguousArray<Table> = []

  init() {
    unsafe parts = .allocate(capacity: Self.partCount)
    unsafe shown = .allocate(capacity: Self.partCount)
    for part in 0..<Self.partCount {
      unsafe (parts + part).initialize(to: Table(capacity: 64))
    }
    unsafe shown.initialize(from: parts, count: Self.partCount)
  }

  deinit {
    endSharing()
    for part in 0..<Self.partCount { unsafe parts[part].free() }
    unsafe parts.deallocate()
    unsafe shown.deallocate()
  }

  /// The number of states.
  var count: Int {
    var count = 0
    for part in 0..<Self.partCount { unsafe count += parts[part].count }
    return count
  }

  private static func part(of digest: StateDigest) -> Int {
    Int(truncatingIfNeeded: digest.high >> 58)
  }

  // MARK: Lookup

  /// Prefetches the first slot of a digest.
  ///
  /// - Returns: The content of the slot, which has no meaning for the caller.
  func touch(_ digest: StateDigest) -> UInt64 {
    let table = unsafe shown + Self.part(of: digest)
    let position = unsafe table.pointee.home(digest.low)
    return unsafe table.pointee.words[2 &* position].load(ordering: .relaxed)
  }

  /// Whether a state was added.
  ///
  /// Several threads may call this function while one thread adds states. They may miss states that
  /// were added since ``beginSharing()``.
  func contains(_ digest: StateDigest) -> Bool {
    unsafe (shown + Self.part(of: digest)).pointee.slot(digest.high | 1, digest.low).isPresent
  }

  // MARK: Adding

  /// Adds a state.
  ///
  /// - Returns: Whether the state is new.
  @discardableResult
  func insert(_ digest: StateDigest) -> Bool {
    let part = unsafe parts + Self.part(of: digest)
    let (high, low) = (digest.high | 1, digest.low)
    let (position, isPresent) = unsafe part.pointee.slot(high, low)
    if isPresent { return false }
    unsafe part.pointee.fill(position, high, low)
    unsafe part.pointee.count &+= 1
    if unsafe part.pointee.count > part.pointee.limit { outgrow(Self.part(of: digest)) }
    return true
  }

  /// Grows some of the tables; several threads may do so concurrently for different tables.
  ///
  /// - Parameters:
  ///   - more: How many additional states each table must have room for.
  ///   - worker: The index of the worker, which handles every n-th table.
  ///   - workers: The number of workers, n.
  func makeRoom(for more: Int, worker: Int, of workers: Int) {
    for part in stride(from: worker, to: Self.partCount, by: workers)
    where unsafe parts[part].count + more > parts[part].limit {
      grow(part).free()
    }
  }

  /// Whether a table lacks room for `more` additional states.
  func needsRoom(for more: Int) -> Bool {
    (0..<Self.partCount).contains { unsafe parts[$0].count + more > parts[$0].limit }
  }

  /// Allows other threads to read until the next ``endSharing()``.
  func beginSharing() { isShared = true }

  /// Ends the access of other threads; those that read later see every state.
  func endSharing() {
    isShared = false
    for table in retired { table.free() }
    retired.removeAll(keepingCapacity: true)
    unsafe shown.update(from: parts, count: Self.partCount)
  }

  /// Calls a function with the halves of each digest.
  func forEach(_ body: (_ high: UInt64, _ low: UInt64) -> Void) {
    for part in 0..<Self.partCount {
      let table = unsafe parts[part]
      for position in 0..<table.capacity {
        let high = unsafe table.words[2 * position].load(ordering: .relaxed)
        if high != 0 { body(high, unsafe table.words[2 * position + 1].load(ordering: .relaxed)) }
      }
    }
  }

  @inline(never)
  private func outgrow(_ part: Int) {
    guard isShared else {
      grow(part).free()
      return
    }
    // Readers use the old table. The growth is deferred because that table has room for a while.
    let table = unsafe parts[part]
    guard table.count > table.capacity / 8 * 7 else { return }
    retired.append(grow(part))
  }

  /// Enlarges a table.
  ///
  /// - Returns: The old table.
  private func grow(_ part: Int) -> Table {
    let old = unsafe parts[part]
    // The factor of 1.5 keeps a table between half and three quarters full.
    var larger = Table(capacity: old.capacity / 2 * 3)
    larger.count = old.count
    for position in 0..<old.capacity {
      let high = unsafe old.words[2 * position].load(ordering: .relaxed)
      guard high != 0 else { continue }
      let low = unsafe old.words[2 * position + 1].load(ordering: .relaxed)
      larger.fill(larger.slot(high, low).position, high, low)
    }
    unsafe parts[part] = larger
    if !isShared { unsafe shown[part] = larger }
    return old
  }
}
