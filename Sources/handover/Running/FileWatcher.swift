import Glibc
import HandoverLinux

/// A watcher that wakes up when a file in some directories is saved, created, renamed or deleted.
///
/// It reports only that something happened. The caller examines the files to find out what
/// changed, so lost or duplicate events make no difference.
final class FileWatcher: Sendable {
  /// The time in microseconds within which consecutive events count as one.
  private static let coalescingTime: Int64 = 50_000
  /// The maximum number of consecutive waits for more events, in case files are written
  /// continuously.
  private static let maximumCoalescing = 40

  private let events: Descriptor
  private let wakeup: WakeupPipe

  /// Creates a watcher of no directories; returns `nil` on failure, with the reason in `errno`.
  init?() {
    do throws(LinuxError) {
      wakeup = try WakeupPipe()
    } catch {
      errno = error.number
      return nil
    }
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { return nil }
    events = Descriptor(owning: number)
  }

  /// Starts to watch a directory; repeated calls have no effect.
  ///
  /// - Returns: Whether the directory is watched; if not, the reason is in `errno`.
  func watch(_ directory: String) -> Bool {
    let saved = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    let gone = IN_DELETE_SELF | IN_MOVE_SELF
    return SystemFile.watch(
      directory, on: events.number,
      for: UInt32(truncatingIfNeeded: saved | gone) | UInt32(IN_ONLYDIR))
  }

  /// Ends the current or the next wait; may be called on any thread.
  func wakeUp() { wakeup.signal() }

  /// Waits until a series of events has ended, or until ``wakeUp()`` is called.
  func wait() {
    guard hasEvents(within: nil) else { return }
    for _ in 0..<Self.maximumCoalescing {
      drain()
      guard hasEvents(within: Self.coalescingTime) else { return }
    }
  }

  /// Waits for events; returns `false` if there were none or if ``wakeUp()`` was called.
  ///
  /// `microseconds` limits the wait; `nil` means no limit.
  private func hasEvents(within microseconds: Int64?) -> Bool {
    var descriptors = [
      pollfd(fd: events.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return SystemFile.waitUntilReady(&descriptors, atMost: microseconds)
      && descriptors[1].revents == 0
  }

  /// Discards the pending events.
  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while SystemFile.read(events.number, into: &buffer) > 0 {}
  }
}
