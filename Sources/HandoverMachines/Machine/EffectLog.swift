/// The orders of one or more steps, in the order they must be carried out.
///
/// One log is kept and emptied for each step, so that a step costs no allocation. It has one owner
/// and is never copied.
///
/// A log holds addresses and not a count: to append is one comparison and the stores, some five
/// instructions less than where the place has to be calculated. What makes it sound: the log alone
/// owns the memory from `first` to `limit`, all of it before `end` is initialised, effects are
/// copied bit by bit, and no index reaches memory before it was compared with `end`; nor does a
/// position, which is a multiple of the size of an effect.
@safe
@frozen
public struct EffectLog<Effect: BitwiseCopyable & Hashable & Sendable>: ~Copyable,
  @unchecked Sendable
{
  /// All three are the same where there is no room yet.
  @usableFromInline var first: UnsafeMutablePointer<Effect>
  @usableFromInline var end: UnsafeMutablePointer<Effect>
  @usableFromInline var limit: UnsafeMutablePointer<Effect>

  /// Makes an empty log.
  ///
  /// - Parameter capacity: how many effects to reserve room for.
  @inlinable
  public init(reserving capacity: Int = 16) {
    // An address that is never read, so that nobody asks at each effect whether there is one.
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

  /// How many effects the log holds.
  @inlinable
  public var count: Int { unsafe end - first }

  /// Whether the log holds nothing.
  @inlinable
  public var isEmpty: Bool { unsafe first == end }

  /// The effect at a place, counted from zero.
  @inlinable
  public subscript(index: Int) -> Effect {
    // Addresses are compared: to count is to divide.
    precondition(unsafe index >= 0 && first + index < end, "the log has no such place")
    return unsafe first[index]
  }

  /// A place in a log as its distance from the beginning: whoever walks through a part of a log
  /// counts no places, because to count is to divide.
  @frozen
  @usableFromInline
  package struct Position: Equatable {
    @usableFromInline let bytes: Int

    @inlinable
    @inline(__always)
    init(bytes: Int) {
      self.bytes = bytes
    }
  }

  /// Where the next effect will stand.
  @inlinable
  @inline(__always)
  package var endPosition: Position {
    Position(bytes: unsafe UnsafeRawPointer(end) - UnsafeRawPointer(first))
  }

  /// Whether it holds fewer effects than so many.
  @inlinable
  @inline(__always)
  package func holdsFewer(than count: Int) -> Bool {
    endPosition.bytes < count * MemoryLayout<Effect>.stride
  }

  /// The place of an effect, counted from zero.
  @inlinable
  @inline(__always)
  package func position(_ index: Int) -> Position {
    Position(bytes: index * MemoryLayout<Effect>.stride)
  }

  /// Takes the effect at a place, and goes on to the next one.
  ///
  /// - Precondition: the place is one that the log gave since it was emptied, and not its end.
  @inlinable
  @inline(__always)
  package func next(_ position: inout Position) -> Effect {
    let effect = unsafe UnsafeRawPointer(first) + position.bytes
    precondition(
      unsafe position.bytes >= 0 && effect < UnsafeRawPointer(end), "the log has no such place")
    position = Position(bytes: position.bytes + MemoryLayout<Effect>.stride)
    return unsafe effect.assumingMemoryBound(to: Effect.self).pointee
  }

  /// Shows all effects, in their order.
  @inlinable
  @inline(__always)
  public func forEach(_ body: (Effect) -> Void) {
    var place = unsafe first
    while unsafe place != end {
      unsafe body(place.pointee)
      unsafe place = unsafe place + 1
    }
  }

  /// Adds all effects to an array, in their order.
  @inlinable
  package func append(to array: inout ContiguousArray<Effect>) {
    unsafe array.append(contentsOf: UnsafeBufferPointer(start: first, count: count))
  }

  /// Adds an effect behind those already there.
  @inlinable
  @inline(__always)
  public mutating func append(_ effect: Effect) {
    if unsafe end == limit { grow(by: 1) }
    unsafe end.initialize(to: effect)
    unsafe end = unsafe end + 1
  }

  /// Adds up to so many effects, with nothing compared and nothing stored but the effects: that
  /// saves some seven instructions for each.
  @inline(__always)
  mutating func append(upTo more: Int, _ body: (inout Appending) -> Void) {
    // Addresses are compared: to count the room is to divide.
    if unsafe end + more > limit { grow(by: more) }
    var appending = unsafe Appending(end: end, limit: limit)
    body(&appending)
    unsafe end = unsafe appending.end
  }

  /// The end of a log that has room; it never leaves the body that it is given to.
  @safe
  struct Appending: ~Copyable {
    fileprivate var end: UnsafeMutablePointer<Effect>
    fileprivate let limit: UnsafeMutablePointer<Effect>

    @inline(__always)
    fileprivate init(end: UnsafeMutablePointer<Effect>, limit: UnsafeMutablePointer<Effect>) {
      unsafe self.end = unsafe end
      unsafe self.limit = unsafe limit
    }

    /// Adds an effect behind those already there.
    @inline(__always)
    mutating func append(_ effect: Effect) {
      assert(unsafe end < limit, "room was made for the effect")
      unsafe end.initialize(to: effect)
      unsafe end = unsafe end + 1
    }
  }

  /// How many more effects there is room for.
  @inlinable
  @inline(__always)
  var room: Int { unsafe limit - end }

  /// Empties the log and keeps its room.
  @inlinable
  public mutating func removeAll() {
    unsafe end = unsafe first
  }

  /// The effects as an array, for tests and for storing.
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
