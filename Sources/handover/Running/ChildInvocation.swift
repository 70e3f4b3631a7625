import Glibc
import HandoverLinux

/// Another process that runs this command.
enum ChildInvocation {
  /// Runs the command and waits for its end; it uses its own hash seed.
  ///
  /// - Returns: The command's standard output, or `nil` if it could not be started or failed.
  static func output(_ arguments: [String]) -> String? {
    ProcessOutput.of(["/proc/self/exe"] + arguments)
  }
}

/// The standard output of another process.
enum ProcessOutput {
  /// Runs a command and waits for its end.
  ///
  /// - Returns: The command's standard output, or `nil` if it could not be started or failed.
  static func of(_ command: [String]) -> String? {
    let (output, end) = read(command, hasErrors: false, atMost: nil)
    return end == .exited(0) ? output : nil
  }

  /// Runs a command without input, and waits for its end.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - limit: The time in microseconds after which the command is killed.
  /// - Returns: The command's output and errors, and how it ended; the end is `nil` if the command
  ///   could not be started.
  static func all(
    _ command: [String], atMost limit: Int64
  ) -> (output: String, end: ChildProcess.End?) {
    read(command, hasErrors: true, atMost: limit)
  }

  private static func read(
    _ command: [String], hasErrors: Bool, atMost limit: Int64?
  ) -> (output: String, end: ChildProcess.End?) {
    guard let pipe = try? BlockingPipe() else { return ("", nil) }
    let (read, write) = pipe.release()
    defer { Glibc.close(read) }
    let environment = Environment.current.filter {
      !$0.hasPrefix("SWIFT_DETERMINISTIC_HASHING=")
    }
    let input = hasErrors ? SystemFile.open("/dev/null", O_RDONLY) : -1
    let child = try? ChildProcess.start(
      command, environment: environment, input: input < 0 ? nil : input, output: write,
      error: hasErrors ? write : nil)
    if input >= 0 { Glibc.close(input) }
    Glibc.close(write)
    guard let child else { return ("", nil) }
    let deadline = limit.map { monotonicMicroseconds() + $0 }
    var bytes: [UInt8] = []
    while true {
      if let deadline {
        let rest = deadline - monotonicMicroseconds()
        guard rest > 0 else {
          child.signal(SIGKILL)
          break
        }
        guard (try? waitReadable([read], atMost: rest)) == [true] else { continue }
      }
      let more = SystemFile.read(read, atMost: 4_096)
      if more == nil, errno == EINTR { continue }
      guard let more, !more.isEmpty else { break }
      bytes += more
    }
    return (String(decoding: bytes, as: UTF8.self), try? child.wait())
  }
}
