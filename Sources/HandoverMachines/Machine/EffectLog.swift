/// The orders of one or more steps, in the order they must be carried out.
///
/// One log is kept and emptied for each step, so that a step costs no allocation. It has one owner
/// and is never copied.
@frozen
public struct EffectLog<Effect: BitwiseCopyable & Hashable & Sendable>: ~Copyable {
  @usableFromInline var rows: Rows<Effect>

  /// Makes an empty log.
  ///
  /// - Parameter capacity: how many effects to reserve room for.
  @inlinable
  public init(reserving capacity: Int = 16) {
    rows = Rows(reserving: capacity)
  }

  /// How many effects the log holds.
  @inlinable
  public var count: Int { rows.count }

  /// Whether the log holds nothing.
  @inlinable
  public var isEmpty: Bool { rows.count == 0 }

  /// The effect at a place, counted from zero.
  @inlinable
  public subscript(index: Int) -> Effect {
    precondition(index >= 0 && index < rows.count, "the log has no such place")
    return rows[index]
  }

  /// Adds an effect behind those already there.
  @inlinable
  @inline(__always)
  public mutating func append(_ effect: Effect) {
    rows.append(effect)
  }

  /// Empties the log and keeps its room.
  @inlinable
  public mutating func removeAll() {
    rows.removeAll()
  }

  /// The effects as an array, for tests and for storing.
  public var elements: [Effect] { (0..<count).map { rows[$0] } }
}
