#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// The only file with unsafe memory in this module: the system requires mutexes and conditions at
// fixed addresses.
//
// They are used instead of `Synchronization.Mutex`, because a thread that waits for work must
// release the lock and sleep in one atomic step. The Synchronization module has no condition
// variable.

/// A mutex of the system.
@safe
final class Lock: @unchecked Sendable {
  // The pointer never changes, and it is only passed to system calls that are thread-safe. The same
  // applies to conditions.
  fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe succeed(pthread_mutex_init(mutex, nil))
  }

  deinit {
    unsafe succeed(pthread_mutex_destroy(mutex))
    unsafe mutex.deallocate()
  }

  func lock() { unsafe succeed(pthread_mutex_lock(mutex)) }
  func unlock() { unsafe succeed(pthread_mutex_unlock(mutex)) }
}

/// A condition variable that is used with a lock.
@safe
final class Condition: @unchecked Sendable {
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
      unsafe succeed(pthread_cond_init(condition, nil))
    #else
      var attributes = pthread_condattr_t()
      unsafe succeed(pthread_condattr_init(&attributes))
      unsafe succeed(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
      unsafe succeed(pthread_cond_init(condition, &attributes))
      unsafe succeed(pthread_condattr_destroy(&attributes))
    #endif
  }

  deinit {
    unsafe succeed(pthread_cond_destroy(condition))
    unsafe condition.deallocate()
  }

  /// Wakes one waiting thread, if there is any.
  func signal() { unsafe succeed(pthread_cond_signal(condition)) }

  /// Releases the lock and waits until the condition is signaled; spurious wakeups are possible.
  ///
  /// The wait ends at the deadline of the monotonic clock at the latest; `nil` means no deadline.
  func wait(_ lock: Lock, until deadline: Duration?) {
    guard let deadline else {
      unsafe succeed(pthread_cond_wait(condition, lock.mutex))
      return
    }
    #if canImport(Darwin)
      var time = timespec(max(.zero, deadline - monotonicTime()))
      let result = unsafe pthread_cond_timedwait_relative_np(
        condition, lock.mutex, &time)
    #else
      var time = timespec(deadline)
      let result = unsafe pthread_cond_timedwait(condition, lock.mutex, &time)
    #endif
    precondition(result == 0 || result == ETIMEDOUT, "a lock that is held can be given up")
  }
}

/// Returns the time of the system's monotonic clock.
func monotonicTime() -> Duration {
  var time = timespec()
  unsafe succeed(clock_gettime(CLOCK_MONOTONIC, &time))
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

extension Duration {
  /// The duration, clamped to the range from zero to 68 years, so that sums of durations and times
  /// fit into the range of the system calls.
  var bounded: Duration { min(max(self, .zero), .seconds(Int64(Int32.max))) }
}

extension timespec {
  /// Creates the representation of a time for system calls.
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init()
    tv_sec = Int(seconds)
    tv_nsec = Int(attoseconds / 1_000_000_000)
  }
}

/// Crashes if a system call failed that can fail only through a programming error.
private func succeed(_ result: Int32) {
  precondition(result == 0, "a call of the system's threads was misused")
}
