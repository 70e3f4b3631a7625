import CLinux
import Glibc
import Synchronization

/// A thread whose crashes end only the thread: a trap, a bad memory access or a stack overflow.
///
/// Resources that the thread holds when it crashes are never released. Therefore it must not share
/// anything that other threads need: it must hold no lock while it works, and change no shared
/// state.
///
/// The same applies to its helper threads: an ``OSThread`` that it starts, or a thread that has
/// called the closure returned by ``adoption()``. See ``helperFault``.
@safe
public final class GuardedThread: Sendable {
  private let work: @Sendable () -> Void
  private let identifier = Mutex<pthread_t?>(nil)
  // The pointer never changes, and the memory behind it is accessed only through atomics.
  nonisolated(unsafe) private let guardian: OpaquePointer

  private init(_ work: @escaping @Sendable () -> Void, _ guardian: OpaquePointer) {
    self.work = work
    unsafe self.guardian = guardian
  }

  deinit { unsafe handover_free_guard(guardian) }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - wakeup: A non-blocking descriptor, to which a byte is written after a crash.
  ///   - work: The work of the thread.
  /// - Returns: The running thread.
  /// - Throws: ``LinuxError`` if the system cannot create another thread.
  public static func start(
    wakeup: Int32, _ work: @escaping @Sendable () -> Void
  ) throws(LinuxError) -> GuardedThread {
    guard let guardian = unsafe handover_make_guard(wakeup) else {
      throw LinuxError(call: "calloc", errno: ENOMEM)
    }
    let thread = unsafe GuardedThread(work, guardian)
    var identifier = pthread_t()
    let box = unsafe Unmanaged.passRetained(thread)
    let result = unsafe pthread_create(
      &identifier, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<GuardedThread>.fromOpaque(argument).takeUnretainedValue().run()
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      unsafe box.release()
      throw LinuxError(call: "pthread_create", errno: result)
    }
    thread.identifier.withLock { $0 = identifier }
    return thread
  }

  private func run() {
    // If no alternate stack can be allocated, the thread runs unguarded, and a crash ends the
    // process.
    let isGuarded = unsafe handover_enter_guard(guardian) == 0
    work()
    if isGuarded { unsafe handover_leave_guard(guardian) }
  }

  /// The signal of the fault that ended the thread, or `nil` if there was none.
  public var fault: Fault? {
    let number = unsafe handover_guarded_fault(guardian)
    return number == 0 ? nil : Fault(number: number)
  }

  /// The signal of the fault that ended one of its helper threads, or `nil` if there was none.
  ///
  /// After such a fault the guarded thread continues, or waits forever for the result of the
  /// helper.
  public var helperFault: Fault? {
    let number = unsafe handover_helper_fault(guardian)
    return number == 0 ? nil : Fault(number: number)
  }

  /// Returns a closure that makes another thread a helper of the guarded thread.
  ///
  /// Call this function on a guarded thread or on one of its helpers. The other thread must run the
  /// closure before its work.
  public static func adoption() -> @Sendable () -> Void {
    let guardian = unsafe LentGuard(guardian: handover_lend_guard())
    return { unsafe handover_serve_guard(guardian.guardian) }
  }

  /// A guard that is never freed.
  @safe private struct LentGuard: @unchecked Sendable {
    let guardian: OpaquePointer?
  }

  /// Waits until the thread has finished its work or crashed.
  ///
  /// A second call returns immediately.
  public func join() {
    let identifier = identifier.withLock { identifier in
      defer { identifier = nil }
      return identifier
    }
    guard let identifier else { return }
    _ = pthread_join(identifier, nil)
    // The thread retained itself, and may have crashed before it could release itself.
    unsafe Unmanaged.passUnretained(self).release()
  }
}

/// A signal that reports a crash of a thread.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
  /// The signal number, or 0 for a stack overflow, which the kernel reports as SIGSEGV.
  public var number: Int32

  /// Creates a fault from a signal number.
  public init(number: Int32) {
    self.number = number
  }

  private static let names: [(name: String, number: Int32)] = [
    ("SIGILL", SIGILL), ("SIGTRAP", SIGTRAP), ("SIGABRT", SIGABRT), ("SIGFPE", SIGFPE),
    ("SIGBUS", SIGBUS), ("SIGSEGV", SIGSEGV),
  ]

  /// Creates a fault from a signal name or `overflow`, or returns `nil` if the name is unknown.
  public init?(named name: String) {
    if name == "overflow" {
      number = 0
    } else if let found = Self.names.first(where: { $0.name == name }) {
      number = found.number
    } else {
      return nil
    }
  }

  /// The name of the signal.
  public var description: String {
    Self.names.first { $0.number == number }?.name ?? "signal \(number)"
  }

  /// Raises the fault on the calling thread, for tests.
  public func provoke() {
    handover_fault(number)
  }
}

/// Reports termination signals and the faults of unguarded threads, one at a time.
public final class SignalListener: Sendable {
  private let ends: (read: Int32, write: Int32)

  /// An event that a listener reports.
  public enum Event: Hashable, Sendable {
    /// The number of a termination signal: SIGHUP, SIGINT or SIGTERM.
    case signal(Int32)
    /// A fault of an unguarded thread, which is suspended from now on.
    case fault(Fault)
  }

  /// Installs the signal handlers, once per process.
  public init() throws(LinuxError) {
    ends = try Self.makePipe()
    try checked(handover_listen(ends.write), "sigaction")
  }

  /// Creates a pipe that never blocks its writers, because signal handlers write to it.
  private static func makePipe() throws(LinuxError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try checked(unsafe handover_pipe(&ends), "pipe2")
    return (ends[0], ends[1])
  }

  /// Marks the calling thread as the one that waits for events.
  public func listenOnThisThread() {
    handover_become_listener()
  }

  /// Waits for an event, or returns `nil` if none arrives within `milliseconds`.
  ///
  /// A negative number means no time limit.
  public func wait(atMost milliseconds: Int32) -> Event? {
    var polled = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&polled, 1, milliseconds) < 0 {
      guard errno == EINTR else { return nil }
    }
    var byte: UInt8 = 0
    guard polled.revents != 0, unsafe read(ends.read, &byte, 1) == 1 else { return nil }
    let number = Int32(byte)
    return [SIGHUP, SIGINT, SIGTERM].contains(number)
      ? .signal(number) : .fault(Fault(number: number))
  }
}
