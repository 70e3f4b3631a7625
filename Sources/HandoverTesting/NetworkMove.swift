import HandoverCore
public import Testing

/// A change of the network that a ``ScriptedNetwork`` executes.
public struct NetworkMove: Hashable, Sendable, CustomTestStringConvertible {
  /// The name of the move, such as `wifi-to-cellular`.
  public let name: String

  let script: Script

  /// The name of the move.
  public var testDescription: String { name }

  private init(
    _ name: String, from flags: ReachabilityFlags, _ actions: [(Interval, ScriptAction)]
  ) {
    self.name = name
    var script = Script()
    script.initial.flags = flags
    script.entries = ContiguousArray(actions.map { ScriptEntry(at: .zero + $0, action: $1) })
    self.script = script
  }

  private static let wifi: ReachabilityFlags = [.reachable]
  private static let cellular: ReachabilityFlags = [.reachable, .isWWAN]

  private static func change(to flags: ReachabilityFlags) -> ScriptAction {
    .flags(flags, path: nil, linksUp: [], linksDown: [])
  }

  /// WiFi is replaced by cellular.
  public static let wifiToCellular = NetworkMove(
    "wifi-to-cellular", from: wifi, [(.seconds(1), change(to: cellular))])

  /// Cellular is replaced by WiFi.
  public static let cellularToWiFi = NetworkMove(
    "cellular-to-wifi", from: cellular, [(.seconds(1), change(to: wifi))])

  /// WiFi is lost and returns after 8 s.
  public static let offlineAndBack = NetworkMove(
    "offline-and-back", from: wifi,
    [(.seconds(1), change(to: [])), (.seconds(9), change(to: wifi))])

  /// WiFi is lost and returns after 100 ms.
  public static let flap = NetworkMove(
    "flap", from: wifi,
    [(.seconds(1), change(to: [])), (.milliseconds(1_100), change(to: wifi))])

  /// Cellular requires a connection for 2 s, as after airplane mode.
  public static let connectionRequired = NetworkMove(
    "connection-required", from: cellular,
    [
      (.seconds(1), change(to: cellular.union(.connectionRequired))),
      (.seconds(3), change(to: cellular)),
    ])

  /// The app is suspended while cellular replaces WiFi.
  public static let asleep = NetworkMove(
    "asleep", from: wifi,
    [
      (.seconds(1), .app(.background)), (.seconds(2), change(to: cellular)),
      (.seconds(4), .app(.foreground)),
    ])

  /// The app is suspended while WiFi is lost and returns, so that it resumes on the same path.
  public static let asleepWithoutChange = NetworkMove(
    "asleep-without-change", from: wifi,
    [
      (.seconds(1), .app(.background)), (.seconds(2), change(to: [])),
      (.seconds(3), change(to: wifi)), (.seconds(4), .app(.foreground)),
    ])

  /// All moves, in the order of their declaration.
  public static let all = [
    wifiToCellular, cellularToWiFi, offlineAndBack, flap, connectionRequired, asleep,
    asleepWithoutChange,
  ]
}
