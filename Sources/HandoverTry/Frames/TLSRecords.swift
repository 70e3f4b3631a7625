/// The records of one direction of a TLS connection; what they hold is nobody's to read.
struct TLSRecords: Hashable, Sendable {
  /// The kinds of records that matter.
  private enum Kind {
    static let handshake: UInt8 = 22
    static let data: UInt8 = 23
  }

  private static let headLength = 5

  private var head: [UInt8] = []
  private var skipped = 0
  private var handshakes = 0
  /// How many records of data have begun.
  private(set) var dataCount = 0

  /// Whether bytes can be the beginning of a connection's direction.
  static func canBegin(_ bytes: [UInt8]) -> Bool {
    bytes.first == Kind.handshake && (bytes.count < 2 || bytes[1] == 3)
  }

  /// Whether a client has asked for something: TLS 1.3 hides the end of its handshake in a record
  /// of data, TLS 1.2 has three records of handshake before the first of them.
  var hasAsked: Bool { dataCount >= (handshakes >= 3 ? 1 : 2) }

  /// Takes the next bytes of the direction.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(skipped, rest.count)
      skipped -= count
      rest = rest.dropFirst(count)
      while head.count < Self.headLength, let byte = rest.popFirst() { head.append(byte) }
      guard head.count == Self.headLength else { return }
      if head[0] == Kind.handshake { handshakes += 1 }
      if head[0] == Kind.data { dataCount += 1 }
      skipped = Int(head[3]) << 8 | Int(head[4])
      head = []
    }
  }
}
