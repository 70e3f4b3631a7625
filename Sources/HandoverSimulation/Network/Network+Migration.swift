import HandoverCore

// Migration of QUIC connections between networks (RFC 9000, 9). Call these functions only if the
// transport is QUIC.
extension Network {
  /// The probe timeout before the first round-trip measurement (RFC 9002, 6.2.2).
  private static let firstProbeTimeout = Interval.seconds(1)
  /// The maximum acknowledgment delay (RFC 9000, 18.2).
  private static let acknowledgementDelay = Interval.milliseconds(25)
  /// The number of challenges: one immediately, and one after a probe timeout.
  ///
  /// After two more probe timeouts the validation is abandoned.
  private static let challengeCount = 2
  /// The causes that belong to the path of a connection, and not to its server.
  private static let causesOfPath: StallCauses = [
    .pathLeft, .captive, .uplinkDown, .requestsLost, .answersLost, .unknownFlow, .addressUnknown,
    .sendingFails, .receivingFails, .takenOver,
  ]

  // MARK: The device

  /// The reason why connections may have to migrate.
  enum Occasion {
    /// The device has a new default network, or its application runs again.
    case moved
    /// Some networks are gone, or have given the device a new address.
    case left(PathSet)
    /// A network has become available.
    case found(PathIndex)
  }

  /// Migrates connections that are on a different path than new connections would be, if the
  /// occasion affects them.
  mutating func migrate(_ occasion: Occasion, _ context: inout Context) {
    guard let policy = context.profile.transport.migration, policy.followsDevice,
      context.device.app.runs
    else { return }
    context.looks += links.connections.count
    for index in links.connections.indices
    where links.connections[index].phase == .established {
      let target = context.route(to: links.connections[index].host)
      let isAffected =
        switch occasion {
        case .moved: true
        case .left(let paths): isOn(paths, index)
        case .found(let path): path == target
        }
      if isAffected { migrate(index, to: target, policy, &context) }
    }
  }

  /// Returns whether a connection is on one of the paths, or is validating one of them.
  private func isOn(_ paths: PathSet, _ index: Int) -> Bool {
    let own = [links.connections[index].path, quic?[index].validation?.path]
    return own.contains { $0.map(paths.contains) == true }
  }

  private mutating func migrate(
    _ index: Int, to target: PathIndex?, _ policy: MigrationPolicy, _ context: inout Context
  ) {
    if let validation = quic?[index].validation {
      guard validation.path != target, policy.abandonsValidation else { return }
      quic?[index].validation = nil
      context.record(
        .connectionPath(links.identifier(index), validation.path, .validationAbandoned))
      assignConnectionID(index, context)
    }
    guard let target,
      target != links.connections[index].path
        || links.connections[index].stall.contains(.unknownFlow)
    else { return }
    guard policy.validatesPaths else {
      // Packets on the other socket do not belong to the connection.
      return addStall(index, .unknownFlow, &context)
    }
    if let reason = obstacle(index, to: target, context.configuration.quic) {
      return context.record(.connectionPath(links.identifier(index), target, reason))
    }
    validate(index, target, &context)
  }

  /// Returns why a connection cannot migrate to a path, or `nil` if it can.
  private func obstacle(
    _ index: Int, to path: PathIndex, _ configuration: QUICConfiguration
  ) -> PathEvent? {
    guard let row = quic?[index] else { return nil }
    if configuration.migration == .refused { return .migrationRefused }
    if row.migrationCount(to: path) >= configuration.maximumMigrations {
      return .migrationLimitReached
    }
    return row.spareIDs == 0 ? .connectionIDsUsedUp : nil
  }

  /// Stops all validations, because the application is suspended.
  ///
  /// Each connection gets its identifier back for later use.
  mutating func stopValidations() {
    for index in quic?.rows.indices ?? 0..<0 where quic?[index].validation != nil {
      quic?[index].validation = nil
      quic?[index].spareIDs += 1
    }
  }

  /// Returns whether the socket of a connection is on a path whose validation never ends.
  func isStuck(_ index: Int, _ context: borrowing Context) -> Bool {
    guard let quic, context.profile.transport.migration?.abandonsValidation == false else {
      return false
    }
    return quic.knows(links.identifier(index)) && quic[index].validation != nil
  }

  /// Gives the connection a new identifier for one that is no longer used, if its peer can learn of
  /// that.
  private mutating func assignConnectionID(_ index: Int, _ context: borrowing Context) {
    guard links.connections[index].stall.isEmpty else { return }
    quic?[index].spareIDs += 1
  }

  // MARK: Validation

  private mutating func validate(_ index: Int, _ path: PathIndex, _ context: inout Context) {
    guard let number = quic?[index].beginValidation(of: path) else { return }
    quic?[index].spareIDs -= 1
    challenge(index, number, path, &context)
    context.schedule(
      .validationTimer(links.identifier(index), number: number),
      after: probeTimeout(index))
  }

  /// Returns the time until the challenge is sent again: the larger of the probe timeouts of the
  /// current path and of a new path.
  private func probeTimeout(_ index: Int) -> Interval {
    max(Self.firstProbeTimeout, roundTrip(index) + Self.acknowledgementDelay)
  }

  /// Returns the round-trip time of a connection to its server.
  func roundTrip(_ index: Int) -> Interval {
    let connect = links.hosts[Int(links.connections[index].host)].connect
    guard let path = links.connections[index].path, let air, air.shapes(path) else {
      return connect
    }
    return connect + air.paths[Int(path.index)].roundTrip
  }

