public import HandoverURLDispatcher
import Synchronization

/// A dispatcher's clock that a test advances.
public final class ManualClock: URLDispatcherClock {
  private struct State {
    var now = Duration.zero
    var alarms: [(time: Duration, body: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// Creates a clock that shows zero.
  public init() {}

  /// The time that the clock shows.
  public var now: Duration { state.withLock { $0.now } }

  /// Schedules an alarm.
  public func call(at time: Duration, _ body: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      if time > state.now { state.alarms.append((time, body)) }
      return time <= state.now
    }
    if isDue { body() }
  }

  /// Advances the clock and fires the alarms that are due.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let now = state.now
      let due = state.alarms.filter { $0.time <= now }
      state.alarms.removeAll { $0.time <= now }
      return due
    }
    for alarm in due { alarm.body() }
  }
}
