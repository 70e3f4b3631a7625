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
  associatedtype Effect: BitwiseCopyable, Hashable, Sendable

  /// The instant from which the passing of time alone would change something; nil if never.
  var nextDeadline: Instant? { get }

  /// Takes one event and appends the orders that follow from it, in the order they must happen.
  ///
  /// - Precondition: `now` is not earlier than in any step before.
  mutating func step(_ event: Event, at now: Instant, into effects: inout EffectLog<Effect>)
}
