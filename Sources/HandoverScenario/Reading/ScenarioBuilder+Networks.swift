import HandoverCore

/// The state of the networks after the entries so far, used to find contradictory entries.
struct NetworkLedger {
  var up = PathSet()
  var standard: PathIndex?
  var captive = PathSet()
  /// The lingering networks, each with the end of its linger time.
  private(set) var lingering: [(path: PathIndex, until: Instant)] = []
  /// The consequences of airplane mode, or `nil` while it is off.
  private(set) var airplane: AirplaneMode?

  /// Takes down the networks whose linger time is over.
  mutating func advance(to now: Instant) {
    for linger in lingering where linger.until <= now { takeDown(linger.path) }
  }

  mutating func linger(_ path: PathIndex, until end: Instant) {
    stay(path)
    lingering.append((path, end))
  }

  mutating func stay(_ path: PathIndex) {
    lingering.removeAll { $0.path == path }
  }

  mutating func takeDown(_ path: PathIndex) {
    stay(path)
    up.remove(PathSet(path))
    if standard == path { standard = nil }
  }

  mutating func bringUp(_ path: PathIndex) {
    stay(path)
    up.insert(PathSet(path))
    airplane?.networks.remove(PathSet(path))
  }

  func isLingering(_ path: PathIndex) -> Bool { lingering.contains { $0.path == path } }

  mutating func enterAirplaneMode(_ networks: [ScriptNetwork]) {
    let ending = networks.endingInAirplaneMode(up: up)
    airplane = AirplaneMode(ending: ending, default: standard) { isLingering($0) }
    for path in ending { takeDown(path) }
  }

  mutating func leaveAirplaneMode() {
    guard let mode = airplane else { return }
    airplane = nil
    up.formUnion(mode.networks)
    if let path = mode.standard, standard == nil, up.contains(path) { standard = path }
  }
}

// MARK: - Networks

extension ScenarioBuilder {
  mutating func readNetworks(_ value: JSONValue) {
    guard has(value, .object, "\"networks\"") else { return }
    let members = value.members.filter { !FreeKeys.contains($0.key.text ?? "") }
    guard !members.isEmpty else {
      return report(
        .emptyList, at: value, "\"networks\" is empty",
        hint: "declare the networks of the device, or remove the key")
    }
    for member in members { readNetwork(member) }
  }

  private mutating func readNetwork(_ member: JSONMember) {
    // A repeated name has already been reported as a duplicate key.
    guard let path = path(member.key), script.network(of: path) == nil else { return }
    var network = ScriptNetwork(path, .wifi)
    _ = read(member.value, ScenarioFormat.network, into: &network)
    if member.value.kind == .object { script.networks.append(network) }
  }

  /// Reads the initial state of a network.
  mutating func readState(_ state: JSONValue, of path: PathIndex) {
    switch keyword(state, "a network at first") as InitialNetworkState? {
    case .down, nil: break
    case .up: networks.up.insert(PathSet(path))
    case .default:
      networks.up.insert(PathSet(path))
      if let other = networks.standard {
        report(
          .severalDefaults, at: state,
          "\(named(other)) is also a default network",
          hint: "write \"state\": \"up\" in one of the two networks")
      }
      networks.standard = path
    }
  }

  /// Reads the hosts that a network reaches, as a flag for each host.
  mutating func reachable(_ value: JSONValue) -> ContiguousArray<Bool> {
    var reachable = ContiguousArray(repeating: false, count: script.hosts.count)
    guard has(value, .array, "\"reaches\"") else { return [] }
    for element in value.elements.prefix(ScenarioLimits.hosts) {
      if let host = host(element, "a host that is reached") { reachable[host] = true }
    }
    return reachable
  }

  /// Sets the device's initial state from the networks, which override the rest of the file.
  mutating func beginNetworks() {
    guard !script.networks.isEmpty else { return }
    script.initial.networksUp = networks.up
    script.initial.path = networks.standard
    script.initial.flags = networks.standard.flatMap { script.network(of: $0)?.flags } ?? []
  }

  /// Reads the name of a network that must be declared.
  mutating func declaredNetwork(_ value: JSONValue) -> PathIndex? {
    guard let text = name(value, "the name of a network") else { return nil }
    if let index = paths.index(of: text) {
      let path = PathIndex(UInt8(clamping: index))
      if script.network(of: path) != nil { return path }
    }
    let known = script.networks.map { paths.names[Int($0.path.index)] }
    reportUnknown(
      .unknownNetwork, at: value, "unknown network \(Excerpt.quoted(text))", text,
      names: known,
      hint: known.isEmpty ? "declare \(Excerpt.quoted(text)) in \"networks\"" : nil)
    return nil
  }

  private func named(_ path: PathIndex) -> String {
    Excerpt.quoted(paths.names[Int(path.index)])
  }
}

// MARK: - Entries

