import HandoverBackend
public import HandoverCore

// Conversion of the device's part of a scenario to a network change.
extension TryMove {
  /// The reason why a script cannot be converted.
  public struct UnsupportedScript: Error, Hashable, Sendable {
    /// The index of the entry in the script, or `nil` if the reason is not a single entry.
    public var entry: Int?
    /// The description of the problem.
    public var reason: String
    /// The remedy.
    public var hint: String

    /// The script needs addresses other than those of the lab.
    static let usesAddresses = Self(
      reason: "in the lab, every name has one address of each family, on every network",
      hint: "give a host one address of each family, remove \"addresses\" and \"names\" of "
        + "networks, or use `handover lab exec`")
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
  /// - Throws: ``UnsupportedScript`` if a lab cannot perform an entry, or if no verdict would be
  ///   possible.
  public init(name: String, title: String, _ script: Script) throws(UnsupportedScript) {
    guard script.acceptsAssignedAddresses else { throw .usesAddresses }
    var reading = MoveReading(script)
    try reading.read()
    self.name = name
    self.title = title
    self.script = script
    // The lab assigns the addresses.
    for host in script.hosts.indices { self.script.hosts[host].addresses = [] }
    steps = reading.steps
    restoresConnections = reading.hasReturned
    forgetsConnections = reading.areStalled || reading.areDead
    omittedEntryCount = reading.omittedEntryCount
    do throws(LivePlan.UnsupportedScript) {
      _ = try plan
    } catch {
      throw UnsupportedScript(reason: error.reason, hint: "use a separate path for each network")
    }
  }
}

extension Script {
  /// Whether the addresses that a lab assigns, one of each family for every name, are sufficient.
  fileprivate var acceptsAssignedAddresses: Bool {
    var others = self
    for host in hosts.indices {
      let own = hosts[host].addresses
      let families = Set(own.map(\.text.family))  // count only
      guard families.count == own.count, own.allSatisfy(\.behavesLikeItsHost) else { return false }
      others.hosts[host].addresses = []
    }
    return !others.dependsOnAddresses
  }
}

extension ScriptAddress {
  /// Whether the address accepts connections after the time of its host.
  fileprivate var behavesLikeItsHost: Bool { connect == nil && answer == .accept }
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
    case addresses

    var loss: (reason: String, hint: String) {
      switch self {
      case .network: ("the device has no network from here on", "end with a network")
      case .life: ("the program is stopped from here on", "end with `\"app\": \"foreground\"`")
      case .connections: ("no new connection is answered from here on", "end with `resume`")
      case .names: ("no name can be resolved from here on", "end with `resolve`")
      case .servers: ("no new connection is served from here on", "end with `accept`")
      case .way: ("no network works from here on", "end with an entry that undoes it")
      case .addresses:
        (
          "no server is reachable at any address from here on",
          "end with a reachable address of one family"
        )
      }
    }
  }

  private let script: Script
  /// The network of the connections that exist before the first entry.
  private let first: PathIndex?
  private var timeline: DeviceTimeline
  /// The networks whose quality lets nothing pass.
  private var deadPaths = PathSet()
  /// The entries that removed the needs that are not met.
  private var losses: [Need: Int] = [:]  // lookup only
  private(set) var steps: [TryMove.Step] = []
  /// The number of entries about the program's own actions.
  private(set) var omittedEntryCount = 0
  /// Whether earlier connections get no responses until they resume.
  private(set) var areStalled = false
  /// Whether earlier connections never get responses again, whatever follows.
  private(set) var areDead = false
  /// The address families at which servers are unreachable.
  private var unreachable: Set<AddressFamily> = []  // lookup only

  init(_ script: Script) {
    self.script = script
    first = Device(script.initial).path
    timeline = DeviceTimeline(script)
  }

  /// Whether connections from before the change can continue: the device is on its first network
  /// again, or that network is still alive, and every address is reachable.
  ///
  /// A network that is up carries nothing while a VPN takes all traffic.
  var hasReturned: Bool {
    guard let first, unreachable.isEmpty else { return false }
    return timeline.device.pathsUp.contains(first) && !timeline.isObstructed(first)
  }

