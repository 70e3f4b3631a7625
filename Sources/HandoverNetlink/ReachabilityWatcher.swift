public import HandoverLinux

/// Reports changes from its own thread as soon as the kernel does.
///
/// The thread ends when ``stop()`` is called, when the watcher is destroyed, or after a failure,
/// which is the last report.
public final class ReachabilityWatcher: Sendable {
  private let ending: WakeupPipe
  private let thread: OSThread

  /// A closure that receives the watcher's reports one at a time.
  ///
  /// The watcher calls it on its own thread and does not watch until it returns. Changes missed
  /// meanwhile are reported by one change with the cause
  /// ``ReachabilityChange/Cause/resynchronized``, or by the next event. The closure must not retain
  /// the watcher.
  public typealias Handler = @Sendable (Result<ReachabilityChange, LinuxError>) -> Void

  /// Starts watching; the first report is the current state.
  public init(
    _ probe: ReachabilityProbe, _ handler: @escaping Handler
  ) throws(LinuxError) {
    let ending = try WakeupPipe()
    self.ending = ending
    thread = try OSThread.start {
      do throws(LinuxError) {
        try probe.follow(until: ending) { change in
          handler(.success(change))
          return true
        }
      } catch {
        handler(.failure(error))
      }
    }
  }

  deinit { stop() }

  /// Ends the thread and waits for it; the handler is not called afterward.
  ///
  /// A second call has no effect. The handler must not call this method.
  public func stop() {
    ending.signal()
    thread.join()
  }
}
