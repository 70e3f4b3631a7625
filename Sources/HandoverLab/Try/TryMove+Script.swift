import HandoverBackend
public import HandoverCore

// The device's part of a scenario as a move.
extension TryMove {
  /// Why a script is no move.
  public struct Impossible: Error, Hashable, Sendable {
    /// The place of the entry in the script; nil where it is none of them.
    public var entry: Int?
    /// What is wrong, in words.
    public var reason: String
    /// What to do.
    public var hint: String
  }

  /// How late the last entry may be.
  static let longest = Interval.minutes(20)

  /// The move that the entries of a script about the device, its networks and its connections are.
  ///
  /// Its time 0 is when the program is under way. Entries about calls, requests and interceptors
  /// are left out: those are the program's own.
  ///
  /// - Parameters:
  ///   - name: a short name.
  ///   - title: the move, for people.
  ///   - script: the script.
  /// - Throws: ``Impossible`` where a lab cannot do what an entry says, or nothing can be judged.
  public init(name: String, title: String, _ script: Script) throws(Impossible) {
    var reading = MoveReading(script)
    try reading.read()
    self.init(
      name: name, title: title, initial: script.initial, paths: script.paths, steps: reading.steps,
      restoresConnections: reading.isBack, forgetsConnections: reading.areStalled,
      leftOut: script.entries.count - reading.steps.count)
    do throws(LivePlan.Impossible) {
      _ = try plan
    } catch {
      throw Impossible(reason: error.reason, hint: "give each network a path of its own")
    }
  }
}

/// Reads a script entry by entry, and keeps account of what is lost at the moment.
private struct MoveReading {
  /// What a program needs to make a new connection.
  enum Need: CaseIterable {
    case network
    case life
    case connections
    case names

    var loss: (reason: String, hint: String) {
      switch self {
      case .network: ("the device has no network from here on", "end with a network")
      case .life: ("the program is stopped from here on", "end with `\"app\": \"foreground\"`")
      case .connections: ("no new connection is answered from here on", "end with `resume`")
      case .names: ("no name is found from here on", "end with `resolve`")
      }
    }
  }

  private let script: Script
  private var device: Device
  /// The entry that took something away that did not come back; by the places of the needs.
  private var losses: [Int?] = Need.allCases.map { _ in nil }
  private(set) var steps: [TryMove.Step] = []
  /// Whether the connections of before get no answer any more.
  private(set) var areStalled = false

  init(_ script: Script) {
    self.script = script
    device = Device(script.initial)
  }

  /// Whether the device is where it began, or what it left is still alive.
  var isBack: Bool {
    guard let first = Device(script.initial).path else { return false }
    return device.path == first || device.keptAlive.contains(first)
  }

  mutating func read() throws(TryMove.Impossible) {
    try checkBeginning()
    for index in script.entries.indices {
      let entry = script.entries[index]
      guard let act = try act(of: entry.action, at: index) else { continue }
      guard entry.at.since(.zero) <= TryMove.longest else {
        throw TryMove.Impossible(
          entry: index, reason: "a move lasts at most \(TryMove.longest.text)",
          hint: "let its entries follow sooner")
      }
      steps.append(.init(after: entry.at.since(.zero), act: act))
    }
    guard !steps.isEmpty else {
      throw TryMove.Impossible(
        reason: "nothing in the timeline moves the device",
        hint: "name a scenario with entries such as `flags`, `path` or `transport`")
    }
    for (index, need) in Need.allCases.enumerated() {
      guard let entry = losses[index] else { continue }
      throw TryMove.Impossible(
        entry: entry, reason: "\(need.loss.reason), so nothing can come back",
        hint: need.loss.hint)
    }
  }

  /// Whoever has no network to begin with is never under way.
  private func checkBeginning() throws(TryMove.Impossible) {
    let host = script.hosts.first { $0.server != .accept || $0.names != .resolve }
    guard device.path != nil, device.app.runs, host == nil else {
      throw TryMove.Impossible(
        reason: "the program could not get under way: it begins without a network or a server",
        hint: "begin with a network, the app in the foreground, and servers that answer")
    }
  }

  private mutating func note(_ need: Need, isThere: Bool, at entry: Int) {
    for (index, one) in Need.allCases.enumerated() where one == need {
      losses[index] = isThere ? nil : entry
    }
  }

  /// What an entry does in a lab; nil where it is about what the program does itself.
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
      guard word == .reset else { throw cannot("a server `\(word.rawValue)`", at: index) }
      return .connections(.reset)
    case .names(let host, let word):
      try checkHosts(.one(host), at: index)
      note(.names, isThere: word == .resolve, at: index)
      return .names(word)
    case .monitor:
      throw TryMove.Impossible(
        entry: index, reason: "a program as it is has no monitor whose callbacks could be changed",
        hint: "take the entry out, or write an adapter for the program")
    case .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .receive, .interceptor,
      .request, .cancelRequest, .ask, .dispatcher, .network, .signal, .power:
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
    case .reset, .kill: break
    case .stallAcked, .fin, .halfClose: throw cannot("`\(word.rawValue)`", at: index)
    }
    return word
  }

  private func cannot(_ what: String, at index: Int) -> TryMove.Impossible {
    TryMove.Impossible(
      entry: index, reason: "the servers of a lab cannot be told of \(what)",
      hint: "use `stall`, `blackhole-connect`, `reset`, `kill` or `resume`")
  }

  /// Whom a program calls is not known, so either all hosts are meant or none.
  private func checkHosts(_ hosts: HostSelector, at index: Int) throws(TryMove.Impossible) {
    guard !script.hosts.indices.allSatisfy(hosts.includes) else { return }
    throw TryMove.Impossible(
      entry: index,
      reason: "it is about one of several hosts, and whom a program calls is not known",
      hint: "leave one host in the scenario; it stands for all that the program calls")
  }
}
