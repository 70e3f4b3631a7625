import HandoverCore
import HandoverLab
import HandoverLabServers
import HandoverLinux

extension LabDeviceOptions {
  static let withoutServers =
    "The labs have no TLS, HTTP/2 or gRPC, because handover-servers is not next to this command;"
    + " `make servers` builds it."

  /// Returns the servers for TLS, or `nil` after a note if the program for them is missing.
  func makeTrust() throws -> TryTrust? {
    guard let servers = TryTrust.servers else {
      printError(Self.withoutServers)
      return nil
    }
    let trust = try TryTrust(servers)
    if self.trust == .on { trust.cover() }
    return trust
  }

  /// Returns a run with the lab and the servers that the options describe.
  func makeRun(
    _ move: TryMove, _ command: [String], watch: Interval, _ trust: TryTrust?
  ) -> TryRun {
    var environment = Environment.forOthers.filter { !Self.isProxy($0) }
    if let trust, self.trust == .on {
      let names = trust.environment.map { $0.prefix { $0 != "=" } }
      environment.removeAll { entry in names.contains(entry.prefix { $0 != "=" }) }
      environment += trust.environment
    }
    var run = TryRun(move, command: command, environment: environment, watch: watch) {
      (others) throws(LinuxError) in
      do {
        return try RunningServers(
          servers: LabServers(besides: others.ports, namesHaveIPv6: others.haveIPv6))
      } catch {
        throw LinuxError(finding: "servers: \(error)")
      }
    }
    run.platform = platform.platform
    run.conditions = condition.map { ($0.medium, $0.conditions) }
    run.servers = server.map { ["sh", "-c", $0] }
    if let (command, log) = trust?.makeCommand() {
      (run.lastServer, run.serverLog) = (command, log)
    }
    return run
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

  func answerNames(_ word: DNSFault) {
    switch word {
    case .resolve: servers.setNames(.found)
    case .fail: servers.setNames(.failing)
    case .hang: servers.setNames(.silent)
    }
  }
}
