import HandoverCore
import HandoverTrace

// What entries do to the networks of a script, and what networks do of themselves: the facts first,
// then the callback that tells of them.
extension World {
  /// Something becomes of a network.
  mutating func change(
    _ path: PathIndex, _ change: NetworkAction, signal: ReachabilityFlags?, cause: UInt32
  ) {
    let before = context.device.flags
    switch change {
    case .up:
      network.stay(path, &context)
      context.record(.networkChanged(path, .up))
      follow(context.device.bringUp(path))
      network.returns(path, &context)
    case .makeDefault:
      network.stay(path, &context)
      context.record(.networkChanged(path, .madeDefault))
      let flags = context.script.network(of: path)?.flags ?? []
      follow(context.device.makeDefault(path, flags))
    case .losing(let linger, let ending):
      context.record(.networkChanged(path, .losing))
      network.linger(path, for: linger, ending, &context)
    case .down(let ending):
      network.stay(path, &context)
      goDown(path, ending)
    case .captive:
      context.record(.networkChanged(path, .captive))
      network.obstruct(path, .captive, &context)
    case .validated:
      context.record(.networkChanged(path, .validated))
      network.clear(path, .captive, &context)
    }
    if let signal { return monitor.platformReports(signal, about: path, &context) }
    report(path, change, before: before)
  }

  /// A network that lingered is gone.
  mutating func lingerEnds(_ path: PathIndex, _ ending: NetworkEnding?) {
    let before = context.device.flags
    network.paths[path].linger = nil
    goDown(path, ending)
    report(path, .down(ending), before: before)
  }

  private mutating func goDown(_ path: PathIndex, _ ending: NetworkEnding?) {
    context.record(.networkChanged(path, .down))
    let move = context.device.takeDown(path)
    guard let ending else { return follow(move) }
    if move.from != move.to { context.record(.deviceMoved(move.to)) }
    network.die(path, ending, &context)
  }

  /// The callback that follows from a change, to whoever watches what has changed.
  private mutating func report(
    _ path: PathIndex, _ change: NetworkAction, before: ReachabilityFlags
  ) {
    switch context.configuration.monitorWatch {
    case .defaultNetwork:
      guard context.device.flags != before else { return }
      monitor.platformReports(context.device.flags, about: path, &context)
    case .anyNetwork:
      switch change {
      case .up:
        let flags = context.script.network(of: path)?.flags ?? []
        monitor.platformReports(flags, about: path, &context)
      case .down:
        monitor.platformReports([], about: path, &context)
      case .makeDefault, .losing, .captive, .validated: break
      }
    }
  }
}
