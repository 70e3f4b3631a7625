import FoundationEssentials
import HandoverLabServers
import HandoverLinux

/// The certificate authority of one run, which the programs in the lab trust.
///
/// Its keys exist only in memory, and its folder contains only the certificate.
struct TryTrust {
  /// The authority.
  let authority: Authority
  private let folder: URL

  private static let pemFile = "ca.pem"
  private static let javaFile = "trust.jks"

  /// Creates the authority.
  ///
  /// - Throws: ``ExitError`` if this fails, after an error message.
  init() throws {
    do {
      authority = try Authority()
      folder = try Self.makeFolder([
        Self.pemFile: Data(authority.pem.utf8), Self.javaFile: Data(authority.javaStore),
      ])
    } catch {
      throw ExitError(
        .breakdown, printing: "The lab's certificate authority cannot be created: \(error)")
    }
  }

  /// Creates a folder in `TMPDIR`, or in /tmp if `TMPDIR` names no writable folder.
  private static func makeFolder(_ files: [String: Data]) throws -> URL {
    func make(in position: URL) throws -> URL {
      let folder = position.appending(path: "handover-\(UUID().uuidString)")
      try OutputFile.makeTemporaryFolder(folder, with: files)
      return folder
    }
    do {
      return try make(in: FileManager.default.temporaryDirectory)
    } catch {
      return try make(in: URL(filePath: "/tmp"))
    }
  }

  private func path(_ file: String) -> String { folder.appending(path: file).path }

  /// The environment variables that make programs trust the authority, as `NAME=value`.
  var environment: [String] {
    let names = [
      "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
      "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    ]
    let java = "-Djavax.net.ssl.trustStoreType=JKS -Djavax.net.ssl.trustStore="
    return names.map { "\($0)=\(path(Self.pemFile))" }
      + ["JAVA_TOOL_OPTIONS=\(java)\(path(Self.javaFile))"]
  }

  /// The files in which systems store the authorities that they trust.
  static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// Replaces the machine's trusted authorities by the lab's authority, within the lab only.
  func cover() {
    for file in Self.systemFiles where FileStatus(file) != nil {
      do throws(LinuxError) {
        try BindMountedFile.cover(file, with: authority.pem)
      } catch {
        printError("Programs that read \(file) do not trust the lab's servers: \(error)")
      }
    }
  }

  /// Removes the folder.
  func remove() {
    guard let reason = OutputFile.removeTemporaryFolder(folder) else { return }
    printError(
      "The folder of the lab's certificate cannot be removed: \(folder.path): "
        + systemErrorText(reason))
  }
}
