/// A pattern for path-like IDs.
///
/// `*` matches any characters except a slash, `**` matches any characters, and `?` matches one
/// character that is not a slash. Every other character matches itself. A pattern without a
/// wildcard matches the ID itself and everything below it, so that a pattern can name a folder.
public struct Glob: Hashable, Sendable {
  /// The pattern as written.
  public let pattern: String
  let bytes: [UInt8]
  let hasWildcard: Bool

  /// Creates a pattern; every string is valid.
  public init(_ pattern: String) {
    self.pattern = pattern
    bytes = Array(pattern.utf8)
    hasWildcard = bytes.contains(where: Self.isWildcard)
  }

  /// Returns whether the pattern matches an ID.
  public func matches(_ id: String) -> Bool { matches(Array(id.utf8)) }

  /// Returns whether the pattern matches an ID in UTF-8.
  func matches(_ id: [UInt8]) -> Bool {
    guard !hasWildcard else { return Self.matches(id, bytes) }
    return id.starts(with: bytes)
      && (id.count == bytes.count || id[bytes.count] == UInt8(ascii: "/"))
  }

  static func isWildcard(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?")
  }

  /// Matches text and pattern in one pass; after a mismatch, the last star matches one more
  /// character.
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (index, want) = (0, 0)
    // The last star of each kind, and how far it has matched.
    var star: (after: Int, upTo: Int)?
    var doubleStar: (after: Int, upTo: Int)?
    while index < text.count {
      if want < pattern.count, pattern[want] == UInt8(ascii: "*") {
        if want + 1 < pattern.count, pattern[want + 1] == UInt8(ascii: "*") {
          want += 2
          doubleStar = (want, index)
          star = nil
        } else {
          want += 1
          star = (want, index)
        }
      } else if want < pattern.count, matches(text[index], pattern[want]) {
        (index, want) = (index + 1, want + 1)
      } else if let last = star, text[last.upTo] != UInt8(ascii: "/") {
        star = (last.after, last.upTo + 1)
        (index, want) = (last.upTo + 1, last.after)
      } else if let last = doubleStar {
        doubleStar = (last.after, last.upTo + 1)
        star = nil
        (index, want) = (last.upTo + 1, last.after)
      } else {
        return false
      }
    }
    return pattern[want...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private static func matches(_ byte: UInt8, _ wanted: UInt8) -> Bool {
    wanted == UInt8(ascii: "?") ? byte != UInt8(ascii: "/") : byte == wanted
  }
}
