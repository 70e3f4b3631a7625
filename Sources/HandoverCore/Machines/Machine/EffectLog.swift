/// The effects of one or more steps, in the order in which they must be executed.
///
/// A driver reuses one log for all steps, so that a step allocates nothing. A log has one owner and
/// is never copied. An array would check for each effect that it is not shared, which takes 36
/// instructions.
///
/// The unsafe memory is sound because only the log owns it, the first `used` effects are
/// initialized, and each index is compared with `used` before it is used.
@safe
@frozen
public struct EffectLog<Effect: BitwiseCopyable & Hashable & Sendable>: ~Copyable,
  @unchecked Sendable
{
  @usableFromInline var memory: UnsafeMutableBufferPointer<Effect>
  @usableFromInline var used = 0

  /// Creates an empty log.
  ///
  /// - Parameter capacity: How many effects to reserve memory for.
  @inlinable
  public init(reserving capacity: Int = 16) {
    unsafe memory =
      capacity == 0 ? .init(start: nil, count: 0) : .allocate(capacity: capacity)
  }

  @inlinable
  deinit {
    unsafe memory.deallocate()
  }

  /// The number of effects in the log.
  @inlinable
  public var count: Int { used }

  /// Whether the log is empty.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Returns the effect at an index, counted from zero.
  @inlinable
  public subscript(index: Int) -> Effect {
    precondition(index >= 0 && index < count, "index out of range")
    return unsafe memory[index]
  }

  /// Calls a function with each effect, in order.
  @inlinable
  public func forEach(_ body: (Effect) -> Void) {
    for index in 0..<count { body(self[index]) }
  }

  /// Appends an effect.
  @inlinable
  public mutating func append(_ effect: Effect) {
    if unsafe used == memory.count { grow() }
    unsafe memory.initializeElement(at: used, to: effect)
    used += 1
  }

  /// Removes all effects and keeps the memory.
  @inlinable
  public mutating func removeAll() { used = 0 }

  /// The effects as an array, for tests and for storage.
  public var elements: [Effect] { (0..<count).map { self[$0] } }

  @inlinable
  @inline(never)
  mutating func grow() {
    let larger = UnsafeMutableBufferPointer<Effect>.allocate(capacity: max(4, 2 * count))
    _ = unsafe larger.moveInitialize(fromContentsOf: memory[..<count])
    unsafe memory.deallocate()
    unsafe memory = larger
  }
}
