import HandoverBackend
import HandoverCore
import HandoverLinux

/// An address with a port.
struct Endpoint: Hashable, Sendable {
  var address: IPAddress
  var port: UInt16

  var text: LiveAddress { LiveAddress(address.description, port: port) }

  /// The endpoint that this one represents on a translating network.
  var untranslated: Endpoint { Endpoint(address: address.untranslated, port: port) }
}

/// The addresses of the hosts' servers: those that the lab assigns, and those that a host lists.
///
/// Several hosts may share an address, with the same port or with different ports.
struct HostEndpoints: Hashable, Sendable {
  /// An endpoint at which a host is called.
  struct Target: Hashable, Sendable {
    var endpoint: Endpoint
    /// The delay of the first packet of a connection.
    var connect: Interval
    var answer = AddressAnswer.accept
  }

  private var hosts: [[Target]]
  /// The endpoints that each host lists, in order.
  private var own: [[Target]]
  /// Whether the lab assigns IPv6 addresses to names.
  let hasIPv6: Bool
  private let firstOfName: [Int]

  init(_ plan: LivePlan) {
    hasIPv6 = plan.hasIPv6
    let names = plan.hosts.map { $0.name?.lowercased() }
    firstOfName = names.indices.map { index in
      names[index].flatMap { names.firstIndex(of: $0) } ?? index
    }
    own = plan.hosts.map { host in
      host.addresses.compactMap { one in
        IPAddress(one.text.bytes).map {
          Target(
            endpoint: Endpoint(address: $0, port: host.port), connect: one.connect ?? .zero,
            answer: one.answer)
        }
      }
    }
    hosts = []
    for host in 0..<plan.hostCount {
      let connect = plan.handshakes.indices.contains(host) ? plan.handshakes[host] : .zero
      let known = plan.hosts.indices.contains(host) ? plan.hosts[host] : nil
      var given = [Endpoint(address: ServerNetwork.address(of: host), port: ServerNetwork.port)]
      if let known, known.addresses.isEmpty, known.name != nil {
        given += Self.given(firstOfName[host], hasIPv6: plan.hasIPv6).map {
          Endpoint(address: $0, port: known.port)
        }
      }
      var targets: [Target] = []
      for endpoint in given where !targets.contains(where: { $0.endpoint == endpoint }) {
        targets.append(Target(endpoint: endpoint, connect: connect))
      }
      hosts.append(targets + (own.indices.contains(host) ? own[host] : []))
    }
  }

  /// Returns the addresses that the lab assigns to a name.
  private static func given(_ host: Int, hasIPv6: Bool) -> [IPAddress] {
    [ServerNetwork.address(of: host)] + (hasIPv6 ? [ServerNetwork.address6(of: host)] : [])
  }

  /// Returns the addresses of a name whose host lists none.
  func assignedAddresses(of host: Int) -> [IPAddress] {
    Self.given(firstOfName[host], hasIPv6: hasIPv6)
  }

  /// Returns all endpoints of a host, including those that never respond.
  func targets(of host: Int) -> [Target] { hosts[host] }

  /// Returns the endpoints that a host lists, in order.
  func ownTargets(of host: Int) -> [Target] { own.indices.contains(host) ? own[host] : [] }

  /// Returns the endpoint of a host that is passed to a program.
  func first(of host: Int) -> Endpoint {
    let own = ownTargets(of: host)
    return (own.first { $0.answer == .accept } ?? own.first ?? hosts[host][0]).endpoint
  }

  /// Returns the addresses of a host without duplicates.
  func addresses(of host: Int) -> [IPAddress] { Self.each(hosts[host]) }

  /// Returns the addresses of a host as the device may use them, without duplicates.
  ///
  /// On a translating network, an IPv6 address represents an IPv4 address.
  func addressesForDevice(of host: Int) -> [IPAddress] {
    let addresses = addresses(of: host)
    guard hasIPv6 else { return addresses }
    return addresses + addresses.filter { $0.family == .v4 }.map(\.translated)
  }

  /// The addresses of all hosts and of the name server, without duplicates.
  var allAddresses: [IPAddress] {
    let addresses = Self.each(hosts.flatMap(\.self))
    return addresses + ServerNetwork.nameServers.filter { !addresses.contains($0) }
  }

  /// The endpoints that accept connections, without duplicates, with the hosts that use them.
  var listeners: [(endpoint: Endpoint, hosts: [Int])] {
    var listeners: [(endpoint: Endpoint, hosts: [Int])] = []
    for (host, targets) in hosts.enumerated() {
      for target in targets where target.answer == .accept {
        guard hasIPv6 || target.endpoint.address.family == .v4 else { continue }
        if let known = listeners.firstIndex(where: { $0.endpoint == target.endpoint }) {
          listeners[known].hosts.append(host)
        } else {
          listeners.append((target.endpoint, [host]))
        }
      }
    }
    return listeners
  }

  private static func each(_ targets: [Target]) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for target in targets where !addresses.contains(target.endpoint.address) {
      addresses.append(target.endpoint.address)
    }
    return addresses
  }

  /// Returns the first of some hosts that has an endpoint, which may be a translated one, or `nil`
  /// if there is none.
  func host(at endpoint: Endpoint, among selected: HostSelector = .all) -> Int? {
    if case .one(let host) = selected { return isEndpoint(endpoint, of: host) ? host : nil }
    let endpoint = endpoint.untranslated
    return hosts.firstIndex { $0.contains { $0.endpoint == endpoint } }
      ?? hosts.indices.first { isEndpoint(endpoint, of: $0) }
  }

  /// Returns whether a host has an endpoint, which may be a translated one.
  ///
  /// A host has every port of its first address.
  func isEndpoint(_ endpoint: Endpoint, of host: Int) -> Bool {
    let endpoint = endpoint.untranslated
    return hosts[host].contains { $0.endpoint == endpoint }
      || hosts[host][0].endpoint.address == endpoint.address
  }

  /// Returns whether other hosts share an address.
  func isShared(_ address: IPAddress, of host: Int) -> Bool {
    hosts.indices.contains { other in
      other != host && hosts[other].contains { $0.endpoint.address == address }
    }
  }

  /// The delays of first packets, and the endpoints that never respond.
  var handshakes: Handshakes {
    var handshakes = Handshakes()
    var seen: [Endpoint] = []
    for target in hosts.flatMap(\.self) where !seen.contains(target.endpoint) {
      seen.append(target.endpoint)
      if target.answer == .nothing {
        handshakes.silence(target.endpoint)
      } else if target.connect > .zero {
        handshakes.delay(target.connect, to: target.endpoint)
      }
    }
    return handshakes
  }
}

extension TCPConnection {
  /// The endpoint of the peer.
  var remote: Endpoint { Endpoint(address: remoteAddress, port: remotePort) }
}

extension IPAddress {
  /// The prefix that translating networks add to an IPv4 address.
  static var translationPrefix: [UInt8] { AddressText.translationPrefix }

  /// The IPv4 address that an IPv6 address represents on a translating network.
  ///
  /// Other addresses do not change.
  var untranslated: IPAddress {
    guard bytes.count == 16, bytes.starts(with: Self.translationPrefix) else { return self }
    return IPAddress(bytes[12], bytes[13], bytes[14], bytes[15])
  }

  /// The IPv6 address that represents an IPv4 address on a translating network.
  ///
  /// Other addresses do not change.
  var translated: IPAddress {
    family == .v4 ? IPAddress(Self.translationPrefix + bytes) ?? self : self
  }
}
