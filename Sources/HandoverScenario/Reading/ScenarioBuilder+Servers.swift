import HandoverCore

// Changes of servers, and expectations about servers and the device's kernel.

/// A change of a host's server: an action of the server, or of its reachability at an address.
struct ServerChange: Hashable, Sendable {
  var host: Int?
  var fault: ServerFault?
  /// The address that becomes unreachable, an index into ``ScriptHost/addresses``.
  var unreachable: Int?
  /// The address that becomes reachable.
  var reachable: Int?

  /// The action of the timeline, or `nil` if the change is invalid.
  var action: ScriptAction? {
    guard let host else { return nil }
    if let fault { return .server(host, fault) }
    if let unreachable { return .address(host, position: unreachable, isReachable: false) }
    return reachable.map { .address(host, position: $0, isReachable: true) }
  }
}

extension ScenarioBuilder {
  /// Reads the address whose connections count.
  mutating func serverAddress(_ member: JSONMember, of host: HostSelector) -> Int? {
    if case .one(let host) = host { return address(member.value, of: host) }
    report(
      .keyOutOfPlace, at: member.key,
      "\"address\" has no effect here: an address belongs to one host",
      hint: "write a single host in \"host\"")
    return nil
  }
}
