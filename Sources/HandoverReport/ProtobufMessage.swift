/// A message in the binary format of Protocol Buffers.
struct ProtobufMessage: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
  }

  /// Adds an integer, an enumeration or a Boolean, in the encoding with a variable length.
  mutating func add(_ field: UInt64, _ value: UInt64) {
    key(field, .varint)
    varint(value)
  }

  /// Adds an integer of eight bytes.
  mutating func add(_ field: UInt64, fixed value: UInt64) {
    key(field, .fixed64)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(value >> shift & 0xff)) }
  }

  /// Adds a string.
  mutating func add(_ field: UInt64, _ text: String) {
    key(field, .lengthDelimited)
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Adds a message.
  mutating func add(_ field: UInt64, _ message: ProtobufMessage) {
    key(field, .lengthDelimited)
    varint(UInt64(message.bytes.count))
    bytes.append(contentsOf: message.bytes)
  }

  /// Removes what was added so far, and returns it.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll() }
    return bytes
  }

  private mutating func key(_ field: UInt64, _ type: WireType) {
    varint(field << 3 | type.rawValue)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
