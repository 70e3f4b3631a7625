import HandoverCore

/// The requests of a run: the dispatchers that admit them, the platform that carries them, and what
/// their servers know.
struct RequestHost {
  /// The dispatcher of each pool of the script; empty where the profile has none.
  var dispatchers: [EndpointDispatcher] = []
  var loader: URLLoader
  /// What is known of each request of the script, by its place there.
  var requests: [Request]
  /// The platform's connections, by their numbers.
  var connections: [LoadConnection] = []
  /// Those of them that may be alive, in their order.
  private var alive: [Int] = []
  /// The same of each host.
  private var aliveByHost: [[Int]]
  /// Those that were lost and not told, by their errors.
  private var untold: [(code: Int32, connections: [Int])] = []
  /// The endpoint of each host, as the loader and every dispatcher number them.
  let endpoints: [EndpointID]
  /// The first host of each endpoint.
  let endpointHosts: [Int]
  /// Steps of machines that follow from what others ordered; each is taken before the next fact.
  var pending: [MachineFact] = []
  /// What dispatchers gave up and the platform has not been told of, by places in the script.
  var abandoned: [URLLoader.LoadID] = []
  /// What the application has not heard because it does not run, in order.
  var held: [Arrived] = []
  /// The dispatched requests that failed with connections that are being lost; nil while none are.
  var failed: [Int]?
  /// The threads that run the requests of the dispatchers; nil where a run has none.
  var threads: ThreadHost?
  /// When idle threads are looked at next; `never` where none are.
  var collectionDeadline = Instant.never
  /// When a dispatcher, the platform or a collector has waited long enough; `never` where none
  /// waits.
  var deadline = Instant.never
  /// Which request of the script has which row of its dispatcher, by pool and row.
  private var places: [[UInt32]]

  /// A fact for one of the machines.
  enum MachineFact {
    case dispatcher(pool: Int, EndpointDispatcher.Event)
    case loader(URLLoader.Event)
  }

  /// Something that reached the device.
  enum Arrived: Hashable, Sendable {
    case headers(Sending)
    case data(Sending)
    case end(Sending)
    case lost([LoadConnectionID], code: Int32)
  }

  init(_ script: Script, dispatches: Bool, defects: DispatcherDefects) {
    let settings = script.configuration.requests
    requests = Array(repeating: Request(), count: script.requests.count)
    aliveByHost = Array(repeating: [], count: script.hosts.count)
    var keys: [EndpointKey] = []
    var endpoints: [EndpointID] = []
    var endpointHosts: [Int] = []
    var streams: [UInt32?] = []
    for (place, host) in script.hosts.enumerated() {
      let key = Self.key(of: host, at: place, defects)
      let index = keys.firstIndex(of: key) ?? keys.count
      endpoints.append(EndpointID(index: UInt32(truncatingIfNeeded: index)))
      guard index == keys.count else { continue }
      keys.append(key)
      endpointHosts.append(place)
      streams.append(host.streams)
    }
    self.endpoints = endpoints
    self.endpointHosts = endpointHosts
    loader = URLLoader(
      limit: settings.platformLimit, keepAlive: settings.keepAlive, streams: streams)
    places = Array(repeating: [], count: script.pools.count)
    guard dispatches else { return }
    threads = settings.threads.map {
      ThreadHost($0, pools: script.pools.count * keys.count, requests: script.requests.count)
    }
    for _ in script.pools {
      var dispatcher = EndpointDispatcher(
        DispatcherConfiguration(
          limits: settings.limits, policy: settings.policy,
          chargesWaiting: settings.chargesWaiting, defects: defects))
      for key in keys { _ = dispatcher.register(key) }
      dispatchers.append(dispatcher)
    }
    for (index, streams) in streams.enumerated() {
      guard let streams else { continue }
      for pool in dispatchers.indices {
        let endpoint = EndpointID(index: UInt32(truncatingIfNeeded: index))
        pending.append(
          .dispatcher(pool: pool, .streamBudgetAnnounced(endpoint, streams: streams)))
      }
    }
  }

