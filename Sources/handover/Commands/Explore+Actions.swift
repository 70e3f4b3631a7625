import ArgumentParser
import HandoverCore
import HandoverExploration

/// The actions of an exploration, by name.
enum ExploredActions: Hashable, ExpressibleByArgument, RawRepresentable {
  case plain
  case full
  case endless
  /// Kinds of actions, for an exploration against the model.
  case list([ModelGroup])

  init?(rawValue: String) {
    switch rawValue {
    case "plain": self = .plain
    case "full": self = .full
    case "endless": self = .endless
    default:
      var groups: [ModelGroup] = []
      for word in rawValue.split(separator: ",", omittingEmptySubsequences: false) {
        guard let group = ModelGroup(rawValue: String(word)) else { return nil }
        groups.append(group)
      }
      self = .list(groups)
    }
  }

  var rawValue: String {
    switch self {
    case .plain: "plain"
    case .full: "full"
    case .endless: "endless"
    case .list(let groups): groups.map(\.rawValue).joined(separator: ",")
    }
  }

  /// The kinds of actions in the list, or `nil` if no list is given.
  var groups: [ModelGroup]? {
    if case .list(let groups) = self { groups } else { nil }
  }

  static let allValueStrings =
    ["plain", "full", "endless"] + ModelGroup.allCases.map(\.rawValue)

  var defaultValueDescription: String { rawValue }

  var extras: ExplorationSetup.Extras {
    switch self {
    case .plain: .plain
    case .full, .list: .full
    case .endless: [.full, .messages]
    }
  }
}

/// A part of the possible actions, by name.
enum ExploredPart: String, ExpressibleByArgument, CaseIterable {
  case deadlines
  case tokens
  case keepalive
  case rereads
  case ends
  case background
  case running
  case stalls
  case discards
  case silence
  case hotspots
  case links
  case monitor

  /// The actions of a client in this part; empty if the part concerns only the world.
  var extras: ExplorationSetup.Extras {
    switch self {
    case .deadlines: .deadlines
    case .tokens: .tokens
    case .keepalive: .keepalive
    case .rereads, .monitor: .rereads
    case .ends, .background, .running, .stalls, .discards, .silence, .hotspots, .links: []
    }
  }

  /// Whether random testing (swarm) chooses the part at random.
  var isDrawn: Bool {
    switch self {
    case .deadlines, .tokens, .keepalive: true
    case .rereads, .monitor, .ends, .background, .running, .stalls, .discards, .silence, .hotspots,
      .links:
      false
    }
  }

  /// The events of a world in this part.
  var events: WorldSetup.Events {
    switch self {
    case .deadlines, .tokens, .keepalive: []
    case .rereads, .monitor: .monitor
    case .ends: .ends
    case .background: .background
    case .running: .running
    case .stalls: .stalls
    case .discards: .discards
    case .silence: .silence
    case .hotspots: .hotspots
    case .links: .links
    }
  }
}

// `rereads` and `monitor` name the same part: the first for a client, the second for a world.
extension ExploredPart {
  /// Returns the names of a client's parts, in a fixed order.
  static func names(of extras: ExplorationSetup.Extras) -> [String] {
    allCases.filter { $0 != .monitor && !$0.extras.isDisjoint(with: extras) }.map(\.rawValue)
  }

  /// Returns the names of a world's parts, in a fixed order.
  static func names(of events: WorldSetup.Events) -> [String] {
    allCases.filter { $0 != .rereads && !$0.events.isDisjoint(with: events) }.map(\.rawValue)
  }
}

extension ExploreCommand {
  /// The events that can happen in the world.
  var events: WorldSetup.Events { without.reduce(actions.events) { $0.subtracting($1.events) } }

  /// The names of the parts that are excluded.
  var leftOut: [String] {
    ExploredPart.names(of: actions.extras.subtracting(extras))
      + (scope == .world ? ExploredPart.names(of: actions.events.subtracting(events)) : [])
  }

  /// The parts that can be excluded from the exploration.
  private var parts: [ExploredPart] {
    switch scope {
    case .client: ExploredPart.allCases.filter { swarm == nil ? !$0.extras.isEmpty : $0.isDrawn }
    case .world: ExploredPart.allCases
    case .dispatcher: []
    }
  }

  /// Rejects options that have no effect on the exploration.
  func validateParts() throws {
    let parts = parts
    if let one = without.first(where: { !parts.contains($0) }) {
      let what = swarm == nil ? "--scope \(scope.rawValue)" : "--swarm"
      throw ValidationError(
        "--without \(one.rawValue) cannot be combined with \(what), "
          + (parts.isEmpty
            ? "which accepts no --without."
            : "which accepts: " + parts.map(\.rawValue).joined(separator: ", ") + "."))
    }
    guard actions != .endless || scope == .client else {
      throw ValidationError("--acts endless requires --scope client.")
    }
  }
}
