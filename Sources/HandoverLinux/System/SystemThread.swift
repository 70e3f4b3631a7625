import CLinux
import Glibc
import Synchronization

/// A thread of the system.
final class SystemThread: Sendable {
  private let work: @Sendable () -> Void
  private let mayCrash: Bool
  private let identifier = Mutex<pthread_t?>(nil)

  private init(mayCrash: Bool, _ work: @escaping @Sendable () -> Void) {
    self.work = work
    self.mayCrash = mayCrash
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - mayCrash: Whether the thread may end in its work. ``join()`` then releases the work, which
  ///     is otherwise released at its end.
  ///   - work: The work of the thread.
  /// - Returns: The running thread.
  /// - Throws: ``LinuxError`` if the system cannot create another thread.
  static func start(
    mayCrash: Bool = false, _ work: @escaping @Sendable () -> Void
  ) throws(LinuxError) -> SystemThread {
    let thread = SystemThread(mayCrash: mayCrash, work)
    var identifier = pthread_t()
    let box = unsafe Unmanaged.passRetained(thread)
    let result = unsafe pthread_create(
      &identifier, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let box = unsafe Unmanaged<SystemThread>.fromOpaque(argument)
        if unsafe box.takeUnretainedValue().mayCrash {
          unsafe box.takeUnretainedValue().work()
        } else {
          unsafe box.takeRetainedValue().work()
        }
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      unsafe box.release()
      throw LinuxError(call: "pthread_create", errno: result)
    }
    thread.identifier.withLock { $0 = identifier }
    return thread
  }

  /// Waits for the thread to end; a second call returns immediately.
  func join() {
    let identifier = identifier.withLock { identifier in
      defer { identifier = nil }
      return identifier
    }
    guard let identifier else { return }
    _ = pthread_join(identifier, nil)
    // The thread retained itself, and may have crashed before it could release itself.
    if mayCrash { unsafe Unmanaged.passUnretained(self).release() }
  }

  /// Sets the name of the calling thread (at most 15 bytes), which debuggers and `ps` display.
  static func setName(_ name: String) { _ = unsafe handover_name_thread(name) }
}

/// The state that limits the faults of a thread to that thread.
@safe
final class ThreadGuard: Sendable {
  // The pointer never changes, and the memory behind it is accessed only through atomics.
  nonisolated(unsafe) private let pointer: OpaquePointer

  /// Creates a guard.
  ///
  /// - Parameter wakeup: A non-blocking descriptor, to which a byte is written after a fault.
  /// - Throws: ``LinuxError`` if there is no memory.
  init(wakeup: Int32) throws(LinuxError) {
    guard let pointer = unsafe handover_make_guard(wakeup) else {
      throw LinuxError(call: "calloc", errno: ENOMEM)
    }
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe handover_free_guard(pointer) }

  /// Guards the calling thread, and returns whether it succeeded.
  func enter() -> Bool { unsafe handover_enter_guard(pointer) == 0 }

  /// Ends the protection of the calling thread, which ``enter()`` began.
  func leave() { unsafe handover_leave_guard(pointer) }

  /// The number of the signal that ended the guarded thread, or 0 if there was none.
  var fault: Int32 { unsafe handover_guarded_fault(pointer) }

  /// The number of the signal that ended a helper of the guarded thread, or 0 if there was none.
  var helperFault: Int32 { unsafe handover_helper_fault(pointer) }

  /// Returns the guard that the calling thread has or serves, for its helper threads.
  static func lend() -> Lent { unsafe Lent(pointer: handover_lend_guard()) }

  /// A guard that is never freed, or none.
  @safe struct Lent: @unchecked Sendable {
    fileprivate let pointer: OpaquePointer?

    /// Makes the calling thread a helper of the guarded thread.
    func serve() { unsafe handover_serve_guard(pointer) }
  }
}
