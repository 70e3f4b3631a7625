import Glibc

/// A watcher that wakes up when a file in some directories is saved, created, renamed or deleted.
///
/// It reports only that something happened. The caller examines the files to find out what
/// changed, so lost or duplicate events make no difference.
final class FileWatcher: Sendable {
  /// The time within which consecutive events count as one.
  static let coalescingMilliseconds: Int32 = 50
  /// The maximum number of consecutive waits for more events, in case files are written
  /// continuously.
  private static let maximumCoalescing = 40

  private let events: Int32
  /// The read end and the write end of the wakeup pipe.
  private let wakeUps: (read: Int32, write: Int32)

  /// Creates a watcher of no directories; returns `nil` on failure, with the reason in `errno`.
  init?() {
    var ends: [Int32] = [-1, -1]
    let isPiped = unsafe pipe(&ends) == 0
    for end in ends where isPiped {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    wakeUps = (ends[0], ends[1])
    if events < 0 || !isPiped { return nil }
  }

  deinit {
    for descriptor in [events, wakeUps.read, wakeUps.write] where descriptor >= 0 {
      close(descriptor)
    }
  }

  /// Starts to watch a directory; repeated calls have no effect.
  ///
  /// - Returns: Whether the directory is watched; if not, the reason is in `errno`.
  func watch(_ directory: String) -> Bool {
    let saved = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    let gone = IN_DELETE_SELF | IN_MOVE_SELF
    return unsafe inotify_add_watch(
      events, directory, UInt32(truncatingIfNeeded: saved | gone) | UInt32(IN_ONLYDIR)) >= 0
  }

  /// Ends the current or the next wait; may be called on any thread.
  func wakeUp() {
    // If the pipe is full, a wakeup is pending already.
    var byte: UInt8 = 1
    _ = unsafe write(wakeUps.write, &byte, 1)
  }

  /// Waits until a series of events has ended, or until ``wakeUp()`` is called.
  func wait() {
    guard poll(for: -1) else { return }
    for _ in 0..<Self.maximumCoalescing {
      drain()
      guard poll(for: Self.coalescingMilliseconds) else { return }
    }
  }

  /// Waits for events; returns `false` if there were none or if ``wakeUp()`` was called.
  private func poll(for milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: events, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUps.read, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe Glibc.poll(&descriptors, 2, milliseconds) < 0 {
      guard errno == EINTR else { return false }
    }
    return descriptors[1].revents == 0 && descriptors[0].revents != 0
  }

  /// Discards the pending events.
  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while unsafe read(events, &buffer, buffer.count) > 0 {}
  }
}
