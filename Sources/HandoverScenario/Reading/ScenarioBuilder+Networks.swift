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

  /// Sets the minimum length of a packet for the quality of a network.
  mutating func setMinimumMTU(of path: PathIndex?) {
    let isIPv6Only = path.flatMap { script.network(of: $0) }?.families == .ipv6
    minimumMTU = isIPv6Only ? LinkQuality.minimumMTU6 : LinkQuality.minimumMTU
  }

  /// Reports an uplink that never returns between two repetitions.
  mutating func judgePeriod(of entry: NetworkEntry, _ fields: Fields<TableKey>) {
    guard entry.uplink == .down, let value = fields["every"] else { return }
    guard fields.has("for") else {
      return reportMissing("for", fields, "an uplink with \"every\"")
    }
    guard let lasts = entry.lasts, let every = entry.every, every <= lasts else { return }
    report(
      .periodTooShort, at: value,
      "the uplink is down for \(lasts.text) of every \(every.text), so it is never up",
      hint: "write a longer \"every\", or remove \"for\" and \"every\"")
  }

  /// Reports an entry that contradicts an earlier entry; otherwise, changes the state.
  mutating func judgeChange(_ entry: NetworkEntry, _ fields: Fields<TableKey>) {
    networks.advance(to: now)
    guard let path = entry.path, entry.action != nil else { return }
    let location = fields["become"] ?? fields.object
    let isUp = networks.up.contains(path)
    guard isUp || entry.become == .up else {
      return report(
        .networkNotUp, at: location,
        "\(named(path)) is down at \(now.text), and the change requires a network that is up",
        hint: "add an earlier entry with \"become\": \"up\"")
    }
    switch entry.become {
    case .up:
      guard !isUp || networks.isLingering(path) else {
        return reportUnchanged(path, "up", at: location)
      }
      networks.bringUp(path)
    case .makeDefault:
      guard networks.standard != path else {
        return reportUnchanged(path, "the default network", at: location)
      }
      networks.stay(path)
      networks.standard = path
    case .losing:
      guard networks.standard != path else {
        return report(
          .noSuccessor, at: location,
          "\(named(path)) is still the default network, so it cannot linger",
          hint: "make another network the default first, or write \"become\": \"down\"")
      }
      networks.linger(path, until: now + (entry.linger ?? .zero))
    case .down:
      networks.takeDown(path)
    case .captive:
      guard !networks.captive.contains(path) else {
        return reportUnchanged(path, "captive", at: location)
      }
      networks.captive.insert(PathSet(path))
    case .validated:
      guard networks.captive.contains(path) else {
        return reportUnchanged(path, "validated", at: location)
      }
      networks.captive.remove(PathSet(path))
    case nil:
      break
    }
  }

  private mutating func reportUnchanged(
    _ path: PathIndex, _ state: String, at location: JSONValue
  ) {
    report(
      .networkUnchanged, at: location, "\(named(path)) is already \(state) at \(now.text)",
      hint: "remove the entry; for a callback without a change, write \"flags\" alone")
  }
}
