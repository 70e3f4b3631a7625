#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// The only file with unsafe memory: the system wants its mutexes and conditions at addresses that
// never change.
//
// They are the system's and not `Synchronization.Mutex`, because a thread that waits for work has
// to give up the lock and fall asleep in one step, and that module has no condition to do it with.

/// A mutex of the system.
@safe
final class Lock: @unchecked Sendable {
  // The pointer never changes, and what it points to is only ever handed to the system's calls,
  // which are made for being called by many threads. The same goes for conditions.
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

/// Something that threads wait for under a lock.
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

  /// Wakes a thread that waits, if one does.
  func signal() { unsafe succeed(pthread_cond_signal(condition)) }

  /// Gives up the lock until the condition is signalled, or for no reason at all.
  ///
  /// It wakes up in any case at the deadline, by the monotonic clock; nil for never.
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

/// The time of the system's monotonic clock.
func monotonicTime() -> Duration {
  var time = timespec()
  unsafe succeed(clock_gettime(CLOCK_MONOTONIC, &time))
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

extension Duration {
  /// The length between zero and 68 years that is next to this one: sums of such lengths and of
  /// times are in the range of the system's calls.
  var bounded: Duration { min(max(self, .zero), .seconds(Int64(Int32.max))) }
}

extension timespec {
  /// A time as the system's calls take it.
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init()
    tv_sec = Int(seconds)
    tv_nsec = Int(attoseconds / 1_000_000_000)
  }
}

/// Traps where a call fails that can only fail by a mistake of ours.
private func succeed(_ result: Int32) {
  precondition(result == 0, "a call of the system's threads was misused")
}
