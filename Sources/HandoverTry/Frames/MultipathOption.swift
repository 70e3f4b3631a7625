/// The MPTCP option of a segment, which describes the segment's connection (RFC 8684).
public enum MultipathOption: Hashable, Sendable {
  /// The first subflow of a connection (MP_CAPABLE).
  ///
  /// The key is that of the side that sent the segment, or `nil` if the segment contains none.
  case capable(key: UInt64?)
  /// Another subflow (MP_JOIN), with the token of the side that receives the segment.
  case join(token: UInt32)

  private static let kind: UInt8 = 30
  private static let end: UInt8 = 0
  private static let padding: UInt8 = 1

  /// Creates an option from the options of a TCP header.
  ///
  /// Returns `nil` if no option begins or joins an MPTCP connection.
  init?(options: ArraySlice<UInt8>) {
    var rest = options
    while let kind = rest.first, kind != Self.end {
      if kind == Self.padding {
        rest = rest.dropFirst()
        continue
      }
      guard let length = rest.dropFirst().first.map(Int.init), length >= 2, length <= rest.count
      else { return nil }
      if kind == Self.kind, let option = Self.read(Array(rest.prefix(length))) {
        self = option
        return
      }
      rest = rest.dropFirst(length)
    }
    return nil
  }

  private static func read(_ option: [UInt8]) -> MultipathOption? {
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    switch option.count {
    case 4 where option[2] >> 4 == 0: return .capable(key: nil)
    case 12... where option[2] >> 4 == 0: return .capable(key: number(option[4..<12]))
    // Only the SYN contains a token; the later MP_JOIN segments have another length or layout.
    case 12 where option[2] >> 4 == 1: return .join(token: UInt32(number(option[4..<8])))
    default: return nil
    }
  }

  /// Returns the token of a key: the first 32 bits of its SHA-256.
  static func token(of key: UInt64) -> UInt32 {
    let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: key >> $0) }
    return SecureHash.firstWord(of: bytes)
  }
}

/// SHA-256 (FIPS 180-4) for messages that fit into one block.
enum SecureHash {
  private static let roundConstants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
  private static let start: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]

  /// Returns the first four bytes of the hash of a message of at most 55 bytes.
  static func firstWord(of message: [UInt8]) -> UInt32 {
    precondition(message.count <= 55, "the message must fit into one block")
    var block = message + [0x80] + [UInt8](repeating: 0, count: 63 - message.count)
    block[62] = UInt8(message.count * 8 >> 8)
    block[63] = UInt8(message.count * 8 & 0xFF)
    var words = stride(from: 0, to: 64, by: 4).map { position in
      block[position..<position + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    for position in 16..<64 {
      let (early, late) = (words[position - 15], words[position - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words.append(words[position - 16] &+ first &+ words[position - 7] &+ second)
    }
    var state = start
    for (word, constant) in zip(words, roundConstants) {
      let (a, e) = (state[0], state[4])
      let choice = (e & state[5]) ^ (~e & state[6])
      let majority = (a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2])
      let first =
        state[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constant &+ word
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
      state = [
        first &+ second, a, state[1], state[2], state[3] &+ first, e, state[5], state[6],
      ]
    }
    return start[0] &+ state[0]
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }
}
