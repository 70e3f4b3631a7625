import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization

/// What is known of names inside a lab: the hosts of its script, and nothing else.
///
/// Who asks is told by the address that he asks from: each network has a name server of its own
/// then, although one answers for all.
public final class LabZone: Sendable {
  /// The answer to a question.
  public enum Answer: Hashable, Sendable {
    /// The name has these addresses, of 4 or of 16 bytes, or none of the kind that is asked for.
    case addresses([[UInt8]])
    /// There is no such name.
    case noSuchName
    /// The look-up fails.
    case failure
    /// Nobody answers.
    case silence
  }

  /// Where the name server is to be asked, in each family.
  public static let serverAddresses = ServerNetwork.nameServers.map(\.description)

  private let script: Script
  private let names: [String?]
  private let endpoints: HostEndpoints
  /// The networks of the paths, in each family.
  private let networks: [(prefix: IPNetwork, path: PathIndex)]
  private let faults: Mutex<[DNSFault]>

  /// What a lab's name server knows of a script.
  init(_ script: Script, _ plan: LivePlan, _ lab: DeviceLab) {
    self.script = script
    names = plan.hosts.map { $0.name?.lowercased() }
    endpoints = lab.endpoints
    networks = lab.networks.enumerated().flatMap { place, network in
      (network?.prefixes ?? []).map { ($0, PathIndex(UInt8(truncatingIfNeeded: place))) }
    }
    faults = Mutex(script.hosts.map(\.names))
  }

  /// Lets look-ups of a host end otherwise, on every network.
  func set(_ fault: DNSFault, of host: Int) { faults.withLock { $0[host] = fault } }

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - name: the name, its letters in any case, without a dot at its end.
  ///   - isIPv6: whether addresses of IPv6 are asked for; nil where it is something else.
  ///   - asker: the address from which it is asked, as usually written.
  /// - Returns: the answer.
  public func answer(_ name: String, isIPv6: Bool?, from asker: String) -> Answer {
    let name = name.lowercased()
    let hosts = names.indices.filter { names[$0] == name }
    guard !hosts.isEmpty else { return .noSuchName }
    let path = path(of: asker)
    switch fault(of: hosts, on: path) {
    case .fail: return .failure
    case .hang: return .silence
    case .resolve: break
    }
    guard let isIPv6 else { return .addresses([]) }
    let all = hosts.flatMap { addresses(of: $0, on: path) }
    var found: [IPAddress] = []
    for address in all where (address.family == .v6) == isIPv6 && !found.contains(address) {
      found.append(address)
    }
    // Addresses are made where the name has none of its own (RFC 6147, 5.1.6).
    if isIPv6, found.isEmpty, let path, script.network(of: path)?.translates == true {
      found = all.map(\.translated)
    }
    return .addresses(found.map(\.bytes))
  }

  private func path(of asker: String) -> PathIndex? {
    guard let address = IPAddress(asker)?.unmapped else { return nil }
    return networks.first { $0.prefix.contains(address) }?.path
  }

  private func fault(of hosts: [Int], on path: PathIndex?) -> DNSFault {
    let own = faults.withLock { faults in hosts.map { faults[$0] } }
    if let fault = own.first(where: { $0 != .resolve }) { return fault }
    guard let path else { return .resolve }
    return hosts.compactMap { script.nameFault(of: $0, on: path) }.first ?? .resolve
  }

  private func addresses(of host: Int, on path: PathIndex?) -> [IPAddress] {
    let own = script.hosts[host].addresses
    guard !own.isEmpty else { return endpoints.givenAddresses(of: host) }
    return script.answer(for: host, on: path).compactMap { IPAddress(own[$0].text.bytes) }
  }
}

/// A name server that a lab was given; it lives until it is closed.
public protocol LabNames: Sendable {
  /// Ends it.
  func close()
}
