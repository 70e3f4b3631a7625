import HandoverDispatcher
public import HandoverMachines

// The addresses that a host's name stands for, and which of them a device can use on a network.

/// A family of addresses.
@frozen
public enum AddressFamily: String, Hashable, Sendable, CaseIterable {
  case ipv4, ipv6
}

/// The families that a network carries.
public enum NetworkFamilies: String, Hashable, Sendable, CaseIterable {
  case both, ipv4, ipv6

  /// Whether it carries a family.
  public func carries(_ family: AddressFamily) -> Bool {
    self == .both || rawValue == family.rawValue
  }
}

/// What comes of the first packet to an address.
public enum AddressAnswer: String, Hashable, Sendable, CaseIterable {
  /// The server accepts, if it does so at all.
  case accept
  /// Whoever is there refuses.
  case refuse
  /// Nobody answers.
  case nothing
}

/// An address as a scenario writes it: IPv4 in four decimal numbers, or IPv6 (RFC 4291, 2.2)
/// without a zone.
public struct AddressText: Hashable, Sendable {
  /// The address as it was written.
  public let written: String
  /// Its 4 or 16 bytes, the most significant first.
  package let bytes: [UInt8]

  /// What networks that translate put before an address of IPv4 (RFC 6052, 2.1).
  package static let translationPrefix: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

  /// Its family.
  public var family: AddressFamily { bytes.count == 4 ? .ipv4 : .ipv6 }

  /// Reads an address.
  ///
  /// - Parameter written: the text; nil is returned where it is no address.
  public init?(_ written: String) {
    guard let bytes = LiteralAddress.bytes(written) else { return nil }
    self.written = written
    self.bytes = bytes
  }

  /// Whether both are one address, however they are written.
  public static func == (left: AddressText, right: AddressText) -> Bool {
    left.bytes == right.bytes
  }

  /// Mixes the address in.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }

  /// The address of IPv6 under which a network that translates has one of IPv4 (RFC 6052, 2.1); any
  /// other as it is.
  public var translated: String {
    guard family == .ipv4 else { return written }
    let groups = [0, 2].map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return "64:ff9b::\(groups[0]):\(groups[1])"
  }
}

/// One of the addresses of a host.
public struct ScriptAddress: Hashable, Sendable {
  /// The address.
  public var text: AddressText
  /// How long a connection takes to be established, or to be refused; nil takes the host's time.
  public var connect: Interval?
  /// What comes of the first packet.
  public var answer: AddressAnswer

  /// Makes an address that answers as its host does.
  public init(_ text: AddressText, connect: Interval? = nil, answer: AddressAnswer = .accept) {
    self.text = text
    self.connect = connect
    self.answer = answer
  }
}

/// What the name server of a network answers for a host, where that is not what all do.
public struct NetworkNames: Hashable, Sendable {
  /// The host, an index into ``Script/hosts``.
  public var host: Int
  /// Its addresses there, indices into ``ScriptHost/addresses``, in the order of the answer; nil
  /// for all that it has.
  public var addresses: [Int]?
  /// What becomes of look-ups there; nil where the network adds nothing to what the host says.
  public var fault: DNSFault?

  /// Makes an answer.
  public init(host: Int, addresses: [Int]? = nil, fault: DNSFault? = nil) {
    self.host = host
    self.addresses = addresses
    self.fault = fault
  }
}

extension Script {
  /// Where an attempt to connect to a host gets, by the addresses that its name has on a path.
  ///
  /// - Parameters:
  ///   - host: the host, an index into ``hosts``, with addresses.
  ///   - path: the path that the attempt takes.
  ///   - serverRefuses: whether the server refuses an attempt that it answers at this time after
  ///     the beginning.
  /// - Returns: what comes of it.
  public func race(
    to host: Int, on path: PathIndex, serverRefuses: (Interval) -> Bool = { _ in false }
  ) -> AddressRace.End {
    AddressRace(delay: configuration.happyEyeballs).run(
      candidates(of: host, addresses(of: host, on: path)), serverRefuses: serverRefuses)
  }

  /// The race of an attempt to connect to a host, for whoever runs it.
  ///
  /// What is written in place of a name is tried where the network does not carry it, too: then
  /// there is no way to it.
  package func raceCourse(to host: Int, on path: PathIndex) -> AddressRaceCourse {
    var places = addresses(of: host, on: path)
    if hosts[host].isLiteral { places = Array(hosts[host].addresses.indices) }
    return AddressRaceCourse(
      AddressRace(delay: configuration.happyEyeballs), candidates(of: host, places))
  }

  private func candidates(of host: Int, _ places: [Int]) -> [AddressRace.Candidate] {
    let one = hosts[host]
    return places.map { place in
      AddressRace.Candidate(
        place: place, family: one.addresses[place].text.family,
        connect: one.addresses[place].connect ?? one.connect, answer: one.addresses[place].answer)
    }
  }

  /// An address of a host as it was written; a question mark where it has no such one.
  package func address(_ place: Int, of host: Int) -> String {
    guard hosts.indices.contains(host), hosts[host].addresses.indices.contains(place) else {
      return "?"
    }
    return hosts[host].addresses[place].text.written
  }

  /// What becomes of look-ups of a host's name over a path, whatever the host says of itself.
  public func nameFault(of host: Int, on path: PathIndex) -> DNSFault? {
    network(of: path)?.names.first { $0.host == host }?.fault
  }

  /// Whether look-ups of names fail or hang on some network and not on all.
  public var hasNameFaultsOfNetworks: Bool {
    networks.contains { $0.names.contains { $0.fault != nil } }
  }

  /// What the name server of a path answers for a host, whatever the path carries: indices into
  /// ``ScriptHost/addresses``.
  package func answer(for host: Int, on path: PathIndex?) -> [Int] {
    path.flatMap { network(of: $0) }?.names.first { $0.host == host }.flatMap(\.addresses)
      ?? Array(hosts[host].addresses.indices)
  }

  /// The addresses of a host that a device can use on a path, indices into
  /// ``ScriptHost/addresses`` in the order of the answer.
  ///
  /// A network of IPv6 alone that translates makes addresses of those of IPv4 where the name has no
  /// other (RFC 6147, 5.1.6), and none of an address that is written in place of a name.
  package func addresses(of host: Int, on path: PathIndex) -> [Int] {
    let all = hosts[host].addresses
    let answered = answer(for: host, on: path)
    guard let network = network(of: path) else { return answered }
    let usable = answered.filter { network.families.carries(all[$0].text.family) }
    guard network.translates, !hosts[host].isLiteral,
      !answered.contains(where: { all[$0].text.family == .ipv6 })
    else { return usable }
    return answered
  }
}

extension ScriptHost {
  /// Whether an address is written in place of a name.
  public var isLiteral: Bool { literal != nil }

  /// The address that is written in place of a name; nil for a name.
  public var literal: AddressText? {
    guard let name else { return nil }
    var bytes = Substring(name.text)
    guard let colon = bytes.lastIndex(of: ":") else { return nil }
    bytes = bytes[..<colon]
    if bytes.first == "[", bytes.last == "]" { bytes = bytes.dropFirst().dropLast() }
    return AddressText(String(bytes))
  }
}
