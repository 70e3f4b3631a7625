// The addresses of a host's name, and which of them a device can use on a network.

/// An address family.
@frozen
public enum AddressFamily: String, Hashable, Sendable, CaseIterable {
  case ipv4, ipv6
}

/// The address families that a network carries.
public enum NetworkFamilies: String, Hashable, Sendable, CaseIterable {
  case both, ipv4, ipv6

  /// Returns whether the network carries a family.
  public func carries(_ family: AddressFamily) -> Bool {
    self == .both || rawValue == family.rawValue
  }
}

/// The answer to the first packet to an address.
public enum AddressAnswer: String, Hashable, Sendable, CaseIterable {
  /// The address accepts, unless its server refuses.
  case accept
  /// The address refuses.
  case refuse
  /// The address does not answer.
  case nothing
}

/// An address as written in a scenario.
///
/// It is an IPv4 address in four decimal numbers, or an IPv6 address (RFC 4291, 2.2) without a
/// zone.
public struct AddressText: Hashable, Sendable {
  /// The address as it was written.
  public let written: String
  /// The 4 or 16 bytes of the address, most significant first.
  package let bytes: [UInt8]

  /// The prefix that translating networks put before an IPv4 address (RFC 6052, 2.1).
  package static let translationPrefix: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

  /// The address family.
  public var family: AddressFamily { bytes.count == 4 ? .ipv4 : .ipv6 }

  /// Parses an address, or returns `nil` if the string is not an address.
  ///
  /// - Parameter written: the string to parse.
  public init?(_ written: String) {
    guard let bytes = LiteralAddress.bytes(written) else { return nil }
    self.written = written
    self.bytes = bytes
  }

  /// Returns whether two addresses are equal, even if they are written differently.
  public static func == (left: AddressText, right: AddressText) -> Bool {
    left.bytes == right.bytes
  }

  /// Hashes the bytes of the address.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }

  /// The address that a translating network uses for this address.
  ///
  /// An IPv4 address is mapped to IPv6 (RFC 6052, 2.1); an IPv6 address is unchanged.
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
  /// The time until a connection is established or refused, or `nil` for the host's time.
  public var connect: Interval?
  /// The answer to the first packet.
  public var answer: AddressAnswer

  /// Creates an address that by default behaves like its host.
  public init(_ text: AddressText, connect: Interval? = nil, answer: AddressAnswer = .accept) {
    self.text = text
    self.connect = connect
    self.answer = answer
  }
}

/// The answer of a network's name server for a host, if it differs from other networks.
public struct NetworkNames: Hashable, Sendable {
  /// The host, an index into ``Script/hosts``.
  public var host: Int
  /// The host's addresses on the network, or `nil` for all of them.
  ///
  /// The addresses are indices into ``ScriptHost/addresses``, in the order of the answer.
  public var addresses: [Int]?
  /// The behavior of lookups on the network, or `nil` for the behavior of the host.
  public var fault: DNSFault?

  /// Creates an answer.
  public init(host: Int, addresses: [Int]? = nil, fault: DNSFault? = nil) {
    self.host = host
    self.addresses = addresses
    self.fault = fault
  }
}

extension Script {
  /// Returns the end of a connection attempt to a host over a path.
  ///
  /// - Parameters:
  ///   - host: the host, an index into ``hosts``; it must have addresses.
  ///   - path: the path of the attempt.
  ///   - entry: the entry that last changed the name server's answer before the lookup, or `nil`.
  ///   - answer: the answer of an address that is tried at this time after the beginning, and the
  ///     time after the beginning at which the answer arrives.
  /// - Returns: the end of the race between the host's addresses.
  package func race(
    to host: Int, on path: PathIndex, changedBy entry: UInt32?,
    answer: (AddressRace.Candidate, Interval) -> (answer: AddressAnswer, after: Interval)
  ) -> AddressRace.End {
    AddressRace(delay: configuration.happyEyeballs).run(
      candidates(of: host, addresses(of: host, on: path, changedBy: entry)), answer: answer)
  }

  /// Returns the race of a connection attempt to a host, for the caller to run.
  ///
  /// An address literal is tried even if the network does not carry its family; there is then no
  /// route.
  package func raceCourse(
    to host: Int, on path: PathIndex, changedBy entry: UInt32?
  ) -> AddressRaceProgress {
    var positions = addresses(of: host, on: path, changedBy: entry)
    if hosts[host].isLiteral { positions = Array(hosts[host].addresses.indices) }
    return AddressRaceProgress(
      AddressRace(delay: configuration.happyEyeballs), candidates(of: host, positions))
  }

