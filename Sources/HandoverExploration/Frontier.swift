/// Consecutive states of one depth: the unit of work, and the unit that is spilled to the store.
///
/// Each state is stored as the length of its form in two bytes, followed by the form.
final class FrontierSegment: @unchecked Sendable {
  // Sound to send: a segment no longer changes after the next segment was started.

  private(set) var bytes: FormBytes
  /// The position and size of its bytes in the store, or `nil` if they are in memory.
  private var kept: (position: Int, count: Int)?
  /// The number of its first state; the other states are numbered consecutively.
  let firstNumber: UInt32
  private(set) var count = 0

  init(firstNumber: UInt32, size: Int) {
    self.firstNumber = firstNumber
    bytes = FormBytes(reserving: size + 256)
  }

  /// Restores a segment from saved bytes; returns `nil` if the bytes are not a valid segment.
  init?(firstNumber: UInt32, count: Int, _ content: some Collection<UInt8>) {
    self.firstNumber = firstNumber
    self.count = count
    bytes = FormBytes(reserving: content.count)
    bytes.append(content)
    var (position, found) = (0, 0)
    while position + 2 <= bytes.count {
      position += 2 + Self.length(bytes, at: position)
      found += 1
    }
    guard position == bytes.count, found == count else { return nil }
  }

  func append(_ forms: borrowing FormBytes, from start: Int, count length: Int) {
    bytes.reserve(length + 2)
    bytes.write(UInt8(truncatingIfNeeded: length))
    bytes.write(UInt8(truncatingIfNeeded: length >> 8))
    bytes.append(forms, from: start, count: length)
    count += 1
  }

  /// Moves the bytes of the segment to a store.
  func keep(in store: any FrontierStore) throws(FrontierProblem) {
    kept = (try store.append(bytes.array()), bytes.count)
    bytes = FormBytes(reserving: 0)
  }

  /// Loads the bytes of the segment back into memory.
  func load(from store: (any FrontierStore)?) throws(FrontierProblem) {
    guard let (position, count) = kept, let store else { return }
    let content = try store.read(at: position, count: count)
    bytes = FormBytes(reserving: count)
    bytes.append(content)
    kept = nil
  }

  /// Returns the length of the form at a position, after its two length bytes.
  private static func length(_ bytes: borrowing FormBytes, at position: Int) -> Int {
    Int(bytes[position]) | Int(bytes[position + 1]) << 8
  }

  /// Iterates over the states of a segment.
  struct Cursor {
    private var position = 0
    private var passed = 0

    /// Returns the position, the length and the number of the next state.
    mutating func next(
      in segment: FrontierSegment
    ) -> (start: Int, length: Int, number: UInt32)? {
      guard passed < segment.count else { return nil }
      let length = FrontierSegment.length(segment.bytes, at: position)
      let number = segment.firstNumber + UInt32(truncatingIfNeeded: passed)
      defer {
        passed += 1
        position += 2 + length
      }
      return (position + 2, length, number)
    }
  }
}

/// The states of one depth, in the order in which they were found.
struct Frontier {
  private(set) var segments: ContiguousArray<FrontierSegment> = []
  /// The index of the first segment that was not taken.
  private(set) var next = 0
  /// The number of states, including those that were taken.
  private(set) var count = 0
  /// The size in bytes at which a segment is complete.
  var segmentSize = 8 << 10
  /// The part of the frontier that stays in memory, or `nil` if all of it does.
  var room: FrontierRoom?
  private(set) var store: (any FrontierStore)?
  /// The number of bytes of the frontier in memory.
  private var byteCount = 0

  var isEmpty: Bool { next == segments.count }

  /// Appends a state.
  ///
  /// - Returns: The problem if a segment cannot be moved to the store, or `nil`; the segment then
  ///   stays in memory.
  @discardableResult
  mutating func append(
    _ forms: borrowing FormBytes, from start: Int, count length: Int, numbered number: UInt32
  ) -> FrontierProblem? {
    var problem: FrontierProblem?
    if segments.last.map({ $0.bytes.count >= segmentSize }) ?? true {
      problem = keepLast()
      segments.append(FrontierSegment(firstNumber: number, size: segmentSize))
    }
    segments[segments.count - 1].append(forms, from: start, count: length)
    count += 1
    return problem
  }

  /// Moves the last segment to the store if memory has no room for it.
  private mutating func keepLast() -> FrontierProblem? {
    guard let room, let last = segments.last else { return nil }
    guard byteCount + last.bytes.count > room.limit else {
      byteCount += last.bytes.count
      return nil
    }
    do throws(FrontierProblem) {
      let position: any FrontierStore
      if let store { position = store } else { position = try room.makeStore() }
      store = position
      try last.keep(in: position)
      return nil
    } catch {
      return error
    }
  }

  /// Removes all states but keeps the store.
  mutating func removeAll() {
    segments.removeAll()
    (next, count, byteCount) = (0, 0, 0)
    store?.removeAll()
  }

  mutating func append(_ segment: FrontierSegment) {
    segments.append(segment)
    count += segment.count
  }

  /// Sets the total number of states, including those that were taken before a checkpoint.
  mutating func restoreCount(_ whole: Int) {
    count = whole
  }

  /// Returns the next segments, with their bytes in memory.
  ///
  /// - Parameter count: The maximum number of segments.
  /// - Returns: The segments, in order.
  /// - Throws: A ``FrontierProblem`` if a segment cannot be read back.
  func next(_ count: Int) throws(FrontierProblem) -> ArraySlice<FrontierSegment> {
    let end = min(segments.count, next + count)
    for position in next..<end { try segments[position].load(from: store) }
    return ArraySlice(segments[next..<end])
  }

  /// Skips segments, which are then no longer needed.
  mutating func pass(_ count: Int) {
    next += count
    if next >= 1_024 || next == segments.count {
      segments.removeFirst(next)
      next = 0
    }
  }
}
