public import HandoverCore
package import HandoverTrace

/// One thing that becomes of a real network.
public enum NetworkDeed: Hashable, Sendable {
  /// It is there.
  case up(PathIndex)
  /// New connections go over it.
  case makeDefault(PathIndex)
  /// It is gone, and its connections end so; nil ends them as the platform does.
  case down(PathIndex, NetworkEnding?)
  /// A portal stands before it, or no more.
  case portal(PathIndex, isThere: Bool)
  /// Its router forgets flows, or gives them other ends.
  case translate(PathIndex, NATWord, UnknownFlows)
  /// Something changes under the device.
  case roam(PathIndex, RoamWord, UnknownFlows)
  /// What is behind its router is gone, or there.
  case uplink(PathIndex, isUp: Bool)
  /// It loses what goes in one direction, or nothing any more.
  case loss(PathIndex, LossWord)
  /// It is as good as this.
  indirect case quality(PathIndex, LinkQuality)
}

extension NetworkDeed {
  /// Whether a program loses something by it that it had.
  package var takesAway: Bool {
    switch self {
    case .down, .portal(_, true), .translate, .roam(_, .newRouter, _), .roam(_, .newAddress, _),
      .uplink(_, false), .loss(_, .requests), .loss(_, .answers):
      true
    case .up, .makeDefault, .portal, .roam(_, .sameAddress, _), .uplink, .loss(_, .none), .quality:
      false
    }
  }

  /// In words, for people.
  public func words(_ paths: [String]) -> String {
    func name(_ path: PathIndex) -> String { paths[Int(path.index)] }
    switch self {
    case .up(let path): return "\(name(path)) comes up"
    case .makeDefault(let path): return "\(name(path)) becomes the default network"
    case .down(let path, _): return "\(name(path)) goes down"
    case .portal(let path, true): return "a portal stands before \(name(path))"
    case .portal(let path, false): return "\(name(path)) is free of its portal"
    case .translate(let path, .forget, _): return "the router of \(name(path)) forgets every flow"
    case .translate(let path, .rebindPort, _):
      return "the router of \(name(path)) gives every flow another port"
    case .translate(let path, .rebindAddress, _):
      return "the router of \(name(path)) gets another address"
    case .roam(let path, .sameAddress, _): return "another access point of \(name(path))"
    case .roam(let path, .newRouter, _): return "\(name(path)) has another router"
    case .roam(let path, .newAddress, _): return "another address on \(name(path))"
    case .uplink(let path, true): return "\(name(path)) has its uplink"
    case .uplink(let path, false): return "\(name(path)) loses its uplink"
    case .loss(let path, .none): return "\(name(path)) loses nothing any more"
    case .loss(let path, .requests): return "\(name(path)) loses what the device sends"
    case .loss(let path, .answers): return "\(name(path)) loses what the device would receive"
    case .quality(let path, _): return "\(name(path)) has another quality"
    }
  }
}

extension NetworkDeed {
  /// The network it is about.
  package var path: PathIndex {
    switch self {
    case .up(let path), .makeDefault(let path), .down(let path, _), .portal(let path, _),
      .translate(let path, _, _), .roam(let path, _, _), .uplink(let path, _),
      .loss(let path, _), .quality(let path, _):
      path
    }
  }

  /// What a trace calls it.
  package var event: NetworkEvent {
    switch self {
    case .up: .up
    case .makeDefault: .madeDefault
    case .down: .down
    case .portal(_, let isThere): isThere ? .captive : .validated
    case .translate(_, .forget, _): .flowsForgotten
    case .translate(_, .rebindPort, _): .portsRebound
    case .translate(_, .rebindAddress, _): .addressRebound
    case .roam(_, .sameAddress, _): .roamed
    case .roam(_, .newRouter, _): .routerChanged
    case .roam(_, .newAddress, _): .addressChanged
    case .uplink(_, let isUp): isUp ? .uplinkUp : .uplinkDown
    case .loss(_, .none): .losesNothing
    case .loss(_, .requests): .losesRequests
    case .loss(_, .answers): .losesAnswers
    case .quality: .qualityChanged
    }
  }
}
