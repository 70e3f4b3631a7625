/// What connections are counted by: a host, normalised, and a port.
///
/// Neither the scheme nor what follows the port is part of it, so that `http://h:443/a` and
/// `https://h/b` share one key (U3). Two names of one machine are two keys, because the platform
/// counts by name; no address is looked up.
public struct EndpointKey: Hashable, Sendable {
  /// The host: in lower case, without a trailing dot, an IPv6 address in brackets.
  public let host: String
  /// The port.
  public let port: UInt16

  /// Normalises a host that stands alone; nil where it is empty, or the port is zero.
  ///
  /// - Parameters:
  ///   - host: a name or an address; an IPv6 address may lack its brackets.
  ///   - port: the port.
  ///   - defects: the original's way with keys, where it is wanted (U4).
  public init?(host: String, port: UInt16, defects: DispatcherDefects = []) {
    self.init(host.utf8[...], port: port, defects)
  }

  /// Takes host and port out of a URL; nil where there is no host, or no port can be told.
  ///
  /// - Parameters:
  ///   - url: an absolute URL. The port that it names wins; else it is 80 for `http` and `ws`, 443
  ///     for `https` and `wss`, whatever the case of their letters.
  ///   - defects: the original's way with keys, where it is wanted (U2, U4).
  public init?(url: String, defects: DispatcherDefects = []) {
    let bytes = url.utf8[...]
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    var authority = bytes[colon...].dropFirst(3).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[authority.index(after: at)...]
    }
    let (host, written) = HostName.split(authority)
    let scheme = Substring(bytes[..<colon])
    let port: UInt16?
    if let written, !written.isEmpty {
      port = HostName.port(written)
    } else if defects.has(.literalKeys) {
      port = scheme == "https" ? 443 : 80
    } else {
      port = Self.port(of: scheme)
    }
    guard let port else { return nil }
    self.init(host, port: port, defects)
  }

  private init?(_ host: HostName.Bytes, port: UInt16, _ defects: DispatcherDefects) {
    guard port > 0, !HostName.holdsSpace(Substring(host)) else { return nil }
    self.port = port
    guard !defects.has(.literalKeys) else {
      self.host = String(Substring(host))
      return
    }
    var name = host
    if name.last == UInt8(ascii: ".") { name = name.dropLast() }
    let isBracketed = name.first == UInt8(ascii: "[")
    guard !name.isEmpty, !isBracketed || name.count > 2 else { return nil }
    let lowercase = String(decoding: name.map(Self.lowercased), as: UTF8.self)
    let lacksBrackets = !isBracketed && name.contains(UInt8(ascii: ":"))
    self.host = lacksBrackets ? "[\(lowercase)]" : lowercase
  }

  private static func port(of scheme: Substring) -> UInt16? {
    let name = String(decoding: scheme.utf8.map(lowercased), as: UTF8.self)
    if name == "http" || name == "ws" { return 80 }
    return name == "https" || name == "wss" ? 443 : nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension EndpointKey: CustomStringConvertible {
  /// Host and port, with a colon between them.
  public var description: String { "\(host):\(port)" }
}
