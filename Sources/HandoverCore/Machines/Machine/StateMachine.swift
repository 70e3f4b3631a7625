/// A state machine as a value: events go in, effects come out, and nothing else happens.
///
/// A state machine reads no clock, performs no I/O and uses no unseeded randomness. Its driver
/// passes one event with the time, executes all effects in order, and only then passes the next
/// event. Drivers query deadlines instead of setting timers. There is nothing to cancel, and a
/// driver that queries too often or too late does no harm.
public protocol StateMachine<Event, Effect>: Hashable, Sendable {
  /// An event for the state machine.
  associatedtype Event: Hashable, Sendable
  /// An effect of the state machine.
  associatedtype Effect: BitwiseCopyable, Hashable, Sendable

  /// The instant from which the passing of time alone would change something, or `nil` if there is
  /// none.
  var nextDeadline: Instant? { get }

  /// Handles one event and appends the resulting effects, in the order of their execution.
  ///
  /// - Precondition: `now` is not earlier than in any previous step.
  mutating func step(_ event: Event, at now: Instant, into effects: inout EffectLog<Effect>)
}
