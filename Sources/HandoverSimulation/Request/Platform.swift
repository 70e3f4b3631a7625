import HandoverCore

/// The part of the client that carries requests: iOS URL loading, or a connection pool.
///
/// Its state machine decides, and the network opens the connections.
struct Platform {
  /// The time that the server needs for one poll, if a stream was replaced by polls.
  static let pollTime = Interval.milliseconds(10)

  private(set) var carrier: RequestCarrier
  /// The script indices of canceled requests of which the carrier was not yet notified.
  private var takenBack: [CarriedRequest.ID] = []

  init(_ kind: ClientKind, _ settings: RequestConfiguration, streams: [UInt32?]) {
    carrier = RequestCarrier(kind, settings, streams: streams)
  }

  /// Adds to a digest the state that determines the future of the requests with the platform.
  func combine(into digest: inout StateDigest) {
    carrier.combine(into: &digest)
    digest.combine(takenBack.count)
    for request in takenBack { digest.combine(request) }
  }

  /// A request that the platform has failed.
  struct Failure {
    var request: Int
    var code: Int32
  }

  /// Passes an event to the carrier, and carries out the resulting orders.
  ///
  /// - Returns: the failed requests that have a dispatcher, which must be notified.
  mutating func step(
    _ event: CarrierEvent, _ table: inout SimulatedRequestTable, _ network: inout Network,
    _ context: inout Context
  ) -> [Failure] {
    var effects = EffectLog<CarrierEffect>()
    carrier.step(event, at: context.now, into: &effects)
    var failures: [Failure] = []
    for index in 0..<effects.count {
      guard case .fail(let id, let code) = effects[index] else {
        carryOut(effects[index], table, &network, &context)
        continue
      }
      leave(Int(id), &table, &network, &context)
      if table[Int(id)].id == nil {
        context.record(.ended(request: id, .failed(code: code)))
      } else {
        failures.append(Failure(request: Int(id), code: code))
      }
    }
    // A connection may fail immediately, so attempts start only after the carrier has assigned
    // their requests.
    for index in 0..<effects.count {
      if case .open(let connection, _, _) = effects[index] {
        network.beginAttempt(ConnectionID(connection), &context)
      }
    }
    return failures
  }

  private func carryOut(
    _ effect: CarrierEffect, _ table: SimulatedRequestTable, _ network: inout Network,
    _ context: inout Context
  ) {
    switch effect {
    case .open(let connection, let endpoint, let pool):
      let host = UInt32(truncatingIfNeeded: table.endpointHosts[Int(endpoint)])
      context.record(
        .connectionOpened(connection.index, host: host, pool: pool, context.device.path))
      network.register(ConnectionID(connection), host: host, context)
    case .close(let connection):
      context.record(.connectionClosed(connection.index))
      network.close(ConnectionID(connection), &context)
    case .send(let id, let connection):
      context.record(.carried(request: id, connection: connection.index))
      // The request is complete when it is sent.
      let stream = CallID(index: id, generation: 0)
      network.streams.introduce(id, as: stream, &network.links, &context)
      network.streams[id].isPoll = table[Int(id)].isPolling
      network.write(.request, of: id, to: ConnectionID(connection), &context)
      network.write(.finish, of: id, to: ConnectionID(connection), &context)
    case .freeze(let id):
      context.record(.froze(request: id))
    case .retry(let id, let connection):
      context.record(.retried(request: id, connection: connection.index))
    case .fail:
      break
    }
  }

  // MARK: Ends

  /// Records that the platform no longer handles a request.
  ///
  /// Data in transit for the request is dropped.
  func leave(
    _ request: Int, _ table: inout SimulatedRequestTable, _ network: inout Network,
    _ context: inout Context
  ) {
    table[request].isWithPlatform = false
    network.streams.abandon(UInt32(truncatingIfNeeded: request), &network.links, &context)
  }