  mutating func read() throws(TryMove.UnsupportedScript) {
    try checkBeginning()
    for index in script.entries.indices {
      let entry = script.entries[index]
      try readScheduledChanges(until: entry.at, at: index)
      try read(entry, at: index)
    }
    if let last = script.entries.indices.last {
      // Repetitions end with the last entry, unless the file specifies an end.
      try readScheduledChanges(
        until: script.configuration.until ?? script.entries[last].at, at: last)
      timeline.endRepetitions()
      try readScheduledChanges(until: .never, at: last)
    }
    guard !steps.isEmpty else {
      throw TryMove.UnsupportedScript(
        reason: "the timeline does not change the network of the device",
        hint: "add entries such as `flags`, `path` or `transport`")
    }
    for need in Need.allCases {
      guard let entry = losses[need] else { continue }
      throw TryMove.UnsupportedScript(
        entry: entry, reason: "\(need.loss.reason), so the program cannot recover",
        hint: need.loss.hint)
    }
  }

  private mutating func append(
    _ action: TryMove.Action, _ phrase: String? = nil, at instant: Instant, of entry: Int
  ) throws(TryMove.UnsupportedScript) {
    guard instant.since(.zero) <= TryMove.longest, steps.count < Self.maximumStepCount else {
      throw TryMove.UnsupportedScript(
        entry: entry,
        reason: "a move lasts at most \(TryMove.longest.text), in \(Self.maximumStepCount) steps",
        hint: "use shorter intervals, or fewer entries")
    }
    steps.append(
      .init(after: instant.since(.zero), action: action, phrase: phrase ?? action.phrase))
  }

  /// The maximum number of steps of a network change.
  private static let maximumStepCount = 4_096

  /// Reads the scheduled changes of networks until an instant.
  private mutating func readScheduledChanges(
    until end: Instant, at entry: Int
  ) throws(TryMove.UnsupportedScript) {
    while let next = timeline.nextChange(by: end) {
      let effects = timeline.effects(of: .due(next.change), at: next.at)
      let phrase = effects.compactMap { $0.phrase(script.paths) }.joined(separator: ", ")
      try append(effects, phrase, at: next.at, of: entry)
    }
  }

  /// Appends a change of the device, and updates what the program lacks.
  ///
  /// A change that only schedules another one is not a step.
  private mutating func append(
    _ effects: [DeviceTimeline.Effect], _ phrase: String, at instant: Instant, of entry: Int
  ) throws(TryMove.UnsupportedScript) {
    var isStep = false
    for effect in effects {
      switch effect.body {
      case .fact, .routeReported, .callback, .scheduled, .cancelled: continue
      case .move, .app: break
      case .network(let command, _):
        switch command {
        case .translate(let path, _, _): if path == first { areDead = true }
        case .renewAddresses(let paths): if first.map(paths.contains) == true { areDead = true }
        case .restore, .end, .obstruct, .clear, .setRadio: break
        }
      case .quality(let path, let source):
        deadPaths.remove(PathSet(path))
        if script.quality(at: source)?.lossPerMillion == 1_000_000 {
          deadPaths.insert(PathSet(path))
        }
      }
      isStep = true
    }
    guard isStep else { return }
    let device = timeline.device
    update(.network, isPresent: device.path != nil, at: entry)
    update(.life, isPresent: device.app.runs, at: entry)
    // A program may use any network that is up, as Multipath TCP does.
    let isFree =
      device.path == nil
      || device.pathsUp.paths.contains {
        !timeline.isObstructed($0) && !deadPaths.contains($0)
      }
    update(.way, isPresent: isFree, at: entry)
    try append(.device(effects), phrase, at: instant, of: entry)
  }

  /// Records whether the device meets a need; the cause of a need that it already lacks stays.
  private mutating func update(_ need: Need, isPresent: Bool, at entry: Int) {
    if isPresent || losses[need] == nil { note(need, isPresent: isPresent, at: entry) }
  }

  /// Records whether a need is met after an entry.
  private mutating func note(_ need: Need, isPresent: Bool, at entry: Int) {
    losses[need] = isPresent ? nil : entry
  }

