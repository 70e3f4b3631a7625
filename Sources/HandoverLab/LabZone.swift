import HandoverBackend
public import HandoverCore
import HandoverLinux
import Synchronization

/// The name records of a lab, which contain only the hosts of its script.
///
/// The client's address identifies its network, so that each network can have different records
/// although a single name server answers all queries.
public final class LabZone: Sendable {
  /// The answer to a query.
  public enum Answer: Hashable, Sendable {
    /// The name has these addresses of 4 or 16 bytes, or no address of the requested type.
    case addresses([[UInt8]])
    /// The name does not exist.
    case noSuchName
    /// The lookup fails.
    case failure
    /// The query gets no answer.
    case silence
  }

  /// The addresses of the name server, one per family.
  public static let serverAddresses = ServerNetwork.nameServers.map(\.description)

  private let script: Script
  private let names: [String?]
  private let endpoints: HostEndpoints
  /// The prefixes of the paths' networks, one per family.
  private let networks: [(prefix: IPNetwork, path: PathIndex)]
  private let faults: Mutex<[DNSFault]>
  /// The entries that last changed the addresses of hosts.
  private let answerCauses: Mutex<[UInt32?]>

  /// Creates the name records for a script.
  init(_ script: Script, _ plan: LivePlan, _ lab: DeviceLab) {
    self.script = script
    names = plan.hosts.map { $0.name?.lowercased() }
    endpoints = lab.endpoints
    networks = lab.networks.enumerated().flatMap { position, network in
      (network?.prefixes ?? []).map { ($0, PathIndex(UInt8(truncatingIfNeeded: position))) }
    }
    faults = Mutex(script.hosts.map(\.names))
    answerCauses = Mutex(Array(repeating: nil, count: script.hosts.count))
  }

  /// Changes the result of lookups of a host, on every network.
  func set(_ fault: DNSFault, of host: Int) { faults.withLock { $0[host] = fault } }

  /// Changes the addresses of a host to those of an entry, on every network without an answer of
  /// its own.
  func changeAnswer(of host: Int, cause: UInt32) { answerCauses.withLock { $0[host] = cause } }

  /// Answers a query.
  ///
  /// - Parameters:
  ///   - name: the name, in upper or lower case, without a trailing dot.
  ///   - isIPv6: whether IPv6 addresses are requested, or `nil` if the query is not for addresses.
  ///   - client: the client's address in text form.
  /// - Returns: the answer.
  public func answer(_ name: String, isIPv6: Bool?, from client: String) -> Answer {
    let name = name.lowercased()
    let hosts = names.indices.filter { names[$0] == name }
    guard !hosts.isEmpty else { return .noSuchName }
    let path = path(of: client)
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
    // IPv6 addresses are synthesized if the name has none (RFC 6147, 5.1.6).
    if isIPv6, found.isEmpty, let path, script.network(of: path)?.translates == true {
      found = all.map(\.translated)
    }
    return .addresses(found.map(\.bytes))
  }

  /// Returns the time until the answer to a query is sent.
  ///
  /// - Parameters:
  ///   - isIPv6: whether IPv6 addresses are requested, or `nil` if the query is not for addresses.
  ///   - client: the client's address in text form.
  /// - Returns: the time, which is zero for other queries than those for addresses.
  public func delay(isIPv6: Bool?, from client: String) -> Interval {
    guard let isIPv6, let path = path(of: client), let network = script.network(of: path) else {
      return .zero
    }
    return isIPv6 ? network.lookup.ipv6 : network.lookup.ipv4
  }

  private func path(of client: String) -> PathIndex? {
    guard let address = IPAddress(client)?.unmapped else { return nil }
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
    guard !own.isEmpty else { return endpoints.assignedAddresses(of: host) }
    let cause = answerCauses.withLock { $0[host] }
    return script.answer(for: host, on: path, changedBy: cause).compactMap {
      IPAddress(own[$0].text.bytes)
    }
  }
}

/// A name server for a lab, which runs until it is closed.
public protocol LabNames: Sendable {
  /// Stops the name server.
  func close()
}
