import Glibc
import HandoverBackend
import HandoverLinux

/// A process under test, and the pipes to it.
///
/// Every wait has a limit; past it, or where the process does what it must not, the whole group
/// that it leads is ended. It is used by one thread at a time.
final class BackendProcess {
  /// How many bytes a line may have.
  static let maximumLine = 1_048_576
  /// How many bytes of the log are kept; the latest ones.
  static let maximumLog = 65_536

  private let child: ChildProcess
  private let groupGuard: GroupGuard
  private let input: Descriptor
  private let output: Descriptor
  private let errors: Descriptor
  private let patience: Int64
  /// What has been read and is no whole line yet.
  private var unread: [UInt8] = []
  /// Where a read puts what it gets.
  private var room = [UInt8](repeating: 0, count: 65_536)
  private var logBytes: [UInt8] = []
  private var isOver = false

  /// Starts a command by the shell, as the leader of a process group.
  ///
  /// - Parameters:
  ///   - command: as one would type it.
  ///   - patience: how many microseconds an answer may take.
  /// - Throws: ``BackendError`` where it cannot be started.
  init(_ command: String, patience: Int64) throws(BackendError) {
    self.patience = patience
    do throws(LinuxError) {
      let input = try SocketPair()
      let output = try BlockingPipe()
      let errors = try BlockingPipe()
      child = try ChildProcess.start(
        ["/bin/sh", "-c", "exec \(command)"], input: input.theirEnd.number,
        output: output.writeEnd.number, error: errors.writeEnd.number, ownGroup: true)
      groupGuard = try child.guardGroup()
      self.input = input.takeOwnEnd()
      self.output = output.takeReadEnd()
      self.errors = errors.takeReadEnd()
      try setNonBlocking(self.input.number)
      try setNonBlocking(self.output.number)
      try setNonBlocking(self.errors.number)
    } catch {
      throw BackendError(.cannotStart, "the backend cannot be started: \(error)")
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
    let deadline = monotonicMicroseconds() + patience
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
        try wait(for: [(input.number, POLLOUT), (errors.number, POLLIN)], until: deadline)
        drainLog()
      } else if errno != EINTR {
        // It is gone. What it still said, or how it ended, is told to whoever waits for its answer.
        return
      }
    }
  }

  /// The next line, without its line feed.
  func receive() throws(BackendError) -> [UInt8] {
    let deadline = monotonicMicroseconds() + patience
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let line = Array(unread[..<end])
        unread.removeSubrange(...end)
        return line
      }
      guard unread.count <= Self.maximumLine else {
        throw failure("it wrote a line of over \(Self.maximumLine) bytes")
      }
      if try readMore() { continue }
      try wait(for: [(output.number, POLLIN), (errors.number, POLLIN)], until: deadline)
      drainLog()
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

  private func wait(
    for descriptors: [(Int32, Int32)], until deadline: Int64
  ) throws(BackendError) {
    let left = deadline - monotonicMicroseconds()
    guard left > 0 else {
      throw failure("it gave no answer within \(patience / 1_000) ms")
    }
    var polled = descriptors.map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
    _ = unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: left / 1_000 + 1))
    // The end of its log is not the end of the process; waiting for more of it would not wait.
    if polled.count > 1, polled[1].revents & Int16(POLLHUP) != 0,
      polled[1].revents & Int16(POLLIN) == 0
    {
      polled.removeLast()
      _ = unsafe poll(&polled, 1, Int32(clamping: left / 1_000 + 1))
    }
  }

  // MARK: The log

  private func drainLog() {
    while true {
      let count = unsafe room.withUnsafeMutableBytes { bytes in
        unsafe read(errors.number, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return }
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
      "the backend broke down: \(what)" + (lines.isEmpty ? "" : "; its log ends: \(lines)"))
  }

  private func ended() -> BackendError {
    var how = "it closed its standard output"
    let limit = monotonicMicroseconds() + 200_000
    while monotonicMicroseconds() < limit {
      if let end = try? child.endIfOver() {
        isOver = true
        how = Self.words(end)
        break
      }
      _ = poll(nil, 0, 1)
    }
    return failure(how)
  }

  static func excerpt(_ line: [UInt8]) -> String {
    let text = String(decoding: line.prefix(120), as: UTF8.self)
    let visible = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line.count > 120 ? visible + "..." : visible
  }

  // MARK: The end

  /// Asks the process to stop, and sees to it that it does, with everything it started.
  func stop() { _ = stopped() }

  /// The same, and what was wrong with the way it ended; nil where it exited with status 0.
  func stopped() -> String? {
    try? send(Array("{\"cmd\":\"stop\"}\n".utf8))
    let limit = monotonicMicroseconds() + min(patience, 1_000_000)
    defer { end() }
    while !isOver, monotonicMicroseconds() < limit {
      if let end = try? child.endIfOver() {
        isOver = true
        return end == .exited(0) ? nil : Self.words(end)
      }
      _ = poll(nil, 0, 1)
    }
    return "it did not exit"
  }

  private static func words(_ end: ChildProcess.End) -> String {
    switch end {
    case .exited(let status): "it exited with status \(status)"
    case .signalled(let signal): "signal \(signal) ended it"
    }
  }

  private func end() {
    child.signal(SIGKILL, toGroup: true)
    guard !isOver else { return }
    isOver = true
    _ = try? child.wait()
  }
}
