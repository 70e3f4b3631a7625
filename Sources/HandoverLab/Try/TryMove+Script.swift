import HandoverBackend
public import HandoverCore

// Conversion of the device's part of a scenario to a network change.
extension TryMove {
  /// The reason why a script cannot be converted.
  public struct Impossible: Error, Hashable, Sendable {
    /// The index of the entry in the script, or `nil` if the reason is not a single entry.
    public var entry: Int?
    /// The description of the problem.
    public var reason: String
    /// The remedy.
    public var hint: String
  }

  /// The latest possible time of the last entry.
  static let longest = Interval.minutes(20)

  /// Creates a network change from the entries of a script about the device, its networks and its
  /// connections.
  ///
  /// Time 0 is the time at which the program is running normally. Entries about calls, requests and
  /// interceptors are skipped, because the program makes its own calls.
  ///
  /// - Parameters:
  ///   - name: a short name.
  ///   - title: a description of the change for people.
  ///   - script: the script.
  /// - Throws: ``Impossible`` if a lab cannot perform an entry, or if no verdict would be possible.
  public init(name: String, title: String, _ script: Script) throws(Impossible) {
    guard !script.looksAtAddresses else {
      throw Impossible(
        reason: "in the lab, every name has one address of each family, on every network",
        hint: "remove \"addresses\" and \"names\" of networks, or use `handover lab exec`")
    }
    var reading = MoveReading(script)
    try reading.read()
    self.init(
      name: name, title: title, initial: script.initial, paths: script.paths,
      networks: script.networks, steps: reading.steps,
      restoresConnections: reading.isBack, forgetsConnections: reading.areStalled,
      leftOut: reading.leftOut)
    do throws(LivePlan.Impossible) {
      _ = try plan
    } catch {
      throw Impossible(reason: error.reason, hint: "use a separate path for each network")
    }
  }
}

/// Reads a script entry by entry, and tracks what the program currently lacks.
private struct MoveReading {
  /// A condition that a program needs to make a new connection.
  enum Need: CaseIterable {
    case network
    case life
    case connections
    case names
    case servers
    case way

    var loss: (reason: String, hint: String) {
      switch self {
      case .network: ("the device has no network from here on", "end with a network")
      case .life: ("the program is stopped from here on", "end with `\"app\": \"foreground\"`")
      case .connections: ("no new connection is answered from here on", "end with `resume`")
      case .names: ("no name can be resolved from here on", "end with `resolve`")
      case .servers: ("no new connection is served from here on", "end with `accept`")
      case .way: ("no network works from here on", "end with an entry that undoes it")
      }
    }
  }

  private let script: Script
  private var device: Device
  private var agenda = NetworkAgenda()
  /// The obstacles of each network, by path index.
  private var obstacles: [Set<String>]
  /// The entry that removed each need, by the index of the need, or `nil` if the need is met.
  private var losses: [Int?] = Need.allCases.map { _ in nil }
  private(set) var steps: [TryMove.Step] = []
  /// The number of entries about the program's own actions.
  private(set) var leftOut = 0
  /// Whether earlier connections no longer get responses.
  private(set) var areStalled = false

  init(_ script: Script) {
    self.script = script
    device = Device(script.initial)
    obstacles = script.paths.map { _ in [] }
  }

  /// Whether the device is on its first network again, or that network is still alive.
  var isBack: Bool {
    guard let first = Device(script.initial).path else { return false }
    return device.pathsUp.contains(first)
  }

