/// A decision maker as a value: facts go in, orders come out, nothing else happens.
///
/// A machine reads no clock, does no I/O and draws no unseeded randomness. Its driver hands it one
/// event with the time, executes the whole list of effects in their order, and only then hands it
/// the next event. Deadlines are asked for and never set: there is nothing to cancel, and a driver
/// that asks too often or too late does no harm.
public protocol StateMachine<Event, Effect>: Hashable, Sendable {
  /// A fact the machine is told of.
  associatedtype Event: Hashable, Sendable
  /// An order the machine gives.
  associatedtype Effect: Hashable, Sendable

  /// The instant from which the passing of time alone would change something; nil if never.
  var nextDeadline: Instant? { get }

  /// Takes one event and appends the orders that follow from it, in the order they must happen.
  ///
  /// - Precondition: `now` is not earlier than in any step before.
  mutating func step(_ event: Event, at now: Instant, into effects: inout EffectLog<Effect>)
}

/// The orders of one or more steps, in the order they must be carried out.
///
/// One log is kept and emptied for each step, so that a step costs no allocation.
@frozen
public struct EffectLog<Effect: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline var storage: ContiguousArray<Effect> = []

  /// Makes an empty log.
  ///
  /// - Parameter capacity: how many effects to reserve room for.
  @inlinable
  public init(reserving capacity: Int = 0) {
    storage.reserveCapacity(capacity)
  }

  /// How many effects the log holds.
  @inlinable
  public var count: Int { storage.count }

  /// Whether the log holds nothing.
  @inlinable
  public var isEmpty: Bool { storage.isEmpty }

  /// The effect at a place, counted from zero.
  @inlinable
  public subscript(index: Int) -> Effect { storage[index] }

  /// Adds an effect behind those already there.
  @inlinable
  public mutating func append(_ effect: Effect) {
    storage.append(effect)
  }

  /// Empties the log and keeps its room.
  @inlinable
  public mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
  }

  /// The effects as an array, for tests and for storing.
  @inlinable
  public var elements: [Effect] { Array(storage) }
}