extension ScenarioBuilder {
  /// Reads a path change without a callback.
  ///
  /// If the scenario declares networks, the key is an error, because they determine the path.
  mutating func move(_ value: JSONValue, at key: JSONValue) -> ScriptAction? {
    guard script.networks.isEmpty else {
      report(
        .keyOutOfPlace, at: key,
        "\"path\" has no effect here: the scenario declares networks",
        hint: "write \"network\": { \"id\": ..., \"become\": \"default\" }")
      return nil
    }
    return path(value).map(ScriptAction.path)
  }

  mutating func networkChange(
    _ value: JSONValue, at key: JSONValue, _ signal: ReachabilityFlags?
  ) -> ScriptAction? {
    guard let fields = fields(value, NetworkEntryKey.self) else { return nil }
    let path = fields[.id].flatMap { self.declaredNetwork($0) }
    networks.advance(to: now)
    guard let subject = subject(fields, at: key) else { return nil }
    let action: NetworkAction?
    switch subject {
    case .nat: action = translation(path, fields)
    case .roam: action = roaming(path, fields)
    case .uplink: action = uplink(path, fields)
    case .loss: action = loss(path, fields)
    case .quality: action = quality(path, fields)
    default: action = becoming(path, fields)
    }
    guard let path else { return nil }
    return action.map { .network(path, $0, signal: signal) }
  }

  /// Returns the subject of an entry about a network, and reports keys that do not belong to it.
  private mutating func subject(
    _ fields: Fields<NetworkEntryKey>, at key: JSONValue
  ) -> NetworkEntryKey? {
    let said = Array(fields.present(among: NetworkEntryKey.subjects))
    guard let first = said.first else {
      _ = required(.become, fields, "\"network\"")
      return nil
    }
    for other in said.dropFirst() {
      report(
        .severalActions, at: fields.member(other)?.key ?? key,
        "an entry can change a network in one way only; this one has both \"\(first.rawValue)\" "
          + "and \"\(other.rawValue)\"",
        hint: "write a separate entry for each; both entries may have the same time")
    }
    let validSubjects: [(NetworkEntryKey, [NetworkEntryKey])] = [
      (.linger, [.become]), (.then, [.become]), (.unknown, [.nat, .roam]), (.for, [.uplink]),
      (.every, [.nat, .uplink]),
    ]
    for (key, subjects) in validSubjects where !subjects.contains(first) {
      let names = Excerpt.alternatives(subjects.map(\.rawValue))
      refuse([key], fields, "it requires \(names)", hint: "remove \"\(key.rawValue)\"")
    }
    return first
  }

  private mutating func becoming(
    _ path: PathIndex?, _ fields: Fields<NetworkEntryKey>
  ) -> NetworkAction? {
    let keyword: NetworkTransition? = fields[.become].flatMap { self.keyword($0, "a network") }
    let ending: NetworkEnding? = fields[.then].flatMap { self.keyword($0, "the end of a network") }
    guard let keyword else { return nil }
    if keyword != .losing {
      refuse(
        .linger, fields, "it requires \"become\": \"losing\"",
        hint: "remove \"linger\", or write \"become\": \"losing\"")
    }
    if keyword != .losing, keyword != .down {
      refuse(
        .then, fields, "it requires \"become\": \"losing\" or \"down\"",
        hint: "remove \"then\", because the network does not go down here")
    }
    var linger: Interval?
    if keyword == .losing {
      _ = required(.linger, fields, "a network that is being lost")
      linger = interval(fields[.linger], "\"linger\"", mustPass: true)
    }
    guard let path else { return nil }
    return change(path, keyword, linger ?? .zero, ending, at: fields[.become] ?? fields.object)
  }

  private mutating func translation(
    _ path: PathIndex?, _ fields: Fields<NetworkEntryKey>
  ) -> NetworkAction? {
    let keyword: NATChange? = fields[.nat].flatMap {
      self.keyword($0, "the translation of addresses")
    }
    let answer = unknownFlows(fields)
    let every = interval(fields[.every], "\"every\"", mustPass: true)
    guard let keyword, isUp(path, "nat", fields) else { return nil }
    return .nat(keyword, answer ?? keyword.defaultAnswer, every: every)
  }

  private mutating func unknownFlows(_ fields: Fields<NetworkEntryKey>) -> UnknownFlows? {
    fields[.unknown].flatMap { self.keyword($0, "the treatment of unknown flows") }
  }

  private mutating func roaming(
    _ path: PathIndex?, _ fields: Fields<NetworkEntryKey>
  ) -> NetworkAction? {
    let keyword: RoamChange? = fields[.roam].flatMap { self.keyword($0, "a roam") }
    let answer = unknownFlows(fields)
    guard let keyword else { return nil }
    if keyword != .newRouter {
      refuse(
        .unknown, fields, "it requires \"roam\": \"new-router\"",
        hint: "remove \"unknown\", or write \"roam\": \"\(RoamChange.newRouter.rawValue)\"")
    }
    guard isUp(path, "roam", fields) else { return nil }
    return .roam(keyword, answer ?? .drop)
  }