  mutating func read() throws(TryMove.Impossible) {
    try checkBeginning()
    for index in script.entries.indices {
      let entry = script.entries[index]
      try readAgenda(until: entry.at, at: index)
      for act in try acts(of: entry, at: index) { try append(act, at: entry.at, of: index) }
    }
    if let last = script.entries.indices.last {
      // Repetitions end with the last entry, unless the file specifies an end.
      try readAgenda(until: script.configuration.until ?? script.entries[last].at, at: last)
      agenda.endRepetitions()
      try readAgenda(until: .never, at: last)
    }
    guard !steps.isEmpty else {
      throw TryMove.Impossible(
        reason: "the timeline does not change the network of the device",
        hint: "add entries such as `flags`, `path` or `transport`")
    }
    for (index, need) in Need.allCases.enumerated() {
      guard let entry = losses[index] else { continue }
      throw TryMove.Impossible(
        entry: entry, reason: "\(need.loss.reason), so the program cannot recover",
        hint: need.loss.hint)
    }
  }

  private mutating func append(
    _ act: TryMove.Act, at instant: Instant, of entry: Int
  ) throws(TryMove.Impossible) {
    guard instant.since(.zero) <= TryMove.longest, steps.count < Self.maximumStepCount else {
      throw TryMove.Impossible(
        entry: entry,
        reason: "a move lasts at most \(TryMove.longest.text), in \(Self.maximumStepCount) steps",
        hint: "use shorter intervals, or fewer entries")
    }
    steps.append(.init(after: instant.since(.zero), act: act))
  }

  /// The maximum number of steps of a network change.
  private static let maximumStepCount = 4_096

  /// Reads the scheduled changes of networks until an instant.
  private mutating func readAgenda(
    until end: Instant, at entry: Int
  ) throws(TryMove.Impossible) {
    while let due = agenda.takeDue(at: end) {
      note(due.deed, at: entry)
      try append(.network(due.deed), at: due.at, of: entry)
    }
  }

  /// Updates the state for a network change.
  private mutating func note(_ deed: NetworkDeed, at entry: Int) {
    func set(_ path: PathIndex, _ what: String, _ stands: Bool) {
      let place = Int(path.index)
      if stands { obstacles[place].insert(what) } else { obstacles[place].remove(what) }
    }
    switch deed {
    case .up(let path): _ = device.bringUp(path)
    case .makeDefault(let path):
      _ = device.makeDefault(path, script.network(of: path)?.flags ?? [])
    case .down(let path, _): _ = device.takeDown(path)
    case .portal(let path, let isThere): set(path, "portal", isThere)
    case .translate, .roam(_, .newRouter, _), .roam(_, .newAddress, _): areStalled = true
    case .roam: break
    case .uplink(let path, let isUp): set(path, "uplink", !isUp)
    case .loss(let path, let word): set(path, "loss", word != .none)
    case .quality(let path, let quality):
      set(path, "quality", quality.lossPerMillion == 1_000_000)
    }
    note(.network, isThere: device.path != nil, at: entry)
    // A program may use any network that is up, as Multipath TCP does.
    let isFree =
      device.path == nil || device.pathsUp.paths.contains { obstacles[Int($0.index)].isEmpty }
    note(.way, isThere: isFree, at: entry)
  }

  /// Returns the actions of an entry.
  ///
  /// The result is empty if the entry is about the program's own actions.
  private mutating func acts(
    of entry: ScriptEntry, at index: Int
  ) throws(TryMove.Impossible) -> [TryMove.Act] {
    guard case .network(let path, let change, _) = entry.action else {
      let act = try act(of: entry.action, at: index)
      if act == nil { leftOut += 1 }
      return act.map { [$0] } ?? []
    }
    let deeds = agenda.deeds(of: change, on: path, at: entry.at)
    for deed in deeds { note(deed, at: index) }
    return deeds.map { .network($0) }
  }

  /// Checks that the device starts with a network, because the program could not start to run
  /// normally without one.
  private func checkBeginning() throws(TryMove.Impossible) {
    let host = script.hosts.first { $0.server != .accept || $0.names != .resolve }
    guard device.path != nil, device.app.runs, host == nil else {
      throw TryMove.Impossible(
        reason:
          "the program could not start, because the scenario begins without a network or a server",
        hint: "begin with a network, the app in the foreground, and servers that answer")
    }
  }

