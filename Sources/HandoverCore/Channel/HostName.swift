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
    if Self.resolverPrefixes.contains(where: written.hasPrefix) {
      text = written
      return
    }
    let withoutScheme = Self.dropScheme(written[...])
    let authority = withoutScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let (name, port) = Self.split(authority)
    guard !name.isEmpty, name != "[]", !authority.contains(where: \.isWhitespace) else {
      return nil
    }
    guard name.hasPrefix("[") || !name.contains(":") else { return nil }
    guard let port else {
      text = "\(name):443"
      return
    }
    guard port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(port),
      (1...65_535).contains(number)
    else { return nil }
    text = "\(name):\(number)"
  }

  static let resolverPrefixes = ["dns:", "unix:", "ipv4:", "ipv6:"]

  private static func dropScheme(_ text: Substring) -> Substring {
    // The two slashes tell a scheme from a host with a port.
    var rest = text
    while let first = rest.first {
      if rest.hasPrefix("://") { return rest.dropFirst(3) }
      guard first.isLetter || first.isNumber || "+-.".contains(first) else { return text }
      rest = rest.dropFirst()
    }
    return text
  }

  /// Splits host from port; a literal IPv6 address keeps its colons inside brackets.
  private static func split(_ authority: Substring) -> (name: Substring, port: Substring?) {
    let afterBracket = authority.lastIndex(of: "]").map { authority.index(after: $0) }
    let tail = authority[(afterBracket ?? authority.startIndex)...]
    guard let colon = tail.lastIndex(of: ":") else { return (authority, nil) }
    return (authority[..<colon], authority[authority.index(after: colon)...])
  }
}

extension HostName: CustomStringConvertible {
  /// The normalised text.
  public var description: String { text }
}
