import HandoverNIO
import HandoverProcess

/// An adapter that serves the bundled servers over the protocol.
final class PlayedServers: ScriptedServers {
  private let servers = LineServers()

  var name: String { servers.name }
  var keywords: [String] { servers.keywords }

  func open(_ hosts: [ServedHost]) -> String? {
    servers.close()
    for host in hosts {
      let problem = servers.listen(to: host.name, at: host.address, port: host.port)
      if let problem { return "\(host.name) at \(host.address):\(host.port): \(problem)" }
    }
    return nil
  }

  func play(_ word: String, on host: String) -> String? { servers.play(word, on: host) }

  func close() { servers.close() }
}