  /// Checks that the device starts with a network, because the program could not start to run
  /// normally without one.
  private func checkBeginning() throws(TryMove.UnsupportedScript) {
    let host = script.hosts.first { $0.server != .accept || $0.names != .resolve }
    guard timeline.device.path != nil, timeline.device.app.runs, host == nil else {
      throw TryMove.UnsupportedScript(
        reason:
          "the program could not start, because the scenario begins without a network or a server",
        hint: "begin with a network, the app in the foreground, and servers that answer")
    }
  }

  /// Reads an entry; entries about the program's own actions are left out.
  private mutating func read(_ entry: ScriptEntry, at index: Int) throws(TryMove.UnsupportedScript)
  {
    switch entry.action {
    case .flags, .path, .app, .network, .power:
      let effects = timeline.effects(of: .entry(entry.action, index: UInt32(index)), at: entry.at)
      try append(effects, entry.action.phrase(effects, script.paths), at: entry.at, of: index)
    case .transport(let hosts, let fault):
      try checkHosts(hosts, at: index)
      try append(.connections(try connections(fault, at: index)), at: entry.at, of: index)
    case .server(let host, let fault):
      try checkHosts(.one(host), at: index)
      try append(try server(fault, at: index), at: entry.at, of: index)
    case .names(let host, let fault):
      try checkHosts(.one(host), at: index)
      note(.names, isPresent: fault == .resolve, at: index)
      try append(.names(fault), at: entry.at, of: index)
    case .address(let host, let position, let isReachable):
      try checkHosts(.one(host), at: index)
      let family = script.hosts[host].addresses[position].text.family
      guard unreachable.contains(family) == isReachable else { return }
      if isReachable { unreachable.remove(family) } else { unreachable.insert(family) }
      update(.addresses, isPresent: unreachable.count < AddressFamily.allCases.count, at: index)
      try append(.addresses(family, areReachable: isReachable), at: entry.at, of: index)
    case .answer:
      throw .usesAddresses
    case .monitor:
      throw TryMove.UnsupportedScript(
        entry: index,
        reason: "an unmodified program has no monitor whose callbacks could be changed",
        hint: "remove the entry, or write an adapter for the program")
    case .signal:
      throw TryMove.UnsupportedScript(
        entry: index, reason: "an unmodified program has no monitor that could receive a callback",
        hint: "remove the entry, or write an adapter for the program")
    case .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .receive, .interceptor,
      .request, .cancelRequest, .ask, .dispatcher:
      omittedEntryCount += 1
    }
  }

  private mutating func connections(
    _ fault: ConnectionFault, at index: Int
  ) throws(TryMove.UnsupportedScript) -> ConnectionFault {
    switch fault {
    case .stall: areStalled = true
    case .blackholeConnect: note(.connections, isPresent: false, at: index)
    case .resume:
      areStalled = false
      note(.connections, isPresent: true, at: index)
    case .stallAcked: areDead = true
    case .reset, .kill, .fin, .halfClose: break
    }
    return fault
  }

  /// Returns the action for a server fault, which the middlebox applies to all servers.
  private mutating func server(
    _ fault: ServerFault, at index: Int
  ) throws(TryMove.UnsupportedScript) -> TryMove.Action {
    switch fault {
    case .close: return .connections(.fin)
    case .reset: return .connections(.reset)
    case .silent, .refuse: note(.servers, isPresent: false, at: index)
    case .accept: note(.servers, isPresent: true, at: index)
    case .goaway: throw cannot("a server `\(fault.rawValue)`", at: index)
    }
    if fault == .silent { areDead = true }
    return .servers(fault)
  }

  private func cannot(_ what: String, at index: Int) -> TryMove.UnsupportedScript {
    TryMove.UnsupportedScript(
      entry: index, reason: "the servers of a lab do not support \(what)",
      hint: "use `close`, `reset`, `silent`, `refuse` or `accept`")
  }

  /// Checks that an entry applies to all hosts, because the lab does not know which hosts a program
  /// calls.
  private func checkHosts(_ hosts: HostSelector, at index: Int) throws(TryMove.UnsupportedScript) {
    guard !script.hosts.indices.allSatisfy(hosts.includes) else { return }
    throw TryMove.UnsupportedScript(
      entry: index,
      reason:
        "the entry applies to one of several hosts, and the hosts that a program calls are unknown",
      hint: "keep one host in the scenario; the entry then applies to all hosts")
  }
}
