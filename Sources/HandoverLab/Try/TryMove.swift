import HandoverBackend
public import HandoverCore

/// A move of the device that a program is tried with.
public struct TryMove: Hashable, Sendable {
  /// One thing that is done.
  public enum Act: Hashable, Sendable {
    /// The flags change, and with them the network.
    case flags(ReachabilityFlags)
    /// Another hotspot, without any change of flags.
    case hotspot
    /// The program is stopped, or goes on.
    case asleep(Bool)
    /// The routers reach the servers no longer, or again; the device sees nothing of it.
    case uplinkCut(Bool)
    /// A NAT forgets the connections there are.
    case natForgets
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
  /// The flags the device begins with.
  public var initial: ReachabilityFlags
  /// What is done; empty where nothing happens at all.
  public var steps: [Step]
  /// Whether connections of before can go on when it is over.
  public var restoresConnections = false

  /// Whether a NAT forgets connections that the device knows nothing of.
  public var forgetsConnections: Bool { steps.contains { $0.act == .natForgets } }

  private static let wifi: ReachabilityFlags = [.reachable]
  private static let cellular: ReachabilityFlags = [.reachable, .isWWAN]

  /// Nothing happens: shows the rhythm of the program.
  public static let nothing = TryMove(
    name: "nothing", title: "nothing at all", initial: wifi, steps: [], restoresConnections: true)

  /// Every move, in the order in which they are shown.
  public static let all: [TryMove] = [
    TryMove(
      name: "cellular-to-wifi", title: "cellular to WiFi", initial: cellular,
      steps: [Step(after: .zero, act: .flags(wifi))]),
    TryMove(
      name: "wifi-to-cellular", title: "WiFi to cellular", initial: wifi,
      steps: [Step(after: .zero, act: .flags(cellular))]),
    TryMove(
      name: "wifi-none-wifi", title: "WiFi to none and back", initial: wifi,
      steps: [
        Step(after: .zero, act: .flags([])), Step(after: .seconds(8), act: .flags(wifi)),
      ], restoresConnections: true),
    TryMove(
      name: "hotspot", title: "another hotspot", initial: wifi,
      steps: [Step(after: .zero, act: .hotspot)]),
    TryMove(
      name: "asleep", title: "asleep while the hotspot changes", initial: wifi,
      steps: [
        Step(after: .zero, act: .asleep(true)), Step(after: .seconds(2), act: .hotspot),
        Step(after: .seconds(4), act: .asleep(false)),
      ]),
    TryMove(
      name: "uplink", title: "the uplink dies for 10 s", initial: wifi,
      steps: [
        Step(after: .zero, act: .uplinkCut(true)),
        Step(after: .seconds(10), act: .uplinkCut(false)),
      ], restoresConnections: true),
    TryMove(
      name: "nat", title: "a NAT forgets", initial: wifi,
      steps: [Step(after: .zero, act: .natForgets)]),
  ]

  /// The path of another hotspot.
  static let otherHotspot = PathIndex(2)

  /// The networks that the move needs.
  var plan: LivePlan {
    get throws(LivePlan.Impossible) {
      var script = Script()
      script.initial.flags = initial
      script.paths = ["wifi", "cellular", "another hotspot"]
      script.entries = ContiguousArray(
        steps.compactMap { step -> ScriptEntry? in
          switch step.act {
          case .flags(let flags):
            ScriptEntry(
              at: .zero + step.after, action: .flags(flags, path: nil, linksUp: [], linksDown: []))
          case .hotspot: ScriptEntry(at: .zero + step.after, action: .path(Self.otherHotspot))
          case .asleep, .uplinkCut, .natForgets: nil
          }
        })
      return try LivePlan(script)
    }
  }
}
