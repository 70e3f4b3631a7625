public import HandoverCore

extension LivePlan {
  /// The data about a host that a network needs.
  public struct Host: Hashable, Sendable {
    /// The host's name without a port, or `nil` if the script contains an address instead of a
    /// name.
    public var name: String?
    /// The host's port.
    public var port: UInt16
    /// The addresses that the host's servers must have; empty if any addresses will do.
    public var addresses: [ScriptAddress]

    /// Creates the description of a script's host.
    public init(_ host: ScriptHost) {
      let text = host.name?.text ?? ""
      let end = text.lastIndex(of: ":")
      port = end.flatMap { UInt16(text[text.index(after: $0)...]) } ?? Self.defaultPort
      name = end.map { String(text[..<$0]) }
      // A name that is meant for one particular resolver is not looked up.
      if host.isLiteral || (name ?? "").contains(where: { ":/[".contains($0) }) { name = nil }
      addresses =
        !host.addresses.isEmpty ? host.addresses : host.ownAddresses.map { ScriptAddress($0) }
      for index in addresses.indices where addresses[index].connect == nil {
        addresses[index].connect = host.connect
      }
    }

    private static let defaultPort: UInt16 = 443
  }
}