  private func candidates(of host: Int, _ positions: [Int]) -> [AddressRace.Candidate] {
    let one = hosts[host]
    return positions.map { position in
      AddressRace.Candidate(
        position: position, family: one.addresses[position].text.family,
        connect: one.addresses[position].connect ?? one.connect,
        answer: one.addresses[position].answer)
    }
  }

  /// Returns an address of a host as written, or a question mark if the host has no such address.
  package func address(_ position: Int, of host: Int) -> String {
    guard hosts.indices.contains(host), hosts[host].addresses.indices.contains(position) else {
      return "?"
    }
    return hosts[host].addresses[position].text.written
  }

  /// Returns the fault that a path adds to lookups of a host's name, regardless of the host's own.
  public func nameFault(of host: Int, on path: PathIndex) -> DNSFault? {
    network(of: path)?.names.first { $0.host == host }?.fault
  }

  /// Returns the time that a lookup of a host takes on a path.
  ///
  /// An address literal needs no lookup.
  public func lookupTime(of host: Int, on path: PathIndex) -> Interval {
    guard !hosts[host].isLiteral else { return .zero }
    return network(of: path)?.lookup.both ?? .zero
  }

  /// Whether the result or the time of a lookup depends on the network.
  public var lookupsDependOnNetwork: Bool {
    networks.contains { $0.lookup != LookupTime() || $0.names.contains { $0.fault != nil } }
  }

  /// Returns the name server's answer for a host on a path, as indices into
  /// ``ScriptHost/addresses``.
  ///
  /// The answer can contain families that the path does not carry.
  ///
  /// - Parameters:
  ///   - host: the host, an index into ``hosts``.
  ///   - path: the path of the lookup, or `nil` for a path without an answer of its own.
  ///   - entry: the entry that last changed the answer before the lookup, or `nil`.
  /// - Returns: the answer.
  package func answer(
    for host: Int, on path: PathIndex?, changedBy entry: UInt32?
  ) -> [Int] {
    if let own = ownAnswer(for: host, on: path) { return own }
    if let entry, case .answer(_, let addresses) = entries[Int(entry)].action { return addresses }
    return Array(hosts[host].addresses.indices)
  }

  /// Returns the entry that changed the answer of a host's name server on a path, or `nil` if none
  /// did.
  package func answerCause(for host: Int, on path: PathIndex?, changedBy entry: UInt32?) -> UInt32?
  {
    guard let entry, ownAnswer(for: host, on: path) == nil else { return nil }
    return entry
  }

  /// Returns the entry that last changed the answer for a host, after another entry ran.
  ///
  /// An entry with the addresses of the earlier answer changes nothing.
  package func answerCause(for host: Int, after entry: UInt32, previous: UInt32?) -> UInt32? {
    let earlier = answer(for: host, on: nil, changedBy: previous)
    return answer(for: host, on: nil, changedBy: entry) == earlier ? previous : entry
  }

  /// Returns the addresses of a host that only the name server of a path returns, or `nil` if it
  /// returns the same as others.
  ///
  /// Entries do not change these addresses, because such a name server has its own records.
  private func ownAnswer(for host: Int, on path: PathIndex?) -> [Int]? {
    path.flatMap { network(of: $0) }?.names.first { $0.host == host }.flatMap(\.addresses)
  }

  /// Returns the addresses of a host that the device can use on a path.
  ///
  /// The addresses are indices into ``ScriptHost/addresses``, in the order of the answer. An
  /// IPv6-only network that translates maps IPv4 addresses if the name has no IPv6 address (RFC
  /// 6147, 5.1.6). The network does not map an address literal.
  package func addresses(
    of host: Int, on path: PathIndex, changedBy entry: UInt32?
  ) -> [Int] {
    let all = hosts[host].addresses
    let answered = answer(for: host, on: path, changedBy: entry)
    guard let network = network(of: path) else { return answered }
    let usable = answered.filter { network.families.carries(all[$0].text.family) }
    guard network.translates, !hosts[host].isLiteral,
      !answered.contains(where: { all[$0].text.family == .ipv6 })
    else { return usable }
    return answered
  }
}

extension ScriptHost {
  /// Whether the host is an address literal instead of a name.
  public var isLiteral: Bool { literal != nil }

  /// The address literal of the host, or `nil` if the host is a name.
  public var literal: AddressText? {
    guard let name else { return nil }
    var bytes = Substring(name.text)
    guard let colon = bytes.lastIndex(of: ":") else { return nil }
    bytes = bytes[..<colon]
    if bytes.first == "[", bytes.last == "]" { bytes = bytes.dropFirst().dropLast() }
    return AddressText(String(bytes))
  }
}
