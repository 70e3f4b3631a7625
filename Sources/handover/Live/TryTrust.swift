import FoundationEssentials
import HandoverLab
import HandoverLinux

/// The servers for TLS, HTTP/2 and gRPC, with a certificate authority.
///
/// The authority is created for one run, and the programs in the lab trust it.
struct TryTrust {
  /// The name of the server program, which is in the same folder as this command.
  private static let program = "handover-servers"
  /// The time limit for creating the authority, in microseconds.
  private static let timeout: Int64 = 30_000_000

  private let servers: String
  private let folder: URL

  /// The path of the server program, or `nil` if it is not in the folder of this command.
  static var servers: String? {
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = own.deletingLastPathComponent().appending(path: program).path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// Creates the authority.
  ///
  /// - Throws: ``ExitError`` if this fails, after an error message.
  init(_ servers: String) throws {
    self.servers = servers
    folder = FileManager.default.temporaryDirectory.appending(
      path: "handover-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o755])
      let maker = try ProcessTree.start([servers, "authority", folder.path])
      let end = maker.wait(atMost: Self.timeout)
      maker.end()
      guard end == .exited(0) else {
        printError("\(servers) could not create a certificate authority.")
        throw ExitError(.breakdown)
      }
    } catch let error as LinuxError {
      printError("\(servers) cannot be started: \(error)")
      throw ExitError(.breakdown)
    }
  }

  /// Returns the command of one lab's servers, and the path of their log.
  func makeCommand() -> (command: [String], log: String) {
    let log = path("\(UUID().uuidString).log")
    return ([servers, "serve", folder.path, log], log)
  }

  private func path(_ file: String) -> String { folder.appending(path: file).path }

  /// The environment variables that make programs trust the authority, as `NAME=value`.
  var environment: [String] {
    let names = [
      "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
      "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    ]
    let java = "-Djavax.net.ssl.trustStoreType=JKS -Djavax.net.ssl.trustStore="
    return names.map { "\($0)=\(path("ca.pem"))" }
      + ["JAVA_TOOL_OPTIONS=\(java)\(path("trust.jks"))"]
  }

  /// The files in which systems store the authorities that they trust.
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// Replaces the machine's trusted authorities by the lab's authority, within the lab only.
  func cover() {
    guard let text = try? String(contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8)
    else { return }
    for file in Self.systemFiles where FileManager.default.fileExists(atPath: file) {
      do throws(LinuxError) {
        try BindMountedFile.cover(file, with: text)
      } catch {
        printError("Programs that read \(file) do not trust the lab's servers: \(error)")
      }
    }
  }

  /// Removes the authority.
  func remove() { try? FileManager.default.removeItem(at: folder) }
}
