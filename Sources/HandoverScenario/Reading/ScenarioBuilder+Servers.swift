import HandoverCore
import HandoverJSON

// Expectations about the servers and the device's kernel.

private enum ServerKey: String, FieldKey {
  case host, received, accepted, twice, address, path, since

  static let vocabulary = Vocabulary<Self>()

  /// The keys of the counts.
  static let counts: [ServerKey] = [.received, .accepted, .twice]
}

private enum KernelKey: String, FieldKey {
  case retransmitted, resets, sockets

  static let vocabulary = Vocabulary<Self>()
}

extension ScenarioBuilder {
  mutating func serverSubject(_ value: JSONValue) -> Expectation.Subject? {
    let owner = "\"server\""
    guard let fields = fields(value, owner, ServerKey.self) else { return nil }
    let host = required(.host, fields, owner).flatMap { self.hostSelector($0, "the host") }
    var wanted = ServerExpectation()
    wanted.received = count(fields[.received], "\"received\"")
    wanted.accepted = count(fields[.accepted], "\"accepted\"")
    wanted.twice = count(fields[.twice], "\"twice\"")
    if !fields.hasAny(of: ServerKey.counts) {
      reportNothingExpected(value, ServerKey.counts.map(\.rawValue))
    }
    wanted.path = fields[.path].flatMap { self.knownPath($0) }
    wanted.since = fields[.since].flatMap { self.reachable($0, "\"since\"") }
    wanted.address = serverAddress(fields, of: host)
    // An expectation with a path needs the connection of each request.
    if wanted.path != nil { script.configuration.tellsWays = true }
    return host.map { .server($0, wanted) }
  }

  private mutating func serverAddress(
    _ fields: Fields<ServerKey>, of host: HostSelector?
  ) -> Int? {
    guard let place = fields[.address] else { return nil }
    if fields[.accepted] == nil {
      refuse(
        .address, fields, "it requires \"accepted\"",
        hint: "remove \"address\", because received requests are counted per host")
    } else if case .one(let host) = host {
      return address(place, of: host)
    } else if host != nil {
      refuse(
        .address, fields, "an address belongs to one host", hint: "write a single host in \"host\"")
    }
    return nil
  }

  mutating func kernelSubject(_ value: JSONValue) -> Expectation.Subject? {
    guard let fields = fields(value, "\"kernel\"", KernelKey.self) else { return nil }
    let wanted = KernelExpectation(
      retransmitted: count(fields[.retransmitted], "\"retransmitted\""),
      resets: count(fields[.resets], "\"resets\""),
      sockets: count(fields[.sockets], "\"sockets\""))
    if wanted == KernelExpectation() {
      reportNothingExpected(value, KernelKey.allCases.map(\.rawValue))
    }
    script.configuration.tellsKernel = true
    return .kernel(wanted)
  }
}
