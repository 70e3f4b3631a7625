public import HandoverBackend
import HandoverTrace

/// The other side of the protocol for a transport that is written in Swift.
///
/// It takes lines and gives lines; whoever uses it reads and writes them.
public struct TransportServer {
  private var loop: CommandLoop<ServedTransport>

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - transport: what is served; it must take every capability of a transport.
  ///   - name: the name that it gives itself.
  public init(_ transport: any RemoteTransport, name: String) {
    loop = CommandLoop(ServedTransport(transport, name: name))
  }

  /// The answer to a command, as a line; empty for `stop`, after which nothing is answered.
  public mutating func answer(to line: [UInt8]) -> [UInt8] {
    loop.answer(to: line)
  }
}
