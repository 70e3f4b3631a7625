import HandoverLinux
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Notes that the user wants to stop, so that what is finished can still be reported.
///
/// Whoever works is told at once and has ``timeout`` to finish its reports and leave. If it does
/// not, or if it stands still after a fault of its own, the last resort is taken: the reports are
/// finished by the thread that listens, as far as nobody else has them in hand, and the process
/// ends. A second signal ends the process at once.
final class Interruption: Sendable {
  /// How long whoever works may take to leave, in milliseconds.
  private static let timeout: Int32 = 500
  /// How often the last resort is tried while somebody finishes the reports, and how often while
  /// somebody has them in hand who seems not to go on.
  private static let tries = 500
  private static let shortTries = 15
  /// The time between two tries, in milliseconds.
  private static let pause: Int32 = 20

  private struct State {
    var signal: Int32?
    var action: @Sendable () -> Void = {}
    var lastResort: @Sendable () -> LastResort = { .done }
  }

  /// What came of the last resort.
  enum LastResort {
    /// Everything is finished.
    case done
    /// Somebody else is about to finish it.
    case inHand
    /// Somebody has it in hand who will not go on.
    case lost
  }

  private let state = Mutex(State())

  /// The signal that came; nil while none has.
  var received: Int32? { state.withLock { $0.signal } }

  /// Begins to listen for SIGHUP, SIGINT and SIGTERM, and for faults of threads that nobody
  /// guards.
  ///
  /// - Throws: ``Leave`` where the system does not let it.
  func listen() throws {
    do throws(LinuxError) {
      let listener = try SignalListener()
      _ = try OSThread.start { self.listen(to: listener) }
    } catch {
      printError("error: signals cannot be waited for: \(error)")
      throw Leave(.breakdown)
    }
  }

  /// Has something done when a signal comes, such as ending a wait.
  func whenReceived(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.action = action }
    // A signal that came before is not lost.
    if received != nil { action() }
  }

  /// Has the process end at once when a signal comes, where nothing is to be finished.
  ///
  /// - Parameter action: what is to be said before.
  func leaveWhenReceived(_ action: @escaping @Sendable () -> Void = {}) {
    whenReceived { [self] in
      action()
      if let received { Leaving.now(128 + received) }
    }
  }

  /// Has signals end a command that has nothing to finish; its temporary files are removed.
  ///
  /// - Throws: ``Leave`` where the system does not let it.
  static func leaveAtSignals() throws {
    let interruption = Interruption()
    try interruption.listen()
    interruption.leaveWhenReceived()
  }

  /// Says how reports are finished where whoever writes them cannot any more.
  func asLastResort(_ finish: @escaping @Sendable () -> LastResort) {
    state.withLock { $0.lastResort = finish }
  }

  private func listen(to listener: SignalListener) {
    listener.becomeListener()
    guard let news = listener.wait(atMost: -1) else { return }
    Leaving.now(status(after: news, listener))
  }

  /// What the process ends with, once all is finished that can be.
  private func status(after news: SignalListener.News, _ listener: SignalListener) -> Int32 {
    switch news {
    case .fault(let fault):
      printError("error: the harness broke down outside of any case: \(fault)")
      takeLastResort(before: listener, isFault: true)
      return ExitStatus.breakdown.rawValue
    case .signal(let number):
      let action = state.withLock { state in
        state.signal = number
        return state.action
      }
      action()
      let next = listener.wait(atMost: Self.timeout)
      // Whoever waits for the reader of a pipe can finish the other reports then.
      StandardStream.waitNoMore()
      if case .signal = next {} else { takeLastResort(before: listener, isFault: next != nil) }
      return 128 + number
    }
  }

  /// Finishes the reports in the place of whoever writes them; comes back at a second signal too.
  private func takeLastResort(before listener: SignalListener, isFault: Bool) {
    for number in 0..<Self.tries {
      if isFault, number == Self.shortTries / 2 { StandardStream.waitNoMore() }
      switch state.withLock({ $0.lastResort })() {
      case .done: return
      case .inHand where !isFault || number < Self.shortTries: break
      case .lost where number < Self.shortTries: break
      // A thread that stands still finishes nothing.
      case .inHand, .lost:
        printError("error: not every report could be finished")
        return
      }
      if case .signal = listener.wait(atMost: Self.pause) { return }
    }
  }

  /// The exit status that goes with the signal that came.
  var exitStatus: ExitStatus? {
    received.flatMap { ExitStatus(rawValue: 128 + $0) }
  }
}

/// The end of the process.
enum Leaving {
  /// Ends it at once, whatever other threads do; nothing that was begun and is not whole remains.
  static func now(_ status: Int32) -> Never {
    OutputFile.removeUnfinished(thenExit: status)
  }

  /// Ends it when all is said; tells what could not be written to standard output.
  static func finally(_ status: Int32) -> Never {
    guard let problem = StandardStream.outputProblem else { now(status) }
    if problem == EPIPE {
      printError("standard output: its reader went away before all was written")
    } else {
      let hint = OutputFailure.isFull(problem) ? "\n    hint: see whether the disk is full" : ""
      printError("standard output: error: it cannot be written: \(systemWords(problem))" + hint)
    }
    let told: [ExitStatus] = [.breakdown, .hungUp, .interrupted, .terminated]
    now(told.contains { $0.rawValue == status } ? status : ExitStatus.badInput.rawValue)
  }
}
