/// A writer for canonical JSON: no white space, and members in the order of the calls.
///
/// Equal sequences of calls always produce equal bytes. The caller must follow the grammar: a key
/// before every value in an object, and no keys in an array.
public struct JSONText: Hashable, Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates an empty text.
  public init() {}

  /// Removes all bytes but keeps the capacity.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Removes what was written so far, and returns it; the next call continues the text.
  public mutating func take() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Begins an object.
  public mutating func beginObject() { begin(0x7b) }

  /// Ends an object.
  public mutating func endObject() { end(0x7d) }

  /// Begins an array.
  public mutating func beginArray() { begin(0x5b) }

  /// Ends an array.
  public mutating func endArray() { end(0x5d) }

  /// Ends a line, after which a separate text begins.
  public mutating func newline() {
    bytes.append(0x0a)
    needsComma = false
  }

  /// Writes the key of a member, whose value must follow.
  ///
  /// - Parameter name: A name that needs no escapes.
  public mutating func key(_ name: String) {
    separate()
    bytes.append(0x22)
    bytes.append(contentsOf: name.utf8)
    bytes.append(0x22)
    bytes.append(0x3a)
    needsComma = false
  }

  /// Writes `null`.
  public mutating func null() { plain("null") }

  /// Writes a boolean.
  public mutating func value(_ flag: Bool) { plain(flag ? "true" : "false") }

  /// Writes an integer.
  public mutating func value(_ number: Int64) {
    separate()
    if number < 0 { bytes.append(0x2d) }
    digits(of: number.magnitude)
    needsComma = true
  }

  /// Writes an integer.
  public mutating func value(_ number: UInt64) {
    separate()
    digits(of: number)
    needsComma = true
  }

  /// Writes a number given in thousandths, with as few decimals as possible.
  public mutating func value(thousandths number: UInt64) {
    separate()
    digits(of: number / 1_000)
    var rest = number % 1_000
    if rest > 0 {
      bytes.append(0x2e)
      while rest > 0 {
        bytes.append(0x30 + UInt8(truncatingIfNeeded: rest / 100))
        rest = rest % 100 * 10
      }
    }
    needsComma = true
  }

  /// Writes an integer.
  public mutating func value(_ number: Int) { value(Int64(number)) }

  /// Writes an integer.
  public mutating func value(_ number: UInt32) { value(UInt64(number)) }

  /// Writes a string.
  public mutating func value(_ text: String) {
    separate()
    quoted(text)
    needsComma = true
  }

  /// Writes a member with a string or `null`.
  public mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  /// Writes a member with an integer or `null`.
  public mutating func member(_ name: String, _ number: Int64?) {
    key(name)
    if let number { value(number) } else { null() }
  }

  /// Writes a member with an integer.
  public mutating func member(_ name: String, _ number: Int) {
    key(name)
    value(number)
  }

  /// Writes a member with a boolean.
  public mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  /// Writes a member with an array.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - elements: The elements.
  ///   - write: Writes an element as one value.
  package mutating func array<Elements: Sequence>(
    _ name: String, of elements: Elements,
    _ write: (inout JSONText, Elements.Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes a member with an array of objects.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - elements: The elements.
  ///   - write: Writes the members of an element's object.
  package mutating func objects<Elements: Sequence>(
    _ name: String, of elements: Elements,
    _ write: (inout JSONText, Elements.Element) -> Void
  ) {
    array(name, of: elements) { json, element in
      json.beginObject()
      write(&json, element)
      json.endObject()
    }
  }

  /// Writes a line of a report: an object with the version of the format and its kind.
  ///
  /// - Parameters:
  ///   - kind: The kind of the line.
  ///   - write: Writes the other members.
  package mutating func line(_ kind: String, _ write: (inout JSONText) -> Void) {
    beginObject()
    member("v", 1)
    member("kind", kind)
    write(&self)
    endObject()
    newline()
  }

  /// Returns a text as a quoted JSON string.
  public static func quoted(_ text: String) -> String {
    var json = JSONText()
    json.quoted(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  // MARK: Bytes

  private mutating func separate() {
    if needsComma { bytes.append(0x2c) }
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func plain(_ word: String) {
    separate()
    bytes.append(contentsOf: word.utf8)
    needsComma = true
  }

  private mutating func digits(of number: UInt64) {
    let first = bytes.count
    var rest = number
    repeat {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[first...].reverse()
  }

  private mutating func quoted(_ text: String) {
    let start = bytes.count
    bytes.append(0x22)
    for byte in text.utf8 {
      guard byte < 0x80 else {
        bytes.removeSubrange(start...)
        quotedScalars(of: text)
        return
      }
      ascii(byte)
    }
    bytes.append(0x22)
  }

  /// Writes a non-ASCII string; invisible characters are escaped, because terminals and logs may
  /// show the text.
  private mutating func quotedScalars(of text: String) {
    bytes.append(0x22)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        ascii(UInt8(scalar.value))
      } else if SafeText.isHidden(scalar) {
        for unit in UTF16.encode(scalar) ?? .init() { escape(unit: unit) }
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    bytes.append(0x22)
  }

  private mutating func ascii(_ byte: UInt8) {
    switch byte {
    case 0x22, 0x5c:
      bytes.append(0x5c)
      bytes.append(byte)
    case 0x0a: escape(0x6e)
    case 0x0d: escape(0x72)
    case 0x09: escape(0x74)
    case 0x00..<0x20, 0x7f: escape(unit: UInt16(byte))
    case 0x5b where SafeText.bracketBeginsCommand(after: bytes): escape(unit: UInt16(byte))
    default: bytes.append(byte)
    }
  }

  private mutating func escape(_ letter: UInt8) {
    bytes.append(0x5c)
    bytes.append(letter)
  }

  private mutating func escape(unit: UInt16) {
    escape(0x75)
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xf)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
