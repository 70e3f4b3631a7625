import Glibc
import HandoverLinux

/// A program that serves in a lab: somebody's own server, which is awaited and ended with all that
/// it started.
final class LabServer: Sendable {
  private let tree: ProcessTree
  private let output: OutputTail

  /// How long a server may take until it listens, in microseconds.
  private static let timeout: Int64 = 60_000_000
  /// How long no other port must come after the first, in microseconds.
  private static let settling: Int64 = 300_000
  /// How far apart two looks at its ports are, in microseconds.
  private static let period: Int64 = 50_000

  /// Starts a server and waits until it listens on the ports that it is going to.
  ///
  /// - Throws: ``LinuxError`` where it ends before, with the last line that it wrote, or takes too
  ///   long.
  init(
    _ command: [String], environment: [String], in namespace: NetworkNamespace,
    interruption: Wakening
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

  /// Ends it.
  func close() {
    tree.end()
    output.close()
  }

  private func awaitPorts(
    besides before: [UInt16: Bool], of command: [String], in namespace: NetworkNamespace,
    _ interruption: Wakening
  ) throws(LinuxError) {
    let name = command.last ?? ""
    let limit = monotonicMicroseconds() + Self.timeout
    var seen = before
    var settled = Int64.max
    while monotonicMicroseconds() < settled {
      if tree.endIfOver() != nil {
        tree.end()
        output.finish()
        throw LinuxError(finding: "the server '\(name)' ended\(lastWords)")
      }
      guard monotonicMicroseconds() < limit else {
        throw LinuxError(finding: "the server '\(name)' does not listen\(lastWords)")
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
    if added.allSatisfy({ !$0.value }) {
      throw LinuxError(
        finding: "the server '\(name)' listens on its loopback interface only, where no device is; "
          + "let it listen on 0.0.0.0")
    }
  }

  private var lastWords: String {
    output.text.split(separator: "\n").last.map { " (\($0))" } ?? ""
  }
}
