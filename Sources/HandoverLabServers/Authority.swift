import FoundationEssentials

/// A TLS operation that failed.
public struct TLSError: Error, CustomStringConvertible {
  /// The operation that failed.
  public let description: String
}

/// A certificate authority for one run, whose keys exist only in the memory of this process.
///
/// Each TLS connection gets a certificate for the host that its client requests.
public final class Authority: Sendable {
  let keys: AuthorityKeys
  /// The authority's certificate in DER.
  public let certificate: [UInt8]

  /// Creates an authority, which is valid for 30 days.
  ///
  /// - Throws: ``TLSError`` if the library fails.
  public init() throws {
    keys = try AuthorityKeys()
    certificate = keys.certificate
  }

  /// The authority's certificate in PEM.
  public var pem: String {
    let lines = Data(certificate).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
  }

  /// A Java key store that trusts the authority.
  ///
  /// The digest at its end is empty, because Java checks it only if a password is given.
  public var javaStore: [UInt8] {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func text(_ text: String) -> [UInt8] { number(UInt16(text.utf8.count)) + text.utf8 }
    return number(0xFEED_FEED as UInt32) + number(2 as UInt32) + number(1 as UInt32)
      + number(2 as UInt32) + text("lab") + number(0 as UInt64) + text("X.509")
      + number(UInt32(certificate.count)) + certificate + [UInt8](repeating: 0, count: 20)
  }
}
