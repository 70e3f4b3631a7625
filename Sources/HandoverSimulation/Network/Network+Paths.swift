import HandoverCore
import HandoverTrace

// What becomes of the connections on a network when something becomes of the network.
extension Network {
  /// A network is back: what was made on it before goes on.
  mutating func returns(_ path: PathIndex, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context) where !isStuck(index, context) {
      removeStall(index, [.pathLeft], &context)
    }
    if quic != nil { migrate(.found(path), &context) }
  }

  /// A network dies in a way of its own, whatever the transport makes of a lost path; nothing
  /// resets a connection of QUIC.
  mutating func die(_ path: PathIndex, _ ending: NetworkEnding, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context) {
      switch quic == nil ? ending : .silent {
      case .silent: addStall(index, .pathLeft, &context)
      case .reset: lose(index, .reset, &context)
      }
    }
    if quic != nil { migrate(.left(PathSet(path)), &context) }
  }

  /// Something stands in the way of everything on a network from now on.
  ///
  /// An entry is given where that is a fault, which has an effect where it meets a connection.
  mutating func obstruct(
    _ path: PathIndex, _ obstacle: StallCauses, by entry: UInt32? = nil,
    _ context: inout Context
  ) {
    guard !paths[path].obstacles.contains(obstacle) else { return }
    paths[path].obstacles.insert(obstacle)
    for index in links.liveRows(on: PathSet(path), &context) {
      context.markEffect(of: entry)
      addStall(index, obstacle, &context)
    }
  }

  /// It does no more, and what waited goes on.
  mutating func clear(_ path: PathIndex, _ obstacle: StallCauses, _ context: inout Context) {
    guard !paths[path].obstacles.isDisjoint(with: obstacle) else { return }
    paths[path].obstacles.subtract(obstacle)
    for index in links.liveRows(on: PathSet(path), &context) {
      removeStall(index, obstacle, &context)
    }
  }

  /// A new connection meets what stands in the way of its network.
  @inline(__always)
  mutating func meetObstacles(_ index: Int, on path: PathIndex, _ context: inout Context) {
    if context.device.wakesTo != nil { addStall(index, .radioOff, &context) }
    guard !paths.rows.isEmpty, !paths[path].obstacles.isEmpty else { return }
    let obstacles = paths[path].obstacles
    if obstacles.contains(.uplinkDown) { context.markEffect(of: paths[path].uplinkCause) }
    if !obstacles.isDisjoint(with: [.requestsLost, .answersLost]) {
      context.markEffect(of: paths[path].lossCause)
    }
    addStall(index, obstacles, &context)
  }

  // MARK: Flows

  /// Nobody on the way knows the open flows of a network any more.
  ///
  /// - Parameters:
  ///   - path: the network.
  ///   - answer: what becomes of their packets.
  ///   - entry: the fault that is the reason; nil where it is none.
  ///   - context: what every part works with.
  mutating func forgetFlows(
    on path: PathIndex, _ answer: UnknownFlows, by entry: UInt32? = nil,
    _ context: inout Context
  ) {
    if quic != nil { return rebind(path, by: entry, &context) }
    for index in links.liveRows(on: PathSet(path), &context) where isOpen(index) {
      guard !links.connections[index].stall.contains(.unknownFlow),
        links.connections[index].unnoticedEnd == nil
      else { continue }
      context.markEffect(of: entry)
      switch answer {
      case .drop: addStall(index, .unknownFlow, &context)
      case .reset:
        links.change(index) { $0.unnoticedEnd = .everything }
        // Responses that wait behind an outage are retransmitted to an address that is gone.
        links.connections[index].inFlight = []
      }
    }
  }

  /// The device has another address on some networks; what is open has the old one, and hears of
  /// that what the transport hears of a path that was left.
  mutating func loseAddress(on paths: PathSet, _ context: inout Context) {
    let category = context.device.category
    let outcome = context.profile.transport.pathLoss.outcome(
      context.device.app, from: category, to: category)
    for index in links.liveRows(on: paths, &context) {
      switch outcome {
      case .stalls: addStall(index, .unknownFlow, &context)
      case .breaks: lose(index, .aborted, &context)
      }
    }
    if quic != nil { migrate(.left(paths), &context) }
  }

  // MARK: Sleep

  /// The radio is off, and the kernel's clocks stand still.
  mutating func turnRadioOff(_ context: inout Context) {
    for index in links.connections.indices where links.connections[index].phase.hasSocket {
      addStall(index, .radioOff, &context)
      guard links.connections[index].timeout != nil else { continue }
      let left = links.connections[index].timeoutDue.since(context.now)
      disarmTimeout(index, &context)
      links.connections[index].timeoutLeft = left
    }
  }

  /// The radio is on.
  ///
  /// If something else is in the way, the clock of what is not acknowledged continues with the time
  /// that was left.
  mutating func turnRadioOn(_ context: inout Context) {
    for index in links.connections.indices where links.connections[index].phase.hasSocket {
      removeStall(index, .radioOff, &context)
      guard let left = links.connections[index].timeoutLeft else { continue }
      links.connections[index].timeoutLeft = nil
      armTimeout(index, after: left, &context)
    }
  }

  // MARK: What comes again and again

  /// The uplink does nothing of itself any more.
  mutating func endUplinkTurns(_ path: PathIndex, _ context: inout Context) {
    if let turn = paths[path].uplinkReturns { context.agenda.cancel(turn) }
    if let turn = paths[path].uplinkLeaves { context.periodic.cancel(turn) }
    paths[path].uplinkReturns = nil
    paths[path].uplinkLeaves = nil
  }

  /// The router forgets nothing of itself any more.
  mutating func endForgetting(_ path: PathIndex, _ context: inout Context) {
    if let turn = paths[path].forgets { context.periodic.cancel(turn) }
    paths[path].forgets = nil
  }

  // MARK: Lingers

  /// A network goes down after a linger: at the beginning of that instant, as if an entry took it
  /// down, so that the callback precedes what connections report.
  mutating func linger(
    _ path: PathIndex, for linger: Interval, _ ending: NetworkEnding?, _ context: inout Context
  ) {
    stay(path, &context)
    paths[path].linger = context.agenda.schedule(
      .lingerEnds(path, ending), at: context.now + linger, .callback)
  }

  /// A network does not go down of itself any more.
  mutating func stay(_ path: PathIndex, _ context: inout Context) {
    guard let linger = paths[path].linger else { return }
    context.agenda.cancel(linger)
    paths[path].linger = nil
  }

  // MARK: Steady networks

  /// Whether nothing delays or loses packets on a path, and nothing will without another entry: it
  /// has no quality, and neither its uplink nor its router fails again and again.
  func isSteady(_ path: PathIndex?) -> Bool {
    guard let path else { return true }
    guard air?.shapes(path) != true else { return false }
    guard !paths.rows.isEmpty else { return true }
    return paths[path].uplinkLeaves == nil && paths[path].uplinkReturns == nil
      && paths[path].forgets == nil
  }

  /// Whether each connection in use answers pings in time, as far as entries alone can change that.
  var answersPings: Bool {
    guard links.unhealthy == 0 else { return false }
    guard air != nil || paths.rows.contains(where: { $0.forgets != nil || $0.uplinkLeaves != nil })
    else { return true }
    return links.connections.allSatisfy { $0.phase != .established || isSteady($0.path) }
  }
}
