/// A normalized host, as used in the channel key: two spellings of a host are equal (P1).
///
/// The scheme and the path are removed, and `:443` is appended if there is no port (H5). Names with
/// the prefix of a resolver (`dns:`, `unix:`, `ipv4:`, `ipv6:`) stay unchanged. The case of letters
/// is kept, because the original client compares hosts as written.
public struct HostName: Hashable, Sendable {
  /// The normalized text.
  public let text: String

  /// Normalizes a host that a person wrote.
  ///
  /// The result is `nil` if no channel could be created for the host. This applies to an empty
  /// host, whitespace in the host, an IPv6 address without brackets, and a port outside 1 to 65535.
  ///
  /// - Parameter written: A host with or without a scheme, a port and a path.
  public init?(_ written: String) {
    self.init(written, defaultPort: 443)
  }

  /// Normalizes a host, with `defaultPort` as the default port.
  package init?(_ written: String, defaultPort: UInt16) {
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
      text = "\(Substring(name)):\(defaultPort)"
      return
    }
    guard let number = Self.port(port) else { return nil }
    text = "\(Substring(name)):\(number)"
  }

  static let resolverPrefixes = ["dns:", "unix:", "ipv4:", "ipv6:"]

  package typealias Bytes = Substring.UTF8View

  /// Removes a scheme; the two slashes distinguish a scheme from a host with a port.
  private static func withoutScheme(_ bytes: Bytes) -> Bytes {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: "://".utf8), bytes[..<colon].allSatisfy(isSchemeByte)
    else { return bytes }
    return bytes[colon...].dropFirst(3)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    // Bytes outside ASCII are parts of letters of other alphabets.
    byte.isDigit || byte >= 0x80 || byte.isLetter || byte == .plus || byte == .minus
      || byte == .dot
  }

  package static func holdsSpace(_ text: Substring) -> Bool {
    // Only text outside ASCII needs the slower Unicode check.
    text.utf8.contains { $0 == 0x20 || (0x09...0x0d).contains($0) }
      || (text.utf8.contains { $0 >= 0x80 } && text.contains(where: \.isWhitespace))
  }

  /// Parses a port; returns `nil` if it is outside 1 to 65535.
  package static func port(_ digits: Bytes) -> UInt16? {
    guard digits.allSatisfy(\.isDigit), let number = UInt16(Substring(digits)), number > 0
    else { return nil }
    return number
  }

  /// Splits a host from its port; a literal IPv6 address keeps its colons in brackets.
  package static func split(_ authority: Bytes) -> (name: Bytes, port: Bytes?) {
    let afterBracket = authority.lastIndex(of: UInt8(ascii: "]")).map { authority.index(after: $0) }
    let tail = authority[(afterBracket ?? authority.startIndex)...]
    guard let colon = tail.lastIndex(of: UInt8(ascii: ":")) else { return (authority, nil) }
    return (authority[..<colon], authority[authority.index(after: colon)...])
  }
}

extension HostName: CustomStringConvertible {
  /// The normalized text.
  public var description: String { text }
}
