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
  let body: Body

  private init(_ name: String, _ body: Body) {
    self.name = name
    self.body = body
  }

  private static func flags(_ flags: ReachabilityFlags, _ path: UInt8?) -> Body {
    .entry(.flags(flags, path: path.map { PathIndex($0) }, linksUp: [], linksDown: []))
  }

  /// The networks of the device.
  package static let networks: [LabChange] = [
    LabChange("wifi", flags([.reachable], 0)),
    LabChange("cellular", flags([.reachable, .isWWAN], 1)),
    LabChange("hotspot", flags([.reachable], 2)),
  ]

  /// Every change, in the order in which they are shown.
  package static let all: [LabChange] =
    networks + [
      LabChange("none", flags([], nil)),
      LabChange("asleep", .entry(.app(.background))),
      LabChange("awake", .entry(.app(.foreground))),
      LabChange("uplink-dead", .action(.uplinkCut(true))),
      LabChange("uplink-back", .action(.uplinkCut(false))),
      LabChange("nat-forgets", .action(.natForgets)),
      LabChange("stall", .action(.connections(.stall))),
      LabChange("stall-acked", .action(.connections(.stallAcked))),
      LabChange("blackhole-connect", .action(.connections(.blackholeConnect))),
      LabChange("reset", .action(.connections(.reset))),
      LabChange("fin", .action(.connections(.fin))),
      LabChange("kill", .action(.connections(.kill))),
      LabChange("resume", .action(.connections(.resume))),
      LabChange("names-fail", .action(.names(.fail))),
      LabChange("names-hang", .action(.names(.hang))),
      LabChange("names-resolve", .action(.names(.resolve))),
      LabChange("servers-silent", .action(.servers(.silent))),
      LabChange("servers-refuse", .action(.servers(.refuse))),
      LabChange("servers-accept", .action(.servers(.accept))),
    ]

  /// Finds a change by its name.
  package static func named(_ name: String) -> LabChange? { all.first { $0.name == name } }

  /// The entries that decide which networks a lab needs.
  static var entries: [ScriptAction] {
    all.compactMap { if case .entry(let action) = $0.body { action } else { nil } }
  }
}
