import HandoverCore
import HandoverTrace

/// The platform that carries requests, and the connections that it has the network make.
struct Platform {
  /// How long one of the short requests that a stream is made of takes at its server.
  static let pollTime = Interval.milliseconds(10)

  private(set) var loader: URLLoader
  /// What is taken back and the platform has not been told of, by places in the script.
  private var takenBack: [URLLoader.HTTPRequestID] = []

  init(_ settings: RequestConfiguration, streams: [UInt32?]) {
    loader = URLLoader(
      limit: settings.platformLimit, keepAlive: settings.keepAlive, streams: streams)
  }

  /// Takes in what decides what becomes of requests that were handed over.
  func combine(into digest: inout StateDigest) {
    loader.combine(into: &digest)
    digest.combine(takenBack.count)
    for request in takenBack { digest.combine(request) }
  }

  /// A request that the platform gave up.
  struct Failure {
    var request: Int
    var code: Int32
  }

  /// Takes a fact in, and carries out the orders that follow.
  ///
  /// - Returns: the requests that failed and have a dispatcher, which is to be told.
  mutating func step(
    _ event: URLLoader.Event, _ table: inout RequestTable, _ network: inout Network,
    _ context: inout Context
  ) -> [Failure] {
    var effects = EffectLog<URLLoader.Effect>()
    loader.step(event, at: context.now, into: &effects)
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
    // One that fails at once does so after it was told what it carries.
    for index in 0..<effects.count {
      if case .open(let connection, _, _) = effects[index] {
        network.beginAttempt(ConnectionID(connection), &context)
      }
    }
    return failures
  }

  private func carryOut(
    _ effect: URLLoader.Effect, _ table: RequestTable, _ network: inout Network,
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
      // It is whole at once.
      let stream = CallID(index: id, generation: 0)
      network.streams.introduce(id, as: stream, &network.links, &context)
      network.streams[id].isPoll = table[Int(id)].isPolling
      network.write(.request, of: id, to: ConnectionID(connection), &context)
      network.write(.finish, of: id, to: ConnectionID(connection), &context)
    case .freeze(let id):
      context.record(.froze(request: id))
    case .fail:
      break
    }
  }

  // MARK: Ends

  /// The platform has nothing more to do with a request: what is on its way reaches nobody.
  func leave(
    _ request: Int, _ table: inout RequestTable, _ network: inout Network,
    _ context: inout Context
  ) {
    table[request].isWithPlatform = false
    network.streams.abandon(UInt32(truncatingIfNeeded: request), &network.links, &context)
  }

  /// A request is taken back, of which the platform is told with others.
  mutating func takeBack(
    _ request: Int, _ table: inout RequestTable, _ network: inout Network,
    _ context: inout Context
  ) {
    leave(request, &table, &network, &context)
    takenBack.append(UInt32(truncatingIfNeeded: request))
  }

  /// Gives what was taken back; nil where nothing was.
  mutating func takeTakenBack() -> [URLLoader.HTTPRequestID]? {
    guard !takenBack.isEmpty else { return nil }
    defer { takenBack.removeAll(keepingCapacity: true) }
    return takenBack
  }

  // MARK: Losses

  /// Connections that were lost with an error, all that there are of one instant.
  struct Loss: Hashable, Sendable {
    var connections: [HTTPConnectionID]
    var code: Int32
  }

  /// The losses of which one has come to the platform; nil where it heard of it with others.
  func losses(like failure: ConnectionFailure, _ network: inout Network) -> Loss? {
    let code = RequestErrorCode.code(of: failure)
    let lost = network.takeLosses { RequestErrorCode.code(of: $0) == code }
    guard !lost.isEmpty else { return nil }
    return Loss(connections: lost.map { HTTPConnectionID($0.index) }, code: code)
  }

  // MARK: What comes again and again

  /// Whether the next poll of a stream that rests, and has a slot for it, is answered like the one
  /// before, and so for ever, as long as nothing changes.
  func restsForEver(
    _ request: Int, _ table: RequestTable, _ network: borrowing Network,
    _ context: borrowing Context
  ) -> Bool {
    let wanted = context.script.requests[request]
    let endpoint = table.endpoints[wanted.host]
    let host = network.links.hosts[table.endpointHosts[Int(endpoint.index)]]
    guard wanted.takes == nil, context.device.path != nil, host.server == .accept,
      host.names == .resolve, !host.isBlackhole,
      // The connection of the one before may be closed meanwhile.
      wanted.timeout <= .zero || host.connect + Self.pollTime <= wanted.timeout
    else { return false }
    switch loader.carrier(on: endpoint.index, of: UInt32(truncatingIfNeeded: wanted.pool)) {
    case .open(let connection):
      let carrier = network.links.connections[Int(connection.index)]
      return carrier.stall.isEmpty && network.isSteady(carrier.path)
    case .new: return network.isSteady(context.device.path)
    case nil: return false
    }
  }

  /// Whether data comes on a request before its time-out passes, as long as nothing changes.
  func isFed(
    _ request: UInt32, _ network: borrowing Network, _ context: borrowing Context
  ) -> Bool {
    let wanted = context.script.requests[Int(request)]
    guard let every = wanted.every, every < wanted.timeout,
      let connection = loader.connection(of: request)
    else { return false }
    let carrier = network.links.connections[Int(connection.index)]
    return carrier.phase == .established && carrier.stall.isEmpty
      && network.isSteady(carrier.path)
      && network.links.hosts[Int(carrier.host)].server != .silent
  }
}

extension Context {
  mutating func record(_ fact: RequestFact) {
    append(.request(fact))
  }
}

extension ConnectionID {
  /// A connection of the platform in the network: its number is its row, and nobody else's ever.
  fileprivate init(_ connection: HTTPConnectionID) {
    self.init(index: connection.index, generation: 0)
  }
}

extension RequestErrorCode {
  /// What the platform calls the loss of a connection.
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
