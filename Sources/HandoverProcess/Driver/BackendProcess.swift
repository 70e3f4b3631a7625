import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux

/// A process under test, and the pipes to it.
///
/// Every wait has a limit. If the limit passes, or if the process violates the protocol, the
/// process is killed together with everything that it started. A `BackendProcess` is used by one
/// thread at a time.
final class BackendProcess {
  /// The maximum length of a line in bytes.
  static let maximumLine = 1_048_576
  /// The maximum number of consecutive reads of what is not processed.
  private static let maximumReads = 16
  /// The number of bytes of the log that are stored; these are the latest ones.
  static let maximumLog = 65_536
  /// The time that a process usually has to exit, in microseconds.
  static let maximumFarewell: Int64 = 1_000_000
  /// The time that a process has to exit after it closed its standard output, in microseconds.
  ///
  /// The kernel of a busy machine needs this time to end a process.
  private static let maximumEnd: Int64 = 2_000_000

  private let tree: ProcessTree
  private let input: Descriptor
  private let output: Descriptor
  private let errors: Descriptor
  private let timeout: Int64
  /// The bytes that have been read but do not form a whole line yet.
  private var unread: [UInt8] = []
  /// The buffer for reads.
  private var room = [UInt8](repeating: 0, count: 65_536)
  private var logBytes: [UInt8] = []
  private var logHasEnded = false
  private var outputHasEnded = false
  private var isKilled = false
  /// The name of the process in messages.
  private let title: String

  /// The place where a process is started.
  enum Place {
    /// The namespaces of this process.
    case here
    /// The device of a network.
    case device(any LiveNetwork)
    /// The servers' side of a network.
    case servers(any LiveNetwork)
  }

  /// Starts a shell command.
  ///
  /// - Parameters:
  ///   - command: The command line.
  ///   - timeout: The time limit of each answer, in microseconds.
  ///   - place: The place where the process runs.
  ///   - title: The name of the process in messages.
  /// - Throws: ``BackendError`` if the process cannot be started.
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
          ["/bin/sh", "-c", "exec \(command)"], environment: Environment.forOtherPrograms,
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

  /// Starts a child process on a thread of its place, to which the child then belongs.
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

  /// The latest part of what the process wrote to its standard error.
  var log: String {
    drainLog()
    return String(decoding: logBytes.suffix(Self.maximumLog), as: UTF8.self)
  }

  /// Discards what the process has written to its standard error so far.
  func forgetLog() {
    drainLog()
    logBytes.removeAll(keepingCapacity: true)
  }

  // MARK: Lines

