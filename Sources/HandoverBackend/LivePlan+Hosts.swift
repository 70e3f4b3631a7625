public import HandoverCore

extension LivePlan {
  /// What a network must know of a host.
  public struct Host: Hashable, Sendable {
    /// Its name, without a port; nil where an address is written in its place.
    public var name: String?
    /// Its port.
    public var port: UInt16
    /// The addresses that its servers must have; empty where any do.
    public var addresses: [ScriptAddress]

    /// Describes a host of a script.
    public init(_ host: ScriptHost) {
      let text = host.name?.text ?? ""
      let end = text.lastIndex(of: ":")
      port = end.flatMap { UInt16(text[text.index(after: $0)...]) } ?? Self.usualPort
      name = end.map { String(text[..<$0]) }
      // A name that is meant for some resolver alone is looked up nowhere.
      if host.isLiteral || (name ?? "").contains(where: { ":/[".contains($0) }) { name = nil }
      addresses =
        !host.addresses.isEmpty ? host.addresses : host.ownAddresses.map { ScriptAddress($0) }
      for index in addresses.indices where addresses[index].connect == nil {
        addresses[index].connect = host.connect
      }
    }

    private static let usualPort: UInt16 = 443
  }
}
