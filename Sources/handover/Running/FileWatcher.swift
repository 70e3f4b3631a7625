#if os(Linux)
  import Glibc

  /// Wakes up when something is saved, made, renamed or deleted in some directories.
  ///
  /// It says only that something happened. What it was is found out by looking at the files, so
  /// that an event that was lost or came twice makes no difference.
  final class FileWatcher: Sendable {
    /// Whether this system can tell of saved files.
    static let isAvailable = true
    /// Whatever comes within this time belongs together.
    static let coalescingMilliseconds: Int32 = 50
    /// How often the wait for more is taken up again, where something is written all the time.
    private static let maximumCoalescing = 40

    private let events: Int32
    /// The reading and the writing end of a pipe that only ever says "wake up".
    private let wakeUps: (read: Int32, write: Int32)

    /// Makes a watcher of nothing; nil where the system gives none, with the reason in `errno`.
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

    /// Begins to watch a directory; once more does no harm.
    ///
    /// - Returns: whether it is watched; if not, the reason is in `errno`.
    func watch(_ directory: String) -> Bool {
      let saved = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      let gone = IN_DELETE_SELF | IN_MOVE_SELF
      return unsafe inotify_add_watch(
        events, directory, UInt32(truncatingIfNeeded: saved | gone) | UInt32(IN_ONLYDIR)) >= 0
    }

    /// Makes the wait end, now or the next time; may be called by any thread.
    func wakeUp() {
      // A pipe that is full wakes up all the same.
      var byte: UInt8 = 1
      _ = unsafe write(wakeUps.write, &byte, 1)
    }

    /// Waits until something happened and nothing more follows at once, or for ``wakeUp()``.
    func wait() {
      guard poll(for: -1) else { return }
      for _ in 0..<Self.maximumCoalescing {
        drain()
        guard poll(for: Self.coalescingMilliseconds) else { return }
      }
    }

    /// Waits for events; false where none came, or somebody wants the wait to end.
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

    /// Takes what was told away unread.
    private func drain() {
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while unsafe read(events, &buffer, buffer.count) > 0 {}
    }
  }
#else
  /// Stands for the watcher where the system has none.
  final class FileWatcher: Sendable {
    /// Whether this system can tell of saved files.
    static let isAvailable = false

    init?() { return nil }

    func watch(_ directory: String) -> Bool { false }
    func wakeUp() {}
    func wait() {}
  }
#endif
