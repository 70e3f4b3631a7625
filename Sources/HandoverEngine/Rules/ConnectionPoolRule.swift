import HandoverCore

/// Invariant 11: a connection pool keeps few idle connections, uses each for one request at a time,
/// and repeats a request only if its connection broke before the response.
struct ConnectionPoolRule: Rule {
  static let identifier = RuleIdentifier.connectionPool
  static let moments: RunMoments = [.requests, .instantEnd, .closing]

  private let limits = HTTPConnectionPool.Configuration()
  /// The open connections that carry no request after a complete response.
  private var idle: [UInt32] = []
  /// The connections that have carried a complete response.
  private var proven: Set<UInt32> = []  // lookup only
  /// The connections that carry a request.
  private var busy: Set<UInt32> = []  // lookup only
  /// The requests of which a part of the response has arrived.
  private var responded: Set<UInt32> = []  // lookup only

  /// Checks at the end of an instant that no pool keeps too many idle connections.
  mutating func instantIsOver(_ run: inout ObservedRun) {
    guard idle.count > limits.maximumIdleConnections else { return }
    for pool in run.state.script.pools.indices {
      let count = idle.count { run.state.requests.connections[Int($0)].pool == pool }
      guard count > limits.maximumIdleConnections else { continue }
      broken(
        &run, "a pool keeps at most \(limits.maximumIdleConnections) idle connections",
        "\(count) were idle")
    }
  }

  /// Checks after the client was closed that every request has ended.
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {
    checkRequestsHaveEnded(&run)
  }

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    guard case .request(let fact) = record.body, !checkIsOver(fact, &run) else { return }
    switch fact {
    case .carried(let request, let connection): carry(request, on: connection, &run)
    case .retried(let request, let connection): retry(request, from: connection, &run)
    case .responded(let request), .received(let request): responded.insert(request)
    case .connectionClosed(let connection), .connectionLost(let connection):
      idle.removeAll { $0 == connection }
    case .ended(let request, let end): finish(request, end, run)
    case .connectionOpened, .answered, .heldSlot, .arrived, .limitReached, .waits, .handedOver,
      .froze, .thawed, .thread, .runsOn, .pollAnswered, .slotReleased, .longLimitChanged,
      .dispatcherClosed:
      break
    }
  }

  private func isOpen(_ connection: UInt32, _ run: borrowing ObservedRun) -> Bool {
    connection < run.state.requests.connections.count
      && run.state.requests.connections[Int(connection)].isOpen
  }

  private mutating func carry(
    _ request: UInt32, on connection: UInt32, _ run: inout ObservedRun
  ) {
    idle.removeAll { $0 == connection }
    guard busy.insert(connection).inserted, isOpen(connection, run) else {
      let name = run.requestName(Int(request))
      return broken(
        &run, "an open connection carries one request at a time",
        "\(name) is carried by connection \(connection + 1), which is not free")
    }
  }

  private mutating func finish(
    _ request: UInt32, _ end: RequestEnd, _ run: borrowing ObservedRun
  ) {
    guard let connection = run.state.requests.requests[Int(request)].connection else { return }
    busy.remove(connection)
    guard end == .finished else { return }
    proven.insert(connection)
    if isOpen(connection, run) { idle.append(connection) }
  }

  private mutating func retry(
    _ request: UInt32, from connection: UInt32, _ run: inout ObservedRun
  ) {
    busy.remove(connection)
    let isOneShot = run.state.script.requests[Int(request)].body == .oneShot
    let wasUsed = proven.contains(connection) && !isOpen(connection, run)
    guard !wasUsed || isOneShot || responded.contains(request) else { return }
    let name = run.requestName(Int(request))
    broken(
      &run, "a request is repeated only if its used connection broke before the response",
      "\(name) is repeated after connection \(connection + 1)")
  }
}
