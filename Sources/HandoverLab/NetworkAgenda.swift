public import HandoverCore
import HandoverLinux

/// One thing that becomes of a network of a lab.
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

/// What entries make of networks, now and later: a linger that ends, an uplink that comes back, a
/// router that forgets again and again.
struct NetworkAgenda: Hashable {
  /// What is done later.
  private struct Later: Hashable {
    var at: Instant
    var deed: NetworkDeed
    /// After how long it is done again; nil never.
    var every: Interval?
    /// What goes before it each time it is done.
    var lasts: Interval?
  }

  private enum Kind {
    case linger
    case translation
    case uplink
  }

  private var later: [Later] = []

  /// Nothing is to be done.
  init() {}

  /// When something is to be done; nil where nothing is.
  var nextDue: Instant? { later.map(\.at).min() }

  /// What an entry does at once; what it does later is kept.
  mutating func deeds(
    of action: NetworkAction, on path: PathIndex, at now: Instant
  ) -> [NetworkDeed] {
    switch action {
    case .up:
      cancel(.linger, path)
      return [.up(path)]
    case .makeDefault:
      cancel(.linger, path)
      return [.makeDefault(path)]
    case .losing(let linger, let ending):
      cancel(.linger, path)
      later.append(Later(at: now + linger, deed: .down(path, ending)))
      return []
    case .down(let ending):
      cancel(.linger, path)
      return [.down(path, ending)]
    case .captive: return [.portal(path, isThere: true)]
    case .validated: return [.portal(path, isThere: false)]
    case .nat(let word, let unknown, let every):
      cancel(.translation, path)
      let deed = NetworkDeed.translate(path, word, unknown)
      if let every { later.append(Later(at: now + every, deed: deed, every: every)) }
      return [deed]
    case .roam(let word, let unknown): return [.roam(path, word, unknown)]
    case .uplink(let isUp, let lasts, let every):
      cancel(.uplink, path)
      if let lasts { later.append(Later(at: now + lasts, deed: .uplink(path, isUp: true))) }
      if let lasts, let every {
        later.append(
          Later(
            at: now + every, deed: .uplink(path, isUp: false), every: every, lasts: lasts))
      }
      return [.uplink(path, isUp: isUp)]
    case .loss(let word): return [.loss(path, word)]
    case .quality(let quality): return [.quality(path, quality)]
    }
  }

  /// Takes the first thing that is due; nil where nothing is.
  mutating func takeDue(at now: Instant) -> (at: Instant, deed: NetworkDeed)? {
    guard let due = nextDue, due <= now,
      let place = later.firstIndex(where: { $0.at == due })
    else { return nil }
    let taken = later.remove(at: place)
    if let every = taken.every {
      var next = taken
      next.at = due + every
      later.append(next)
    }
    if let lasts = taken.lasts, case .uplink(let path, false) = taken.deed {
      later.append(Later(at: due + lasts, deed: .uplink(path, isUp: true)))
    }
    return (due, taken.deed)
  }

  /// Lets nothing happen again that has not begun.
  mutating func endRepetitions() { later.removeAll { $0.every != nil } }

  private mutating func cancel(_ kind: Kind, _ path: PathIndex) {
    later.removeAll { entry in
      switch (kind, entry.deed) {
      case (.linger, .down(path, _)), (.translation, .translate(path, _, _)),
        (.uplink, .uplink(path, _)):
        true
      default: false
      }
    }
  }
}

extension NetworkDeed {
  /// Whether a program loses something by it that it had.
  var takesAway: Bool {
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

/// What deeds do to a lab and its device.
struct NetworkPlayer {
  let script: Script
  let lab: DeviceLab
  let platform: ForeignRun.Platform

  /// Does it.
  ///
  /// - Returns: how many connections the platform ended; nil where it reports nothing.
  func perform(_ deed: NetworkDeed, _ device: inout Device) throws(LinuxError) -> Int? {
    switch deed {
    case .up(let path):
      return try follow(device.bringUp(path), device)
    case .makeDefault(let path):
      let flags = script.network(of: path)?.flags ?? []
      return try follow(device.makeDefault(path, flags), device)
    case .down(let path, let ending):
      if ending == .reset { try lab.resetConnections(of: path) }
      let move = device.takeDown(path)
      if ending == nil { return try follow(move, device) }
      try lab.place(device)
    case .portal(let path, let isThere): lab.setPortal(isThere, of: path)
    case .translate(let path, let word, let unknown):
      lab.translate(word, unknown: unknown, on: path)
    case .roam(let path, .newRouter, let unknown):
      lab.translate(.forget, unknown: unknown, on: path)
    case .roam(let path, .newAddress, _): return try renew([path], device)
    // The air hands frames over to the same router all the time.
    case .roam(_, .sameAddress, _): break
    case .uplink(let path, let isUp): try lab.setUplink(isUp, of: path)
    case .loss(let path, let word): lab.setLoss(word, of: path)
    case .quality(let path, let quality): lab.setQuality(quality, of: path)
    }
    return nil
  }

  /// The device falls asleep or wakes; its processes are somebody else's.
  func perform(_ power: DevicePower, _ device: inout Device) throws(LinuxError) -> Int? {
    switch power {
    case .sleep:
      guard device.wakesTo == nil else { return nil }
      device.wakesTo = device.app
      device.app = .background
      lab.setRadio(isOn: false)
      return nil
    case .wake(let newAddress):
      guard let app = device.wakesTo else { return nil }
      device.wakesTo = nil
      var ended: Int?
      if newAddress {
        let paths = script.paths.indices.map { PathIndex(UInt8(clamping: $0)) }
        let kept = device.keptAlive
        ended = try renew(paths.filter { $0 == device.path || kept.contains($0) }, device)
      }
      device.app = app
      lab.setRadio(isOn: true)
      return ended
    }
  }

  private func follow(_ move: Device.Move, _ device: Device) throws(LinuxError) -> Int? {
    try lab.place(device, after: move, platform)
  }

  /// Gives the device other addresses; the platform ends what it reports as lost.
  private func renew(_ paths: [PathIndex], _ device: Device) throws(LinuxError) -> Int? {
    var ended: Int?
    for path in paths {
      let addresses = lab.deviceAddresses(on: path)
      try lab.renewAddress(on: path)
      // As if the device had left the path for none.
      var left = device
      let move = left.takeDown(path)
      guard let pathLoss = platform.transport?.pathLoss,
        pathLoss.outcome(of: path, when: move, on: left) == .breaks
      else { continue }
      ended = try (ended ?? 0) + lab.abort { addresses.contains($0.localAddress) }
    }
    return ended
  }
}
