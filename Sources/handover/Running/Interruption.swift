import Glibc
import HandoverLinux
import Synchronization

/// A handler of signals, which allows the command to report what is finished.
///
/// On a signal, the working threads are notified and have ``timeout`` to finish the reports and
/// exit. If they do not, or if they crashed, the last resort applies: the listening thread finishes
/// the reports, unless another thread has locked them, and ends the process. A second signal ends
/// the process immediately.
final class Interruption: Sendable {
  /// The time that the working threads have to exit, in milliseconds.
  private static let timeout: Int32 = 500
  /// The maximum numbers of attempts: while another thread finishes the reports, and while it seems
  /// stuck.
  private static let tries = 500
  private static let shortTries = 15
  /// The time between two attempts, in milliseconds.
  private static let pause: Int32 = 20

  private struct State {
    var signal: Int32?
    var action: @Sendable () -> Void = {}
    var lastResort: @Sendable () -> LastResort = { .done }
  }

  /// The outcome of the last resort.
  enum LastResort {
    /// Everything is finished.
    case done
    /// Another thread is about to finish the reports.
    case alreadyFinishing
    /// The thread that has locked the reports will not continue.
    case lost
  }

  private let state = Mutex(State())

  /// The signal that was received, or `nil` if there was none.
  var received: Int32? { state.withLock { $0.signal } }

  /// Starts to listen for SIGHUP, SIGINT and SIGTERM, and for crashes of unguarded threads.
  ///
  /// - Throws: ``ExitError`` if the system does not permit this.
  func listen() throws {
    do throws(LinuxError) {
      let listener = try SignalListener()
      _ = try OSThread.start { self.listen(to: listener) }
    } catch {
      throw ExitError(.breakdown, printing: "error: cannot wait for signals: \(error)")
    }
  }

  /// Sets an action for a signal, such as ending a wait.
  func whenReceived(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.action = action }
    // A signal that came before is not lost.
    if received != nil { action() }
  }

  /// Makes the process exit immediately on a signal, if there is nothing to finish.
  ///
  /// - Parameter action: A closure that is called before the exit, for example to print a message.
  func leaveWhenReceived(_ action: @escaping @Sendable () -> Void = {}) {
    whenReceived { [self] in
      action()
      if let received { Leaving.now(128 + received) }
    }
  }

  /// Lets signals end a command that has nothing to finish; its temporary files are removed.
  ///
  /// - Throws: ``ExitError`` if the system does not permit this.
  static func leaveAtSignals() throws {
    let interruption = Interruption()
    try interruption.listen()
    interruption.leaveWhenReceived()
  }

  /// Sets the closure that finishes the reports if the working threads cannot.
  func asLastResort(_ finish: @escaping @Sendable () -> LastResort) {
    state.withLock { $0.lastResort = finish }
  }

  private func listen(to listener: SignalListener) {
    listener.listenOnThisThread()
    guard let news = listener.wait(atMost: -1) else { return }
    Leaving.now(status(after: news, listener))
  }

  /// Returns the exit status, after finishing everything that can be finished.
  private func status(after event: SignalListener.Event, _ listener: SignalListener) -> Int32 {
    switch event {
    case .fault(let fault):
      printError("error: internal error outside of any case: \(fault)")
      takeLastResort(before: listener, isFault: true)
      return ExitStatus.breakdown.rawValue
    case .signal(let number):
      let action = state.withLock { state in
        state.signal = number
        return state.action
      }
      action()
      let next = listener.wait(atMost: Self.timeout)
      // A thread that waits for the reader of a pipe can then finish the other reports.
      StandardStream.endWaits()
      if case .signal = next {} else { takeLastResort(before: listener, isFault: next != nil) }
      return 128 + number
    }
  }

  /// Finishes the reports in place of the working threads; returns early at a second signal.
  private func takeLastResort(before listener: SignalListener, isFault: Bool) {
    for number in 0..<Self.tries {
      if isFault, number == Self.shortTries / 2 { StandardStream.endWaits() }
      switch state.withLock({ $0.lastResort })() {
      case .done: return
      case .alreadyFinishing where !isFault || number < Self.shortTries: break
      case .lost where number < Self.shortTries: break
      // A thread that is stuck finishes nothing.
      case .alreadyFinishing, .lost:
        printError("error: some reports are incomplete")
        return
      }
      if case .signal = listener.wait(atMost: Self.pause) { return }
    }
  }

  /// The exit status for the signal that was received.
  var exitStatus: ExitStatus? {
    received.flatMap { ExitStatus(rawValue: 128 + $0) }
  }
}

/// The end of the process.
enum Leaving {
  /// Ends the process immediately, whatever other threads do, and removes incomplete files.
  static func now(_ status: Int32) -> Never {
    OutputFile.removeUnfinished(thenExit: status)
  }

  /// Ends the process after all output, and reports data that standard output did not accept.
  static func finally(_ status: Int32) -> Never {
    guard let problem = StandardStream.outputProblem else { now(status) }
    if problem == EPIPE {
      printError("standard output: the reader exited before all output was written")
    } else {
      let hint = OutputFailure.isFull(problem) ? "\n    hint: free some space on the disk" : ""
      printError("standard output: error: it cannot be written: \(systemErrorText(problem))" + hint)
    }
    let reported: [ExitStatus] = [.breakdown, .hungUp, .interrupted, .terminated]
    now(reported.contains { $0.rawValue == status } ? status : ExitStatus.badInput.rawValue)
  }
}
