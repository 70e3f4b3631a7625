import CTLS
import FoundationEssentials

/// A TLS operation that failed.
public struct TLSError: Error, CustomStringConvertible {
  /// The operation that failed.
  public let description: String
}

/// A certificate authority for one run, whose keys exist only in the memory of this process.
///
/// Each TLS connection gets a certificate for the host that its client requests.
@safe public final class Authority: Sendable {
  // The library locks the reference counts of the parts; nothing else changes after `init`.
  nonisolated(unsafe) let pointer: OpaquePointer
  /// The authority's certificate in DER.
  public let certificate: [UInt8]

  /// Creates an authority, which is valid for 30 days.
  ///
  /// - Throws: ``TLSError`` if the library fails.
  public init() throws {
    guard let pointer = unsafe handover_authority_create() else {
      throw TLSError(description: "cannot create a certificate authority")
    }
    unsafe self.pointer = unsafe pointer
    let length = unsafe handover_authority_certificate(pointer, nil, 0)
    certificate = unsafe [UInt8](unsafeUninitializedCapacity: length) { room, count in
      count = unsafe handover_authority_certificate(pointer, room.baseAddress, length)
    }
  }

  deinit { unsafe handover_authority_release(pointer) }

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
