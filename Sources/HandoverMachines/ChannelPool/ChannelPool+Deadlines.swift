/// The kinds of deadline a client can have.
@frozen
public struct DeadlineKinds: OptionSet, Hashable, Sendable {
  /// One bit for each kind.
  public let rawValue: UInt8

  /// Takes one bit for each kind.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Deadlines of calls.
  @inlinable public static var calls: DeadlineKinds { DeadlineKinds(rawValue: 1) }
  /// The ends of connection attempts, and of backoffs that a call waits for.
  @inlinable public static var attempts: DeadlineKinds { DeadlineKinds(rawValue: 2) }
  /// The destruction of unused channels.
  @inlinable public static var unused: DeadlineKinds { DeadlineKinds(rawValue: 4) }
  /// Pings, and the waits for their answers.
  @inlinable public static var keepalive: DeadlineKinds { DeadlineKinds(rawValue: 8) }
  /// All of them.
  @inlinable public static var all: DeadlineKinds { [.calls, .attempts, .unused, .keepalive] }
}

extension ChannelPool {
  /// The instant from which the passing of time would change something.
  @inlinable
  public var nextDeadline: Instant? { nextDeadline(among: .all) }

  /// The earliest deadline of some kinds; nil where there is none.
  @inlinable
  public func nextDeadline(among kinds: DeadlineKinds) -> Instant? {
    var earliest = Instant.never
    if kinds.contains(.calls) { earliest = callDeadlines.earliest }
    if kinds.contains(.attempts) { earliest = min(earliest, attemptDeadlines.earliest) }
    if kinds.contains(.unused) { earliest = min(earliest, unusedDeadlines.earliest) }
    if kinds.contains(.keepalive) { earliest = min(earliest, keepaliveDeadlines.earliest) }
    return earliest == .never ? nil : earliest
  }

  @usableFromInline
  mutating func nextOrder() -> UInt64 {
    armed += 1
    return armed
  }

  /// Fires what is due, one by one: in the order of falling due, then of having been armed.
  @usableFromInline
  mutating func fireDueDeadlines(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    // Nothing that is due later, but for the defect.
    let last = configuration.defects.contains(.earlyTimers) ? now + .milliseconds(1) : now
    while let (kind, entry) = earliestDeadline(), entry.due <= last {
      switch kind {
      case .calls:
        end(entry.row, .deadlineExceeded, by: .client, at: now, into: &effects)
      case .attempts:
        fireAttempt(entry.row, at: now, into: &effects)
      case .unused:
        unusedDeadlines.disarm(entry.row)
        destroy(entry.row, .unused, at: now, into: &effects)
      case .keepalive:
        fireKeepalive(entry.row, due: entry.due, at: now, into: &effects)
      }
    }
  }

  private enum Kind {
    case calls
    case attempts
    case unused
    case keepalive
  }

  private func earliestDeadline() -> (Kind, DeadlineQueue.Entry)? {
    var earliest: (Kind, DeadlineQueue.Entry)?
    func consider(_ kind: Kind, _ entry: DeadlineQueue.Entry?) {
      guard let entry else { return }
      if let best = earliest, !entry.precedes(best.1) { return }
      earliest = (kind, entry)
    }
    consider(.calls, callDeadlines.first)
    consider(.attempts, attemptDeadlines.first)
    consider(.unused, unusedDeadlines.first)
    consider(.keepalive, keepaliveDeadlines.first)
    return earliest
  }

  private mutating func fireAttempt(
    _ index: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    attemptDeadlines.disarm(index)
    switch endpoints[Int(index)].state {
    case .connecting:
      let connection = endpoints[Int(index)].connection
      effects.append(.closeConnection(connections.id(connection)))
      attemptFailed(connection, .connectTimedOut, at: now, into: &effects)
    case .idle, .transientFailure:
      startAttempt(index, at: now, into: &effects)
    case .ready, .shutdown:
      preconditionFailure("only an attempt or a backoff has this deadline")
    }
  }
}

// Keepalive (B6, B7).
extension ChannelPool {
  /// Pings that may be sent before the client must send data (B6).
  static let maximumPingsWithoutData: UInt8 = 2

