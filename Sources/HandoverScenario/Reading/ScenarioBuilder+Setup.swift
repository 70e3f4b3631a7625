import HandoverCore

// MARK: - Hosts

extension ScenarioBuilder {
  mutating func readHosts(_ value: JSONValue) {
    guard has(value, .object, "\"hosts\"") else { return }
    for member in value.members where !FreeKeys.contains(member.key.text ?? "") {
      guard script.hosts.count < ScenarioLimits.hosts else {
        report(
          .tooManyHosts, at: member.key, "there are more than \(ScenarioLimits.hosts) hosts",
          hint: "declare only hosts that calls use")
        return
      }
      readHost(member)
    }
  }

  private mutating func readHost(_ member: JSONMember) {
    let written = name(member.key, "the name of a host")
    var host = ScriptHost(written: written ?? "", for: work.ofHosts)
    _ = read(member.value, ScenarioFormat.host, into: &host)
    guard written != nil, member.value.kind == .object else { return }
    declare(host, at: member.key)
  }

  private mutating func declare(_ host: ScriptHost, at key: JSONValue) {
    let index = script.hosts.count
    let known = host.name?.text ?? host.written
    if let other = hosts[known] {
      // A repeated spelling has already been reported as a duplicate key.
      guard script.hosts[other].written != host.written else { return }
      report(
        .duplicateHost, at: key,
        "\(Excerpt.quoted(host.written)) and \(Excerpt.quoted(script.hosts[other].written)) "
          + "are the same host, \(Excerpt.quoted(known))",
        hint: "declare the host once; calls may use either spelling")
      return
    }
    if host.name == nil {
      report(
        .unusableHost, at: key,
        "no channel can be made for the host \(Excerpt.quoted(host.written))",
        hint: "write NAME:PORT, unless its calls must end UNAVAILABLE immediately")
    }
    script.hosts.append(host)
    hosts[known] = index
    hosts[host.written] = index
    if work.hasRequests, let key = host.endpointKey(), endpoints[key] == nil {
      endpoints[key] = index
    }
  }

  /// Returns the declared host that a different spelling refers to.
  private func declaredHost(spelt text: String) -> Int? {
    let host = ScriptHost(written: text, for: work.ofHosts)
    if let known = host.name?.text, let index = hosts[known] { return index }
    // Hosts of requests are identified by endpoint keys (U1).
    return work.hasRequests ? host.endpointKey().flatMap { endpoints[$0] } : nil
  }

  /// Reads the name of a host.
  mutating func host(_ value: JSONValue, _ owner: String) -> Int? {
    if let index = previouslyNamedHost(value) { return index }
    guard let text = name(value, owner) else { return nil }
    if let index = hosts[text] ?? declaredHost(spelt: text) {
      hosts[text] = index
      latestHost = (index, value.node)
      return index
    }
    let declared =
      collector.affordsSuggestions ? script.hosts.map { $0.name?.text ?? $0.written } : []
    reportUnknown(
      .unknownHost, at: value, "the host \(Excerpt.quoted(text)) is not declared",
      HostName(text)?.text ?? text, names: declared,
      hint: FreeKeys.contains(text)
        ? "rename the host, because keys that begin with x- are remarks"
        : "add \(Excerpt.quoted(text)): {} to \"hosts\"")
    return nil
  }

  /// Returns the previously named host if this value repeats its name, which is common.
  private func previouslyNamedHost(_ value: JSONValue) -> Int? {
    guard let latestHost, value.isWritten(like: latestHost.node) else { return nil }
    return latestHost.index
  }

  /// Reads the name of a host, or `*` for all hosts, even if a host has this name.
  mutating func hostSelector(_ value: JSONValue, _ owner: String) -> HostSelector? {
    if let index = previouslyNamedHost(value), script.hosts[index].written != "*" {
      return .one(index)
    }
    return value.text == "*" ? .all : host(value, owner).map(HostSelector.one)
  }
}

// MARK: - Paths

extension ScenarioBuilder {
  /// Reads the name of a path; a new name creates a path.
  mutating func path(_ value: JSONValue) -> PathIndex? {
    guard let text = name(value, "the name of a path") else { return nil }
    if let index = paths.index(of: text) { return PathIndex(UInt8(clamping: index)) }
    guard paths.names.count < Script.maximumPathCount else {
      report(
        .tooManyPaths, at: value, "there are more than \(Script.maximumPathCount) paths",
        hint: "reuse the names of earlier paths")
      return nil
    }
    return PathIndex(UInt8(clamping: paths.insert(text).index))
  }

  /// Reads the name of a path that must exist already.
  mutating func knownPath(_ value: JSONValue) -> PathIndex? {
    guard let text = name(value, "the name of a path") else { return nil }
    if let index = paths.index(of: text) { return PathIndex(UInt8(clamping: index)) }
    reportUnknown(
      .unknownPath, at: value, "unknown path \(Excerpt.quoted(text)) at this time", text,
      names: paths.names)
    return nil
  }
}

// MARK: - Initial state

extension ScenarioBuilder {
  mutating func readInitial(_ value: JSONValue) {
    var initial = script.initial
    _ = read(value, ScenarioFormat.initial, into: &initial)
    script.initial = initial
    app = initial.app
  }
}

// MARK: - Settings

extension ScenarioBuilder {
  mutating func readConfiguration(_ value: JSONValue) {
    var configuration = script.configuration
    _ = read(value, ScenarioFormat.config, into: &configuration)
    script.configuration = configuration
  }

  /// Reads the order inside an instant: a keyword, or the kinds and observers that come first.
  mutating func order(_ value: JSONValue) -> InstantOrder? {
    var order = InstantOrder()
    guard value.kind == .array else {
      guard value.kind == .text else {
        wrongType(value, "\"order\"", wanted: "a string or an array")
        return nil
      }
      let keyword: OrderKeyword? = keyword(value, "\"order\"")
      guard keyword == .drawn else { return order }
      order.isRandom = true
      order.observers = .random
      return order
    }
    var ranks: [OrderRank] = []
    let elements = Array(value.elements.prefix(2 * OrderRank.allCases.count))
    for element in elements {
      guard let rank: OrderRank = keyword(element, "an element of \"order\"") else { continue }
      if ranks.contains(rank) {
        report(
          .duplicateRank, at: element, "\"order\" names \(rank.rawValue) twice",
          hint: "remove one of the two")
      }
      ranks.append(rank)
    }
    if elements.isEmpty {
      report(
        .emptyList, at: value, "\"order\" is empty",
        hint: "add an element such as \"deadlines\", or remove the key")
    }
    let named = ranks.compactMap(\.kind)
    let rest = InstantOrder.Kind.allCases.filter { !named.contains($0) }
    order.kinds = named + rest
    if let first = ranks.compactMap(\.observer).first { order.observers = first }
    return order
  }
}
