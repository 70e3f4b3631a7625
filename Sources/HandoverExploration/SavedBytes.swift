import HandoverCore

/// The reason why the bytes of a file cannot be used.
package enum SavedFileProblem: Error, Hashable, Sendable {
  /// The file has another format.
  case foreign
  /// The file belongs to another version or setup, or to another shard or round.
  case other
  /// The file is truncated or modified.
  case damaged
}

/// Appends numbers and bytes in the format of all saved files, low byte first.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Writes a number with variable length, seven bits per byte.
  mutating func writeShort(_ number: Int) {
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Reads this format; throws if bytes are missing, and never reads beyond the end.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    position = start
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>()
    throws(SavedFileProblem) -> Number
  {
    let size = Number.bitWidth / 8
    guard bytes.count - position >= size else { throw .damaged }
    var number: Number = 0
    for index in (position..<position + size).reversed() {
      number = number << 8 | Number(bytes[index])
    }
    position += size
    return number
  }

  /// Reads a number that was written with 64 bits and must fit an `Int`.
  mutating func count() throws(SavedFileProblem) -> Int {
    guard let count = Int(exactly: try number() as UInt64) else { throw .damaged }
    return count
  }

  /// Reads a number of elements, each of which takes at least `size` bytes.
  mutating func count(ofSize size: Int) throws(SavedFileProblem) -> Int {
    let count = try count()
    guard count <= (bytes.count - position) / size else { throw .damaged }
    return count
  }

  mutating func short(atMost limit: Int) throws(SavedFileProblem) -> Int {
    var number = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard position < bytes.count else { throw .damaged }
      let byte = bytes[position]
      position += 1
      number |= Int(byte & 0x7f) << shift
      guard byte & 0x80 != 0 else {
        guard number <= limit else { throw .damaged }
        return number
      }
    }
    throw .damaged
  }

  mutating func bytes(_ count: Int) throws(SavedFileProblem) -> ArraySlice<UInt8> {
    guard count >= 0, bytes.count - position >= count else { throw .damaged }
    defer { position += count }
    return bytes[position..<position + count]
  }
}

extension StateDigest {
  /// Returns a checksum that detects truncated or modified files.
  static func checksum(_ bytes: some Collection<UInt8>) -> UInt64 {
    var digest = StateDigest(at: .zero)
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      word |= UInt64(byte) << shift
      shift += 8
      guard shift == 64 else { continue }
      digest.combine(word)
      (word, shift) = (0, 0)
    }
    digest.combine(word)
    digest.combine(UInt64(truncatingIfNeeded: bytes.count))
    return digest.low
  }
}

extension [UInt8] {
  /// Returns the 64-bit number at a position.
  func word(at start: Int) -> UInt64 {
    self[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
