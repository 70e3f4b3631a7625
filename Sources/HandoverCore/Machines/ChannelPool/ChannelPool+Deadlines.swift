/// The kinds of deadline that a client can have.
@frozen
public struct DeadlineKinds: OptionSet, Hashable, Sendable {
  /// One bit per kind.
  public let rawValue: UInt8

  /// Creates a set from one bit per kind.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Deadlines of calls.
  @inlinable public static var calls: DeadlineKinds { DeadlineKinds(rawValue: 1) }
  /// Timeouts of connection attempts, and ends of backoffs for which a call waits.
  @inlinable public static var attempts: DeadlineKinds { DeadlineKinds(rawValue: 2) }
  /// Destructions of unused channels.
  @inlinable public static var unused: DeadlineKinds { DeadlineKinds(rawValue: 4) }
  /// Pings, and timeouts of their answers.
  @inlinable public static var keepalive: DeadlineKinds { DeadlineKinds(rawValue: 8) }
  /// All kinds.
  @inlinable public static var all: DeadlineKinds { [.calls, .attempts, .unused, .keepalive] }
}

extension ChannelPool {
  /// The instant from which the passing of time would change something, or `nil` if there is none.
  @inlinable
  public var nextDeadline: Instant? { nextDeadline(among: .all) }

  /// Returns the earliest deadline of some kinds, or `nil` if there is none.
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

  /// Fires all due deadlines one by one, ordered by their due time, and then by when they were
  /// armed.
  @usableFromInline
  mutating func fireDueDeadlines(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    while let (kind, entry) = earliestDeadline(), entry.due <= now {
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
      preconditionFailure(
        "the channel has an attempt deadline, but neither an attempt nor a backoff")
    }
  }
}

// MARK: Keepalive (B6, B7)
extension ChannelPool {
  /// The maximum number of pings without sent data in between (B6).
  static let maximumPingsWithoutData: UInt8 = 2

  /// The maximum delay with which a running client notices a deadline; after a longer delay, the
  /// client was suspended.
  static let longestDelay = Interval.seconds(1)

  private func keepalive(of connection: UInt32) -> KeepaliveConfiguration? {
    guard connections[connection].hasKeepalive else { return nil }
    return settings[Int(endpoints[Int(connections[connection].endpoint)].settings)].keepalive
  }

  /// Arms the next ping.
  ///
  /// A connection without calls gets no ping unless ``KeepaliveConfiguration/withoutCalls`` is set.
  /// A connection that has reached the ping limit gets none either.
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

  /// Records that the client sent data on the connection: a request, a message, or its end.
  ///
  /// These are HEADERS and DATA frames; RST_STREAM is neither (B6).
  mutating func noteSent(_ connection: UInt32, at now: Instant) {
    guard connections[connection].hasKeepalive else { return }
    connections[connection].pingsWithoutData = 0
    if !keepaliveDeadlines.isArmed(connection) { armKeepalive(connection, at: now) }
  }

  /// Records that data was read from the connection, which shows that it works.
  mutating func noteRead(_ connection: UInt32, at now: Instant) {
    guard connections[connection].hasKeepalive else { return }
    connections[connection].lastRead = now
    connections[connection].awaitsPong = false
    keepaliveDeadlines.disarm(connection)
    armKeepalive(connection, at: now)
  }

  /// Records incoming data that belongs to no live call: a pong, or bytes of a call that has ended.
  @usableFromInline
  mutating func receiveData(from connection: ConnectionID, at now: Instant) {
    // A connection that is not established has no keepalive yet, whatever the transport reports.
    guard connections.isLive(connection), connections[connection.index].phase != .connecting
    else { return }
    noteRead(connection.index, at: now)
  }

  private mutating func fireKeepalive(
    _ connection: UInt32, due: Instant, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    keepaliveDeadlines.disarm(connection)
    guard let rules = keepalive(of: connection) else { return }
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
}
