/// The server that a program connects to.
public struct ServerEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The host name, or the address if the program used it without a lookup.
  public var host: String
  /// The port.
  public var port: UInt16

  /// The end of a host name whose address other names share.
  public static let othersSuffix = " and others"

  /// Creates an endpoint.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The endpoint in its usual notation, such as `api.example:443` or `[2001:db8::1]:80`.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension TryObservation {
  /// Returns the server of a flow.
  ///
  /// TCP and UDP share an endpoint, because a client may replace QUIC by TCP for the same server.
  func endpoint(of flow: Flow) -> ServerEndpoint {
    let address = flow.remote.address
    return ServerEndpoint(
      host: hostNames[address] ?? address.description,  // lookup only
      port: flow.remote.port)
  }
}
