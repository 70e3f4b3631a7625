/// The key by which connections are counted: a normalized host and a port.
///
/// The scheme and everything after the port are not part of the key, so `http://h:443/a` and
/// `https://h/b` share one key (U3). Two names of one machine are two keys, because the OS counts
/// by name. The key never resolves a name to an address.
public struct EndpointKey: Hashable, Sendable {
  /// The host in lowercase without a trailing dot; an IPv6 address is in brackets.
  public let host: String
  /// The port.
  public let port: UInt16

  /// Normalizes a host, or returns `nil` if the host is invalid or the port is zero.
  ///
  /// - Parameters:
  ///   - host: a name or an address. The brackets of an IPv6 address are optional. Characters that
  ///     delimit other parts of a URL are not allowed.
  ///   - port: the port.
  ///   - defects: the defects of the original dispatcher to reproduce (U4).
  public init?(host: String, port: UInt16, defects: DispatcherDefects = []) {
    self.init(host.utf8[...], port: port, defects)
  }

  /// Extracts the host and the port from a URL, or returns `nil` if the host or the port is
  /// missing.
  ///
  /// - Parameters:
  ///   - url: an absolute URL. An explicit port takes precedence. The default port is 80 for `http`
  ///     and `ws`, and 443 for `https` and `wss`, ignoring case.
  ///   - defects: the defects of the original dispatcher to reproduce (U2, U4).
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
    let isBracketed = name.first == UInt8(ascii: "[") && name.last == UInt8(ascii: "]")
    if isBracketed { name = name.dropFirst().dropLast() }
    let lowercase = String(decoding: name.map(Self.lowercased), as: UTF8.self)
    if LiteralAddress.isIPv6(name) {
      self.host = "[\(lowercase)]"
    } else {
      guard !isBracketed, !name.isEmpty, !name.contains(where: Self.isDelimiter) else { return nil }
      self.host = lowercase
    }
  }

  /// Returns whether a byte delimits parts of a URL and is therefore invalid in a name.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    ":/?#[]@\\".utf8.contains(byte)
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

/// Parses addresses that are written in place of host names.
package enum LiteralAddress {
  /// Returns the 4 or 16 bytes of an address, or `nil` if the string is not an address or has a
  /// zone.
  package static func bytes(_ text: String) -> [UInt8]? {
    let utf8 = Substring(text).utf8
    return ipv4(utf8) ?? ipv6(utf8)
  }

  /// Returns whether a string is an IPv6 address, which a zone name may follow.
  static func isIPv6(_ text: HostName.Bytes) -> Bool {
    let parts = text.split(
      separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1, parts[1].isEmpty || !parts[1].allSatisfy(isZoneByte) { return false }
    return ipv6(parts[0]) != nil
  }

  /// Parses an IPv6 address without a zone.
  ///
  /// An address has eight groups, and two colons replace one or more of them. The last two groups
  /// may be an IPv4 address.
  private static func ipv6(_ text: HostName.Bytes) -> [UInt8]? {
    guard let gap = gap(in: text) else {
      return groups(text).flatMap { $0.count == 16 ? $0 : nil }
    }
    let (before, after) = (text[..<gap], text[gap...].dropFirst(2))
    guard let head = before.isEmpty ? [] : groups(before, mayEndInIPv4: false),
      let tail = after.isEmpty ? [] : groups(after), head.count + tail.count < 16
    else { return nil }
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// Returns the index of the first pair of adjacent colons.
  private static func gap(in address: HostName.Bytes) -> HostName.Bytes.Index? {
    zip(address.indices, address.indices.dropFirst()).first { first, second in
      address[first] == .colon && address[second] == .colon
    }?.0
  }

  /// Returns the bytes of the groups between single colons, or `nil` if a group is invalid.
  private static func groups(
    _ text: HostName.Bytes, mayEndInIPv4: Bool = true
  ) -> [UInt8]? {
    var groups = text.split(separator: .colon, omittingEmptySubsequences: false)[...]
    let end = mayEndInIPv4 ? groups.last.flatMap(ipv4) : nil
    if end != nil { groups.removeLast() }
    var bytes: [UInt8] = []
    for group in groups {
      guard (1...4).contains(group.count), group.allSatisfy(\.isHexadecimalDigit),
        let number = UInt16(Substring(group), radix: 16)
      else { return nil }
      bytes += [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    return bytes + (end ?? [])
  }

  /// Parses four decimal numbers without leading zeros, which some parsers take for octal numbers
  /// (RFC 3986, 7.4).
  private static func ipv4(_ text: HostName.Bytes) -> [UInt8]? {
    let numbers = text.split(separator: .dot, omittingEmptySubsequences: false)
    let bytes = numbers.compactMap { number -> UInt8? in
      guard (1...3).contains(number.count), number.allSatisfy(\.isDigit),
        number.count == 1 || number.first != UInt8(ascii: "0")
      else { return nil }
      return UInt8(Substring(number))
    }
    return numbers.count == 4 && bytes.count == 4 ? bytes : nil
  }

  /// Returns whether a byte is valid in a zone: a letter, a digit, or punctuation such as `%`.
  private static func isZoneByte(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || "-._~%".utf8.contains(byte)
  }
}

extension EndpointKey: CustomStringConvertible {
  /// Host and port, with a colon between them.
  public var description: String { "\(host):\(port)" }
}
