import HandoverCore

/// The facts about the connections to one server, or about all connections together.
struct EndpointFacts {
  /// The server, or `nil` for all connections together.
  let endpoint: ServerEndpoint?
  /// The server that replaced this server, or `nil` if no server did.
  var replacement: ServerEndpoint?
  /// The rhythm without a network change.
  let rhythm: StreamRhythm
  let silence: Interval
  /// The part of the silence that neither the rhythm nor the outage explains.
  let excess: Interval
  /// The unexplained part of the silence that lasts until the end.
  let lastExcess: Interval
  /// The instant of the first application data on a working connection, or `nil` if there was none.
  let recovered: Instant?
  let pendingWork: [PendingWork]
  private let move: MoveFacts
  private let connections: [SeenConnection]
  private let before: [SeenConnection]
  private let after: [SeenConnection]
  private let payload: [Instant]

  init(
    _ endpoint: ServerEndpoint?, _ connections: [SeenConnection], _ rhythm: StreamRhythm,
    _ move: MoveFacts
  ) {
    self.endpoint = endpoint
    self.rhythm = rhythm
    self.move = move
    self.connections = connections
    before = connections.filter(move.precedesChange)
    after = connections.filter { $0.opened >= move.moved }
    let payload = connections.flatMap(\.payload).sorted()
    self.payload = payload
    recovered = move.firstData(of: connections)
    let last = payload.last { $0 < move.moved } ?? move.moved
    let end = move.observation.lastLife
    let within = [last] + payload.filter { $0 > last && $0 <= end }
    let gaps = Array(zip(within, within.dropFirst() + [end]))
    func excess(_ gap: (Instant, Instant)) -> Interval {
      let explained = rhythm.longestGap + move.outage(within: gap.0, gap.1)
      return Interval(
        microseconds: max(0, gap.1.since(gap.0).microseconds - explained.microseconds))
    }
    silence = gaps.map { $1.since($0) }.max() ?? .zero
    self.excess = gaps.map(excess).max() ?? .zero
    lastExcess = gaps.last.map(excess) ?? .zero
    pendingWork = OutstandingWork(connections, move).pendingWork
  }

  /// The server by which reports name these connections, or `nil` if there are several.
  var name: ServerEndpoint? {
    if let endpoint { return endpoint }
    if let dead = deadConnections.first { return dead.endpoint }
    let first = connections.first?.endpoint
    return connections.allSatisfy { $0.endpoint == first } ? first : nil
  }

  // MARK: Data

  /// Whether application data comes often enough, even after the change, that its absence is
  /// noticed.
  var hasFrequentData: Bool {
    rhythm.isKnown && rhythm.hasPayload(after: move.offset(of: move.moved) + TryJudge.slack)
  }

  /// The instants at which the program tried to reach the server after the change.
  var attempts: [Instant] {
    // Bytes that a program sends as it releases a connection, such as a TLS close, do not count.
    let sent = connections.filter(\.isHeld).flatMap(\.sent).filter { $0 >= move.moved }
    return after.map(\.opened) + sent + move.unattachedAttempts
  }

  var deadAttempts: Int { after.count { $0.isTCP && !$0.isAnswered } }

  // MARK: Connections

  /// The connections that the program does not usually release this early.
  private var lasting: [SeenConnection] {
    before.filter { connection in
      rhythm.releasedCount == 0
        || move.moved.since(connection.opened) > rhythm.longestLife + TryJudge.slack
    }
  }

  /// Whether only short connections were open when the network changed.
  var isShortLived: Bool { rhythm.releasedCount > 0 && lasting.isEmpty }

  /// Whether the program or its server ended a lasting connection that carried no data after the
  /// network change, or whose data a new connection had taken over.
  var endsConnections: Bool { lost.contains { !$0.isHeld } || replacesConnection }

  /// Whether a lasting connection that continued ended after data had arrived on a new connection.
  ///
  /// A program that also closes connections without a change may have other reasons.
  private var replacesConnection: Bool {
    guard rhythm.releasedCount == 0, let first = move.firstData(of: after) else { return false }
    return lasting.contains { connection in
      connection.isTCP && move.hasDataAfter(connection)
        && connection.released.map { $0 > first } ?? false
    }
  }

  /// Whether a lasting connection ended or is dead.
  var losesConnections: Bool { lost.contains { !$0.isHeld || !move.works($0) } }

  private var lost: [SeenConnection] {
    lasting.filter { $0.isTCP && !move.hasDataAfter($0) }
  }

  /// Whether a connection from before the change carried data after it.
  var hasSurvivor: Bool { before.contains(where: move.survives) }

  /// Whether the program uses a new connection although an old one works and is still open.
  var abandonsConnection: Bool {
    let kept = lasting.filter { $0.isTCP && $0.isHeld && move.works($0) }
    let isUnread = kept.contains { $0.outstanding(\.unread) > 0 }
    let isUnused = !kept.isEmpty && !lasting.contains(where: move.survives)
    return (isUnread || isUnused) && after.contains(where: move.hasDataAfter)
  }

  var deadConnections: [SeenConnection] { connections.filter(move.isLeftDead) }

  /// Returns the working connection, and its flow, on which application data arrived at an instant.
  func carrier(at instant: Instant) -> (connection: SeenConnection, flow: Flow)? {
    for connection in connections {
      if let seen = connection.flows.first(where: {
        move.works($0) && $0.payload.contains(instant)
      }) {
        return (connection, seen.flow)
      }
    }
    return nil
  }

  // MARK: Rate

  /// The shortest time over which rates are compared.
  private static let leastSpan = Interval.seconds(5)
  /// The least number of arrivals within that time in the unmodified run.
  private static let leastCount = 5
  /// The highest rate per second that counts as messages; above it, the network sets the rate of a
  /// transfer.
  private static let mostMessages = 100
  /// The number of bytes in a server's socket above which the network, not the server, sets the
  /// rate.
  private static let backlog = 4_096

