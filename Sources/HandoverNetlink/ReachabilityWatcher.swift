public import HandoverLinux

/// Tells of changes from a thread of its own, as soon as the kernel does.
///
/// The thread ends when ``stop()`` is called, when nobody holds the watcher any more, or after a
/// failure, which is the last thing that is told.
public final class ReachabilityWatcher: Sendable {
  private let ending: Wakening
  private let thread: OSThread

  /// Takes what the watcher has to tell, one at a time.
  ///
  /// It is called on the watcher's thread and keeps it from looking for as long as it takes; what
  /// is missed meanwhile is told by one change that is ``ReachabilityChange/Cause/resynchronised``,
  /// or by the next event. It must not hold the watcher.
  public typealias Handler = @Sendable (Result<ReachabilityChange, LinuxError>) -> Void

  /// Begins to watch; how things stand is told first.
  public init(
    _ probe: ReachabilityProbe, _ handler: @escaping Handler
  ) throws(LinuxError) {
    let ending = try Wakening()
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

  /// Ends the thread and waits for its end; afterwards nothing is told any more.
  ///
  /// The second time it does nothing. It must not be called by the handler.
  public func stop() {
    ending.signal()
    thread.join()
  }
}