  /// Sends a line, which must end with a line feed.
  func send(_ line: [UInt8]) throws(BackendError) {
    var sent = 0
    let deadline = monotonicMicroseconds() + timeout
    while sent < line.count {
      let count = SystemSocket.send(line.span.extracting(sent..<line.count), to: input.number)
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try waitForRoom(until: deadline)
      } else if errno != EINTR {
        // The process has exited. The next receive reports its last output, or how it ended.
        return
      }
    }
  }

  /// Returns the next line without its line feed.
  ///
  /// - Parameter microseconds: The time limit, or `nil` for the limit of all answers.
  /// - Returns: The line.
  /// - Throws: ``BackendError`` if no line came in time, or if the process ended.
  func receive(within microseconds: Int64? = nil) throws(BackendError) -> [UInt8] {
    let limit = microseconds ?? timeout
    let deadline = monotonicMicroseconds() + limit
    while true {
      if let line = try availableLine() { return line }
      guard monotonicMicroseconds() < deadline else { throw noAnswer(within: limit) }
      try Self.wait(for: [self], until: deadline)
    }
  }

  /// Returns the next line without its line feed, or `nil` if it is not available yet.
  func availableLine() throws(BackendError) -> [UInt8]? {
    repeat {
      let end = unread.firstIndex(of: 0x0A)
      guard (end ?? unread.count) <= Self.maximumLine else {
        throw failure("it sent a line of more than \(Self.maximumLine) bytes")
      }
      if let end {
        let line = Array(unread[..<end])
        unread.removeSubrange(...end)
        return line
      }
    } while try readMore()
    return nil
  }

  /// Waits until a process writes something or ends, or until an instant of the monotonic clock.
  ///
  /// If `other` is given, the wait also ends when that descriptor becomes readable.
  static func wait(
    for processes: [BackendProcess], or other: Int32? = nil, until deadline: Int64
  ) throws(BackendError) {
    // A log at its end is always readable, so waiting for it would return immediately.
    var watched = processes.flatMap {
      $0.logHasEnded ? [$0.output.number] : [$0.output.number, $0.errors.number]
    }
    if let other { watched.append(other) }
    do throws(LinuxError) {
      _ = try waitReadable(watched, atMost: deadline - monotonicMicroseconds())
    } catch {
      throw BackendError(.backendFailed, "cannot wait for it: \(error)")
    }
    for process in processes { process.drainLog() }
  }

  /// Whether the process runs and has written nothing without a command.
  var isQuiet: Bool {
    do throws(BackendError) {
      return try unasked() == nil
    } catch {
      return false
    }
  }

  /// Returns what the process wrote without a command, or `nil` if it wrote nothing.
  func unasked() throws(BackendError) -> String? {
    if unread.isEmpty { _ = try readMore() }
    return unread.isEmpty ? nil : Self.excerpt(unread)
  }

  /// Reads the available output.
  ///
  /// - Returns: Whether there was any.
  private func readMore() throws(BackendError) -> Bool {
    let count = SystemFile.read(output.number, into: &room)
    if count > 0 {
      unread += room[..<count]
      return true
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    outputHasEnded = true
    throw ended()
  }

  private func waitForRoom(until deadline: Int64) throws(BackendError) {
    let left = deadline - monotonicMicroseconds()
    guard left > 0 else { throw noAnswer() }
    drainLog()
    // The process may be unable to read because its log pipe is full, so also wait for its log.
    var polled = [pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0)]
    if !logHasEnded { polled.append(pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)) }
    _ = SystemFile.poll(&polled, atMost: left)
  }

  // MARK: The log

  /// Reads the available part of the log.
  private func drainLog() {
    logHasEnded = drain(errors.number) { count in
      logBytes += room[..<count]
      if logBytes.count > 2 * Self.maximumLog {
        logBytes.removeFirst(logBytes.count - Self.maximumLog)
      }
    }
  }

  /// Reads the available bytes of a pipe into the room, and returns whether the pipe has ended.
  ///
  /// The number of reads is limited in case the process keeps writing. After each read, `use`
  /// receives the number of bytes.
  private func drain(_ descriptor: Int32, _ use: (Int) -> Void = { _ in }) -> Bool {
    for _ in 0..<Self.maximumReads {
      let count = SystemFile.read(descriptor, into: &room)
      guard count > 0 else { return count == 0 }
      use(count)
    }
    return false
  }

  // MARK: Failures

  /// Returns an error about the process, with the end of its log.
  func failure(_ what: String) -> BackendError {
    drainLog()
    let tail = String(decoding: logBytes.suffix(600), as: UTF8.self)
    let lines = tail.split(separator: "\n").suffix(6).joined(separator: " | ")
    return BackendError(
      .backendFailed,
      SafeText.line(
        "\(title) failed: \(what)" + (lines.isEmpty ? "" : "; last log lines: \(lines)")))
  }

  /// Returns an error about a missing answer.
  func noAnswer(within microseconds: Int64? = nil) -> BackendError {
    failure("it did not answer within \((microseconds ?? timeout) / 1_000) ms" + openLine)
  }

  private func ended() -> BackendError {
    var how = "it closed its standard output"
    if let end = waitForEnd(within: Self.maximumEnd) { how = Self.phrase(end) }
    return failure(how + openLine)
  }

  /// A description of an unfinished line, which helps if the process forgot the line feed.
  private var openLine: String {
    guard !unread.isEmpty, !unread.contains(0x0A) else { return "" }
    return "; its last output has no line feed: \(Self.excerpt(unread))"
  }

  static func excerpt(_ line: [UInt8]) -> String {
    let text = String(decoding: line.prefix(120), as: UTF8.self)
    let visible = SafeText.line(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    return line.count > 120 ? visible + "..." : visible
  }

  // MARK: The end

  /// Stops the process and everything that it started, or continues them.
  func suspend(_ isSuspended: Bool) {
    tree.signal(isSuspended ? SIGSTOP : SIGCONT, to: .all)
  }

  /// Requests the process to exit, and then kills it together with everything that it started.
  ///
  /// The input is closed too: in a pipeline, only the first program receives the command, and the
  /// others see the end of their input.
  ///
  /// - Returns: A description of an abnormal exit, or `nil` if the process exited with status 0.
  @discardableResult
  func stop(within microseconds: Int64 = maximumFarewell) -> String? {
    try? send(Array("{\"cmd\":\"stop\"}\n".utf8))
    shutdown(input.number, Int32(SHUT_WR))
    defer { end() }
    guard let end = waitForEnd(within: min(timeout, microseconds)) else {
      return "it did not exit"
    }
    return end == .exited(0) ? nil : Self.phrase(end)
  }

  /// Waits for the process to exit, or returns `nil` if it is still running after the time limit.
  ///
  /// A process that writes a long log before it exits would block if nobody read from its pipes.
  private func waitForEnd(within microseconds: Int64) -> ChildProcess.End? {
    let deadline = monotonicMicroseconds() + microseconds
    while true {
      if let end = tree.checkForEnd() { return end }
      let left = deadline - monotonicMicroseconds()
      guard left > 0, !isKilled else { return nil }
      drainLog()
      outputHasEnded = drain(output.number)
      // A pipe at its end is always readable, so waiting for it would return immediately.
      var watched = [tree.descriptor]
      if !logHasEnded { watched.append(errors.number) }
      if !outputHasEnded { watched.append(output.number) }
      _ = try? waitReadable(watched, atMost: left)
    }
  }

  private static func phrase(_ end: ChildProcess.End) -> String {
    switch end {
    case .exited(let status): "it exited with status \(status)"
    case .signalled(let signal): "signal \(signal) ended it"
    }
  }

  /// Kills the process and everything that it started; further calls have no effect.
  func end() {
    isKilled = true
    tree.end()
  }
}