  /// Cancels a request.
  ///
  /// The carrier is notified of all canceled requests together.
  mutating func takeBack(
    _ request: Int, _ table: inout SimulatedRequestTable, _ network: inout Network,
    _ context: inout Context
  ) {
    leave(request, &table, &network, &context)
    takenBack.append(UInt32(truncatingIfNeeded: request))
  }

  /// Removes and returns the canceled requests, or returns `nil` if there are none.
  mutating func takeTakenBack() -> [CarriedRequest.ID]? {
    guard !takenBack.isEmpty else { return nil }
    defer { takenBack.removeAll(keepingCapacity: true) }
    return takenBack
  }

  // MARK: Losses

  /// All connections that were lost at one instant with the same error.
  struct Loss: Hashable, Sendable {
    var connections: [HTTPConnectionID]
    var code: Int32
  }

  /// Returns all losses with the error of `failure`, or `nil` if they were already reported
  /// together with another loss.
  func losses(like failure: ConnectionFailure, _ network: inout Network) -> Loss? {
    let code = RequestErrorCode.code(of: failure)
    let lost = network.takeLosses { RequestErrorCode.code(of: $0) == code }
    guard !lost.isEmpty else { return nil }
    return Loss(connections: lost.map { HTTPConnectionID($0.index) }, code: code)
  }

  // MARK: Repeating requests

  /// Returns whether the polls of a resting stream will repeat forever with the same result if
  /// nothing changes.
  func idlesForever(
    _ request: Int, _ table: SimulatedRequestTable, _ network: borrowing Network,
    _ context: borrowing Context
  ) -> Bool {
    let wanted = context.script.requests[request]
    let timeout = context.timeout(of: request)
    let endpoint = table.endpoints[wanted.host]
    let host = network.links.hosts[table.endpointHosts[Int(endpoint.index)]]
    guard wanted.takes == nil, context.device.path != nil, host.server == .accept,
      host.names == .resolve, !host.isBlackhole,
      // A new connection may be needed, because the connection of the previous poll may have been
      // closed.
      timeout <= .zero || host.connect + Self.pollTime <= timeout
    else { return false }
    switch carrier.carrier(on: endpoint.index, of: UInt32(truncatingIfNeeded: wanted.pool)) {
    case .open(let connection):
      let link = network.links.connections[Int(connection.index)]
      return link.stall.isEmpty && network.isSteady(link.path)
    case .new: return network.isSteady(context.device.path)
    case nil: return false
    }
  }

  /// Returns whether a request keeps receiving data before its timeout if nothing changes.
  func keepsReceivingData(
    _ request: UInt32, _ network: borrowing Network, _ context: borrowing Context
  ) -> Bool {
    let wanted = context.script.requests[Int(request)]
    guard let every = wanted.every, every < context.timeout(of: Int(request)),
      let connection = carrier.connection(of: request)
    else { return false }
    let link = network.links.connections[Int(connection.index)]
    return link.phase == .established && link.stall.isEmpty
      && network.isSteady(link.path)
      && network.links.hosts[Int(link.host)].server != .silent
  }
}

extension Context {
  mutating func record(_ fact: RequestFact) {
    append(.request(fact))
  }

  /// Returns the timeout of a request, which is that of its client if it has none of its own.
  func timeout(of request: Int) -> Interval {
    script.requests[request].timeout ?? profile.client.requestTimeout
  }
}

extension ConnectionID {
  /// Creates the identifier of a platform connection in the network.
  ///
  /// Rows of such connections are never reused.
  fileprivate init(_ connection: HTTPConnectionID) {
    self.init(index: connection.index, generation: 0)
  }
}

extension RequestErrorCode {
  /// Returns the platform's error code for the loss of a connection.
  fileprivate static func code(of failure: ConnectionFailure) -> Int32 {
    switch failure {
    case .networkUnreachable: notConnected
    case .nameResolutionFailed: cannotFindHost
    case .refused, .connectTimedOut: cannotConnect
    case .aborted, .reset, .timedOut, .closed, .keepaliveTimeout, .streamAborted, .streamReset,
      .streamTimedOut:
      connectionLost
    }
  }
}
