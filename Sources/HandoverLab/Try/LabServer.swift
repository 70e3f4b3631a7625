import Glibc
import HandoverLinux

/// A user's server program in a lab.
///
/// The lab waits until it listens, and ends it with all its child processes.
final class LabServer: Sendable {
  private let tree: ProcessTree
  private let output: OutputTail

  /// The maximum time in microseconds until a server listens.
  private static let timeout: Int64 = 60_000_000
  /// The time in microseconds without a further new port after which the server counts as ready.
  private static let settling: Int64 = 300_000
  /// The interval in microseconds between two checks of its ports.
  private static let period: Int64 = 50_000

  /// Starts a server and waits until it listens on all its ports.
  ///
  /// - Throws: ``LinuxError`` if the server ends first, with the last line that it wrote, or if it
  ///   needs too long.
  init(
    _ command: [String], environment: [String], in namespace: NetworkNamespace,
    interruption: WakeupPipe
  ) throws(LinuxError) {
    let before = try namespace.listeningPorts()
    output = try OutputTail()
    tree = try ProcessTree.start(
      command, environment: environment, in: namespace, input: output.input,
      output: output.writeEnd, error: output.writeEnd)
    output.begin()
    do throws(LinuxError) {
      try awaitPorts(besides: before, of: command, in: namespace, interruption)
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// Ends the server.
  func close() {
    tree.end()
    output.close()
  }

  private func awaitPorts(
    besides before: [UInt16: Bool], of command: [String], in namespace: NetworkNamespace,
    _ interruption: WakeupPipe
  ) throws(LinuxError) {
    let name = command.last ?? ""
    let limit = monotonicMicroseconds() + Self.timeout
    var seen = before
    var settled = Int64.max
    while monotonicMicroseconds() < settled {
      if tree.checkForEnd() != nil {
        tree.end()
        output.finish()
        throw LinuxError(finding: "the server '\(name)' ended\(lastOutput)")
      }
      guard monotonicMicroseconds() < limit else {
        throw LinuxError(finding: "the server '\(name)' does not listen\(lastOutput)")
      }
      let ports = try namespace.listeningPorts()
      if ports != seen {
        seen = ports
        settled = monotonicMicroseconds() + Self.settling
      }
      let ready = try waitReadable([interruption.descriptor], atMost: Self.period)
      if ready[0] { return }
    }
    let added = seen.filter { before[$0.key] == nil }
    if !added.isEmpty, added.allSatisfy({ !$0.value }) {
      throw LinuxError(
        finding: "the server '\(name)' listens on its loopback interface only, where no device is; "
          + "let it listen on 0.0.0.0")
    }
  }

  private var lastOutput: String {
    output.text.split(separator: "\n").last.map { " (\($0))" } ?? ""
  }
}