  /// How late a client that runs may notice a deadline; when the delay is longer it did not run.
  static let longestDelay = Interval.seconds(1)

  @inline(__always)
  private func keepalive(of connection: UInt32) -> KeepaliveConfiguration? {
    guard connections[connection].hasKeepalive else { return nil }
    return settings[Int(endpoints[Int(connections[connection].endpoint)].settings)].keepalive
  }

  /// Arms the next ping; none without calls unless permitted, and none past the ping limit.
  @inline(__always)
  mutating func armKeepalive(_ connection: UInt32, at now: Instant) {
    guard let rules = keepalive(of: connection) else { return }
    let row = connections[connection]
    guard row.callCount > 0 || rules.withoutCalls, !row.awaitsPong,
      row.pingsWithoutData < Self.maximumPingsWithoutData
    else { return }
    keepaliveDeadlines.arm(
      connection, due: max(row.lastRead + rules.time, now), order: nextOrder())
  }

  mutating func disarmKeepaliveWithoutCalls(_ connection: UInt32) {
    guard let rules = keepalive(of: connection), !rules.withoutCalls,
      !connections[connection].awaitsPong
    else { return }
    keepaliveDeadlines.disarm(connection)
  }

  /// The client sent data on the connection: a request, a message, or the end of requests.
  ///
  /// These are HEADERS and DATA frames; RST_STREAM is neither (B6).
  mutating func noteSent(_ connection: UInt32, at now: Instant) {
    guard connections[connection].hasKeepalive else { return }
    connections[connection].pingsWithoutData = 0
    if configuration.defects.contains(.pingsPutOff) { noteRead(connection, at: now) }
    if !keepaliveDeadlines.isArmed(connection) { armKeepalive(connection, at: now) }
  }

  /// Something was read from the connection: it lives.
  mutating func noteRead(_ connection: UInt32, at now: Instant) {
    guard connections[connection].hasKeepalive else { return }
    connections[connection].lastRead = now
    connections[connection].awaitsPong = false
    keepaliveDeadlines.disarm(connection)
    armKeepalive(connection, at: now)
  }

  /// Something was read from a connection that a call does not report: a pong, or bytes of a call
  /// that has ended.
  @usableFromInline
  mutating func readSomething(from connection: ConnectionID, at now: Instant) {
    guard connections.isLive(connection) else { return }
    noteRead(connection.index, at: now)
  }

  private mutating func fireKeepalive(
    _ connection: UInt32, due: Instant, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    keepaliveDeadlines.disarm(connection)
    guard let rules = keepalive(of: connection) else { return }
    if !configuration.defects.isEmpty, misses(keepaliveOf: connection, into: &effects) { return }
    let isOverdue = due + Self.longestDelay < now
    if connections[connection].awaitsPong, isOverdue, rules.overduePing == .waitAgain {
      keepaliveDeadlines.arm(connection, due: now + rules.timeout, order: nextOrder())
    } else if connections[connection].awaitsPong {
      effects.append(.closeConnection(connections.id(connection)))
      broken(connection, .keepaliveTimeout, at: now, into: &effects)
    } else {
      connections[connection].awaitsPong = true
      connections[connection].pingsWithoutData += 1
      effects.append(.sendPing(connections.id(connection)))
      keepaliveDeadlines.arm(connection, due: now + rules.timeout, order: nextOrder())
    }
  }

  /// Wrongly does something else than to ping a connection, or to give it up.
  ///
  /// - Returns: whether that was all.
  private mutating func misses(
    keepaliveOf connection: UInt32, into effects: inout EffectLog<ClientEffect>
  ) -> Bool {
    let defects = configuration.defects
    guard connections[connection].awaitsPong else {
      return defects.contains(.unpingedDraining) && connections[connection].phase == .draining
    }
    if defects.contains(.drainedByKeepalive) {
      drain(connections.id(connection), into: &effects)
      return true
    }
    if defects.contains(.keptByKeepalive) {
      effects.append(.closeConnection(connections.id(connection)))
      return true
    }
    return false
  }
}
