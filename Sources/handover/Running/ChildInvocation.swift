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
    guard let pipe = try? BlockingPipe() else { return nil }
    let (read, write) = pipe.release()
    defer { Glibc.close(read) }
    let environment = Environment.current.filter {
      !$0.hasPrefix("SWIFT_DETERMINISTIC_HASHING=")
    }
    let child = try? ChildProcess.start(
      command, environment: environment, output: write)
    Glibc.close(write)
    guard let child else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Glibc.read(read, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    guard case .exited(0)? = try? child.wait() else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