  private mutating func challenge(
    _ index: Int, _ number: UInt32, _ path: PathIndex, _ context: inout Context
  ) {
    let connection = links.identifier(index)
    quic?[index].validation?.challengeCount += 1
    // A PATH_CHALLENGE elicits an acknowledgment (RFC 9000, 10.1).
    noteSent(index, &context)
    context.record(.connectionPath(connection, path, .challenged))
    guard passes(index, over: path, .up, &context) else { return }
    var there = context.now
    if air?.shapes(path) == true {
      guard let arrival = air?.probe(.up, path, at: context.now) else { return }
      there = arrival
    }
    context.agenda.schedule(
      .challengeArrives(connection, number: number),
      at: there + links.hosts[Int(links.connections[index].host)].connect, .transport)
  }

  /// Delivers a challenge to the server, which responds to it.
  mutating func challengeArrives(
    _ connection: ConnectionID, _ number: UInt32, _ context: inout Context
  ) {
    let index = Int(connection.index)
    guard awaits(number, on: connection), let path = quic?[index].validation?.path,
      serverAnswers(index, &context)
    else { return }
    guard air?.shapes(path) == true else {
      return responseArrives(connection, number, &context)
    }
    guard let there = air?.probe(.down, path, at: context.now) else { return }
    context.agenda.schedule(
      .responseArrives(connection, number: number), at: there, .transport)
  }

  /// Delivers the response to a challenge.
  ///
  /// The path is validated, and the connection migrates to it.
  mutating func responseArrives(
    _ connection: ConnectionID, _ number: UInt32, _ context: inout Context
  ) {
    let index = Int(connection.index)
    guard awaits(number, on: connection), let path = quic?[index].validation?.path,
      passes(index, over: path, .down, &context)
    else { return }
    // A server that has ended the connection announces that in response to any packet.
    if case .connectionLost(_, let failure)? = links.connections[index].inFlight.last {
      return lose(index, failure, &context)
    }
    quic?[index].validation = nil
    context.record(.connectionPath(connection, path, .validated))
    move(index, to: path, &context)
  }

  /// Handles a challenge that had no response in time.
  mutating func validationTimer(
    _ connection: ConnectionID, _ number: UInt32, _ context: inout Context
  ) {
    let index = Int(connection.index)
    guard awaits(number, on: connection), let validation = quic?[index].validation else { return }
    guard validation.challengeCount >= Self.challengeCount else {
      challenge(index, number, validation.path, &context)
      let timeout = probeTimeout(index)
      context.schedule(
        .validationTimer(connection, number: number), after: timeout + timeout)
      return
    }
    guard context.profile.transport.migration?.abandonsValidation == true else { return }
    quic?[index].validation = nil
    context.record(.connectionPath(connection, validation.path, .validationFailed))
    assignConnectionID(index, context)
  }

  // MARK: The path

  /// Returns whether a connection's packets can pass over a path in a direction.
  private mutating func passes(
    _ index: Int, over path: PathIndex, _ direction: LinkSimulator.Direction,
    _ context: inout Context
  ) -> Bool {
    let standing = links.connections[index].stall.subtracting(Self.causesOfPath)
    guard standing.isEmpty, context.device.stateAfterWake == nil,
      context.device.pathsUp.contains(path)
    else { return false }
    guard !paths.rows.isEmpty else { return true }
    let obstacles = paths[path].obstacles
    let isHeld = direction == .up ? obstacles.holdsWrites : obstacles.holdsArrivals
    guard isHeld else { return true }
    if obstacles.contains(.uplinkDown) { context.markEffect(of: paths[path].uplinkCause) }
    if !obstacles.isDisjoint(with: .losses) {
      context.markEffect(of: paths[path].lossCause)
    }
    return false
  }

  /// Returns whether a server reads received packets.
  ///
  /// Over QUIC, no kernel acknowledges in its place.
  private mutating func serverAnswers(_ index: Int, _ context: inout Context) -> Bool {
    let host = Int(links.connections[index].host)
    guard links.hosts[host].server == .silent else { return true }
    context.markEffect(of: links.hosts[host].serverCause)
    return false
  }

  /// Moves a connection to another path, and removes the stall causes of its former path.
  private mutating func move(_ index: Int, to path: PathIndex, _ context: inout Context) {
    quic?[index].countMigration(to: path)
    quic?[index].spareIDs += 1
    quic?[index].addressIsChallenged = false
    quic?[index].challengeIsUnread = false
    links.connections[index].path = path
    links.noteRow(index, on: path)
    context.record(.connectionPath(links.identifier(index), path, .migrated))
    let obstacles: StallCauses = paths.rows.isEmpty ? [] : paths[path].obstacles
    if !obstacles.isEmpty { addStall(index, obstacles, &context) }
    noteReceived(index, &context)
    removeStall(index, Self.causesOfPath.subtracting(obstacles), &context)
  }
}

// Whether events on the agenda still matter.
extension Network {
  /// Returns whether a connection still waits for the response to a validation.
  func awaits(_ number: UInt32, on connection: ConnectionID) -> Bool {
    guard links.isAlive(connection), let quic, quic.knows(connection) else { return false }
    return quic[Int(connection.index)].awaits(number)
  }

  /// Returns whether the server of a connection still waits for a response from the client's new
  /// address.
  func awaitsAddress(_ number: UInt32, on connection: ConnectionID) -> Bool {
    guard links.isAlive(connection), let quic, quic.knows(connection) else { return false }
    let row = quic[Int(connection.index)]
    return row.addressIsChallenged && row.addressNumber == number
  }
}
