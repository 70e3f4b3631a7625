import HandoverCore
import HandoverTrace

// How connections of QUIC go from network to network (RFC 9000, 9). Who calls one of these knows
// that connections are of QUIC.
extension Network {
  /// How long a sender waits at least for what was sent to be acknowledged, before it has measured
  /// anything (RFC 9002, 6.2.2).
  private static let firstProbeTimeout = Interval.seconds(1)
  /// How late an acknowledgement may be (RFC 9000, 18.2).
  private static let acknowledgementDelay = Interval.milliseconds(25)
  /// How many challenges are sent: at once, and after a probe time-out; after two more the
  /// validation is given up.
  private static let challengeCount = 2
  /// What stands in the way of a connection because of its path, and not because of its server.
  private static let causesOfPath: StallCauses = [
    .pathLeft, .captive, .uplinkDown, .requestsLost, .answersLost, .unknownFlow, .addressUnknown,
    .sendingFails, .receivingFails, .takenOver,
  ]

  // MARK: The device

  /// Why connections may have to be elsewhere.
  enum Occasion {
    /// The device has another default network, or its application goes on.
    case moved
    /// Some networks are gone, or have given the device another address.
    case left(PathSet)
    /// A network is there.
    case found(PathIndex)
  }

  /// Something has become of the device or its networks: connections that are elsewhere than new
  /// ones would be migrate, where the occasion is one for them.
  mutating func migrate(_ occasion: Occasion, _ context: inout Context) {
    guard let policy = context.profile.transport.migration, policy.followsDevice,
      context.device.app.runs
    else { return }
    context.looks += links.connections.count
    for index in links.connections.indices
    where links.connections[index].phase == .established {
      let target = context.route(to: links.connections[index].host)
      let isConcerned =
        switch occasion {
        case .moved: true
        case .left(let paths): isOn(paths, index)
        case .found(let path): path == target
        }
      if isConcerned { migrate(index, to: target, policy, &context) }
    }
  }

  /// Whether a connection is on one of some paths, or would like to be.
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
      giveConnectionID(index, context)
    }
    guard let target,
      target != links.connections[index].path
        || links.connections[index].stall.contains(.unknownFlow)
    else { return }
    guard policy.validatesPaths else {
      // What comes from the other socket is none of the connection's.
      return addStall(index, .unknownFlow, &context)
    }
    if let reason = obstacle(index, to: target, context.configuration.quic) {
      return context.record(.connectionPath(links.identifier(index), target, reason))
    }
    validate(index, target, &context)
  }

  /// Why a connection does not migrate to a path; nil where it does.
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

  /// The application is stopped, and answers nobody; the same identifier serves when it goes on.
  mutating func stopValidations() {
    for index in quic?.rows.indices ?? 0..<0 where quic?[index].validation != nil {
      quic?[index].validation = nil
      quic?[index].spareIDs += 1
    }
  }

  /// Whether the socket of a connection is on a path that is never validated.
  func isStuck(_ index: Int, _ context: borrowing Context) -> Bool {
    guard let quic, context.profile.transport.migration?.abandonsValidation == false else {
      return false
    }
    return quic.knows(links.identifier(index)) && quic[index].validation != nil
  }

  /// The peer gives another identifier for one that is not used any more, where it hears of that.
  private mutating func giveConnectionID(_ index: Int, _ context: borrowing Context) {
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

  /// How long an answer is waited for before the challenge is sent again: the larger of those of
  /// the former path and of a new one.
  private func probeTimeout(_ index: Int) -> Interval {
    max(Self.firstProbeTimeout, roundTrip(index) + Self.acknowledgementDelay)
  }

  /// How long a packet of a connection takes to its server, and the answer back.
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
    // A PATH_CHALLENGE elicits an acknowledgement (RFC 9000, 10.1).
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

  /// A challenge is there: the server answers it.
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

  /// The answer is there: the path is validated, and the connection is on it.
  mutating func responseArrives(
    _ connection: ConnectionID, _ number: UInt32, _ context: inout Context
  ) {
    let index = Int(connection.index)
    guard awaits(number, on: connection), let path = quic?[index].validation?.path,
      passes(index, over: path, .down, &context)
    else { return }
    // A server that has ended the connection says so to whatever it gets.
    if case .connectionLost(_, let failure)? = links.connections[index].inFlight.last {
      return lose(index, failure, &context)
    }
    quic?[index].validation = nil
    context.record(.connectionPath(connection, path, .validated))
    move(index, to: path, &context)
  }

  /// A challenge has had no answer for some time.
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
    giveConnectionID(index, context)
  }

  // MARK: The way

  /// Whether a path lets something of a connection pass in a direction.
  private mutating func passes(
    _ index: Int, over path: PathIndex, _ direction: Air.Direction, _ context: inout Context
  ) -> Bool {
    let standing = links.connections[index].stall.subtracting(Self.causesOfPath)
    guard standing.isEmpty, context.device.wakesTo == nil,
      context.device.pathsUp.contains(path)
    else { return false }
    guard !paths.rows.isEmpty else { return true }
    let obstacles = paths[path].obstacles
    let isHeld = direction == .up ? obstacles.holdsWrites : obstacles.holdsArrivals
    guard isHeld else { return true }
    if obstacles.contains(.uplinkDown) { context.markEffect(of: paths[path].uplinkCause) }
    if !obstacles.isDisjoint(with: [.requestsLost, .answersLost]) {
      context.markEffect(of: paths[path].lossCause)
    }
    return false
  }

  /// Whether a server reads what it is sent; over QUIC nobody acknowledges in its place.
  private mutating func serverAnswers(_ index: Int, _ context: inout Context) -> Bool {
    let host = Int(links.connections[index].host)
    guard links.hosts[host].server == .silent else { return true }
    context.markEffect(of: links.hosts[host].serverCause)
    return false
  }

  /// A connection is on another path from now on; what stood in its way on the former does no more.
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

// What still matters of what is on the agenda.
extension Network {
  /// Whether a connection still waits for the answer of a validation.
  func awaits(_ number: UInt32, on connection: ConnectionID) -> Bool {
    guard links.isAlive(connection), let quic, quic.knows(connection) else { return false }
    return quic[Int(connection.index)].awaits(number)
  }

  /// Whether the server of a connection still waits for the answer of its new address.
  func awaitsAddress(_ number: UInt32, on connection: ConnectionID) -> Bool {
    guard links.isAlive(connection), let quic, quic.knows(connection) else { return false }
    let row = quic[Int(connection.index)]
    return row.addressIsChallenged && row.addressNumber == number
  }
}
