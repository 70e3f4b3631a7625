import HandoverCore

// MARK: - Addresses of hosts

extension ScenarioBuilder {
  /// Reads the addresses of a host.
  ///
  /// - Parameters:
  ///   - value: a list of strings, or of objects that describe an address in detail.
  ///   - host: the host that has the addresses.
  ///   - key: the location of the key of the list.
  /// - Returns: the valid addresses.
  mutating func addresses(
    _ value: JSONValue, of host: ScriptHost, at key: JSONValue
  ) -> [ScriptAddress] {
    guard isName(host, at: key) else { return [] }
    guard has(value, .array, "\"addresses\"") else { return [] }
    let elements = Array(value.elements)
    if elements.isEmpty {
      report(
        .emptyList, at: value, "\"addresses\" is empty",
        hint: "add an address such as \"192.0.2.7\", or remove the key")
    }
    var addresses: [ScriptAddress] = []
    for element in elements {
      guard addresses.count < ScenarioLimits.addresses else {
        report(
          .tooManyAddresses, at: element,
          "there are more than \(ScenarioLimits.addresses) addresses",
          hint: "keep the addresses that are tried first")
        break
      }
      guard let address = hostAddress(element) else { continue }
      if addresses.contains(where: { $0.text == address.text }) {
        report(
          .duplicateAddress, at: element, "the host has this address twice",
          hint: "remove one of the two addresses; their spelling may differ")
      } else {
        addresses.append(address)
      }
    }
    return addresses
  }

  /// Returns whether a host is a name; reports an error at `key` if the host is an address.
  private mutating func isName(_ host: ScriptHost, at key: JSONValue) -> Bool {
    guard host.isLiteral else { return true }
    report(
      .keyOutOfPlace, at: key,
      "\"addresses\" has no effect here: \(Excerpt.quoted(host.written)) is an address itself",
      hint: "remove \"addresses\", or replace the address by a name")
    return false
  }

  private mutating func hostAddress(_ value: JSONValue) -> ScriptAddress? {
    if value.kind == .text { return addressText(value).map { ScriptAddress($0) } }
    guard value.kind == .object else {
      wrongType(value, "an address", wanted: "a string or an object")
      return nil
    }
    guard let address = read(value, ScenarioFormat.address) else { return nil }
    return address.text.map {
      ScriptAddress($0, connect: address.connect, answer: address.answer)
    }
  }

  mutating func addressText(_ value: JSONValue) -> AddressText? {
    guard let text = name(value, "an address") else { return nil }
    if let address = AddressText(text) { return address }
    report(
      .invalidAddress, at: value, "\(Excerpt.quoted(text)) is not a valid address",
      hint:
        "write an address such as \"192.0.2.7\" or \"2001:db8::7\", without port, brackets and zone"
    )
    return nil
  }

  /// Reads an address of a host, and returns its index.
  mutating func address(_ value: JSONValue, of host: Int) -> Int? {
    guard let address = addressText(value) else { return nil }
    let known = script.hosts[host].addresses
    if let location = known.firstIndex(where: { $0.text == address }) { return location }
    let owner = Excerpt.quoted(script.hosts[host].written)
    reportUnknown(
      .unknownAddress, at: value,
      "\(Excerpt.quoted(address.written)) is not an address of \(owner)", address.written,
      names: known.map(\.text.written),
      hint: known.isEmpty ? "add \"addresses\" to \(owner) in \"hosts\"" : nil)
    return nil
  }
}

// MARK: - Addresses on networks

extension ScenarioBuilder {
  /// Reads the answers of a network's name server that differ from those of other networks.
  mutating func readNames(_ value: JSONValue) -> [NetworkNames] {
    guard has(value, .object, "\"names\"") else { return [] }
    var names: [NetworkNames] = []
    for member in value.members.prefix(ScenarioLimits.hosts)
    where !FreeKeys.contains(member.key.text ?? "") {
      let host = host(member.key, "a host")
      if let host, names.contains(where: { $0.host == host }) {
        let name = Excerpt.quoted(script.hosts[host].written)
        report(
          .duplicateHost, at: member.key, "\"names\" already has the host \(name)",
          hint: "write one of the two spellings only")
        continue
      }
      if member.value.kind == .text {
        let fault: DNSFault? = keyword(member.value, "a lookup", among: [.fail, .hang])
        if let host, let fault { names.append(NetworkNames(host: host, fault: fault)) }
        continue
      }
      guard has(member.value, .array, "the addresses of a host"), let host else { continue }
      let addresses = answer(member.value, of: host, hint: "remove the host")
      names.append(NetworkNames(host: host, addresses: addresses))
    }
    return names
  }

  /// Reads the addresses that lookups of a host return after an entry.
  mutating func answer(_ member: JSONMember, of host: Int) -> [Int] {
    guard isName(script.hosts[host], at: member.key),
      has(member.value, .array, "\"addresses\"")
    else { return [] }
    return answer(
      member.value, of: host, hint: "write \"do\": \"fail\" for a name that does not resolve")
  }

  /// Reads the addresses in the answer of a name server.
  private mutating func answer(
    _ value: JSONValue, of host: Int, hint alternative: String
  ) -> [Int] {
    let elements = Array(value.elements.prefix(ScenarioLimits.addresses + 1))
    if elements.isEmpty {
      report(
        .emptyList, at: value, "the answer of the name server is empty",
        hint: "add addresses of the host, or \(alternative)")
    }
    var addresses: [Int] = []
    for element in elements {
      guard let address = address(element, of: host) else { continue }
      if addresses.contains(address) {
        report(
          .duplicateAddress, at: element, "the answer contains this address twice",
          hint: "remove one of the two addresses")
      } else {
        addresses.append(address)
      }
    }
    return addresses
  }

  /// Gives each host that is written as an address only this address, if a network lacks a family.
  mutating func resolveLiterals() {
    guard script.networks.contains(where: { $0.families != .both }) else { return }
    for host in script.hosts.indices {
      guard let literal = script.hosts[host].literal else { continue }
      script.hosts[host].addresses = [ScriptAddress(literal)]
    }
  }
}
