/// The records of one direction of a TLS connection, whose contents are encrypted.
struct TLSRecords: Hashable, Sendable {
  /// The relevant record types.
  private enum Kind {
    static let handshake: UInt8 = 22
    static let data: UInt8 = 23
  }

  private static let headLength = 5

  private var head: [UInt8] = []
  private var skipped = 0
  private var handshakes = 0
  /// Whether the first record belongs to a handshake, or `nil` before the first record.
  private var beginsWithHandshake: Bool?
  /// The number of application-data records that have begun.
  private(set) var dataCount = 0

  /// Returns whether bytes can be the beginning of one direction of a TLS connection.
  static func canBegin(_ bytes: [UInt8]) -> Bool {
    bytes.first == Kind.handshake && (bytes.count < 2 || bytes[1] == 3)
  }

  /// Whether a client has sent a request.
  ///
  /// TLS 1.3 hides the end of its handshake in an application-data record. TLS 1.2 sends three
  /// handshake records before its first application-data record.
  var hasAsked: Bool { dataCount >= (handshakes >= 3 ? 1 : 2) }

  /// Whether the direction is that of a client whose handshake has ended.
  ///
  /// The first application-data record of TLS 1.3 ends the handshake. The one of TLS 1.2 follows
  /// the handshake.
  var hasFinished: Bool { beginsWithHandshake == true && dataCount >= 1 }

  /// Processes the next bytes of the direction.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(skipped, rest.count)
      skipped -= count
      rest = rest.dropFirst(count)
      while head.count < Self.headLength, let byte = rest.popFirst() { head.append(byte) }
      guard head.count == Self.headLength else { return }
      beginsWithHandshake = beginsWithHandshake ?? Self.canBegin(head)
      if head[0] == Kind.handshake { handshakes += 1 }
      if head[0] == Kind.data { dataCount += 1 }
      skipped = Int(head[3]) << 8 | Int(head[4])
      head = []
    }
  }
}
