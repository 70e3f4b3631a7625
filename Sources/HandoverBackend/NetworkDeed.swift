public import HandoverCore
package import HandoverTrace

/// A change of a real network.
public enum NetworkDeed: Hashable, Sendable {
  /// The network comes up.
  case up(PathIndex)
  /// The network becomes the default: new connections use it.
  case makeDefault(PathIndex)
  /// The network goes down, and its connections end as given; with `nil`, as on the platform.
  case down(PathIndex, NetworkEnding?)
  /// A captive portal appears on the network, or is removed.
  case portal(PathIndex, isThere: Bool)
  /// The router of the network forgets its flows or maps them to other ports or addresses.
  case translate(PathIndex, NATWord, UnknownFlows)
  /// The device roams within the network: its access point, its router or its address changes.
  case roam(PathIndex, RoamWord, UnknownFlows)
  /// The uplink of the router goes down or comes up.
  case uplink(PathIndex, isUp: Bool)
  /// The network starts to lose packets in one direction, or stops losing them.
  case loss(PathIndex, LossWord)
  /// The network gets this quality.
  indirect case quality(PathIndex, LinkQuality)
}

extension NetworkDeed {
  /// Whether the change takes something away that a program was using.
  package var takesAway: Bool {
    switch self {
    case .down, .portal(_, true), .translate, .roam(_, .newRouter, _), .roam(_, .newAddress, _),
      .uplink(_, false), .loss(_, .requests), .loss(_, .answers):
      true
    case .up, .makeDefault, .portal, .roam(_, .sameAddress, _), .uplink, .loss(_, .none), .quality:
      false
    }
  }

  /// Returns a description of the change for people.
  public func words(_ paths: [String]) -> String {
    func name(_ path: PathIndex) -> String { paths[Int(path.index)] }
    switch self {
    case .up(let path): return "\(name(path)) comes up"
    case .makeDefault(let path): return "\(name(path)) becomes the default network"
    case .down(let path, _): return "\(name(path)) goes down"
    case .portal(let path, true): return "\(name(path)) is behind a portal"
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
  /// The network that changes.
  package var path: PathIndex {
    switch self {
    case .up(let path), .makeDefault(let path), .down(let path, _), .portal(let path, _),
      .translate(let path, _, _), .roam(let path, _, _), .uplink(let path, _),
      .loss(let path, _), .quality(let path, _):
      path
    }
  }

  /// The event that a trace records for the change.
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