  /// The key of a host; one that no request can go to has a key that nothing else has.
  private static func key(
    of host: ScriptHost, at place: Int, _ defects: DispatcherDefects
  ) -> EndpointKey {
    if let key = host.endpointKey(defects: defects) { return key }
    guard let own = EndpointKey(host: "unusable-\(place)", port: 1) else {
      preconditionFailure("a plain name is a key")
    }
    return own
  }

  /// A request of the script is known to its dispatcher by an identifier from now on.
  mutating func introduce(_ request: Int, as id: RequestID, in pool: Int) {
    requests[request].id = id
    while places[pool].count <= id.index { places[pool].append(.max) }
    places[pool][Int(id.index)] = UInt32(truncatingIfNeeded: request)
  }

  /// The place in the script of a request that a dispatcher speaks of.
  func place(of id: RequestID, in pool: Int) -> Int {
    Int(places[pool][Int(id.index)])
  }

  /// Whether the request of a sending is with the platform.
  ///
  /// Nothing of a poll is on its way any more when the next one is sent.
  func isCurrent(_ sending: Sending) -> Bool { requests[Int(sending.request)].isWithPlatform }

  // MARK: Time

  /// When the passing of time would change something; `never` where it would not.
  var nextDeadline: Instant {
    dispatchers.reduce(loader.nextDeadline ?? .never) { min($0, $1.nextDeadline ?? .never) }
  }

  // MARK: Connections

  mutating func open(_ connection: LoadConnection) {
    alive.append(connections.count)
    aliveByHost[Int(connection.host)].append(connections.count)
    connections.append(connection)
  }

  /// The connections that are being made or in use, in the order of their making.
  mutating func aliveConnections() -> [Int] {
    let connections = connections
    alive.removeAll { !connections[$0].phase.isAlive }
    return alive
  }

  /// Those to one host.
  mutating func aliveConnections(to host: Int) -> [Int] {
    guard !aliveByHost[host].isEmpty else { return [] }
    let connections = connections
    aliveByHost[host].removeAll { !connections[$0].phase.isAlive }
    return aliveByHost[host]
  }

  /// A connection was lost, and nobody has been told.
  mutating func noteLoss(of connection: Int, _ code: Int32) {
    if let place = untold.firstIndex(where: { $0.code == code }) {
      untold[place].connections.append(connection)
    } else {
      untold.append((code, [connection]))
    }
  }

  /// The connections that were lost with an error and not told, which they are now.
  mutating func takeLosses(_ code: Int32) -> [Int] {
    guard let place = untold.firstIndex(where: { $0.code == code }) else { return [] }
    defer { untold[place].connections = [] }
    return untold[place].connections.sorted()
  }
}

/// A request that was handed over to the platform; a polled stream is many times.
struct Sending: Hashable, Sendable, BitwiseCopyable {
  /// The request, by its place in the script.
  var request: UInt32
}

/// What is known of one request, in the row of its place in the script.
struct Request: Hashable, Sendable {
  /// What its dispatcher knows it by.
  var id: RequestID?
  var isWithPlatform = false
  /// Whether it is frozen beyond the long limit, and the platform has nothing of it.
  var isHeld = false
  /// Whether it is a stream that is made of short requests.
  var isPolling = false
  /// When it was handed over first.
  var began: Instant?
}

/// A connection of the platform, as the network knows it.
struct LoadConnection: Hashable, Sendable {
  var host: UInt32
  /// The path it was made on; nil where there was none.
  var path: PathIndex?
  var phase: LinkPhase
  var stall: StallCauses = []
  /// What was sent and has not reached the server.
  var unsent: [Sending] = []
  /// What has reached the server, which has not read it.
  var unread: [Sending] = []
  /// What the server sent and has not arrived, or would have sent and could not.
  var owed: [RequestEvent] = []
  /// The answer to the first packet was due and did not come.
  var handshakeIsDue = false
  /// What the far side did to it while it stalled, which is heard when the stall ends.
  var hiddenLoss: Int32?
}

/// What can happen of itself to a request and its connection.
enum RequestEvent: Hashable, Sendable, BitwiseCopyable {
  /// The first packet's answer is due.
  case handshake(LoadConnectionID)
  /// Connections that were lost are told of.
  case losses(code: Int32)
  /// The headers of the response are due.
  case headers(Sending)
  /// A part of the response is due.
  case data(Sending)
  /// The end of the response is due.
  case end(Sending)
}
