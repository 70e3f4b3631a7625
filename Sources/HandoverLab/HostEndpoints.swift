import HandoverBackend
import HandoverCore
import HandoverLinux

/// An address with a port.
struct Endpoint: Hashable, Sendable {
  var address: IPAddress
  var port: UInt16

  var text: LiveAddress { LiveAddress(address.description, port: port) }
}

/// The addresses of the hosts' servers: those that the lab assigns, and those that a host lists.
///
/// Several hosts may share an address, with the same port or with different ports.
struct HostEndpoints: Hashable, Sendable {
  /// An endpoint at which a host is called.
  struct Place: Hashable, Sendable {
    var endpoint: Endpoint
    /// The delay of the first packet of a connection.
    var connect: Interval
    var answer = AddressAnswer.accept
  }

  private var hosts: [[Place]]
  /// The endpoints that each host lists, in order.
  private var own: [[Place]]
  /// Whether the lab assigns IPv6 addresses to names.
  let hasIPv6: Bool
  private let firstOfName: [Int]

  init(_ plan: LivePlan) {
    hasIPv6 = plan.hasIPv6
    let names = plan.hosts.map { $0.name?.lowercased() }
    firstOfName = names.indices.map { place in
      names[place].flatMap { names.firstIndex(of: $0) } ?? place
    }
    own = plan.hosts.map { host in
      host.addresses.compactMap { one in
        IPAddress(one.text.bytes).map {
          Place(
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
      var places: [Place] = []
      for endpoint in given where !places.contains(where: { $0.endpoint == endpoint }) {
        places.append(Place(endpoint: endpoint, connect: connect))
      }
      hosts.append(places + (own.indices.contains(host) ? own[host] : []))
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
  func places(of host: Int) -> [Place] { hosts[host] }

  /// Returns the endpoints that a host lists, in order.
  func ownPlaces(of host: Int) -> [Place] { own.indices.contains(host) ? own[host] : [] }

  /// Returns the endpoint of a host that is passed to a program.
  func first(of host: Int) -> Endpoint {
    let own = ownPlaces(of: host)
    return (own.first { $0.answer == .accept } ?? own.first ?? hosts[host][0]).endpoint
  }

  /// Returns the addresses of a host without duplicates.
  func addresses(of host: Int) -> [IPAddress] { Self.each(hosts[host]) }

  /// The addresses of all hosts and of the name server, without duplicates.
  var allAddresses: [IPAddress] {
    let addresses = Self.each(hosts.flatMap(\.self))
    return addresses + ServerNetwork.nameServers.filter { !addresses.contains($0) }
  }

  /// The endpoints that accept connections, without duplicates, with the hosts that use them.
  var listeners: [(endpoint: Endpoint, hosts: [Int])] {
    var listeners: [(endpoint: Endpoint, hosts: [Int])] = []
    for (host, places) in hosts.enumerated() {
      for place in places where place.answer == .accept {
        guard hasIPv6 || place.endpoint.address.family == .v4 else { continue }
        if let known = listeners.firstIndex(where: { $0.endpoint == place.endpoint }) {
          listeners[known].hosts.append(host)
        } else {
          listeners.append((place.endpoint, [host]))
        }
      }
    }
    return listeners
  }

  private static func each(_ places: [Place]) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for place in places where !addresses.contains(place.endpoint.address) {
      addresses.append(place.endpoint.address)
    }
    return addresses
  }

  /// Returns the host with an endpoint, which may be a translated one, or `nil` if there is none.
  func host(at endpoint: Endpoint) -> Int? {
    let meant = Endpoint(address: endpoint.address.untranslated, port: endpoint.port)
    return hosts.firstIndex { $0.contains { $0.endpoint == meant } }
      ?? hosts.firstIndex { $0[0].endpoint.address == meant.address }
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
    for place in hosts.flatMap(\.self) where !seen.contains(place.endpoint) {
      seen.append(place.endpoint)
      if place.answer == .nothing {
        handshakes.silence(place.endpoint)
      } else if place.connect > .zero {
        handshakes.delay(place.connect, to: place.endpoint)
      }
    }
    return handshakes
  }
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
