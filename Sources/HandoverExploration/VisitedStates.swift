import HandoverMachines
import Synchronization

/// The digests of all states seen, of 128 bits each, and nothing else of them.
///
/// Two states with one digest would be taken for one. With n states the chance of it is about n²
/// in 2^129: for a thousand million states one in 10^20.
///
/// They stand in ``partCount`` tables by their highest bits. Each table grows alone, so that not
/// all of them are there twice. One at a time adds; others may meanwhile ask whether a state is
/// there (``contains(_:)``), and see what was there when they were let in (``letIn()``), and of
/// what was added since some or all.
///
/// What makes the unsafe memory sound: the tables are owned by the one object, places are taken
/// within them, each half of a slot is read and written at once, and a table that has grown stays
/// until nobody looks at it any more (``letOut()``).
@safe
final class VisitedStates: @unchecked Sendable {
  static let partCount = 64

  /// Two words for each slot, the high half and the low one; a slot whose high half is zero is
  /// free, and the low half is there before the high one is.
  @safe
  private struct Table: BitwiseCopyable {
    var words: UnsafeMutablePointer<Atomic<UInt64>>
    var capacity: Int
    var count = 0
    /// It grows with one more.
    var limit: Int

    init(capacity: Int) {
      self.capacity = capacity
      limit = capacity / 4 * 3
      let raw = UnsafeMutableRawPointer.allocate(
        byteCount: capacity * 16, alignment: MemoryLayout<UInt64>.alignment)
      unsafe raw.initializeMemory(as: UInt64.self, repeating: 0, count: 2 * capacity)
      // An atomic number is its number.
      unsafe words = raw.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// The first slot that is looked at for a digest.
    @inline(__always)
    func home(_ low: UInt64) -> Int {
      Int(
        truncatingIfNeeded: low.multipliedFullWidth(by: UInt64(bitPattern: Int64(capacity))).high)
    }

    /// Where a digest stands, or the free slot where it would.
    @inline(__always)
    func slot(_ high: UInt64, _ low: UInt64) -> (place: Int, isThere: Bool) {
      var place = home(low)
      while true {
        let other = unsafe words[2 &* place].load(ordering: .acquiring)
        if other == 0 { return (place, false) }
        if other == high, unsafe words[2 &* place &+ 1].load(ordering: .relaxed) == low {
          return (place, true)
        }
        place &+= 1
        if place == capacity { place = 0 }
      }
    }

    @inline(__always)
    func fill(_ place: Int, _ high: UInt64, _ low: UInt64) {
      unsafe words[2 &* place &+ 1].store(low, ordering: .relaxed)
      unsafe words[2 &* place].store(high, ordering: .releasing)
    }

    func free() { unsafe UnsafeMutableRawPointer(words).deallocate() }
  }

  private let parts: UnsafeMutablePointer<Table>
  /// What those see who ask; the same tables, unless one has grown since they were let in.
  private let shown: UnsafeMutablePointer<Table>
  /// Whether others may ask just now.
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
    letOut()
    for part in 0..<Self.partCount { unsafe parts[part].free() }
    unsafe parts.deallocate()
    unsafe shown.deallocate()
  }

  /// How many states there are.
  var count: Int {
    var count = 0
    for part in 0..<Self.partCount { unsafe count += parts[part].count }
    return count
  }

  /// How many bytes the tables take.
  var byteCount: Int {
    var count = 0
    for part in 0..<Self.partCount { unsafe count += parts[part].capacity * 16 }
    return count
  }

  @inline(__always)
  private static func part(of digest: StateDigest) -> Int {
    Int(truncatingIfNeeded: digest.high >> 58)
  }

  // MARK: Asking

  /// Reads where a digest would stand, so that it is near when it is asked for.
  ///
  /// - Returns: what stands there, which says nothing.
  @inline(__always)
  func touch(_ digest: StateDigest) -> UInt64 {
    let table = unsafe shown + Self.part(of: digest)
    let place = unsafe table.pointee.home(digest.low)
    return unsafe table.pointee.words[2 &* place].load(ordering: .relaxed)
  }

  /// Whether a state is there.
  ///
  /// Threads may ask while one of them adds; one that was added since they were let in may not be
  /// there for them.
  @inline(__always)
  func contains(_ digest: StateDigest) -> Bool {
    unsafe (shown + Self.part(of: digest)).pointee.slot(digest.high | 1, digest.low).isThere
  }

  // MARK: Adding

  /// Adds a state.
  ///
  /// - Returns: whether it was not there.
  @inline(__always)
  @discardableResult
  func insert(_ digest: StateDigest) -> Bool {
    let part = unsafe parts + Self.part(of: digest)
    let (high, low) = (digest.high | 1, digest.low)
    let (place, isThere) = unsafe part.pointee.slot(high, low)
    if isThere { return false }
    unsafe part.pointee.fill(place, high, low)
    unsafe part.pointee.count &+= 1
    if unsafe part.pointee.count > part.pointee.limit { outgrow(Self.part(of: digest)) }
    return true
  }

  /// Makes room for more states in some of the tables; threads may do that for different ones.
  ///
  /// - Parameters:
  ///   - more: how many in each.
  ///   - worker: who does it, for every n-th table.
  ///   - workers: how many do.
  func makeRoom(for more: Int, worker: Int, of workers: Int) {
    for part in stride(from: worker, to: Self.partCount, by: workers)
    where unsafe parts[part].count + more > parts[part].limit {
      grow(part).free()
    }
  }

  /// Whether a table has no room for so many more states.
  func needsRoom(for more: Int) -> Bool {
    (0..<Self.partCount).contains { unsafe parts[$0].count + more > parts[$0].limit }
  }

  /// Lets others ask, until they are let out.
  func letIn() { isShared = true }

  /// Nobody asks any more; who does later sees everything.
  func letOut() {
    isShared = false
    for table in retired { table.free() }
    retired.removeAll(keepingCapacity: true)
    unsafe shown.update(from: parts, count: Self.partCount)
  }

  /// Shows the halves of each digest.
  func forEach(_ body: (_ high: UInt64, _ low: UInt64) -> Void) {
    for part in 0..<Self.partCount {
      let table = unsafe parts[part]
      for place in 0..<table.capacity {
        let high = unsafe table.words[2 * place].load(ordering: .relaxed)
        if high != 0 { body(high, unsafe table.words[2 * place + 1].load(ordering: .relaxed)) }
      }
    }
  }

  @inline(never)
  private func outgrow(_ part: Int) {
    guard isShared else {
      grow(part).free()
      return
    }
    // Those who ask look at the old one; it has places enough for a while.
    let table = unsafe parts[part]
    guard table.count > table.capacity / 8 * 7 else { return }
    retired.append(grow(part))
  }

  /// Makes a table larger.
  ///
  /// - Returns: the one that it was.
  private func grow(_ part: Int) -> Table {
    let old = unsafe parts[part]
    // Half as much again: a table is between half and three quarters full.
    var larger = Table(capacity: old.capacity / 2 * 3)
    larger.count = old.count
    for place in 0..<old.capacity {
      let high = unsafe old.words[2 * place].load(ordering: .relaxed)
      guard high != 0 else { continue }
      let low = unsafe old.words[2 * place + 1].load(ordering: .relaxed)
      larger.fill(larger.slot(high, low).place, high, low)
    }
    unsafe parts[part] = larger
    if !isShared { unsafe shown[part] = larger }
    return old
  }
}
