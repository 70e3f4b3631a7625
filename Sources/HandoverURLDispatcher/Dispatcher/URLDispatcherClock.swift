import Dispatch

/// Where a dispatcher's time comes from.
///
/// A dispatcher reads the time while it holds its lock: a clock must not call it back from there.
public protocol URLDispatcherClock: Sendable {
  /// The time since some beginning; it never goes back.
  var now: Duration { get }

  /// Runs something once, at this time or later; at once where the time has come.
  ///
  /// To run it too early, or twice, does no harm.
  func call(at time: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's clock, which stands still while the system sleeps.
public struct SystemURLDispatcherClock: URLDispatcherClock {
  /// The one there is.
  public init() {}

  /// The time since the system was started.
  public var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

  /// Runs something on one of Dispatch's threads.
  public func call(at time: Duration, _ body: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = max(.zero, time).components
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    // Rounded up, or it would be called just before something is due.
    let part = UInt64(attoseconds / 1_000_000_000) + 1
    let nanoseconds = overflow ? UInt64(Int64.max) : min(whole + part, UInt64(Int64.max))
    DispatchQueue.global().asyncAfter(
      deadline: DispatchTime(uptimeNanoseconds: nanoseconds), execute: body)
  }
}
