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

  static let allValueStrings = ["plain", "full", "endless"]

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
