/// States of one depth, behind each other: the unit of work, and of what is kept elsewhere.
///
/// Each state is the length of its form in two bytes, and the form.
final class FrontierSegment: @unchecked Sendable {
  // Sound to send: nobody changes a segment once another one was begun.

  private(set) var bytes: FormBytes
  /// Where its bytes stand in a store, and how many there are; nil where they are in memory.
  private var kept: (place: Int, count: Int)?
  /// The number of its first state; the others follow.
  let firstNumber: UInt32
  private(set) var count = 0

  init(firstNumber: UInt32, size: Int) {
    self.firstNumber = firstNumber
    bytes = FormBytes(reserving: size + 256)
  }

  /// Takes up what was written down; nil where it is no such thing.
  init?(firstNumber: UInt32, count: Int, _ content: some Collection<UInt8>) {
    self.firstNumber = firstNumber
    self.count = count
    bytes = FormBytes(reserving: content.count)
    bytes.append(content)
    var (place, found) = (0, 0)
    while place + 2 <= bytes.count {
      place += 2 + Self.length(bytes, at: place)
      found += 1
    }
    guard place == bytes.count, found == count else { return nil }
  }

  func append(_ forms: borrowing FormBytes, from start: Int, count length: Int) {
    bytes.reserve(length + 2)
    bytes.write(UInt8(truncatingIfNeeded: length))
    bytes.write(UInt8(truncatingIfNeeded: length >> 8))
    bytes.append(forms, from: start, count: length)
    count += 1
  }

  /// Gives its bytes to a store.
  func keep(in store: any FrontierStore) throws(FrontierProblem) {
    kept = (try store.append(bytes.array()), bytes.count)
    bytes = FormBytes(reserving: 0)
  }

  /// Has its bytes in memory again.
  func load(from store: (any FrontierStore)?) throws(FrontierProblem) {
    guard let (place, count) = kept, let store else { return }
    let content = try store.read(at: place, count: count)
    bytes = FormBytes(reserving: count)
    bytes.append(content)
    kept = nil
  }

  /// The length of the form that stands at a place, behind its two bytes.
  @inline(__always)
  private static func length(_ bytes: borrowing FormBytes, at place: Int) -> Int {
    Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  /// Goes from state to state.
  struct Cursor {
    private var place = 0
    private var passed = 0

    /// The next state: where its form stands, how long it is, and its number.
    @inline(__always)
    mutating func next(
      in segment: FrontierSegment
    ) -> (start: Int, length: Int, number: UInt32)? {
      guard passed < segment.count else { return nil }
      let length = FrontierSegment.length(segment.bytes, at: place)
      let number = segment.firstNumber + UInt32(truncatingIfNeeded: passed)
      defer {
        passed += 1
        place += 2 + length
      }
      return (place + 2, length, number)
    }
  }
}

/// The states of one depth, in the order in which they were found.
struct Frontier {
  private(set) var segments: ContiguousArray<FrontierSegment> = []
  /// The first segment that was not taken.
  private(set) var next = 0
  /// How many states there are or were.
  private(set) var count = 0
  /// How many bytes a segment has when another one is begun.
  var segmentSize = 8 << 10
  /// How much of it stays in memory, and where the rest is; nil where all of it does.
  var room: FrontierRoom?
  private(set) var store: (any FrontierStore)?
  /// How many of its bytes are in memory.
  private var byteCount = 0

  var isEmpty: Bool { next == segments.count }

  /// - Returns: why a segment cannot be kept in the store; then it stays in memory.
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

  /// Gives the last segment to the store, where memory has no room for it.
  private mutating func keepLast() -> FrontierProblem? {
    guard let room, let last = segments.last else { return nil }
    guard byteCount + last.bytes.count > room.limit else {
      byteCount += last.bytes.count
      return nil
    }
    do throws(FrontierProblem) {
      let place: any FrontierStore
      if let store { place = store } else { place = try room.makeStore() }
      store = place
      try last.keep(in: place)
      return nil
    } catch {
      return error
    }
  }

  /// Forgets all states, and keeps the store.
  mutating func removeAll() {
    segments.removeAll()
    (next, count, byteCount) = (0, 0, 0)
    store?.removeAll()
  }

  mutating func append(_ segment: FrontierSegment) {
    segments.append(segment)
    count += segment.count
  }

  /// Says how many states there were before some were taken.
  mutating func restoreCount(_ whole: Int) {
    count = whole
  }

  /// Shows the next segments, with their bytes in memory.
  ///
  /// - Parameter count: how many at the most.
  /// - Returns: them, in their order.
  /// - Throws: why one cannot be had back.
  func next(_ count: Int) throws(FrontierProblem) -> ArraySlice<FrontierSegment> {
    let end = min(segments.count, next + count)
    for place in next..<end { try segments[place].load(from: store) }
    return ArraySlice(segments[next..<end])
  }

  /// Passes over segments, which need not be kept any more.
  mutating func pass(_ count: Int) {
    next += count
    if next >= 1_024 || next == segments.count {
      segments.removeFirst(next)
      next = 0
    }
  }
}
