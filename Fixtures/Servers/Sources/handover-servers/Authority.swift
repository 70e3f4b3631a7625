import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority that is created for one run, and whose key never leaves its folder.
struct Authority: Sendable {
  private let certificate: Certificate
  private let key: P256.Signing.PrivateKey
  /// One key for all servers, because creating a key takes longer than signing.
  private let serverKey = P256.Signing.PrivateKey()

  private static let certificateFile = "ca.pem"
  private static let keyFile = "ca-key.pem"
  private static let javaFile = "trust.jks"
  private static let day: TimeInterval = 86_400

  /// Creates an authority and writes it to a folder: `ca.pem`, its key, and `trust.jks` for Java.
  static func make(in folder: URL) throws {
    let key = P256.Signing.PrivateKey()
    let name = try DistinguishedName { CommonName("Handover lab") }
    let publicKey = Certificate.PrivateKey(key).publicKey
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: publicKey,
      notValidBefore: Date() - day, notValidAfter: Date() + 30 * day, issuer: name, subject: name,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        SubjectKeyIdentifier(hash: publicKey)
      }, issuerPrivateKey: Certificate.PrivateKey(key))
    let pem = try certificate.serializeAsPEM()
    try Data(pem.pemString.utf8).write(to: folder.appending(path: certificateFile))
    try Data(key.pemRepresentation.utf8).write(
      to: folder.appending(path: keyFile), options: .withoutOverwriting)
    try Data(javaStore(of: pem.derBytes)).write(to: folder.appending(path: javaFile))
  }

  /// Returns a Java key store with one trusted certificate.
  ///
  /// The digest at its end is empty, because Java checks it only if a password is given.
  private static func javaStore(of certificate: [UInt8]) -> [UInt8] {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian, Array.init)
    }
    func text(_ text: String) -> [UInt8] { number(UInt16(text.utf8.count)) + text.utf8 }
    return number(0xFEED_FEED as UInt32) + number(2 as UInt32) + number(1 as UInt32)
      + number(2 as UInt32) + text("lab") + number(0 as UInt64) + text("X.509")
      + number(UInt32(certificate.count)) + certificate + [UInt8](repeating: 0, count: 20)
  }

  /// Reads an authority from a folder.
  init(in folder: URL) throws {
    func text(_ file: String) throws -> String {
      try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }
    certificate = try Certificate(pemEncoded: text(Self.certificateFile))
    key = try P256.Signing.PrivateKey(pemRepresentation: text(Self.keyFile))
  }

  /// The subject of a server certificate.
  enum Server: Hashable, Sendable {
    case name(String)
    /// The bytes of an IP address.
    case address([UInt8])

    var alternative: GeneralName {
      switch self {
      case .name(let name): .dnsName(name)
      case .address(let bytes): .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
      }
    }
  }

  /// Creates the TLS configuration of a server, with a certificate for it.
  func context(for server: Server) throws -> NIOSSLContext {
    let publicKey = Certificate.PrivateKey(serverKey).publicKey
    let leaf = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: publicKey,
      notValidBefore: Date() - Self.day, notValidAfter: Date() + 20 * Self.day,
      issuer: certificate.subject, subject: try DistinguishedName { CommonName("lab server") },
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([server.alternative])
        SubjectKeyIdentifier(hash: publicKey)
        AuthorityKeyIdentifier(
          keyIdentifier: SubjectKeyIdentifier(hash: certificate.publicKey).keyIdentifier)
      }, issuerPrivateKey: Certificate.PrivateKey(key))
    let pem = try leaf.serializeAsPEM().pemString
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem))],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(serverKey.pemRepresentation.utf8), format: .pem)))
    configuration.applicationProtocols = ["h2", "http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }
}
