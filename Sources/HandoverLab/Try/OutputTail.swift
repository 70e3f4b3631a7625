import Glibc
import HandoverLinux
import Synchronization

/// Keeps the end of a program's output, with the time of each line, and drops the rest.
final class OutputTail: Sendable {
  /// A line, with the time on the monotonic clock in microseconds at which it was complete.
  struct Line: Sendable {
    var at: Int64
    var text: String
  }

  /// The program's standard input: empty, or its terminal, which never receives input.
  let input: Int32
  private let isTerminal: Bool
  private let ends: Mutex<(read: Int32, write: Int32)>
  private let state = Mutex(State())
  /// Held while data is on its way from the pipe to the kept output.
  private let reading = Mutex(())
  private let wakeup: WakeupPipe
  /// Signaled when no process has the output open any more.
  private let over: WakeupPipe
  private let thread = Mutex<OSThread?>(nil)

  /// The maximum number of bytes that are kept.
  static let maximumLength = 8_192
  /// The maximum number of lines that are kept.
  static let maximumLineCount = 4_096
  /// The maximum length of a line in bytes.
  static let maximumLineLength = 400
  /// The maximum time in microseconds to wait for the last output.
  private static let timeout: Int64 = 500_000

  fileprivate struct State {
    var bytes: [UInt8] = []
    var lines: [Line] = []
    var line: [UInt8] = []
    var isClosed = false
  }

  /// Creates a pipe or a terminal for the output.
  init(terminal: Bool = false) throws(LinuxError) {
    isTerminal = terminal
    if terminal {
      let pair = try openTerminal()
      ends = Mutex((pair.ours, pair.theirs))
      input = pair.theirs
    } else {
      input = SystemFile.open("/dev/null", O_RDONLY)
      guard input >= 0 else { throw LinuxError(call: "open(/dev/null)", errno: errno) }
      ends = Mutex(try BlockingPipe().release())
    }
    wakeup = try WakeupPipe()
    over = try WakeupPipe()
  }

  deinit {
    close()
    if !isTerminal { _ = Glibc.close(input) }
  }

  /// The end to which the program writes.
  ///
  /// Valid until ``begin()``.
  var writeEnd: Int32 { ends.withLock { $0.write } }

  /// Starts to read.
  ///
  /// The program must have its own copy of the write end.
  func begin() {
    let read = ends.withLock { ends in
      if ends.write >= 0 { _ = Glibc.close(ends.write) }
      ends.write = -1
      return ends.read
    }
    let thread = try? OSThread.start { self.keep(read) }
    self.thread.withLock { $0 = thread }
  }

  /// The output that was kept, as text.
  var text: String {
    let bytes = state.withLock { $0.bytes }
    // A terminal ends lines with a carriage return and a line feed.
    return String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
  }

  /// The lines that were kept, in order.
  var lines: [Line] { state.withLock { $0.lines } }

  /// Reads the remaining output after all writers have ended, and stops.
  func finish() {
    _ = try? waitReadable([over.descriptor], atMost: Self.timeout)
    close()
  }

  /// Stops reading.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
    ends.withLock { ends in
      if ends.read >= 0 { _ = Glibc.close(ends.read) }
      if ends.write >= 0 { _ = Glibc.close(ends.write) }
      ends = (-1, -1)
    }
  }

  private func keep(_ descriptor: Int32) {
    defer { over.signal() }
    while !state.withLock({ $0.isClosed }) {
      guard let ready = try? waitReadable([descriptor, wakeup.descriptor], atMost: nil),
        ready[0]
      else { continue }
      guard take(descriptor) != .end else { return }
    }
  }

  private enum Taken {
    case data
    case nothing
    case end
  }

  /// Reads once if there is data.
  private func take(_ descriptor: Int32) -> Taken {
    reading.withLock { _ in
      guard (try? waitReadable([descriptor], atMost: 0)) == [true] else { return .nothing }
      var room = [UInt8](repeating: 0, count: 4_096)
      let count = SystemFile.read(descriptor, into: &room)
      // Reading from a terminal whose other end was closed returns an error.
      guard count > 0 else { return .end }
      state.withLock { $0.append(room[..<count], at: monotonicMicroseconds()) }
      return .data
    }
  }

  /// Reads everything that was written until now, for a program that has ended.
  func catchUp() {
    let descriptor = ends.withLock { $0.read }
    guard descriptor >= 0 else { return }
    // A pipe has room for 16 reads; children of the program may still write.
    for _ in 0..<64 where take(descriptor) != .data { return }
  }
}

extension OutputTail.State {
  fileprivate mutating func append(_ new: ArraySlice<UInt8>, at now: Int64) {
    bytes += new
    if bytes.count > OutputTail.maximumLength {
      bytes.removeFirst(bytes.count - OutputTail.maximumLength)
    }
    for byte in new {
      if byte == 0x0A {
        lines.append(OutputTail.Line(at: now, text: String(decoding: line, as: UTF8.self)))
        line = []
      } else if byte != 0x0D, line.count < OutputTail.maximumLineLength {
        line.append(byte)
      }
    }
    if lines.count > OutputTail.maximumLineCount {
      lines.removeFirst(lines.count - OutputTail.maximumLineCount)
    }
  }
}
