/// A host as the channel pool's key knows it: normalised, so that two spellings are one host (P1).
///
/// A scheme and a path are dropped and `:443` is appended where no port is named (H5). Names with
/// a resolver's prefix (`dns:`, `unix:`, `ipv4:`, `ipv6:`) are taken as they are. Letters keep
/// their case: the original compares them as written.
public struct HostName: Hashable, Sendable {
  /// The normalised text.
  public let text: String

  /// Normalises a host as a person writes it.
  ///
  /// - Parameter written: a host with or without a scheme, a port and a path. Nil is returned
  ///   where no channel could be made for it: no host at all, white space inside, an IPv6 address
  ///   without brackets, or a port outside 1 to 65535.
  public init?(_ written: String) {
    self.init(written, usualPort: 443)
  }

  /// Normalises a host that has a port of its own where none is named.
  package init?(_ written: String, usualPort: UInt16) {
    let bytes = written.utf8
    if Self.resolverPrefixes.contains(where: { bytes.starts(with: $0.utf8) }) {
      text = written
      return
    }
    let authority = Self.withoutScheme(bytes[...]).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    let (name, port) = Self.split(authority)
    let isBracketed = name.first == UInt8(ascii: "[")
    guard !name.isEmpty, !isBracketed || name.count > 2,
      isBracketed || !name.contains(UInt8(ascii: ":")), !Self.holdsSpace(Substring(authority))
    else { return nil }
    guard let port else {
      text = "\(Substring(name)):\(usualPort)"
      return
    }
    guard let number = Self.port(port) else { return nil }
    text = "\(Substring(name)):\(number)"
  }

  static let resolverPrefixes = ["dns:", "unix:", "ipv4:", "ipv6:"]

  package typealias Bytes = Substring.UTF8View

  /// Drops a scheme; the two slashes tell one from a host with a port.
  private static func withoutScheme(_ bytes: Bytes) -> Bytes {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: "://".utf8), bytes[..<colon].allSatisfy(isOfScheme)
    else { return bytes }
    return bytes[colon...].dropFirst(3)
  }

  private static func isOfScheme(_ byte: UInt8) -> Bool {
    // Bytes beyond ASCII belong to letters of other alphabets.
    isDigit(byte) || byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a)
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  package static func holdsSpace(_ text: Substring) -> Bool {
    // Only what is not plain ASCII needs the tables of Unicode.
    text.utf8.contains { $0 == 0x20 || (0x09...0x0d).contains($0) }
      || (text.utf8.contains { $0 >= 0x80 } && text.contains(where: \.isWhitespace))
  }

  /// A port as it is written; nil where it is outside 1 to 65535.
  package static func port(_ digits: Bytes) -> UInt16? {
    guard digits.allSatisfy({ isDigit($0) }), let number = UInt16(Substring(digits)), number > 0
    else { return nil }
    return number
  }

  /// Splits host from port; a literal IPv6 address keeps its colons inside brackets.
  package static func split(_ authority: Bytes) -> (name: Bytes, port: Bytes?) {
    let afterBracket = authority.lastIndex(of: UInt8(ascii: "]")).map { authority.index(after: $0) }
    let tail = authority[(afterBracket ?? authority.startIndex)...]
    guard let colon = tail.lastIndex(of: UInt8(ascii: ":")) else { return (authority, nil) }
    return (authority[..<colon], authority[authority.index(after: colon)...])
  }
}

extension HostName: CustomStringConvertible {
  /// The normalised text.
  public var description: String { text }
}
