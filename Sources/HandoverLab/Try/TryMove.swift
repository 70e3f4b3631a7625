public import HandoverBackend
public import HandoverCore

/// A network change with which a program is tried.
public struct TryMove: Hashable, Sendable {
  /// One action of a network change.
  public enum Act: Hashable, Sendable {
    /// The flags change, and with them the network.
    ///
    /// Interfaces may stay up or go down.
    case flags(
      ReachabilityFlags, path: PathIndex? = nil, linksUp: PathSet = [], linksDown: PathSet = [])
    /// The path changes without a change of the flags, for example to another hotspot.
    case path(PathIndex)
    /// The program moves to the background, in which it may be stopped, or returns.
    case app(AppState)
    /// The routers lose or regain their uplink.
    ///
    /// The device does not notice.
    case uplinkCut(Bool)
    /// A NAT forgets the existing connections.
    case natForgets
    /// A fault applies to every connection of the program.
    case connections(TransportWord)
    /// The results of all name lookups change.
    case names(DNSFault)
    /// A network changes.
    case network(NetworkDeed)
    /// The device falls asleep with its radio, or wakes.
    case power(DevicePower)
    /// The middlebox in front of all servers changes its treatment of connections.
    case servers(ServerFault)
  }

  /// An action with its time.
  public struct Step: Hashable, Sendable {
    /// The time since the first action.
    public var after: Interval
    /// The action.
    public var act: Act
  }

  /// A short name, such as `cellular-to-wifi`.
  public var name: String
  /// A description for people.
  public var title: String
  /// The initial state of the device.
  public var initial: InitialState
  /// The names of the paths.
  public var paths = ["wifi", "cellular", "another hotspot"]
  /// The networks that the device can have simultaneously.
  ///
  /// Empty if flags and paths describe everything.
  public var networks: [ScriptNetwork] = []
  /// The actions.
  ///
  /// Empty if nothing happens.
  public var steps: [Step]
  /// Whether earlier connections can continue after the change.
  public var restoresConnections = false

  /// Whether the change kills connections permanently without the device noticing.
  public var forgetsConnections = false
  /// The number of skipped entries of the scenario, because they are about the program's own
  /// actions.
  public var leftOut = 0

  private static let wifi: ReachabilityFlags = [.reachable]
  private static let cellular: ReachabilityFlags = [.reachable, .isWWAN]

  private static func device(_ flags: ReachabilityFlags) -> InitialState {
    var initial = InitialState()
    initial.flags = flags
    return initial
  }

  /// The network change without actions.
  ///
  /// It shows the normal rhythm of the program.
  public static let nothing = TryMove(
    name: "nothing", title: "no change", initial: device(wifi), steps: [],
    restoresConnections: true)

  /// Every network change, in the order in which they are shown.
  public static let all: [TryMove] = [
    TryMove(
      name: "cellular-to-wifi", title: "cellular to WiFi", initial: device(cellular),
      steps: [Step(after: .zero, act: .flags(wifi))]),
    TryMove(
      name: "wifi-to-cellular", title: "WiFi to cellular", initial: device(wifi),
      steps: [Step(after: .zero, act: .flags(cellular))]),
    TryMove(
      name: "wifi-none-wifi", title: "WiFi to none and back", initial: device(wifi),
      steps: [
        Step(after: .zero, act: .flags([])), Step(after: .seconds(8), act: .flags(wifi)),
      ], restoresConnections: true),
    TryMove(
      name: "hotspot", title: "another hotspot", initial: device(wifi),
      steps: [Step(after: .zero, act: .path(otherHotspot))]),
    TryMove(
      name: "asleep", title: "asleep while the hotspot changes", initial: device(wifi),
      steps: [
        Step(after: .zero, act: .app(.background)),
        Step(after: .seconds(2), act: .path(otherHotspot)),
        Step(after: .seconds(4), act: .app(.foreground)),
      ]),
    TryMove(
      name: "uplink", title: "the uplink dies for 10 s", initial: device(wifi),
      steps: [
        Step(after: .zero, act: .uplinkCut(true)),
        Step(after: .seconds(10), act: .uplinkCut(false)),
      ], restoresConnections: true),
    TryMove(
      name: "nat", title: "a NAT forgets", initial: device(wifi),
      steps: [Step(after: .zero, act: .natForgets)], forgetsConnections: true),
  ]

  /// The path of the other hotspot.
  private static let otherHotspot = PathIndex(2)

  /// Whether the middlebox in front of the servers must track connections.
  var actsOnConnections: Bool {
    steps.contains { step in
      switch step.act {
      case .connections, .servers: true
      case .flags, .path, .app, .uplinkCut, .natForgets, .names, .network, .power: false
      }
    }
  }

  /// Whether every action only affects existing connections.
  var onlyMeetsConnections: Bool {
    steps.allSatisfy { step in
      if case .connections(let word) = step.act { word != .blackholeConnect } else { false }
    }
  }

  /// The plan of the networks that the change needs.
  var plan: LivePlan {
    get throws(LivePlan.Impossible) {
      var script = Script()
      script.initial = initial
      script.paths = paths
      script.networks = networks
      script.entries = ContiguousArray(
        steps.compactMap { step -> ScriptEntry? in
          let at = Instant.zero + step.after
          switch step.act {
          case .flags(let flags, let path, let up, let down):
            return ScriptEntry(
              at: at, action: .flags(flags, path: path, linksUp: up, linksDown: down))
          case .path(let path): return ScriptEntry(at: at, action: .path(path))
          case .app, .uplinkCut, .natForgets, .connections, .names, .network, .power, .servers:
            return nil
          }
        })
      return try LivePlan(script)
    }
  }
}
