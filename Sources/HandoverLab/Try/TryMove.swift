import HandoverBackend
package import HandoverCore

/// A network change with which a program is tried.
public struct TryMove: Hashable, Sendable {
  /// One action of a network change.
  enum Action: Hashable, Sendable {
    /// The device or its networks change.
    case device([DeviceTimeline.Effect])
    /// The routers lose or regain their uplink.
    ///
    /// The device does not notice.
    case uplinkCut(Bool)
    /// A NAT forgets the existing connections.
    case natForgets
    /// A fault applies to every connection of the program.
    case connections(ConnectionFault)
    /// The servers become unreachable at their addresses of one family, or reachable again.
    case addresses(AddressFamily, areReachable: Bool)
    /// The results of all name lookups change.
    case names(DNSFault)
    /// The middlebox in front of all servers changes its treatment of connections.
    case servers(ServerFault)
  }

  /// An action with its time.
  struct Step: Hashable, Sendable {
    /// The time since the first action.
    var after: Interval
    /// The action.
    var action: Action
    /// A description of the action for people.
    var phrase: String
  }

  /// A short name, such as `cellular-to-wifi`.
  public var name: String
  /// A description for people.
  public var title: String
  /// The device, its networks, and the entries of the change.
  var script: Script
  /// The actions.
  ///
  /// Empty if nothing happens.
  var steps: [Step]
  /// Whether earlier connections can continue after the change.
  public var restoresConnections = false

  /// Whether the change kills connections permanently without the device noticing.
  public var forgetsConnections = false
  /// The number of skipped entries of the scenario, because they are about the program's own
  /// actions.
  public var omittedEntryCount = 0

  /// The time from the first action to the last one.
  package var length: Interval { steps.map(\.after).max() ?? .zero }

  private static let wifi: ReachabilityFlags = [.reachable]
  private static let cellular: ReachabilityFlags = [.reachable, .isWWAN]

  private static func flags(_ flags: ReachabilityFlags) -> ScriptAction {
    .flags(flags, path: nil, linksUp: [], linksDown: [])
  }

  /// A built-in network change of a device that starts with the given flags.
  private init(
    _ name: String, _ title: String, from flags: ReachabilityFlags,
    _ entries: [(after: Interval, action: ScriptAction)] = [],
    others: [(after: Interval, action: Action)] = [], restoresConnections: Bool = false,
    forgetsConnections: Bool = false
  ) {
    self.name = name
    self.title = title
    self.restoresConnections = restoresConnections
    self.forgetsConnections = forgetsConnections
    script = Script()
    script.paths = ["wifi", "cellular", "another hotspot"]
    script.initial.flags = flags
    script.entries = ContiguousArray(
      entries.map { ScriptEntry(at: .zero + $0.after, action: $0.action) })
    steps = others.map { Step(after: $0.after, action: $0.action, phrase: $0.action.phrase) }
    var timeline = DeviceTimeline(script)
    for (index, entry) in script.entries.enumerated() {
      let effects = timeline.effects(of: .entry(entry.action, index: UInt32(index)), at: entry.at)
      steps.append(
        Step(
          after: entry.at.since(.zero), action: .device(effects),
          phrase: entry.action.phrase(effects, script.paths)))
    }
  }

  /// The network change without actions.
  ///
  /// It shows the normal rhythm of the program.
  public static let nothing = TryMove(
    "nothing", "no change", from: wifi, restoresConnections: true)

  /// Every network change, in the order in which they are shown.
  public static let all: [TryMove] = [
    TryMove(
      "cellular-to-wifi", "cellular to WiFi", from: cellular, [(.zero, flags(wifi))]),
    TryMove(
      "wifi-to-cellular", "WiFi to cellular", from: wifi, [(.zero, flags(cellular))]),
    TryMove(
      "wifi-none-wifi", "WiFi to none and back", from: wifi,
      [(.zero, flags([])), (.seconds(8), flags(wifi))], restoresConnections: true),
    TryMove("hotspot", "another hotspot", from: wifi, [(.zero, .path(otherHotspot))]),
    TryMove(
      "asleep", "asleep while the hotspot changes", from: wifi,
      [
        (.zero, .app(.background)), (.seconds(2), .path(otherHotspot)),
        (.seconds(4), .app(.foreground)),
      ]),
    TryMove(
      "uplink", "the uplink dies for 10 s", from: wifi,
      others: [(.zero, .uplinkCut(true)), (.seconds(10), .uplinkCut(false))],
      restoresConnections: true),
    TryMove(
      "nat", "a NAT forgets", from: wifi, others: [(.zero, .natForgets)],
      forgetsConnections: true),
  ]

  /// Returns a network change without actions in a lab with every network, for a session.
  ///
  /// The lab needs all entries in advance, because they decide which networks it has.
  static func session(from start: ScriptAction, _ entries: [ScriptAction]) -> TryMove {
    var flags = wifi
    if case .flags(let first, _, _, _) = start { flags = first }
    var move = TryMove(
      "session", "session", from: flags, entries.map { (.zero, $0) }, restoresConnections: true)
    move.steps = []
    return move
  }

  /// The path of the other hotspot.
  private static let otherHotspot = PathIndex(2)

  /// Whether the middlebox in front of the servers must track connections.
  var actsOnConnections: Bool {
    steps.contains { step in
      switch step.action {
      case .connections, .servers: true
      case .device, .uplinkCut, .natForgets, .addresses, .names: false
      }
    }
  }

  /// Whether every action only affects existing connections.
  var onlyAffectsConnections: Bool {
    steps.allSatisfy { step in
      if case .connections(let fault) = step.action { fault != .blackholeConnect } else { false }
    }
  }

  /// The plan of the networks that the change needs.
  var plan: LivePlan {
    get throws(LivePlan.UnsupportedScript) { try LivePlan(script) }
  }
}

extension TryMove.Action {
  /// Whether the action is an entry that sets the flags of the device.
  var setsFlags: Bool {
    guard case .device(let effects) = self else { return false }
    return effects.contains {
      if case .routeReported(_, about: nil) = $0.body { true } else { false }
    }
  }

  /// A description for people, or an empty string for a change of the device, which its entry
  /// describes.
  var phrase: String {
    switch self {
    case .device: ""
    case .uplinkCut(let isCut): isCut ? "the uplink is dead" : "the uplink is back"
    case .natForgets: "the NAT has forgotten"
    case .connections(let fault): "connections: \(fault.rawValue)"
    case .addresses(let family, let areReachable):
      "\(family == .ipv4 ? "IPv4" : "IPv6") addresses: "
        + (areReachable ? "reachable" : "unreachable")
    case .names(let fault): "names: \(fault.rawValue)"
    case .servers(let fault): "servers: \(fault.rawValue)"
    }
  }
}

extension ScriptAction {
  /// Returns a description of an entry about the device for people.
  func phrase(_ effects: [DeviceTimeline.Effect], _ paths: [String]) -> String {
    switch self {
    case .flags(let flags, let path, _, _):
      !flags.contains(.reachable)
        ? "no network"
        : path.map { paths[Int($0.index)] } ?? (flags.contains(.isWWAN) ? "cellular" : "WiFi")
    case .path(let path): paths[Int(path.index)]
    case .app(.background): "asleep"
    case .app(.backgroundRunning): "in the background"
    case .app(.foreground): "awake"
    case .power(let power): power.state
    default: effects.compactMap { $0.phrase(paths) }.joined(separator: ", ")
    }
  }
}
