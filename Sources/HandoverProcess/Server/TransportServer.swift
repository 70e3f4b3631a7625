public import HandoverBackend
import HandoverCore

/// The backend's side of the protocol for a transport that is written in Swift.
///
/// The server processes lines; its caller reads and writes them.
public struct TransportServer {
  private var loop: CommandLoop<ServedTransport>

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - transport: The transport to serve, which must support every capability of a transport.
  ///   - name: The transport's name for its handshake.
  public init(_ transport: any RemoteTransport, name: String) {
    loop = CommandLoop(ServedTransport(transport, name: name))
  }

  /// Returns the answer to a command as a line; empty for `stop`, the last command.
  public mutating func answer(to line: [UInt8]) -> [UInt8] {
    loop.answer(to: line)
  }
}