  private mutating func uplink(
    _ path: PathIndex?, _ fields: Fields<NetworkEntryKey>
  ) -> NetworkAction? {
    let keyword: UplinkKeyword? = fields[.uplink].flatMap { self.keyword($0, "an uplink") }
    let lasts = interval(fields[.for], "\"for\"", mustPass: true)
    let every = interval(fields[.every], "\"every\"", mustPass: true)
    guard let keyword else { return nil }
    if keyword == .up {
      refuse(
        [.for, .every], fields, "it requires \"uplink\": \"down\"",
        hint: "remove the key, because the uplink stays up from now on")
    } else if fields[.every] != nil {
      _ = required(.for, fields, "an uplink with \"every\"")
    }
    if let lasts, let every, every <= lasts, let value = fields[.every] {
      report(
        .periodTooShort, at: value,
        "the uplink is down for \(lasts.text) of every \(every.text), so it is never up",
        hint: "write a longer \"every\", or remove \"for\" and \"every\"")
      return nil
    }
    guard isUp(path, "uplink", fields) else { return nil }
    return .uplink(isUp: keyword == .up, lasts: lasts, every: every)
  }

  private mutating func loss(
    _ path: PathIndex?, _ fields: Fields<NetworkEntryKey>
  ) -> NetworkAction? {
    let keyword: DirectionalLoss? = fields[.loss].flatMap {
      self.keyword($0, "what a network loses")
    }
    guard let keyword, isUp(path, "loss", fields) else { return nil }
    return .loss(keyword)
  }

  private mutating func quality(
    _ path: PathIndex?, _ fields: Fields<NetworkEntryKey>
  ) -> NetworkAction? {
    let isIPv6Only = path.flatMap { script.network(of: $0) }?.families == .ipv6
    minimumMTU = isIPv6Only ? LinkQuality.minimumMTU6 : LinkQuality.minimumMTU
    let quality = fields[.quality].flatMap { self.read($0, ScenarioFormat.quality) }
    guard let quality, isUp(path, "quality", fields) else { return nil }
    return .quality(quality)
  }

  /// Returns whether a network is up; reports an error if it is down.
  private mutating func isUp(
    _ path: PathIndex?, _ what: String, _ fields: Fields<NetworkEntryKey>
  ) -> Bool {
    guard let path else { return false }
    if networks.up.contains(path) { return true }
    report(
      .networkNotUp, at: fields.object,
      "\(named(path)) is down at \(now.text), so \"\(what)\" has no effect",
      hint: "add an earlier entry with \"become\": \"up\"")
    return false
  }

  /// Returns the change of a network's state, or `nil` if it contradicts an earlier entry.
  private mutating func change(
    _ path: PathIndex, _ keyword: NetworkTransition, _ linger: Interval, _ ending: NetworkEnding?,
    at location: JSONValue
  ) -> NetworkAction? {
    let isUp = networks.up.contains(path)
    guard keyword == .up || isUp else {
      report(
        .networkNotUp, at: location,
        "\(named(path)) is down at \(now.text), and cannot become \"\(keyword.rawValue)\"",
        hint: "add an earlier entry with \"become\": \"up\"")
      return nil
    }
    switch keyword {
    case .up:
      guard !isUp || networks.isLingering(path) else { return unchanged(path, "up", at: location) }
      networks.bringUp(path)
      return .up
    case .makeDefault:
      guard networks.standard != path else {
        return unchanged(path, "the default network", at: location)
      }
      networks.stay(path)
      networks.standard = path
      return .makeDefault
    case .losing:
      guard networks.standard != path else {
        report(
          .noSuccessor, at: location,
          "\(named(path)) is still the default network, so it cannot linger",
          hint: "make another network the default first, or write \"become\": \"down\"")
        return nil
      }
      networks.linger(path, until: now + linger)
      return .losing(linger: linger, ending)
    case .down:
      networks.takeDown(path)
      return .down(ending)
    case .captive:
      guard !networks.captive.contains(path) else {
        return unchanged(path, "captive", at: location)
      }
      networks.captive.insert(PathSet(path))
      return .captive
    case .validated:
      guard networks.captive.contains(path) else {
        return unchanged(path, "validated", at: location)
      }
      networks.captive.remove(PathSet(path))
      return .validated
    }
  }

  private mutating func unchanged(
    _ path: PathIndex, _ state: String, at location: JSONValue
  ) -> NetworkAction? {
    report(
      .networkUnchanged, at: location, "\(named(path)) is already \(state) at \(now.text)",
      hint: "remove the entry; for a callback without a change, write \"flags\" alone")
    return nil
  }
}
