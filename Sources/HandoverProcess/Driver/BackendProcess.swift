import Glibc
import HandoverBackend
import HandoverJSON
import HandoverLinux

/// A process under test, and the pipes to it.
///
/// Every wait has a limit; past it, or where the process does what it must not, it is ended with
/// everything that it started. It is used by one thread at a time.
final class BackendProcess {
  /// How many bytes a line may have.
  static let maximumLine = 1_048_576
  /// How many times more of the log is read in a row.
  private static let maximumReads = 16
  /// How many bytes of the log are kept; the latest ones.
  static let maximumLog = 65_536
  /// How long a process may usually take to exit, in microseconds.
  static let maximumFarewell: Int64 = 1_000_000
  /// How long one that has closed its standard output may take to exit, in microseconds: the time
  /// that the kernel of a busy machine needs to end a process.
  private static let maximumEnd: Int64 = 2_000_000

  private let tree: ProcessTree
  private let input: Descriptor
  private let output: Descriptor
  private let errors: Descriptor
  private let timeout: Int64
  /// What has been read and is no whole line yet.
  private var unread: [UInt8] = []
  /// Where a read puts what it gets.
  private var room = [UInt8](repeating: 0, count: 65_536)
  private var logBytes: [UInt8] = []
  private var logHasEnded = false
  private var isOver = false
  /// What messages call it.
  private let title: String

  /// Where a process is started.
  enum Place {
    /// Where this one is.
    case here
    /// On the device of a network.
    case device(any LiveNetwork)
    /// Among the servers of a network.
    case servers(any LiveNetwork)
  }

  /// Starts a command by the shell.
  ///
  /// - Parameters:
  ///   - command: as one would type it.
  ///   - timeout: how many microseconds an answer may take.
  ///   - place: where it lives.
  ///   - title: what messages call it.
  /// - Throws: ``BackendError`` where it cannot be started.
  init(
    _ command: String, timeout: Int64, at place: Place = .here, title: String = "the backend"
  ) throws(BackendError) {
    self.timeout = timeout
    self.title = title
    do {
      let input = try SocketPair()
      let output = try BlockingPipe()
      let errors = try BlockingPipe()
      let (theirInput, theirOutput, theirErrors) = (
        input.theirEnd.number, output.writeEnd.number, errors.writeEnd.number
      )
      tree = try Self.start(at: place) { () throws(LinuxError) in
        try ProcessTree.start(
          ["/bin/sh", "-c", "exec \(command)"], environment: Environment.forOthers,
          input: theirInput, output: theirOutput, error: theirErrors)
      }
      self.input = input.takeOwnEnd()
      self.output = output.takeReadEnd()
      self.errors = errors.takeReadEnd()
      try setNonBlocking(self.input.number)
      try setNonBlocking(self.output.number)
      try setNonBlocking(self.errors.number)
    } catch {
      throw BackendError(.cannotStart, "\(title) cannot be started: \(error)")
    }
  }

  /// Starts a child on a thread of its place, where it then belongs.
  private static func start(
    at place: Place, _ start: @escaping @Sendable () throws(LinuxError) -> ProcessTree
  ) throws -> ProcessTree {
    let attempt = { @Sendable in Result(catching: start) }
    return switch place {
    case .here: try start()
    case .device(let network): try network.onDevice(attempt).get()
    case .servers(let network): try network.onServers(attempt).get()
    }
  }

  deinit { end() }

  /// What the process wrote to its standard error, the latest of it.
  var log: String {
    drainLog()
    return String(decoding: logBytes.suffix(Self.maximumLog), as: UTF8.self)
  }

  /// Forgets what the process wrote to its standard error so far.
  func forgetLog() {
    drainLog()
    logBytes.removeAll(keepingCapacity: true)
  }

  // MARK: Lines

