import HandoverMachines

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

  /// Normalises a host that stands alone; nil where it is no host, or the port is zero.
  ///
  /// - Parameters:
  ///   - host: a name or an address; an IPv6 address may lack its brackets. What would begin or end
  ///     another part of a URL is in none.
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
    let isBracketed = name.first == UInt8(ascii: "[") && name.last == UInt8(ascii: "]")
    if isBracketed { name = name.dropFirst().dropLast() }
    let lowercase = String(decoding: name.map(Self.lowercased), as: UTF8.self)
    if IPv6Form.isAddress(name) {
      self.host = "[\(lowercase)]"
    } else {
      guard !isBracketed, !name.isEmpty, !name.contains(where: Self.isDelimiter) else { return nil }
      self.host = lowercase
    }
  }

  /// Whether a byte separates the parts of a URL, so that it is in no name.
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

/// Addresses as they are written in place of names.
package enum LiteralAddress {
  /// The bytes of an address, four or sixteen of them; nil where a text is none, or has a zone.
  package static func bytes(_ text: String) -> [UInt8]? {
    let utf8 = Substring(text).utf8
    if IPv6Form.isIPv4(utf8) { return IPv6Form.bytesOfIPv4(utf8) }
    guard IPv6Form.isAddress(utf8), !utf8.contains(UInt8(ascii: "%")) else { return nil }
    return IPv6Form.bytes(utf8)
  }
}

/// The form in which IPv6 addresses are written.
private enum IPv6Form {
  /// Whether something has it: eight groups, of which two colons stand for one or more; the last
  /// two may be an IPv4 address, and the name of a zone may follow.
  static func isAddress(_ text: HostName.Bytes) -> Bool {
    let parts = text.split(
      separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1, parts[1].isEmpty || !parts[1].allSatisfy(isOfZone) { return false }
    let address = parts[0]
    guard let gap = gap(in: address) else { return groupCount(address) == 8 }
    let (before, after) = (address[..<gap], address[gap...].dropFirst(2))
    guard let head = before.isEmpty ? 0 : groupCount(before, mayEndInIPv4: false),
      let tail = after.isEmpty ? 0 : groupCount(after)
    else { return false }
    return head + tail < 8
  }

  /// Where the first two colons stand side by side.
  private static func gap(in address: HostName.Bytes) -> HostName.Bytes.Index? {
    zip(address.indices, address.indices.dropFirst()).first { first, second in
      address[first] == colon && address[second] == colon
    }?.0
  }

  /// How many groups stand between single colons; nil where something else does.
  private static func groupCount(
    _ text: HostName.Bytes, mayEndInIPv4: Bool = true
  ) -> Int? {
    let groups = text.split(separator: colon, omittingEmptySubsequences: false)
    guard let last = groups.last else { return nil }
    let endsInIPv4 = mayEndInIPv4 && isIPv4(last)
    let plain = endsInIPv4 ? groups.dropLast() : groups
    guard plain.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(isHexDigit) })
    else { return nil }
    return plain.count + (endsInIPv4 ? 2 : 0)
  }

  /// The bytes of what has the form, without a zone.
  static func bytes(_ text: HostName.Bytes) -> [UInt8] {
    guard let gap = gap(in: text) else { return bytesOfGroups(text) }
    let (head, tail) = (bytesOfGroups(text[..<gap]), bytesOfGroups(text[gap...].dropFirst(2)))
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  private static func bytesOfGroups(_ text: HostName.Bytes) -> [UInt8] {
    text.split(separator: colon).flatMap { group -> [UInt8] in
      if isIPv4(group) { return bytesOfIPv4(group) }
      let number = UInt16(Substring(group), radix: 16) ?? 0
      return [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
  }

  static func bytesOfIPv4(_ text: HostName.Bytes) -> [UInt8] {
    text.split(separator: UInt8(ascii: ".")).map { UInt8(Substring($0)) ?? 0 }
  }

  static func isIPv4(_ text: HostName.Bytes) -> Bool {
    let numbers = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count == 4
      && numbers.allSatisfy { number in
        (1...3).contains(number.count) && number.allSatisfy(isDigit)
          && Int(Substring(number)).map { $0 <= 255 } == true
      }
  }

  private static let colon = UInt8(ascii: ":")

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Letters, digits, and what else may stand in a zone, percent-encoding among it.
  private static func isOfZone(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || "-._~%".utf8.contains(byte)
  }
}

extension EndpointKey: CustomStringConvertible {
  /// Host and port, with a colon between them.
  public var description: String { "\(host):\(port)" }
}
