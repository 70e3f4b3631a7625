import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverFaults

/// What may happen in an exploration, by name.
enum ExploredActs: Hashable, ExpressibleByArgument, RawRepresentable {
  case plain
  case full
  case endless
  /// Kinds of acts, against the model.
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

  /// The kinds of a list; nil where none is given.
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

/// A part of what may happen, by name.
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

  /// What it is to a client; nothing where it is a matter of the world.
  var extras: ExplorationSetup.Extras {
    switch self {
    case .deadlines: .deadlines
    case .tokens: .tokens
    case .keepalive: .keepalive
    case .rereads, .monitor: .rereads
    case .ends, .background, .running, .stalls, .discards, .silence, .hotspots, .links: []
    }
  }

  /// Whether a swarm draws it.
  var isDrawn: Bool {
    switch self {
    case .deadlines, .tokens, .keepalive: true
    case .rereads, .monitor, .ends, .background, .running, .stalls, .discards, .silence, .hotspots,
      .links:
      false
    }
  }

  /// What it is to a world.
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

// One thing has two names: to a client it is the rereads, and to a world the monitor.
extension ExploredPart {
  /// The names of what a client has, in one order.
  static func names(of extras: ExplorationSetup.Extras) -> [String] {
    allCases.filter { $0 != .monitor && !$0.extras.isDisjoint(with: extras) }.map(\.rawValue)
  }

  /// The names of what a world has, in one order.
  static func names(of events: WorldSetup.Events) -> [String] {
    allCases.filter { $0 != .rereads && !$0.events.isDisjoint(with: events) }.map(\.rawValue)
  }
}

extension ExploreCommand {
  /// What may happen to the world.
  var events: WorldSetup.Events { without.reduce(acts.events) { $0.subtracting($1.events) } }

  /// What of the acts does not happen, by name.
  var leftOut: [String] {
    ExploredPart.names(of: acts.extras.subtracting(extras))
      + (scope == .world ? ExploredPart.names(of: acts.events.subtracting(events)) : [])
  }

  /// The parts that can be left out of what is explored.
  private var parts: [ExploredPart] {
    switch scope {
    case .client: ExploredPart.allCases.filter { swarm == nil ? !$0.extras.isEmpty : $0.isDrawn }
    case .world: ExploredPart.allCases
    case .dispatcher: []
    }
  }

  /// What says nothing of what is explored is not taken in silence.
  func validateParts() throws {
    let parts = parts
    if let one = without.first(where: { !parts.contains($0) }) {
      let what = swarm == nil ? "--scope \(scope.rawValue)" : "--swarm"
      throw ValidationError(
        "--without \(one.rawValue) says nothing of \(what), "
          + (parts.isEmpty
            ? "which goes without it."
            : "which takes: " + parts.map(\.rawValue).joined(separator: ", ") + "."))
    }
    guard acts != .endless || scope == .client else {
      throw ValidationError("--acts endless is for --scope client.")
    }
  }
}