  private mutating func note(_ need: Need, isThere: Bool, at entry: Int) {
    for (index, one) in Need.allCases.enumerated() where one == need {
      losses[index] = isThere ? nil : entry
    }
  }

  /// Returns the action of an entry in a lab, or `nil` if the entry is about the program's own
  /// actions.
  private mutating func act(
    of action: ScriptAction, at index: Int
  ) throws(TryMove.Impossible) -> TryMove.Act? {
    switch action {
    case .flags(let flags, let path, let up, let down):
      _ = device.apply(flags, path: path, up: up, down: down)
      note(.network, isThere: device.path != nil, at: index)
      return .flags(flags, path: path, linksUp: up, linksDown: down)
    case .path(let path):
      _ = device.move(to: path)
      return .path(path)
    case .app(let state):
      device.app = state
      note(.life, isThere: state.runs, at: index)
      return .app(state)
    case .transport(let hosts, let word):
      try checkHosts(hosts, at: index)
      return .connections(try connections(word, at: index))
    case .server(let host, let word):
      try checkHosts(.one(host), at: index)
      return try server(word, at: index)
    case .names(let host, let word):
      try checkHosts(.one(host), at: index)
      note(.names, isThere: word == .resolve, at: index)
      return .names(word)
    case .monitor:
      throw TryMove.Impossible(
        entry: index,
        reason: "an unmodified program has no monitor whose callbacks could be changed",
        hint: "remove the entry, or write an adapter for the program")
    case .power(let power):
      switch power {
      case .sleep:
        device.wakesTo = device.app
        device.app = .background
      case .wake(let newAddress):
        device.app = device.wakesTo ?? device.app
        device.wakesTo = nil
        if newAddress { areStalled = true }
      }
      note(.life, isThere: device.app.runs, at: index)
      return .power(power)
    case .signal:
      throw TryMove.Impossible(
        entry: index, reason: "an unmodified program has no monitor that could receive a callback",
        hint: "remove the entry, or write an adapter for the program")
    case .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .receive, .interceptor,
      .request, .cancelRequest, .ask, .dispatcher, .network:
      return nil
    }
  }

  private mutating func connections(
    _ word: TransportWord, at index: Int
  ) throws(TryMove.Impossible) -> TransportWord {
    switch word {
    case .stall: areStalled = true
    case .blackholeConnect: note(.connections, isThere: false, at: index)
    case .resume:
      areStalled = false
      note(.connections, isThere: true, at: index)
    // Connections whose data was discarded cannot continue, whatever follows.
    case .stallAcked: areStalled = true
    case .reset, .kill, .fin, .halfClose: break
    }
    return word
  }

  /// Returns the action for a server fault, which the middlebox applies to all servers.
  private mutating func server(
    _ word: ServerFault, at index: Int
  ) throws(TryMove.Impossible) -> TryMove.Act {
    switch word {
    case .close: return .connections(.fin)
    case .reset: return .connections(.reset)
    case .silent, .refuse: note(.servers, isThere: false, at: index)
    case .accept: note(.servers, isThere: true, at: index)
    case .goaway: throw cannot("a server `\(word.rawValue)`", at: index)
    }
    if word == .silent { areStalled = true }
    return .servers(word)
  }

  private func cannot(_ what: String, at index: Int) -> TryMove.Impossible {
    TryMove.Impossible(
      entry: index, reason: "the servers of a lab do not support \(what)",
      hint: "use `close`, `reset`, `silent`, `refuse` or `accept`")
  }

  /// Checks that an entry applies to all hosts, because the lab does not know which hosts a program
  /// calls.
  private func checkHosts(_ hosts: HostSelector, at index: Int) throws(TryMove.Impossible) {
    guard !script.hosts.indices.allSatisfy(hosts.includes) else { return }
    throw TryMove.Impossible(
      entry: index,
      reason:
        "the entry applies to one of several hosts, and the hosts that a program calls are unknown",
      hint: "keep one host in the scenario; the entry then applies to all hosts")
  }
}
