import CLinux
import Glibc
import Synchronization

/// A thread whose faults are its own: a trap, a bad access or an overflow of its stack ends the
/// thread and nothing else.
///
/// Whatever the thread held then is never given back. So it must share nothing with others that
/// they need: no lock that it holds while it works, and nothing that it changes.
///
/// Threads that work for it, an ``OSThread`` that it starts or one that has called what
/// ``adoption()`` gives, end by their faults likewise; see ``helperFault``.
@safe
public final class GuardedThread: Sendable {
  private let work: @Sendable () -> Void
  private let identifier = Mutex<pthread_t?>(nil)
  // The pointer never changes, and what it points to is only read by way of atomics.
  nonisolated(unsafe) private let guardian: OpaquePointer

  private init(_ work: @escaping @Sendable () -> Void, _ guardian: OpaquePointer) {
    self.work = work
    unsafe self.guardian = guardian
  }

  deinit { unsafe handover_free_guard(guardian) }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - wakening: is given a byte after a fault; a descriptor that never blocks.
  ///   - work: what it does.
  /// - Returns: the thread, which runs already.
  /// - Throws: ``LinuxError`` where the system has no more threads.
  public static func start(
    wakening: Int32, _ work: @escaping @Sendable () -> Void
  ) throws(LinuxError) -> GuardedThread {
    guard let guardian = unsafe handover_make_guard(wakening) else {
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
    // Without room for another stack the thread works all the same; its faults are the process'.
    let isGuarded = unsafe handover_enter_guard(guardian) == 0
    work()
    if isGuarded { unsafe handover_leave_guard(guardian) }
  }

  /// The signal of the fault that ended the thread; nil where none did.
  public var fault: Fault? {
    let number = unsafe handover_guarded_fault(guardian)
    return number == 0 ? nil : Fault(number: number)
  }

  /// The signal of the fault that ended a thread which worked for this one; nil where none did.
  ///
  /// This one goes on, or waits for ever for what the other one was to do.
  public var helperFault: Fault? {
    let number = unsafe handover_helper_fault(guardian)
    return number == 0 ? nil : Fault(number: number)
  }

  /// Asked on a guarded thread, or on one that works for it: what another thread has to do first,
  /// so that its faults are those of a thread that works for the guarded one.
  public static func adoption() -> @Sendable () -> Void {
    let lent = unsafe Lent(guardian: handover_lend_guard())
    return { unsafe handover_serve_guard(lent.guardian) }
  }

  /// A guard that is there for ever.
  @safe private struct Lent: @unchecked Sendable {
    let guardian: OpaquePointer?
  }

  /// Waits for the end of the thread, after its work or by a fault; the second time it comes back
  /// at once.
  public func join() {
    let identifier = identifier.withLock { identifier in
      defer { identifier = nil }
      return identifier
    }
    guard let identifier else { return }
    _ = pthread_join(identifier, nil)
    // The thread held itself, and may have ended without a chance to let go.
    unsafe Unmanaged.passUnretained(self).release()
  }
}

/// A signal that says that a thread can go on no more.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
  /// The number of the signal; 0 stands for an overflow of the stack, which comes as SIGSEGV.
  public var number: Int32

  /// Makes a fault of a signal's number.
  public init(number: Int32) {
    self.number = number
  }

  private static let names: [(name: String, number: Int32)] = [
    ("SIGILL", SIGILL), ("SIGTRAP", SIGTRAP), ("SIGABRT", SIGABRT), ("SIGFPE", SIGFPE),
    ("SIGBUS", SIGBUS), ("SIGSEGV", SIGSEGV),
  ]

  /// Makes a fault of a signal's name, or of `overflow`; nil where there is none of that name.
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

  /// Makes it happen on the calling thread; for tests.
  public func provoke() {
    handover_fault(number)
  }
}

/// The signals that ask a process to end, and the faults of threads that nobody guards, one after
/// the other.
public final class SignalListener: Sendable {
  private let ends: (read: Int32, write: Int32)

  /// What a listener is told of.
  public enum News: Hashable, Sendable {
    /// SIGHUP, SIGINT or SIGTERM, by its number.
    case signal(Int32)
    /// A fault of a thread without a guard, which stands still from now on.
    case fault(Fault)
  }

  /// Begins to listen; once in a process.
  public init() throws(LinuxError) {
    ends = try Self.makePipe()
    try checked(handover_listen(ends.write), "sigaction")
  }

  /// A pipe that is never full: writers of a byte must not wait.
  private static func makePipe() throws(LinuxError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try checked(unsafe handover_pipe(&ends), "pipe2")
    return (ends[0], ends[1])
  }

  /// Says that the calling thread is the one that waits for news.
  public func becomeListener() {
    handover_become_listener()
  }

  /// Waits for news, at most so many milliseconds; nil where none came.
  ///
  /// A negative number waits for ever.
  public func wait(atMost milliseconds: Int32) -> News? {
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
