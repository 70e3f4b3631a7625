import HandoverCore
import HandoverLab
import HandoverLabServers
import HandoverLinux
import HandoverTry

extension LabDeviceOptions {
  /// Creates the certificate authority of the lab's servers, which programs trust if the options
  /// say so.
  func makeTrust() throws -> TryTrust {
    let trust = try TryTrust()
    if self.trust == .on { trust.cover() }
    return trust
  }

  /// Returns a run with the lab and the servers that the options describe.
  func makeRun(
    _ move: TryMove, _ command: [String], watch: Interval, _ trust: TryTrust
  ) -> TryRun {
    var environment = Environment.forOtherPrograms.filter { !Self.isProxy($0) }
    if self.trust == .on {
      let names = trust.environment.map { $0.prefix { $0 != "=" } }
      environment.removeAll { entry in names.contains(entry.prefix { $0 != "=" }) }
      environment += trust.environment
    }
    var run = TryRun(move, command: command, environment: environment, watch: watch) {
      (others) throws(LinuxError) in
      do {
        return try RunningServers(
          servers: LabServers(
            trust.authority, besides: others.ports, namesHaveIPv6: others.areReachableOverIPv6))
      } catch {
        throw LinuxError(finding: "servers: \(error)")
      }
    }
    run.platform = platform.platform
    run.conditions = condition.map { ($0.medium, $0.conditions) }
    run.servers = server.map { ["sh", "-c", $0] }
    return run
  }

  /// The options as arguments of a command line, without those that have their default values.
  var arguments: [String] {
    server.flatMap { ["--server", $0] }
      + condition.flatMap { ["--condition", $0.text] }
      + (platform.platform == .linux ? [] : ["--platform", platform.platform.rawValue])
      + (trust == .on ? [] : ["--trust", trust.rawValue])
  }

  private static func isProxy(_ variable: String) -> Bool {
    variable.prefix { $0 != "=" }.lowercased().hasSuffix("_proxy")
  }
}

private struct RunningServers: TryServers {
  let servers: LabServers

  func close() { servers.close() }

  var hostNames: [(name: String, addresses: [[UInt8]])] {
    servers.knownNames.map { ($0.name, $0.addresses) }
  }

  var sentData: ServerLog? { servers.sentData }
  var sentMessages: MessageLog? { servers.sentMessages }

  var logLines: [(at: Int64, text: String)] { servers.requests }

  func logKeys(to log: @escaping @Sendable ([UInt8]) -> Void) { servers.logKeys(to: log) }

  func answerNames(_ fault: DNSFault) {
    switch fault {
    case .resolve: servers.setNames(.found)
    case .fail: servers.setNames(.failing)
    case .hang: servers.setNames(.silent)
    }
  }
}
