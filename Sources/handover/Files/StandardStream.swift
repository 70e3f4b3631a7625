import HandoverJSON
import HandoverLinux
import HandoverScenario
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output, standard error, or a file: the one way in which this command writes anything.
///
/// What could not be written is never passed over: a file's trouble is told by ``OutputFile``, and
/// that of standard output is kept until the command is left, which then tells it.
struct StandardStream: Sendable {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Takes the numbers of standard input, output and error where they are closed, so that nothing
  /// else gets them: a pipe of our own would be written to for ever, and a file would hold what is
  /// said to people.
  ///
  /// Each is opened the wrong way round. Whoever reads or writes there still fails with `EBADF`.
  static func occupyClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest number that is free is taken, and those below are taken already.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static let lost = Mutex<Int32?>(nil)
  /// Signalled when nobody waits for readers any more.
  private static let lastCall = try? Wakening()
  private static let isOver = Atomic(false)

  /// Ends every wait for somebody who reads, now and from now on: what a pipe does not take at once
  /// is lost, and told as such.
  static func waitNoMore() {
    isOver.store(true, ordering: .releasing)
    lastCall?.signal()
  }

  /// Whether nobody waits for readers any more.
  static var waitsNoMore: Bool { isOver.load(ordering: .acquiring) }

  /// That the reader of a pipe took no more, as a reason beside those of the system.
  static let unread = ECANCELED

  /// Why something of standard output could not be written, as `errno`; nil where all of it was.
  ///
  /// Nothing is written there any more after the first thing that could not be.
  static var outputProblem: Int32? { lost.withLock { $0 } }

  /// Whether a person looks at it.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// How many columns a line has; nil where it is no terminal, or one that does not say.
  ///
  /// `COLUMNS` says so for files and pipes too, and in the terminal's place.
  var columnCount: Int? {
    if let said = Int(Environment.variable("COLUMNS")), (1...10_000).contains(said) { return said }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Writes all of a text as it is.
  ///
  /// - Returns: whether it was written.
  @discardableResult
  func write(_ text: String) -> Bool {
    let isOutput = descriptor == STDOUT_FILENO
    if isOutput, Self.outputProblem != nil { return false }
    guard let problem = Self.write(text, to: descriptor) else { return true }
    if isOutput { Self.lost.withLock { $0 = $0 ?? problem } }
    return false
  }

  /// Writes a report for people as it is laid out, without anything that a terminal obeys or that a
  /// runner of workflows takes for a command.
  ///
  /// - Parameters:
  ///   - text: the report.
  ///   - isColoured: whether Handover coloured it; these colours stay.
  /// - Returns: whether it was written.
  @discardableResult
  func show(_ text: String, isColoured: Bool = false) -> Bool {
    write(SafeText.shown(text, keepsColour: isColoured))
  }

  /// Whether a line stands on the terminal that whatever is written next takes away.
  private static let isPassing = Mutex(false)
  /// The same, as a look without waiting.
  private static let mayPass = Atomic(false)

  /// Shows a line on the terminal of standard error until something else is written.
  static func showPassing(_ line: String) {
    isPassing.withLock { isPassing in
      _ = writeAsIs("\r\u{1b}[K" + SafeText.line(line), to: STDERR_FILENO)
      isPassing = true
      mayPass.store(true, ordering: .releasing)
    }
  }

  /// Takes that line away.
  static func clearPassing() {
    guard mayPass.load(ordering: .acquiring) else { return }
    isPassing.withLock { isPassing in
      if isPassing { _ = writeAsIs("\r\u{1b}[K", to: STDERR_FILENO) }
      isPassing = false
      mayPass.store(false, ordering: .releasing)
    }
  }

  /// Writes a line for people, or several: with nothing in it that a terminal obeys, or that
  /// whoever reads a log takes for a command, and no wider than there are columns.
  ///
  /// - Returns: whether it was written.
  @discardableResult
  func say(_ text: String = "") -> Bool {
    let fitted = HelpText.fitted(SafeText.lines(text), to: columnCount)
    // A word that stood within a line may begin one now.
    return write(SafeText.withoutCommands(fitted) + "\n")
  }

  /// Writes all of a text.
  ///
  /// - Returns: why it could not be written, as `errno`; nil where it was.
  static func write(_ text: String, to descriptor: Int32) -> Int32? {
    if descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO { clearPassing() }
    return writeAsIs(text, to: descriptor)
  }

  private static func writeAsIs(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { unsafe write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes all of some bytes, likewise.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    let hasReader = hasReader(descriptor)
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      if hasReader, !isReady(descriptor) { return unread }
      // What is ready takes so much without a wait that nobody could end.
      let count = hasReader ? min(rest.count, pageOfPipe) : rest.count
      let written = unsafe Glibc.write(descriptor, rest.baseAddress, count)
      if written > 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        continue
      }
      switch written < 0 ? errno : EIO {
      // Somebody may have given us an end that does not wait.
      case EINTR, EAGAIN: continue
      case let problem: return problem
      }
    }
    return nil
  }

  /// How much a pipe takes at once when it says that it takes something.
  private static let pageOfPipe = 4_096

  /// Whether somebody at the other end may take a while, as of a pipe or a terminal.
  private static func hasReader(_ descriptor: Int32) -> Bool {
    // The end of a pipe that is read is never ready to be written; that fails at once.
    guard fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Waits until something can be written; false where nobody waits any more.
  private static func isReady(_ descriptor: Int32) -> Bool {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: lastCall?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&polled, 2, -1) < 0 {
      guard errno == EINTR else { return true }
    }
    // What cannot be written at all says so when it is tried.
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

extension Environment {
  /// The text of a variable; empty where it is not set.
  static func variable(_ name: String) -> String {
    guard let value = unsafe getenv(name) else { return "" }
    return unsafe String(cString: value)
  }
}

/// The words for a reason in `errno`.
func systemWords(_ reason: Int32) -> String {
  switch reason {
  case StandardStream.unread: "its reader took no more"
  case EBADF: "it is not open for writing"
  default: unsafe String(cString: strerror(reason))
  }
}
