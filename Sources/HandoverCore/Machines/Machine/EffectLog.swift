/// The effects of one or more steps, in the order in which they must be executed.
///
/// A driver reuses one log for all steps, so that a step allocates nothing. A log has one owner and
/// is never copied.
///
/// A log stores addresses instead of a count. Appending needs only one comparison and the stores,
/// which saves about five instructions.
///
/// The unsafe memory is sound for these reasons. Only the log owns the memory from `first` to
/// `limit`, all memory before `end` is initialized, and effects are bitwise copyable. Each index is
/// compared with `end` before it is used. The same is true for each position, which is a multiple
/// of the size of an effect.
@safe
@frozen
public struct EffectLog<Effect: BitwiseCopyable & Hashable & Sendable>: ~Copyable,
  @unchecked Sendable
{
  /// All three addresses are equal if no memory is allocated.
  @usableFromInline var first: UnsafeMutablePointer<Effect>
  @usableFromInline var end: UnsafeMutablePointer<Effect>
  @usableFromInline var limit: UnsafeMutablePointer<Effect>

  /// Creates an empty log.
  ///
  /// - Parameter capacity: How many effects to reserve memory for.
  @inlinable
  public init(reserving capacity: Int = 16) {
    // An address that is never read, so that `append` needs no check for `nil`.
    unsafe first =
      UnsafeMutablePointer(
        bitPattern: MemoryLayout<Effect>.alignment
      ).unsafelyUnwrapped
    unsafe end = unsafe first
    unsafe limit = unsafe first
    if capacity > 0 { grow(by: capacity) }
  }

  @inlinable
  deinit {
    if unsafe limit > first { unsafe first.deallocate() }
  }

  /// The number of effects in the log.
  @inlinable
  public var count: Int { unsafe end - first }

  /// Whether the log is empty.
  @inlinable
  public var isEmpty: Bool { unsafe first == end }

  /// Returns the effect at an index, counted from zero.
  @inlinable
  public subscript(index: Int) -> Effect {
    // The check compares addresses, because the count would need a division.
    precondition(unsafe index >= 0 && first + index < end, "index out of range")
    return unsafe first[index]
  }

  /// A position in a log, as the distance from its start in bytes.
  ///
  /// Loops over a part of a log use positions, because a count would need a division.
  @frozen
  @usableFromInline
  package struct Position: Equatable {
    @usableFromInline let bytes: Int

    @inlinable
    init(bytes: Int) {
      self.bytes = bytes
    }
  }

  /// The position of the next effect to append.
  @inlinable
  package var endPosition: Position {
    Position(bytes: unsafe UnsafeRawPointer(end) - UnsafeRawPointer(first))
  }

  /// Returns the position of an effect, which is given by its index from zero.
  @inlinable
  package func position(_ index: Int) -> Position {
    Position(bytes: index * MemoryLayout<Effect>.stride)
  }

  /// Returns the effect at a position, and advances the position.
  ///
  /// - Precondition: The log returned the position after it was last emptied, and it is not the
  ///   end.
  @inlinable
  package func next(_ position: inout Position) -> Effect {
    let effect = unsafe UnsafeRawPointer(first) + position.bytes
    precondition(
      unsafe position.bytes >= 0 && effect < UnsafeRawPointer(end), "index out of range")
    position = Position(bytes: position.bytes + MemoryLayout<Effect>.stride)
    return unsafe effect.assumingMemoryBound(to: Effect.self).pointee
  }

  /// Calls a function with each effect, in order.
  @inlinable
  public func forEach(_ body: (Effect) -> Void) {
    var position = unsafe first
    while unsafe position != end {
      unsafe body(position.pointee)
      unsafe position = unsafe position + 1
    }
  }

  /// Appends an effect.
  @inlinable
  public mutating func append(_ effect: Effect) {
    if unsafe end == limit { grow(by: 1) }
    unsafe end.initialize(to: effect)
    unsafe end = unsafe end + 1
  }

  /// Appends up to `more` effects without a capacity check per effect.
  ///
  /// That saves about seven instructions per effect.
  mutating func append(upTo more: Int, _ body: (inout Appending) -> Void) {
    // The check compares addresses, because the remaining room would need a division.
    if unsafe end + more > limit { grow(by: more) }
    var appending = unsafe Appending(end: end, limit: limit)
    body(&appending)
    unsafe end = unsafe appending.end
  }

  /// The end of a log with reserved room; it never escapes the closure that receives it.
  @safe
  struct Appending: ~Copyable {
    fileprivate var end: UnsafeMutablePointer<Effect>
    fileprivate let limit: UnsafeMutablePointer<Effect>

    fileprivate init(end: UnsafeMutablePointer<Effect>, limit: UnsafeMutablePointer<Effect>) {
      unsafe self.end = unsafe end
      unsafe self.limit = unsafe limit
    }

    /// Appends an effect.
    mutating func append(_ effect: Effect) {
      assert(unsafe end < limit, "more effects were appended than room was reserved for")
      unsafe end.initialize(to: effect)
      unsafe end = unsafe end + 1
    }
  }

  /// The number of further effects that fit without an allocation.
  @inlinable
  var room: Int { unsafe limit - end }

  /// Removes all effects and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    unsafe end = unsafe first
  }

  /// The effects as an array, for tests and for storage.
  public var elements: [Effect] { (0..<count).map { self[$0] } }

  @inlinable
  @inline(never)
  mutating func grow(by more: Int) {
    let count = count
    let capacity = max(4, count + more, 2 * (count + room))
    let larger = UnsafeMutablePointer<Effect>.allocate(capacity: capacity)
    unsafe larger.initialize(from: first, count: count)
    if unsafe limit > first { unsafe first.deallocate() }
    unsafe first = unsafe larger
    unsafe end = unsafe larger + count
    unsafe limit = unsafe larger + capacity
  }
}
