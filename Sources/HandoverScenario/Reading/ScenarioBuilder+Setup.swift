import HandoverCore
import HandoverJSON

private enum HostKey: String, FieldKey {
  case connect, server, names, streams, addresses

  static let vocabulary = Vocabulary<Self>()
}

private enum InitialKey: String, FieldKey {
  case flags, app, path, monitor

  static let vocabulary = Vocabulary<Self>()
}

private enum ConfigurationKey: String, FieldKey {
  case backoff, idle, keepalive, clock, tcpTimeout, sendBuffer, happyEyeballs, quic, cfstream,
    monitor,
    order, seed, until
  case interceptors, chain, requests

  static let vocabulary = Vocabulary<Self>()
}

private enum BackoffKey: String, FieldKey {
  case initial, multiplier, jitter, max, minConnectTimeout

  static let vocabulary = Vocabulary<Self>()
}

private enum KeepaliveKey: String, FieldKey {
  case time, timeout, withoutCalls, overduePing

  static let vocabulary = Vocabulary<Self>()
}

private enum MonitorSettingKey: String, FieldKey {
  case latency, watch

  static let vocabulary = Vocabulary<Self>()
}

private enum OrderWord: String, CaseIterable {
  case file, drawn
}

/// The elements of an order: kinds of events that are due at one instant, and observers of a
/// change.
private enum OrderRank: String, CaseIterable {
  case entries, callbacks, transport, deadlines, pool, calls

  var kind: InstantOrder.Kind? { InstantOrder.Kind(rawValue: rawValue) }
  var observer: ObserverOrder? { ObserverOrder(rawValue: rawValue) }
}

private enum FirstReading: String, CaseIterable {
  case unreadable
}

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
    let owner = "a host"
    let written = name(member.key, "the name of a host")
    guard let fields = fields(member.value, owner, HostKey.self), let written else { return }
    var host = ScriptHost(written: written, isOfRequests: makesRequests)
    if let connect = interval(fields[.connect], "\"connect\"") { host.connect = connect }
    if let server = fields[.server] {
      host.server = word(server, "the server at the start", among: ServerFault.first) ?? host.server
    }
    if let names = fields[.names] {
      host.names = word(names, "name lookup at the start") ?? host.names
    }
    host.streams = fields[.streams].flatMap {
      self.integer($0, "\"streams\"", 1...UInt32(ScenarioLimits.streams))
    }
    if let list = fields.member(.addresses) {
      host.addresses = addresses(list.value, of: host, at: list.key)
    }
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
    if makesRequests, let key = host.endpointKey(), endpoints[key] == nil { endpoints[key] = index }
  }

  /// Whether the scenario makes requests, whose hosts are identified by endpoint keys (U1).
  private var makesRequests: Bool { sorts.someMakeRequests }

  /// Returns the declared host that a different spelling refers to.
  private func declaredHost(spelt text: String) -> Int? {
    let host = ScriptHost(written: text, isOfRequests: makesRequests)
    if let known = host.name?.text, let index = hosts[known] { return index }
    return makesRequests ? host.endpointKey().flatMap { endpoints[$0] } : nil
  }

  /// Reads the name of a host.
  mutating func host(_ value: JSONValue, _ owner: String) -> Int? {
    if let index = hostNamedLatest(value) { return index }
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
      otherwise: FreeKeys.contains(text)
        ? "rename the host, because keys that begin with x- are remarks"
        : "add \(Excerpt.quoted(text)): {} to \"hosts\"")
    return nil
  }

  /// Returns the previously named host if this value repeats its name, which is common.
  private func hostNamedLatest(_ value: JSONValue) -> Int? {
    guard let latestHost, value.isWritten(like: latestHost.node) else { return nil }
    return latestHost.index
  }

  /// Reads the name of a host, or `*` for all hosts.
  mutating func hostSelector(_ value: JSONValue, _ owner: String) -> HostSelector? {
    if let index = hostNamedLatest(value) { return .one(index) }
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
    let owner = "\"initial\""
    guard let fields = fields(value, owner, InitialKey.self) else { return }
    if script.networks.isEmpty {
      if let flags = required(.flags, fields, owner).flatMap({ self.flags($0) }) {
        script.initial.flags = flags
      }
    } else {
      refuse(
        [.flags, .path], fields, "the scenario declares networks",
        hint: "remove the key, and write \"state\": \"default\" in the device's network")
    }
    if let app = fields[.app] {
      script.initial.app = word(app, "\"app\"") ?? script.initial.app
      self.app = script.initial.app
    }
    if script.networks.isEmpty, let path = fields[.path] {
      script.initial.path = self.path(path)
    }
    if let monitor = fields[.monitor] {
      let reading: FirstReading? = word(monitor, "\"monitor\"")
      script.initial.monitorIsReadable = reading == nil
    }
  }
}

// MARK: - Settings