  /// Sends a line, which ends with a line feed.
  func send(_ line: [UInt8]) throws(BackendError) {
    var sent = 0
    let deadline = monotonicMicroseconds() + timeout
    while sent < line.count {
      let count = unsafe line.withUnsafeBytes { bytes in
        // A process that is gone is an error of this call, and no signal.
        unsafe Glibc.send(
          input.number, bytes.baseAddress?.advanced(by: sent), line.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try waitForRoom(until: deadline)
      } else if errno != EINTR {
        // It is gone. What it still said, or how it ended, is told to whoever waits for its answer.
        return
      }
    }
  }

  /// The next line, without its line feed.
  ///
  /// - Parameter microseconds: how long it may take; nil is as long as any answer.
  /// - Returns: the line.
  /// - Throws: ``BackendError`` where none came in time, or the process ended.
  func receive(within microseconds: Int64? = nil) throws(BackendError) -> [UInt8] {
    let limit = microseconds ?? timeout
    let deadline = monotonicMicroseconds() + limit
    while true {
      if let line = try lineAtHand() { return line }
      guard monotonicMicroseconds() < deadline else { throw noAnswer(within: limit) }
      try Self.wait(for: [self], until: deadline)
    }
  }

  /// The next line where it has been written already, without its line feed; nil where it has not.
  func lineAtHand() throws(BackendError) -> [UInt8]? {
    repeat {
      if let end = unread.firstIndex(of: 0x0A) {
        let line = Array(unread[..<end])
        unread.removeSubrange(...end)
        return line
      }
      guard unread.count <= Self.maximumLine else {
        throw failure("it wrote a line of over \(Self.maximumLine) bytes")
      }
    } while try readMore()
    return nil
  }

  /// Waits until one of some processes has written something or ended, another descriptor can be
  /// read, or until an instant of the monotonic clock.
  static func wait(
    for processes: [BackendProcess], or other: Int32? = nil, until deadline: Int64
  ) throws(BackendError) {
    // The end of its log is not the end of a process; waiting for more of it would not wait.
    var watched = processes.flatMap {
      $0.logHasEnded ? [$0.output.number] : [$0.output.number, $0.errors.number]
    }
    if let other { watched.append(other) }
    do throws(LinuxError) {
      _ = try waitReadable(watched, atMost: deadline - monotonicMicroseconds())
    } catch {
      throw BackendError(.brokeDown, "nothing can be waited for: \(error)")
    }
    for process in processes { process.drainLog() }
  }

  /// Whether it waits for a command: it runs, and has written nothing without being asked.
  var isQuiet: Bool {
    do throws(BackendError) {
      return try unasked() == nil
    } catch {
      return false
    }
  }

  /// What it wrote without being asked; nil where it wrote nothing.
  func unasked() throws(BackendError) -> String? {
    if unread.isEmpty { _ = try readMore() }
    return unread.isEmpty ? nil : Self.excerpt(unread)
  }

  /// Reads what there is.
  ///
  /// - Returns: whether there was anything.
  private func readMore() throws(BackendError) -> Bool {
    let count = unsafe room.withUnsafeMutableBytes { bytes in
      unsafe read(output.number, bytes.baseAddress, bytes.count)
    }
    if count > 0 {
      unread += room[..<count]
      return true
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    throw ended()
  }

  private func waitForRoom(until deadline: Int64) throws(BackendError) {
    let left = deadline - monotonicMicroseconds()
    guard left > 0 else { throw noAnswer() }
    drainLog()
    // It may be that it cannot read because nobody takes what it writes to its log.
    var polled = [pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0)]
    if !logHasEnded { polled.append(pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)) }
    _ = unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: left / 1_000 + 1))
  }

  // MARK: The log

  /// Takes in what it has written for people; one that goes on writing is read again next time.
  private func drainLog() {
    for _ in 0..<Self.maximumReads {
      let count = unsafe room.withUnsafeMutableBytes { bytes in
        unsafe read(errors.number, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else {
        logHasEnded = count == 0
        return
      }
      logBytes += room[..<count]
      if logBytes.count > 2 * Self.maximumLog {
        logBytes.removeFirst(logBytes.count - Self.maximumLog)
      }
    }
  }

  // MARK: Failures

  /// An error about what the process did, with the latest of its log.
  func failure(_ what: String) -> BackendError {
    drainLog()
    let tail = String(decoding: logBytes.suffix(600), as: UTF8.self)
    let lines = tail.split(separator: "\n").suffix(6).joined(separator: " | ")
    return BackendError(
      .brokeDown,
      SafeText.line(
        "\(title) broke down: \(what)" + (lines.isEmpty ? "" : "; its log ends: \(lines)")))
  }

  /// An error about an answer that did not come.
  func noAnswer(within microseconds: Int64? = nil) -> BackendError {
    failure("it gave no answer within \((microseconds ?? timeout) / 1_000) ms" + openLine)
  }

  private func ended() -> BackendError {
    var how = "it closed its standard output"
    if let end = tree.wait(atMost: Self.maximumEnd) {
      isOver = true
      how = Self.words(end)
    }
    return failure(how + openLine)
  }

  /// What it wrote of a line that it did not end, in words; whoever forgets the line feed sees it.
  private var openLine: String {
    guard !unread.isEmpty, !unread.contains(0x0A) else { return "" }
    return "; the last that it wrote ends without a line feed: \(Self.excerpt(unread))"
  }

  static func excerpt(_ line: [UInt8]) -> String {
    let text = String(decoding: line.prefix(120), as: UTF8.self)
    let visible = SafeText.line(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    return line.count > 120 ? visible + "..." : visible
  }

  // MARK: The end

  /// Stops everything that the process started, and itself, or lets it go on.
  func suspend(_ isSuspended: Bool) {
    tree.signal(isSuspended ? SIGSTOP : SIGCONT, to: .all)
  }

  /// Asks the process to stop, and sees to it that it does, with everything it started.
  ///
  /// Its input ends there: in a pipeline only the last program sees the order, the others the end.
  ///
  /// - Returns: what was wrong with the way it ended; nil where it exited with status 0.
  @discardableResult
  func stop(within microseconds: Int64 = maximumFarewell) -> String? {
    try? send(Array("{\"cmd\":\"stop\"}\n".utf8))
    shutdown(input.number, Int32(SHUT_WR))
    defer { end() }
    if let end = isOver ? nil : tree.wait(atMost: min(timeout, microseconds)) {
      isOver = true
      return end == .exited(0) ? nil : Self.words(end)
    }
    return "it did not exit"
  }

  private static func words(_ end: ChildProcess.End) -> String {
    switch end {
    case .exited(let status): "it exited with status \(status)"
    case .signalled(let signal): "signal \(signal) ended it"
    }
  }

  /// Ends the process with all that it started; the second time it does nothing.
  func end() { tree.end() }
}
