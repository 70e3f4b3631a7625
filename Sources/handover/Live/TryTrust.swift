#if os(Linux)
  import FoundationEssentials
  import HandoverLab
  import HandoverLinux

  /// The servers of TLS, HTTP/2 and gRPC, with a certificate authority that is made for one run and
  /// made known to the programs of the lab.
  struct TryTrust {
    /// The name of the program that serves; it lies beside this one.
    private static let program = "handover-servers"
    /// How long it may take to make the authority, in microseconds.
    private static let timeout: Int64 = 30_000_000

    private let servers: String
    private let folder: URL

    /// Where the program lies; nil where it is not beside this one.
    static var servers: String? {
      let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      let path = own.deletingLastPathComponent().appending(path: program).path
      return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Makes the authority.
    ///
    /// - Throws: ``Leave`` where that cannot be done, after it was told.
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
          printError("\(servers) could not make a certificate authority.")
          throw Leave(.breakdown)
        }
      } catch let error as LinuxError {
        printError("\(servers) cannot be started: \(error)")
        throw Leave(.breakdown)
      }
    }

    /// The command of the servers of one lab, and the log that they write.
    func makeCommand() -> (command: [String], log: String) {
      let log = path("\(UUID().uuidString).log")
      return ([servers, "serve", folder.path, log], log)
    }

    private func path(_ file: String) -> String { folder.appending(path: file).path }

    /// What programs are told of the authority, as `NAME=value`.
    var environment: [String] {
      let names = [
        "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
      ]
      let java = "-Djavax.net.ssl.trustStoreType=JKS -Djavax.net.ssl.trustStore="
      return names.map { "\($0)=\(path("ca.pem"))" }
        + ["JAVA_TOOL_OPTIONS=\(java)\(path("trust.jks"))"]
    }

    /// The files in which systems keep the authorities that they trust.
    private static let systemFiles = [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// Shows the authority in the place of those that this machine trusts, to the lab only.
    func cover() {
      guard let text = try? String(contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8)
      else { return }
      for file in Self.systemFiles where FileManager.default.fileExists(atPath: file) {
        do throws(LinuxError) {
          try CoveredFile.cover(file, with: text)
        } catch {
          printError("Programs that read \(file) do not trust the lab's servers: \(error)")
        }
      }
    }

    /// Takes the authority away.
    func remove() { try? FileManager.default.removeItem(at: folder) }
  }
#endif
