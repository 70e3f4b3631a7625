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
/// called the closure returned by ``makeThreadAdopter()``. See ``helperFault``.
public final class GuardedThread: Sendable {
  private let thread: SystemThread
  private let guardian: ThreadGuard

  private init(_ thread: SystemThread, _ guardian: ThreadGuard) {
    self.thread = thread
    self.guardian = guardian
  }

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
    let guardian = try ThreadGuard(wakeup: wakeup)
    let thread = try SystemThread.start(mayCrash: true) {
      // If no alternate stack can be allocated, the thread runs unguarded, and a crash ends the
      // process.
      let isGuarded = guardian.enter()
      work()
      if isGuarded { guardian.leave() }
    }
    return GuardedThread(thread, guardian)
  }

  /// The signal of the fault that ended the thread, or `nil` if there was none.
  public var fault: Fault? {
    let number = guardian.fault
    return number == 0 ? nil : Fault(number: number)
  }

  /// The signal of the fault that ended one of its helper threads, or `nil` if there was none.
  ///
  /// After such a fault the guarded thread continues, or waits forever for the result of the
  /// helper.
  public var helperFault: Fault? {
    let number = guardian.helperFault
    return number == 0 ? nil : Fault(number: number)
  }

  /// Returns a closure that makes another thread a helper of the guarded thread.
  ///
  /// Call this function on a guarded thread or on one of its helpers. The other thread must run the
  /// closure before its work.
  public static func makeThreadAdopter() -> @Sendable () -> Void {
    let guardian = ThreadGuard.lend()
    return { guardian.serve() }
  }

  /// Waits until the thread has finished its work or crashed.
  ///
  /// A second call returns immediately.
  public func join() { thread.join() }
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
  private let readEnd: Int32

  /// An event that a listener reports.
  public enum Event: Hashable, Sendable {
    /// The number of a termination signal: SIGHUP, SIGINT or SIGTERM.
    case signal(Int32)
    /// A fault of an unguarded thread, which is suspended from now on.
    case fault(Fault)
  }

  /// Installs the signal handlers, once per process.
  public init() throws(LinuxError) {
    // The pipe never blocks its writers, because signal handlers write to it. It is never closed.
    let ends = try opened(handover_pipe(), "pipe2")
    readEnd = ends.first
    try checked(handover_listen(ends.second), "sigaction")
  }

  /// Marks the calling thread as the one that waits for events.
  public func listenOnThisThread() {
    handover_become_listener()
  }

  /// Waits for an event, or returns `nil` if none arrives within `milliseconds`.
  ///
  /// A negative number means no time limit.
  public func wait(atMost milliseconds: Int32) -> Event? {
    let microseconds = milliseconds < 0 ? nil : Int64(milliseconds) * 1_000
    var polled = [pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]
    guard SystemFile.waitUntilReady(&polled, atMost: microseconds),
      let byte = SystemFile.read(readEnd, atMost: 1)?.first
    else { return nil }
    let number = Int32(byte)
    return [SIGHUP, SIGINT, SIGTERM].contains(number)
      ? .signal(number) : .fault(Fault(number: number))
  }
}
