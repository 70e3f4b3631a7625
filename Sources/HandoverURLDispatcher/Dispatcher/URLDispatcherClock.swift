import Dispatch

/// A source of time for a dispatcher.
///
/// A dispatcher reads the time while it holds its lock, so `now` must not call back into the
/// dispatcher.
public protocol URLDispatcherClock: Sendable {
  /// The time since an arbitrary fixed point; it never decreases.
  var now: Duration { get }

  /// Calls a closure once, at this time or later, or immediately if the time has passed.
  ///
  /// Calling the closure too early or more than once is harmless.
  func call(at time: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's clock, which stops while the system sleeps.
public struct SystemURLDispatcherClock: URLDispatcherClock {
  /// Creates a system clock.
  public init() {}

  /// The time since the system started, without the time asleep.
  public var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

  /// Calls a closure on a thread of Dispatch.
  public func call(at time: Duration, _ body: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = max(.zero, time).components
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    // Rounded up, because the closure would otherwise run shortly before its time.
    let part = UInt64(attoseconds / 1_000_000_000) + 1
    let nanoseconds = overflow ? UInt64(Int64.max) : min(whole + part, UInt64(Int64.max))
    DispatchQueue.global().asyncAfter(
      deadline: DispatchTime(uptimeNanoseconds: nanoseconds), execute: body)
  }
}
