import HandoverCore

// Formats the contents of a chain for traces and reports.

extension Metadata.Entry {
  /// The key and the value.
  public var text: String { "\(key): \(value)" }
}

extension Metadata {
  /// All entries, separated by commas.
  public var text: String { entries.map(\.text).joined(separator: ", ") }
}

extension Message {
  /// The first 80 bytes of the message as text; a value other than a ``TextMessage`` has a fixed
  /// text.
  public var text: String {
    switch self {
    case .bytes(let bytes):
      bytes.count <= 80
        ? String(decoding: bytes, as: UTF8.self)
        : String(decoding: bytes.prefix(80), as: UTF8.self) + "… (\(bytes.count) bytes)"
    case .value(let value): (value as? TextMessage)?.text ?? "a value"
    }
  }
}

extension InterceptorNote {
  /// The note as one line.
  public var text: String {
    switch self {
    case .text(let text): text
    case .count(let name, let count): "\(name) +\(count)"
    case .duration(let name, let interval): "\(name) \(interval.text)"
    }
  }
}
