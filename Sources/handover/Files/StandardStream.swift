import Glibc
import HandoverCore
import HandoverLinux
import HandoverScenario
import Synchronization

/// Standard output, standard error, or a file: the only way in which this command writes.
///
/// Failures are never ignored. ``OutputFile`` reports those of a file. Those of standard output are
/// stored until the command exits, and are reported then.
struct StandardStream: Sendable {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Opens the standard descriptors that are closed, so that no other file gets their numbers.
  ///
  /// Without this, a pipe or an output file could receive data meant for a standard stream. Each
  /// descriptor is opened in the wrong direction, so reads and writes still fail with `EBADF`.
  static func occupyClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is used, and the lower ones are occupied already.
      _ = SystemFile.open(
        "/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY, isInherited: true)
    }
  }

  private static let lost = Mutex<Int32?>(nil)
  /// The wakeup that ends all waits for readers.
  private static let lastCall = try? WakeupPipe()
  private static let isOver = Atomic(false)

  /// Ends every wait for a reader, now and in the future.
  ///
  /// Data that a pipe does not accept immediately is lost and reported as such.
  static func endWaits() {
    isOver.store(true, ordering: .releasing)
    lastCall?.signal()
  }

  /// Whether waits for readers have been ended.
  static var waitsHaveEnded: Bool { isOver.load(ordering: .acquiring) }

  /// The reason for data that the reader of a pipe did not accept, as a value of `errno`.
  static let unread = ECANCELED

  /// The reason for the first failed write to standard output, as `errno`, or `nil` if there was
  /// none.
  ///
  /// After a failure, nothing more is written to standard output.
  static var outputProblem: Int32? { lost.withLock { $0 } }

  /// Whether the stream is a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns, or `nil` if the stream is not a terminal or does not report its size.
  ///
  /// The variable `COLUMNS` overrides the size, for files and pipes too.
  var columnCount: Int? {
    if let said = Int(Environment.variable("COLUMNS")), (1...10_000).contains(said) { return said }
    return SystemFile.columnCount(of: descriptor)
  }

  /// Writes a text unchanged.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - deadline: The time of the monotonic clock in microseconds until which a reader may delay
  ///     the write, or `nil` if it may do so forever.
  /// - Returns: Whether the text was written.
  @discardableResult
  func write(_ text: String, until deadline: Int64? = nil) -> Bool {
    let isOutput = descriptor == STDOUT_FILENO
    if isOutput, Self.outputProblem != nil { return false }
    guard let problem = Self.write(text, to: descriptor, until: deadline) else { return true }
    if isOutput { Self.lost.withLock { $0 = $0 ?? problem } }
    return false
  }

  /// Writes a report for people with its layout.
  ///
  /// Terminal control sequences and workflow commands of CI runners are removed.
  ///
  /// - Parameters:
  ///   - text: The report.
  ///   - isColored: Whether Handover colored the text; these colors are preserved.
  /// - Returns: Whether the report was written.
  @discardableResult
  func show(_ text: String, isColored: Bool = false) -> Bool {
    write(SafeText.shown(text, keepsColor: isColored))
  }

  /// Whether the terminal shows a transient line, which the next output replaces.
  private static let showsTransientLine = Mutex(false)
  /// A copy of `showsTransientLine` that can be checked without the lock.
  private static let mayPass = Atomic(false)

  /// Shows a transient line on the terminal of standard error until other output follows.
  static func showTransient(_ line: String) {
    showsTransientLine.withLock { showsTransientLine in
      _ = writeAsIs("\r\u{1b}[K" + SafeText.line(line), to: STDERR_FILENO)
      showsTransientLine = true
      mayPass.store(true, ordering: .releasing)
    }
  }

  /// Removes the transient line.
  static func clearTransient() {
    guard mayPass.load(ordering: .acquiring) else { return }
    showsTransientLine.withLock { showsTransientLine in
      if showsTransientLine { _ = writeAsIs("\r\u{1b}[K", to: STDERR_FILENO) }
      showsTransientLine = false
      mayPass.store(false, ordering: .releasing)
    }
  }

  /// Writes one or more lines for people, no wider than the stream.
  ///
  /// Terminal control sequences and workflow commands of CI runners are removed.
  ///
  /// - Returns: Whether the lines were written.
  @discardableResult
  func say(_ text: String = "") -> Bool {
    let fitted = HelpText.fitted(SafeText.lines(text), to: columnCount)
    // Line breaks can move a workflow command to the beginning of a line.
    return write(SafeText.withoutCommands(fitted) + "\n")
  }

  /// Writes a text to a descriptor.
  ///
  /// - Returns: The reason for a failure as `errno`, or `nil` on success.
  static func write(
    _ text: String, to descriptor: Int32, until deadline: Int64? = nil
  ) -> Int32? {
    if descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO { clearTransient() }
    return writeAsIs(text, to: descriptor, until: deadline)
  }

  private static func writeAsIs(
    _ text: String, to descriptor: Int32, until deadline: Int64? = nil
  ) -> Int32? {
    write(text.utf8.span, to: descriptor, until: deadline)
  }

  /// Writes bytes to a descriptor, and returns the reason for a failure as `errno`.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    write(bytes.span, to: descriptor)
  }

  private static func write(
    _ bytes: Span<UInt8>, to descriptor: Int32, until deadline: Int64? = nil
  ) -> Int32? {
    let hasReader = hasReader(descriptor)
    var sent = 0
    while sent < bytes.count {
      if hasReader, !isReady(descriptor, until: deadline) { return unread }
      // A ready pipe accepts this amount without blocking; a blocked write could not be ended.
      let rest = bytes.count - sent
      let count = hasReader ? min(rest, pageOfPipe) : rest
      let written = SystemFile.write(bytes.extracting(sent..<sent + count), to: descriptor)
      if written > 0 {
        sent += written
        continue
      }
      switch written < 0 ? errno : EIO {
      // Another process may have set the shared end to non-blocking mode.
      case EINTR, EAGAIN: continue
      case let problem: return problem
      }
    }
    return nil
  }

  /// The amount that a pipe accepts at a time when it is ready.
  private static let pageOfPipe = 4_096

  /// Returns whether a reader may delay writes, as for a pipe or a terminal.
  private static func hasReader(_ descriptor: Int32) -> Bool {
    // The read end of a pipe never becomes writable; a write to it fails immediately.
    guard fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY else { return false }
    return FileStatus(descriptor)?.hasReader ?? false
  }

  /// Waits until the descriptor is writable; returns `false` at the deadline or if waits have been
  /// ended.
  private static func isReady(_ descriptor: Int32, until deadline: Int64?) -> Bool {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: lastCall?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let rest = deadline.map { $0 - monotonicMicroseconds() }
      let count = SystemFile.poll(&polled, atMost: rest)
      if count > 0 { break }
      if count == 0 { return false }
      guard count == -EINTR else { return true }
    }
    // If the descriptor is not writable at all, the write reports the error.
    return polled[0].revents != 0
  }
}

/// Writes lines for people to standard output.
func say(_ text: String = "") {
  StandardStream.output.say(text)
}

/// Writes lines for people to standard error.
func printError(_ text: String) {
  StandardStream.error.say(text)
}

/// Returns the description of a reason in `errno`.
func systemErrorText(_ reason: Int32) -> String {
  switch reason {
  case StandardStream.unread: "its reader stopped reading"
  case EBADF: "it is not open for writing"
  default: SystemText.error(reason)
  }
}
