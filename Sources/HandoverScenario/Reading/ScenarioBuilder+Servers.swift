import HandoverCore

// Expectations about the servers and the device's kernel.

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
