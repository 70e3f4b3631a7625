import HandoverMachines

/// Bytes behind each other that grow, written without asking at each one whether there is room.
///
/// What makes the unsafe memory sound: the value alone owns `capacity` bytes from `base` on and is
/// never copied; whoever writes reserves before, and ``slack`` bytes behind the last one are there
/// always, so that the last word may be read whole.
@safe
struct FormBytes: ~Copyable, @unchecked Sendable {
  /// How many bytes there are behind the last one, of any value.
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

  /// Makes room for so many more bytes.
  @inline(__always)
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

  /// Forgets what stands from a place on.
  @inline(__always)
  mutating func removeAll(from place: Int = 0) {
    assert(place >= 0 && place <= count, "only what is there is forgotten")
    count = place
  }

  /// The byte at a place.
  subscript(place: Int) -> UInt8 {
    @inline(__always) get {
      precondition(place >= 0 && place < count, "there is no such byte")
      return unsafe base[place]
    }
    @inline(__always) set {
      precondition(place >= 0 && place < count, "there is no such byte")
      unsafe base[place] = newValue
    }
  }

  // MARK: Writing

  // For room that was reserved.

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    assert(count < capacity, "room is reserved before it is written to")
    unsafe base[count] = byte
    count &+= 1
  }

  /// Writes a number, the low byte first.
  @inline(__always)
  mutating func write(number: UInt32) {
    assert(count + 4 <= capacity, "room is reserved before it is written to")
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(
      of: number.littleEndian, as: UInt32.self)
    count &+= 4
  }

  /// Lets somebody write behind the last byte, who knows where that is without looking it up for
  /// each.
  ///
  /// - Parameters:
  ///   - most: how many bytes there may be.
  ///   - body: writes them; the slack behind them is cleared.
  @inline(__always)
  mutating func append(atMost most: Int, _ body: (inout FormWriter) -> Void) {
    reserve(most)
    // The bytes are the caller's alone as long as somebody writes, and there is room for them.
    var writer = unsafe FormWriter(base + count)
    body(&writer)
    count = unsafe writer.place - base
    precondition(count <= capacity, "room is reserved before it is written to")
    clearSlack()
  }

  /// Writes zeros behind the last byte, so that whoever reads whole words reads no others.
  @inline(__always)
  mutating func clearSlack() {
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: 0, as: UInt64.self)
    unsafe UnsafeMutableRawPointer(base + count + 8).storeBytes(of: 0, as: UInt64.self)
  }

  /// Adds bytes of another one.
  @inline(__always)
  mutating func append(_ other: borrowing FormBytes, from start: Int, count more: Int) {
    precondition(start >= 0 && more >= 0 && start + more <= other.count, "they are there")
    reserve(more)
    unsafe (base + count).update(from: other.base + start, count: more)
    count &+= more
  }

  /// Moves bytes to the front.
  @inline(__always)
  mutating func move(from start: Int, count length: Int, to place: Int) {
    precondition(place >= 0 && place <= start && start + length <= count, "they are there")
    if place == start { return }
    unsafe (base + place).update(from: base + start, count: length)
  }

  /// Adds bytes.
  mutating func append(_ bytes: some Collection<UInt8>) {
    reserve(bytes.count)
    for byte in bytes { write(byte) }
  }

  /// Whether as many bytes at two places are the same, of this one and of another.
  @inline(__always)
  func isSame(
    from start: Int, as other: borrowing FormBytes, from otherStart: Int, count length: Int
  ) -> Bool {
    assert(start + length <= count && otherStart + length <= other.count, "they are there")
    // Whole words, of the last one what belongs to them; behind the last byte there is the slack.
    let one = unsafe UnsafeRawPointer(base + start)
    let two = unsafe UnsafeRawPointer(other.base + otherStart)
    var place = 0
    while place < length {
      var difference = unsafe UInt64(
        littleEndian: one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          ^ two.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let rest = length &- place
      if rest < 8 { difference &= 1 &<< UInt64(truncatingIfNeeded: 8 &* rest) &- 1 }
      if difference != 0 { return false }
      place &+= 8
    }
    return true
  }

  /// The bytes from a place on as an array.
  func array(from start: Int = 0, count length: Int? = nil) -> [UInt8] {
    let end = start + (length ?? count - start)
    precondition(start >= 0 && start <= end && end <= count, "they are there")
    return unsafe Array(UnsafeBufferPointer(start: base + start, count: end - start))
  }
}

/// Writes a form where there is room for it; it never leaves the body that it is given to.
@safe
struct FormWriter: ~Copyable {
  fileprivate var place: UnsafeMutablePointer<UInt8>

  @inline(__always)
  fileprivate init(_ place: UnsafeMutablePointer<UInt8>) {
    unsafe self.place = unsafe place
  }

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    unsafe place.pointee = byte
    unsafe place += 1
  }

  /// Writes a number, the low byte first.
  @inline(__always)
  mutating func write(number: UInt32) {
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: number.littleEndian, as: UInt32.self)
    unsafe place += 4
  }
}

/// Reads forms that were written before.
struct FormReader {
  /// Where the next byte stands.
  private(set) var place: Int

  @inline(__always)
  init(at place: Int) {
    self.place = place
  }

  @inline(__always)
  mutating func byte(_ bytes: borrowing FormBytes) -> UInt8 {
    defer { place &+= 1 }
    return bytes[place]
  }

  @inline(__always)
  mutating func number(_ bytes: borrowing FormBytes) -> UInt32 {
    precondition(place >= 0 && place + 4 <= bytes.count, "there is no such number")
    defer { place &+= 4 }
    let raw = unsafe UnsafeRawPointer(bytes.base + place)
    return unsafe UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
  }
}

extension StateDigest {
  /// The digest of a form that stands in a row of bytes.
  ///
  /// Sixteen bytes at once, by two folded products that each take in both words; forms of different
  /// lengths differ, too.
  ///
  /// - Precondition: what stands behind the form is the slack, cleared.
  @inline(__always)
  init(of bytes: borrowing FormBytes, from start: Int) {
    self.init(at: .zero)
    let length = bytes.count &- start
    var (a, b): (UInt64, UInt64) = (low ^ UInt64(truncatingIfNeeded: length), high)
    var place = 0
    while place < length {
      let words = unsafe UnsafeRawPointer(bytes.base + (start &+ place))
      let x = unsafe UInt64(littleEndian: words.loadUnaligned(as: UInt64.self))
      let y = unsafe UInt64(
        littleEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      a = Self.folded(a ^ x, 0x8EBC_6AF0_9C88_C6E3 ^ y)
      b = Self.folded(b ^ y, 0x5899_65CC_7537_4CC3 ^ x) &+ a
      place &+= 16
    }
    low = Self.folded(a ^ 0x1D8E_4E27_C47D_124F, b ^ UInt64(truncatingIfNeeded: length))
    high = Self.folded(b ^ 0xE703_7ED1_A0B4_28DB, a ^ 0x9FB2_1C65_1E98_DF25)
  }

  /// The digest of some bytes.
  init(of bytes: some Collection<UInt8>) {
    var form = FormBytes(reserving: bytes.count)
    form.append(bytes)
    form.clearSlack()
    self.init(of: form, from: 0)
  }
}