  /// The rates of application data without and with the change, in tenths per second.
  ///
  /// The value is `nil` if the times are too short to compare.
  var rates: (before: Int, after: Int)? {
    guard let compared else { return nil }
    let now = payload.count { $0 >= compared.start && $0 < compared.end }
    let length = compared.end.since(compared.start).microseconds
    func tenths(_ count: Int) -> Int { Int((Int64(count) * 10_000_000 + length / 2) / length) }
    return (tenths(compared.usual), tenths(now))
  }

  /// The time over which rates are compared, and the number of arrivals in that time without the
  /// change.
  ///
  /// The value is `nil` if the times are too short to compare.
  private var compared: (start: Instant, end: Instant, usual: Int)? {
    guard let recovered else { return nil }
    let start = max(recovered, move.restored)
    let from = move.offset(of: start)
    let to = min(move.offset(of: move.observation.lastLife), rhythm.span)
    let length = to.microseconds - from.microseconds
    guard length >= Self.leastSpan.microseconds else { return nil }
    let usual = rhythm.count(from: from, to: to)
    guard usual >= Self.leastCount else { return nil }
    return (start, start + Interval(microseconds: length), usual)
  }

  /// Whether at least half of the usual bytes arrive, in fewer and larger segments.
  ///
  /// On a network that loses packets, TCP repeats several lost messages in one segment.
  private var areMessagesJoined: Bool {
    let flows = connections.flatMap(\.flows).map(\.flow)
    let sizes = flows.flatMap { $0.arrivedBytes(from: .zero, to: move.moved) }.sorted()
    guard let compared, !sizes.isEmpty else { return false }
    let arrived = flows.flatMap { $0.arrivedBytes(from: compared.start, to: compared.end) }
    return arrived.reduce(0, +) * 2 >= compared.usual * sizes[sizes.count / 2]
  }

  /// Whether the rate of the data that the server sends without a request has dropped to less than
  /// half.
  ///
  /// The network sets the rate of responses, and of data that queues in the server.
  var isDegraded: Bool {
    guard let rates, rates.after * 2 < rates.before, rates.before <= Self.mostMessages * 10,
      !areMessagesJoined
    else { return false }
    let isAsked = rhythm.sent.count * 2 > rhythm.payload.count
    return !isAsked && OutstandingWork(connections, move).owedBytes <= Self.backlog
  }
}

/// The work that is outstanding on some connections at the end of the observation.
struct OutstandingWork {
  private let connections: [SeenConnection]
  private let move: MoveFacts

  init(_ connections: [SeenConnection], _ move: MoveFacts) {
    self.connections = connections
    self.move = move
  }

  /// The number of bytes that servers have yet to deliver on connections that the program holds.
  var owedBytes: Int {
    connections.filter { $0.isTCP && $0.isHeld }.reduce(0) { $0 + $1.outstanding(owed) }
  }

  var pendingWork: [PendingWork] {
    let held = connections.filter { $0.isTCP && $0.isHeld }
    func sum(_ some: [SeenConnection], _ bytes: (SeenFlow) -> Int) -> Int {
      some.reduce(0) { $0 + $1.outstanding(bytes) }
    }
    var pendingWork: [PendingWork] = []
    let sent = sum(held, \.flow.unacknowledgedByServer)
    if sent > 0 { pendingWork.append(.unacknowledged(bytes: sent)) }
    let undelivered = sum(held.filter { !move.works($0) }, owed)
    if undelivered > 0 { pendingWork.append(.undelivered(bytes: undelivered)) }
    let unread = sum(held.filter(move.works)) { owed(to: $0) + $0.unread }
    if unread > 0 { pendingWork.append(.unread(bytes: unread)) }
    let connecting = held.count { !$0.isAnswered }
    if connecting > 0 { pendingWork.append(.connecting(count: connecting)) }
    let datagrams = connections.flatMap(\.flows).map(\.flow).filter { $0.transport == .udp }
    let unanswered = datagrams.map { Self.count(of: $0.sentAt, after: $0.received.last) }
    if let most = unanswered.max(), most > 0 { pendingWork.append(.unanswered(count: most)) }
    if let most = datagrams.map(undeliveredCount).max(), most > 0 {
      pendingWork.append(.undeliveredDatagrams(count: most))
    }
    return pendingWork
  }

  /// Returns how many bytes a server has yet to deliver, according to its packets and its socket.
  private func owed(to seen: SeenFlow) -> Int {
    let sent = atServer(seen.flow)?.unacknowledgedByDevice ?? 0
    let queued =
      move.observation.serverBacklogs.last { $0.ends == seen.flow.ends }?.bytes ?? 0
    return max(sent, queued)
  }

  /// Returns the number of datagrams that a server sent after the last one that arrived.
  ///
  /// The result is 0 if they are too few to count.
  private func undeliveredCount(_ flow: Flow) -> Int {
    // A datagram leaves the server before it arrives, so later instants belong to later datagrams.
    Self.count(of: atServer(flow)?.received ?? [], after: flow.received.last)
  }

  private func atServer(_ flow: Flow) -> Flow? {
    move.observation.servers.last {
      $0.transport == flow.transport && $0.ends == flow.ends
    }
  }

  private static func count(of instants: [Instant], after last: Instant?) -> Int {
    let late = instants.filter { at in last.map { at > $0 } ?? true }
    guard let first = late.first, let last = late.last,
      late.count >= TryJudge.leastUnanswered.count,
      last.since(first) > TryJudge.leastUnanswered.span
    else { return 0 }
    return late.count
  }
}
