/// The clock that the timers of a client use.
public enum TimerClock: String, Hashable, Sendable, CaseIterable {
  /// A clock that counts the time in which the device sleeps, such as `CLOCK_BOOTTIME`.
  case boot
  /// A clock that stops while the device sleeps, such as `CLOCK_MONOTONIC` on Linux.
  case monotonic
}

/// The clock of a client's timers, relative to the time of the run.
///
/// If the clock stops during sleep, the two differ by the total sleep time.
package struct ClientClock: BitwiseCopyable, Hashable, Sendable {
  private let stopsInSleep: Bool
  /// The time by which the clock is behind the time of the run.
  package private(set) var lag = Interval.zero
  /// The instant at which the device fell asleep; `never` while it is awake.
  private var sleepsSince = Instant.never

  /// Creates a clock that shows the time of the run.
  package init(_ clock: TimerClock = .boot) {
    stopsInSleep = clock == .monotonic
  }

  /// Records that the device falls asleep.
  package mutating func sleep(at now: Instant) {
    if stopsInSleep, sleepsSince == .never { sleepsSince = now }
  }

  /// Records that the device wakes up.
  ///
  /// - Returns: The time by which armed timers are postponed.
  @discardableResult
  package mutating func wake(at now: Instant) -> Interval {
    defer { sleepsSince = .never }
    guard sleepsSince != .never else { return .zero }
    let slept = now.since(sleepsSince)
    lag = lag + slept
    return slept
  }

  /// Returns the time that the clock shows at an instant of the run.
  package func reading(at now: Instant) -> Instant {
    lag == .zero || now == .never ? now : .zero + now.since(.zero + lag)
  }

  /// Returns the instant of the run at which the clock shows a time.
  package func instant(of reading: Instant) -> Instant {
    lag == .zero || reading == .never ? reading : reading + lag
  }

  /// Returns an event with times as readings of the client's clock.
  package func translated(_ event: ClientCore.Event) -> ClientCore.Event {
    guard lag != .zero, case .pool(.callStarted(let id, let endpoint, var settings)) = event
    else { return event }
    settings.deadline = reading(at: settings.deadline)
    return .pool(.callStarted(id, endpoint, settings))
  }

  /// Combines everything that affects the future of the clock.
  package func combine(into digest: inout StateDigest) {
    guard self != ClientClock() else { return }
    digest.combine(lag)
    digest.combine(sleepsSince)
  }
}
