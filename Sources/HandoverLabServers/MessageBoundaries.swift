/// Finds the messages of a gRPC call among the bytes of its body.
struct MessageBoundaries {
  /// The bytes of a prefix that is not complete, or of the first message.
  private var prefix: [UInt8] = []
  /// The number of bytes that the current message still lacks.
  private var missing = 0
  /// The number of complete messages.
  private(set) var count = 0
  /// The beginning of the first message, after its prefix.
  private(set) var first: [UInt8] = []

  private static let prefixLength = 5
  /// The maximum number of bytes that are stored of the first message.
  private static let maximumFirstLength = 16

  /// Processes the next bytes.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      if missing > 0 {
        let part = rest.prefix(missing)
        if count == 0 { first += part.prefix(Self.maximumFirstLength - first.count) }
        missing -= part.count
        rest = rest.dropFirst(part.count)
        if missing == 0 { count += 1 }
        continue
      }
      prefix.append(rest.removeFirst())
      guard prefix.count == Self.prefixLength else { continue }
      missing = prefix.dropFirst().reduce(0) { $0 << 8 | Int($1) }
      prefix = []
      if missing == 0 { count += 1 }
    }
  }

  /// The integer in field 1 of the first message, or `nil` if there is none.
  var number: Int? {
    guard first.first == Self.tag else { return nil }
    var (number, shift) = (UInt64(0), UInt64(0))
    for byte in first.dropFirst() {
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(exactly: number) }
      shift += 7
    }
    return nil
  }

  /// The tag of a field 1 that contains an integer.
  private static let tag: UInt8 = 8

  /// Returns a message whose field 1 is an integer, with its prefix.
  static func message(_ number: Int) -> [UInt8] {
    var rest = UInt64(max(0, number))
    var content = [tag]
    while rest >= 0x80 {
      content.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    content.append(UInt8(rest))
    return [0, 0, 0, 0, UInt8(content.count)] + content
  }
}
