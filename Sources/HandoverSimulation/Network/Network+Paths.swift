import HandoverCore
import HandoverTrace

// What becomes of the connections on a network when something becomes of the network.
extension Network {
  /// A network is back: what was made on it before goes on.
  mutating func returns(_ path: PathIndex, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context) {
      removeStall(index, [.pathLeft], &context)
    }
  }

  /// A network dies in a way of its own, whatever the transport makes of a lost path.
  mutating func die(_ path: PathIndex, _ ending: NetworkEnding, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context) {
      switch ending {
      case .silent: addStall(index, .pathLeft, &context)
      case .reset: lose(index, .reset, &context)
      }
    }
  }

  /// Something stands in the way of everything on a network from now on.
  ///
  /// - Returns: whether it did not before.
  @discardableResult
  mutating func obstruct(
    _ path: PathIndex, _ cause: StallCauses, _ context: inout Context
  ) -> Bool {
    guard !paths[path].obstacles.contains(cause) else { return false }
    paths[path].obstacles.insert(cause)
    for index in links.liveRows(on: PathSet(path), &context) { addStall(index, cause, &context) }
    return true
  }

  /// It does no more, and what waited goes on.
  ///
  /// - Returns: whether it did before.
  @discardableResult
  mutating func clear(
    _ path: PathIndex, _ cause: StallCauses, _ context: inout Context
  ) -> Bool {
    guard !paths[path].obstacles.isDisjoint(with: cause) else { return false }
    paths[path].obstacles.subtract(cause)
    for index in links.liveRows(on: PathSet(path), &context) {
      removeStall(index, cause, &context)
    }
    return true
  }

  // MARK: Lingers

  /// A network goes down after a linger.
  mutating func linger(
    _ path: PathIndex, for linger: Interval, _ ending: NetworkEnding?, _ context: inout Context
  ) {
    stay(path, &context)
    paths[path].linger = context.schedule(.lingerEnds(path, ending), after: linger)
  }

  /// A network does not go down of itself any more.
  mutating func stay(_ path: PathIndex, _ context: inout Context) {
    guard let linger = paths[path].linger else { return }
    context.agenda.cancel(linger)
    paths[path].linger = nil
  }
}
