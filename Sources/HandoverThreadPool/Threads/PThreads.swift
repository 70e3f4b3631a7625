#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// The mutexes, conditions and threads of the system, and the jobs of Swift tasks. This is the only
// unsafe file of this module: the system requires mutexes and conditions at fixed addresses, and
// jobs are not reference-counted.
//
// Mutexes and conditions are used instead of `Synchronization.Mutex`, because a thread that waits
// for work must release the lock and sleep in one atomic step. The Synchronization module has no
// condition variable.

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
    precondition(result == 0 || result == ETIMEDOUT, "the calling thread does not hold the lock")
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
  precondition(result == 0, "a thread function returned error \(result)")
}

// MARK: - Threads

/// Detached system threads, which end by themselves.
///
/// Foundation's threads would work as well, but every user of the pool would have to link
/// Foundation.
enum SystemThread {
  /// Starts a thread.
  ///
  /// - Returns: Zero, or the errno if the thread cannot be started.
  static func start(_ name: ThreadName, _ work: @escaping @Sendable () -> Void) -> Int32 {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    let box = unsafe Unmanaged.passRetained(Work(name: name.text, body: work))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        // The argument's type differs between platforms, but its meaning is the same.
        let argument: UnsafeMutableRawPointer? = unsafe argument
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if result != 0 { unsafe box.release() }
    return result
  }

  /// Yields the processor to other threads.
  static func yield() { _ = sched_yield() }

  /// An identifier of the calling thread that is unique among live threads.
  static var current: ID { ID() }

  struct ID: Hashable {
    private let number: UInt

    fileprivate init() {
      #if canImport(Glibc)
        number = pthread_self()
      #else
        number = unsafe UInt(bitPattern: pthread_self())
      #endif
    }
  }

  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      SystemThread.setName(name)
      body()
    }
  }

  /// Sets the name of the calling thread for debuggers and `top`, and ignores errors.
  private static func setName(_ name: String) {
    #if canImport(Darwin)
      _ = unsafe pthread_setname_np(name)
    #else
      // Swift's overlay does not include the GNU extension `pthread_setname_np`.
      let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = unsafe write(file, name, name.utf8.count)
      _ = close(file)
    #endif
  }
}

// MARK: - Tasks

/// A part of a task, from one suspension to the next, that a pool runs.
@safe
struct TaskPart: Sendable {
  private let job: UnownedJob
  // The job's task retains the executor.
  private let executor: UnownedTaskExecutor

  init(_ job: consuming ExecutorJob, of pool: ThreadPool) {
    self.job = UnownedJob(job)
    unsafe executor = pool.asUnownedTaskExecutor()
  }

  /// Runs the part on the calling thread; it runs once.
  func run() { unsafe job.runSynchronously(on: executor) }

  /// Runs the part on a thread of the system instead of the pool; it runs once.
  func runOutsidePool() { globalConcurrentExecutor.enqueue(job) }
}
