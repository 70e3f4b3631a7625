import Glibc
import HandoverScenario
import Synchronization

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

  private static let lost = Mutex<Int32?>(nil)

  /// Why something of standard output could not be written, as `errno`; nil where all of it was.
  ///
  /// Nothing is written there any more after the first thing that could not be.
  static var outputProblem: Int32? { lost.withLock { $0 } }

  /// Whether a person looks at it.
  var isTerminal: Bool { isatty(descriptor) == 1 }

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

  /// Writes a line for people, or several: with nothing in it that a terminal obeys, or that
  /// whoever reads a log takes for a command.
  func say(_ text: String = "") {
    write(SafeText.lines(text) + "\n")
  }

  /// Writes all of a text.
  ///
  /// - Returns: why it could not be written, as `errno`; nil where it was.
  static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { unsafe write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes all of some bytes, likewise.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written > 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        continue
      }
      switch written < 0 ? errno : EIO {
      case EINTR: continue
      case EAGAIN:
        // Somebody gave us an end that does not wait.
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&polled, 1, -1)
      case let problem: return problem
      }
    }
    return nil
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

/// The words of the system for a reason in `errno`.
func systemWords(_ reason: Int32) -> String {
  unsafe String(cString: strerror(reason))
}
