import Dispatch
import Glibc
import Synchronization

/// Notes that the user wants to stop, so that what is finished can still be reported.
///
/// A second signal ends the process at once.
final class Interruption: Sendable {
  private let signal = Mutex<Int32?>(nil)
  private let action = Mutex<@Sendable () -> Void>({})

  /// The signal that came; nil while none has.
  var received: Int32? { signal.withLock { $0 } }

  /// Begins to listen for SIGINT and SIGTERM.
  func listen() {
    for number in [SIGINT, SIGTERM] {
      Glibc.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // The handler holds its own source, which must live as long as the process.
      source.setEventHandler { withExtendedLifetime(source) { self.note(number) } }
      // Until it is registered, on another thread, a signal would be ignored and lost.
      let isRegistered = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { isRegistered.signal() }
      source.resume()
      isRegistered.wait()
    }
  }

  /// Has something done when a signal comes, such as ending a wait.
  func whenReceived(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
    // A signal that came before is not lost.
    if received != nil { action() }
  }

  private func note(_ number: Int32) {
    let isSecond = signal.withLock { signal in
      defer { signal = signal ?? number }
      return signal != nil
    }
    if isSecond { exit(128 + number) }
    action.withLock { $0 }()
  }

  /// The exit status that goes with the signal that came.
  var exitStatus: ExitStatus? {
    received.map { $0 == SIGTERM ? .terminated : .interrupted }
  }
}