extension ScenarioBuilder {
  mutating func readConfiguration(_ value: JSONValue) {
    guard let fields = fields(value, "\"config\"", ConfigurationKey.self) else { return }
    if let backoff = fields[.backoff].flatMap({ self.backoff($0) }) {
      script.configuration.backoff = backoff
    }
    if let links = fields[.interceptors] { readInterceptors(links) }
    if let order = fields[.order] { readOrder(order) }
    if let chain = fields[.chain] { readChain(chain) }
    if let requests = fields[.requests] { readRequests(requests) }
    script.configuration.idle = interval(fields[.idle], "\"idle\"")
    if let keepalive = fields[.keepalive] { readKeepalive(keepalive) }
    if let clock = fields[.clock] {
      script.configuration.clock = word(clock, "\"clock\"") ?? script.configuration.clock
    }
    if let timeout = interval(fields[.tcpTimeout], "\"tcpTimeout\"", mustPass: true) {
      script.configuration.tcpTimeout = timeout
    }
    if let bytes = fields[.sendBuffer].flatMap({
      self.integer($0, "\"sendBuffer\"", 1...ScenarioLimits.messageByteCount)
    }) {
      script.configuration.sendBuffer = bytes
    }
    script.configuration.happyEyeballs = interval(
      fields[.happyEyeballs], "\"happyEyeballs\"", mustPass: true)
    if let quic = fields.member(.quic) { readQUIC(quic) }
    if let generation = fields[.cfstream] {
      script.configuration.cfstream =
        word(generation, "\"cfstream\"") ?? script.configuration.cfstream
    }
    if let monitor = fields[.monitor],
      let settings = self.fields(monitor, "\"monitor\"", MonitorSettingKey.self)
    {
      if let latency = interval(settings[.latency], "\"latency\"") {
        script.configuration.monitorLatency = latency
      }
      if let watch = settings[.watch] {
        script.configuration.monitorWatch =
          word(watch, "\"watch\"") ?? script.configuration.monitorWatch
      }
    }
    if let seed = fields[.seed].flatMap({ self.integer($0, "\"seed\"", 0...UInt64.max) }) {
      script.configuration.seed = seed
    }
    script.configuration.until = instant(fields[.until], "\"until\"")
  }

  /// Reads the order inside an instant: a keyword, or the kinds and observers that come first.
  private mutating func readOrder(_ value: JSONValue) {
    guard value.kind == .array else {
      guard value.kind == .text else {
        return wrongType(value, "\"order\"", wanted: "a string or an array")
      }
      let word: OrderWord? = word(value, "\"order\"")
      guard word == .drawn else { return }
      script.configuration.order.isDrawn = true
      script.configuration.order.observers = .drawn
      script.configuration.chain.isShuffled = true
      return
    }
    var ranks: [OrderRank] = []
    let elements = Array(value.elements.prefix(2 * OrderRank.allCases.count))
    for element in elements {
      guard let rank: OrderRank = word(element, "an element of \"order\"") else { continue }
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
    script.configuration.order.kinds = named + rest
    if let first = ranks.compactMap(\.observer).first {
      script.configuration.order.observers = first
    }
  }

  mutating func backoff(_ value: JSONValue) -> BackoffConfiguration? {
    guard let fields = fields(value, "\"backoff\"", BackoffKey.self) else { return nil }
    var backoff = BackoffConfiguration()
    if let initial = interval(fields[.initial], "\"initial\"") { backoff.initial = initial }
    if let multiplier = fields[.multiplier].flatMap({ self.ratio($0, "\"multiplier\"", 1...100) }) {
      backoff.multiplier = multiplier
    }
    if let jitter = fields[.jitter].flatMap({ self.ratio($0, "\"jitter\"", 0...1) }) {
      backoff.jitter = jitter
    }
    if let maximum = interval(fields[.max], "\"max\"") { backoff.maximum = maximum }
    if let timeout = interval(fields[.minConnectTimeout], "\"minConnectTimeout\"") {
      backoff.minimumConnectTimeout = timeout
    }
    return backoff
  }

  private mutating func readKeepalive(_ value: JSONValue) {
    let owner = "\"keepalive\""
    guard let fields = fields(value, owner, KeepaliveKey.self) else { return }
    _ = required(.time, fields, owner)
    let time = interval(fields[.time], "\"time\"", mustPass: true)
    let timeout = interval(fields[.timeout], "\"timeout\"")
    let withoutCalls = fields[.withoutCalls].flatMap { self.boolean($0, "\"withoutCalls\"") }
    let overduePing: OverduePing? = fields[.overduePing].flatMap { word($0, "\"overduePing\"") }
    guard let time else { return }
    var keepalive = KeepaliveConfiguration(time: time)
    if let timeout { keepalive.timeout = timeout }
    if let withoutCalls { keepalive.withoutCalls = withoutCalls }
    if let overduePing { keepalive.overduePing = overduePing }
    script.configuration.keepalive = keepalive
  }
}
