import HandoverBackend
import HandoverCore
import HandoverLinux

/// An address with a port, where somebody listens or is called.
struct Endpoint: Hashable, Sendable {
  var address: IPAddress
  var port: UInt16

  var text: LiveAddress { LiveAddress(address.description, port: port) }
}

/// Where the servers of hosts are: the lab's own addresses, and those that a host says it has.
///
/// Several hosts may have an address in common, with a port for each or with one.
struct HostEndpoints: Hashable, Sendable {
  /// A place where a host is called.
  struct Place: Hashable, Sendable {
    var endpoint: Endpoint
    /// How long the first packet of a connection is under way.
    var connect: Interval
    var answer = AddressAnswer.accept
  }

  private var hosts: [[Place]]
  /// The places of each host that it says itself, in its order.
  private var own: [[Place]]
  /// Whether names have addresses of IPv6 that the lab gives them.
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

  /// The addresses that the lab gives to a name.
  private static func given(_ host: Int, hasIPv6: Bool) -> [IPAddress] {
    [ServerNetwork.address(of: host)] + (hasIPv6 ? [ServerNetwork.address6(of: host)] : [])
  }

  /// The addresses that a name has where its host says none.
  func givenAddresses(of host: Int) -> [IPAddress] {
    Self.given(firstOfName[host], hasIPv6: hasIPv6)
  }

  /// Where a host can be called, or could.
  func places(of host: Int) -> [Place] { hosts[host] }

  /// Where a host says it can be called, in its order.
  func ownPlaces(of host: Int) -> [Place] { own.indices.contains(host) ? own[host] : [] }

  /// Where a host is called that a program is given the address of.
  func first(of host: Int) -> Endpoint {
    let own = ownPlaces(of: host)
    return (own.first { $0.answer == .accept } ?? own.first ?? hosts[host][0]).endpoint
  }

  /// The addresses of a host, each once.
  func addresses(of host: Int) -> [IPAddress] { Self.each(hosts[host]) }

  /// The addresses of all hosts and of the name server, each once.
  var allAddresses: [IPAddress] {
    let addresses = Self.each(hosts.flatMap(\.self))
    return addresses + ServerNetwork.nameServers.filter { !addresses.contains($0) }
  }

  /// The places where somebody takes connections, each once, with the hosts that are called there.
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

  /// The host that is called at a place, which may be reached by translation; nil where none is.
  func host(at endpoint: Endpoint) -> Int? {
    let meant = Endpoint(address: endpoint.address.untranslated, port: endpoint.port)
    return hosts.firstIndex { $0.contains { $0.endpoint == meant } }
      ?? hosts.firstIndex { $0[0].endpoint.address == meant.address }
  }

  /// Whether other hosts have an address, too.
  func isShared(_ address: IPAddress, of host: Int) -> Bool {
    hosts.indices.contains { other in
      other != host && hosts[other].contains { $0.endpoint.address == address }
    }
  }

  /// How long first packets are under way, and which of them nobody answers.
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
  /// What networks that translate put before an address of IPv4.
  static var translationPrefix: [UInt8] { AddressText.translationPrefix }

  /// The address of IPv4 that one of IPv6 stands for on a network that translates; any other as it
  /// is.
  var untranslated: IPAddress {
    guard bytes.count == 16, bytes.starts(with: Self.translationPrefix) else { return self }
    return IPAddress(bytes[12], bytes[13], bytes[14], bytes[15])
  }

  /// The address of IPv6 that stands for one of IPv4 there; any other as it is.
  var translated: IPAddress {
    family == .v4 ? IPAddress(Self.translationPrefix + bytes) ?? self : self
  }
}
