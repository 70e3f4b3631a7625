public import HandoverBackend
public import HandoverCore

/// A move of the device that a program is tried with.
public struct TryMove: Hashable, Sendable {
  /// One thing that is done.
  public enum Act: Hashable, Sendable {
    /// The flags change, and with them the network; links may stay alive, or die.
    case flags(
      ReachabilityFlags, path: PathIndex? = nil, linksUp: PathSet = [], linksDown: PathSet = [])
    /// Another path without any change of flags: another hotspot.
    case path(PathIndex)
    /// The program goes to the background, where it may be stopped, or comes back.
    case app(AppState)
    /// The routers reach the servers no longer, or again; the device sees nothing of it.
    case uplinkCut(Bool)
    /// A NAT forgets the connections there are.
    case natForgets
    /// Something happens to every connection of the program.
    case connections(TransportWord)
    /// Every look-up of a name is answered otherwise.
    case names(DNSFault)
    /// Something becomes of a network.
    case network(NetworkDeed)
    /// The device falls asleep, with its radio, or wakes.
    case power(DevicePower)
    /// Whoever stands in front of all servers treats new connections otherwise.
    case servers(ServerFault)
  }

  /// A thing that is done at a time after the first.
  public struct Step: Hashable, Sendable {
    /// How long after the first one.
    public var after: Interval
    /// What is done.
    public var act: Act
  }

  /// A short name, such as `cellular-to-wifi`.
  public var name: String
  /// For people.
  public var title: String
  /// The device as it begins.
  public var initial: InitialState
  /// The names of the paths there are.
  public var paths = ["wifi", "cellular", "another hotspot"]
  /// The networks that the device can have beside each other; empty where flags and paths say all.
  public var networks: [ScriptNetwork] = []
  /// What is done; empty where nothing happens at all.
  public var steps: [Step]
  /// Whether connections of before can go on when it is over.
  public var restoresConnections = false

  /// Whether connections are dead for good of which the device knows nothing.
  public var forgetsConnections = false
  /// How many entries of a scenario are left out, because they are about what the program does.
  public var leftOut = 0

  private static let wifi: ReachabilityFlags = [.reachable]
  private static let cellular: ReachabilityFlags = [.reachable, .isWWAN]

  private static func device(_ flags: ReachabilityFlags) -> InitialState {
    var initial = InitialState()
    initial.flags = flags
    return initial
  }

  /// Nothing happens: shows the rhythm of the program.
  public static let nothing = TryMove(
    name: "nothing", title: "nothing at all", initial: device(wifi), steps: [],
    restoresConnections: true)

  /// Every move, in the order in which they are shown.
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

  /// The path of another hotspot.
  private static let otherHotspot = PathIndex(2)

  /// Whether somebody in front of the servers has to know the connections that there are.
  var actsOnConnections: Bool {
    steps.contains { step in
      switch step.act {
      case .connections, .servers: true
      case .flags, .path, .app, .uplinkCut, .natForgets, .names, .network, .power: false
      }
    }
  }

  /// Whether all that it does is done to the connections that there are.
  var onlyMeetsConnections: Bool {
    steps.allSatisfy { step in
      if case .connections(let word) = step.act { word != .blackholeConnect } else { false }
    }
  }

  /// The networks that the move needs.
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
