import HandoverCore

// The effects of network changes on the connections of a network.
extension Network {
  /// Resumes the connections that were made on a network, because the network is back.
  mutating func returns(_ path: PathIndex, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context) where !isStuck(index, context) {
      removeStall(index, [.pathLeft], &context)
    }
    if quic != nil { migrate(.found(path), &context) }
  }

  /// Ends the connections on a network as its ending defines, regardless of the transport's policy
  /// for lost paths.
  ///
  /// A reset does not apply to QUIC connections.
  mutating func die(_ path: PathIndex, _ ending: NetworkEnding, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context) {
      switch quic == nil ? ending : .silent {
      case .silent: addStall(index, .pathLeft, &context)
      case .reset: lose(index, .reset, &context)
      }
    }
    if quic != nil { migrate(.left(PathSet(path)), &context) }
  }

  /// Adds a stall cause to a network and all its connections.
  ///
  /// If the cause is a fault, `entry` is its entry. The fault has an effect if it affects a
  /// connection.
  mutating func obstruct(
    _ path: PathIndex, _ obstacle: StallCauses, by entry: UInt32?, _ context: inout Context
  ) {
    if obstacle == .uplinkDown { paths[path].uplinkCause = entry }
    if !obstacle.isDisjoint(with: .losses) { paths[path].lossCause = entry }
    guard !paths[path].obstacles.contains(obstacle) else { return }
    paths[path].obstacles.insert(obstacle)
    for index in links.liveRows(on: PathSet(path), &context) {
      context.markEffect(of: entry)
      addStall(index, obstacle, &context)
    }
  }

  /// Removes a stall cause from a network, and resumes its connections.
  mutating func clear(_ path: PathIndex, _ obstacle: StallCauses, _ context: inout Context) {
    guard !paths[path].obstacles.isDisjoint(with: obstacle) else { return }
    paths[path].obstacles.subtract(obstacle)
    if obstacle == .uplinkDown { paths[path].uplinkCause = nil }
    if paths[path].obstacles.isDisjoint(with: .losses) { paths[path].lossCause = nil }
    for index in links.liveRows(on: PathSet(path), &context) {
      removeStall(index, obstacle, &context)
    }
  }

  /// Applies the stall causes of a network to a new connection.
  mutating func applyObstacles(_ index: Int, on path: PathIndex, _ context: inout Context) {
    if context.device.stateAfterWake != nil { addStall(index, .radioOff, &context) }
    guard !paths.rows.isEmpty, !paths[path].obstacles.isEmpty else { return }
    let obstacles = paths[path].obstacles
    if obstacles.contains(.uplinkDown) { context.markEffect(of: paths[path].uplinkCause) }
    if !obstacles.isDisjoint(with: .losses) {
      context.markEffect(of: paths[path].lossCause)
    }
    addStall(index, obstacles, &context)
  }

  // MARK: Flows

  /// Makes the router of a network lose the state of all open flows.
  ///
  /// - Parameters:
  ///   - path: the network.
  ///   - answer: what happens to packets of these flows.
  ///   - entry: the fault that is the cause, or `nil` if no fault is.
  ///   - context: the state that all parts of the world share.
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
        // The router cannot deliver retransmitted responses after an outage, because the address is
        // gone.
        links.connections[index].inFlight = []
      }
    }
  }

  /// Gives the device new addresses on some networks.
  ///
  /// Open connections keep the old address. Their transport reports the same as if the device had
  /// left the path.
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

  /// Turns the radio off and stops the kernel's timers.
  ///
  /// Answers of name servers are lost.
  mutating func turnRadioOff(_ context: inout Context) {
    context.looks += links.connections.count
    for index in links.connections.indices { cancelAnswer(index, &context) }
    for index in links.connections.indices where links.connections[index].phase.hasSocket {
      addStall(index, .radioOff, &context)
      guard links.connections[index].timeout != nil else { continue }
      let left = links.connections[index].timeoutDue.since(context.now)
      disarmTimeout(index, &context)
      links.connections[index].timeoutLeft = left
    }
  }

  /// Turns the radio on.
  ///
  /// If another cause stalls a connection, its timeout continues with the time that was left. The
  /// system repeats pending lookups.
  mutating func turnRadioOn(_ context: inout Context) {
    context.looks += links.connections.count
    if asksNetworks { askAgain(&context) }
    for index in links.connections.indices where links.connections[index].phase.hasSocket {
      removeStall(index, .radioOff, &context)
      guard let left = links.connections[index].timeoutLeft else { continue }
      links.connections[index].timeoutLeft = nil
      armTimeout(index, after: left, &context)
    }
  }

  // MARK: Steady networks

  /// Returns whether a path neither delays nor loses packets, now and until the next entry.
  ///
  /// Such a path has no quality, and neither its uplink nor its router fails periodically.
  func isSteady(_ path: PathIndex?) -> Bool {
    guard let path else { return true }
    guard air?.shapes(path) != true else { return false }
    return !paths.changing.contains(path)
  }

  /// Whether every connection in use answers pings in time, and only an entry can change that.
  var answersPings: Bool {
    guard links.unhealthy == 0 else { return false }
    guard air != nil || !paths.changing.isEmpty else { return true }
    return links.connections.allSatisfy { $0.phase != .established || isSteady($0.path) }
  }
}
