import HandoverCore

/// A growable byte buffer that is written without a capacity check per byte.
///
/// The unsafe memory is sound for two reasons. This value alone owns `capacity` bytes from `base`
/// on and cannot be copied; writers reserve room first. Also, ``slack`` bytes always follow the
/// last byte, so that the last word can be read whole.
@safe
struct FormBytes: ~Copyable, @unchecked Sendable {
  /// The number of allocated bytes, of arbitrary value, after the last byte.
  static let slack = 16

  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(reserving capacity: Int = 256) {
    self.capacity = capacity
    unsafe base = .allocate(capacity: capacity + Self.slack)
    unsafe base.initialize(repeating: 0, count: capacity + Self.slack)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Reserves room for `more` additional bytes.
  mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let larger = max(capacity * 2, count + more)
    let other = UnsafeMutablePointer<UInt8>.allocate(capacity: larger + Self.slack)
    unsafe other.update(from: base, count: count)
    unsafe (other + count).initialize(repeating: 0, count: larger + Self.slack - count)
    unsafe base.deallocate()
    unsafe base = unsafe other
    capacity = larger
  }

  /// Removes all bytes from a position on.
  mutating func removeAll(from position: Int = 0) {
    assert(position >= 0 && position <= count, "position out of range")
    count = position
  }

  /// The byte at a position.
  subscript(position: Int) -> UInt8 {
    get {
      precondition(position >= 0 && position < count, "position out of range")
      return unsafe base[position]
    }
    set {
      precondition(position >= 0 && position < count, "position out of range")
      unsafe base[position] = newValue
    }
  }

  // MARK: Writing

  // These functions require that the caller has reserved room.

  mutating func write(_ byte: UInt8) {
    assert(count < capacity, "no room was reserved for these bytes")
    unsafe base[count] = byte
    count &+= 1
  }

  /// Appends bytes through a writer that keeps its position, instead of loading it for each byte.
  ///
  /// - Parameters:
  ///   - most: The maximum number of bytes.
  ///   - body: Writes the bytes; the slack after them is then cleared.
  mutating func append(atMost most: Int, _ body: (inout FormWriter) -> Void) {
    reserve(most)
    // Only the writer accesses these bytes during `body`, and room for them is reserved.
    var writer = unsafe FormWriter(base + count)
    body(&writer)
    count = unsafe writer.position - base
    precondition(count <= capacity, "no room was reserved for these bytes")
    clearSlack()
  }

  /// Writes zeros after the last byte, so that readers of whole words see defined bytes.
  mutating func clearSlack() {
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: 0, as: UInt64.self)
    unsafe UnsafeMutableRawPointer(base + count + 8).storeBytes(of: 0, as: UInt64.self)
  }

  /// Appends a range of another buffer.
  mutating func append(_ other: borrowing FormBytes, from start: Int, count more: Int) {
    precondition(start >= 0 && more >= 0 && start + more <= other.count, "range out of bounds")
    reserve(more)
    unsafe (base + count).update(from: other.base + start, count: more)
    count &+= more
  }

  /// Moves bytes towards the start of the buffer.
  mutating func move(from start: Int, count length: Int, to position: Int) {
    precondition(
      position >= 0 && position <= start && start + length <= count, "range out of bounds")
    if position == start { return }
    unsafe (base + position).update(from: base + start, count: length)
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    reserve(bytes.count)
    for byte in bytes { write(byte) }
  }

  /// Whether a range of this buffer equals a range of another one.
  func isSame(
    from start: Int, as other: borrowing FormBytes, from otherStart: Int, count length: Int
  ) -> Bool {
    assert(start + length <= count && otherStart + length <= other.count, "range out of bounds")
    // Compares whole words and masks the last one; the slack makes its bytes readable.
    let one = unsafe UnsafeRawPointer(base + start)
    let two = unsafe UnsafeRawPointer(other.base + otherStart)
    var position = 0
    while position < length {
      var difference = unsafe UInt64(
        littleEndian: one.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          ^ two.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let rest = length &- position
      if rest < 8 { difference &= 1 &<< UInt64(truncatingIfNeeded: 8 &* rest) &- 1 }
      if difference != 0 { return false }
      position &+= 8
    }
    return true
  }

  /// Returns the bytes from a position on as an array.
  func array(from start: Int = 0, count length: Int? = nil) -> [UInt8] {
    let end = start + (length ?? count - start)
    precondition(start >= 0 && start <= end && end <= count, "range out of bounds")
    return unsafe Array(UnsafeBufferPointer(start: base + start, count: end - start))
  }
}

/// Writes a form into reserved room; it never escapes the closure that receives it.
@safe
struct FormWriter: ~Copyable {
  fileprivate var position: UnsafeMutablePointer<UInt8>

  fileprivate init(_ position: UnsafeMutablePointer<UInt8>) {
    unsafe self.position = unsafe position
  }

  mutating func write(_ byte: UInt8) {
    unsafe position.pointee = byte
    unsafe position += 1
  }

  /// Writes a number, low byte first.
  mutating func write(number: UInt32) {
    unsafe UnsafeMutableRawPointer(position).storeBytes(of: number.littleEndian, as: UInt32.self)
    unsafe position += 4
  }
}

/// Reads forms.
struct FormReader {
  /// The position of the next byte.
  private(set) var position: Int

  init(at position: Int) {
    self.position = position
  }

  mutating func byte(_ bytes: borrowing FormBytes) -> UInt8 {
    defer { position &+= 1 }
    return bytes[position]
  }

  mutating func number(_ bytes: borrowing FormBytes) -> UInt32 {
    precondition(position >= 0 && position + 4 <= bytes.count, "position out of range")
    defer { position &+= 4 }
    let raw = unsafe UnsafeRawPointer(bytes.base + position)
    return unsafe UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
  }
}

extension StateDigest {
  /// Computes the digest of a form at the end of a buffer.
  ///
  /// The function processes 16 bytes at a time, by two folded products that each combine both
  /// words. Forms of different lengths have different digests.
  ///
  /// - Precondition: Only cleared slack follows the form.
  init(of bytes: borrowing FormBytes, from start: Int) {
    self.init(at: .zero)
    let length = bytes.count &- start
    var (a, b): (UInt64, UInt64) = (low ^ UInt64(truncatingIfNeeded: length), high)
    var position = 0
    while position < length {
      let words = unsafe UnsafeRawPointer(bytes.base + (start &+ position))
      let x = unsafe UInt64(littleEndian: words.loadUnaligned(as: UInt64.self))
      let y = unsafe UInt64(
        littleEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      a = Self.folded(a ^ x, 0x8EBC_6AF0_9C88_C6E3 ^ y)
      b = Self.folded(b ^ y, 0x5899_65CC_7537_4CC3 ^ x) &+ a
      position &+= 16
    }
    low = Self.folded(a ^ 0x1D8E_4E27_C47D_124F, b ^ UInt64(truncatingIfNeeded: length))
    high = Self.folded(b ^ 0xE703_7ED1_A0B4_28DB, a ^ 0x9FB2_1C65_1E98_DF25)
  }

  /// Computes the digest of some bytes.
  init(of bytes: some Collection<UInt8>) {
    var form = FormBytes(reserving: bytes.count)
    form.append(bytes)
    form.clearSlack()
    self.init(of: form, from: 0)
  }
}
