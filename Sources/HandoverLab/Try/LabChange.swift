import HandoverBackend
import HandoverCore

/// A change of the network in a session, which a client of the session names.
package struct LabChange: Hashable, Sendable {
  /// The kinds of changes.
  enum Body: Hashable, Sendable {
    /// The device or the programs on it change, as an entry of a timeline describes.
    case entry(ScriptAction)
    /// The networks, the connections, the names or the servers change.
    case action(TryMove.Action)
  }

  /// The name, such as `cellular`.
  package let name: String
  /// What happens, for people.
  package let summary: String
  let body: Body

  private init(_ name: String, _ summary: String, _ body: Body) {
    self.name = name
    self.summary = summary
    self.body = body
  }

  private static func flags(_ flags: ReachabilityFlags, _ path: UInt8?) -> Body {
    .entry(.flags(flags, path: path.map { PathIndex($0) }, linksUp: [], linksDown: []))
  }

  /// The networks of the device.
  package static let networks: [LabChange] = [
    LabChange("wifi", "The device moves to WiFi.", flags([.reachable], 0)),
    LabChange(
      "cellular", "The device moves to the cellular network.",
      flags([.reachable, .isWWAN], 1)),
    LabChange("hotspot", "The device moves to another WiFi hotspot.", flags([.reachable], 2)),
  ]

  /// Every change, in the order in which they are shown.
  package static let all: [LabChange] =
    networks + [
      LabChange("none", "The device loses its network.", flags([], nil)),
      LabChange(
        "asleep", "The programs are stopped, as in the background.",
        .entry(.app(.background))),
      LabChange("awake", "The programs continue.", .entry(.app(.foreground))),
      LabChange(
        "uplink-dead", "The routers lose their uplink; the device does not notice.",
        .action(.uplinkCut(true))),
      LabChange("uplink-back", "The routers get their uplink back.", .action(.uplinkCut(false))),
      LabChange("nat-forgets", "A NAT forgets all existing connections.", .action(.natForgets)),
      LabChange(
        "stall", "Packets of existing connections are dropped.",
        .action(.connections(.stall))),
      LabChange(
        "stall-acked", "Data on existing connections is acknowledged and discarded.",
        .action(.connections(.stallAcked))),
      LabChange(
        "blackhole-connect", "New connections get no answer.",
        .action(.connections(.blackholeConnect))),
      LabChange(
        "reset", "The servers reset existing connections (RST).",
        .action(.connections(.reset))),
      LabChange("fin", "The servers end existing connections (FIN).", .action(.connections(.fin))),
      LabChange(
        "kill", "The device's kernel destroys existing connections.",
        .action(.connections(.kill))),
      LabChange(
        "resume", "Stalls end, and new connections get answers.",
        .action(.connections(.resume))),
      LabChange("names-fail", "Name lookups fail.", .action(.names(.fail))),
      LabChange("names-hang", "Name lookups get no answer.", .action(.names(.hang))),
      LabChange("names-resolve", "Name lookups work again.", .action(.names(.resolve))),
      LabChange(
        "servers-silent", "The servers acknowledge data, and never answer.",
        .action(.servers(.silent))),
      LabChange(
        "servers-refuse", "The servers refuse new connections.", .action(.servers(.refuse))),
      LabChange("servers-accept", "The servers answer again.", .action(.servers(.accept))),
    ]

  /// Finds a change by its name.
  package static func named(_ name: String) -> LabChange? { all.first { $0.name == name } }

  /// The entries that decide which networks a lab needs.
  static var entries: [ScriptAction] {
    all.compactMap { if case .entry(let action) = $0.body { action } else { nil } }
  }
}
