import HandoverCore

/// The client that makes requests: the dispatchers that admit them, and the platform that carries
/// them.
///
/// It gives the network orders, and hears of facts from it; connections and servers are there.
struct RequestHost {
  /// How long one of the short requests that a stream is made of takes at its server.
  static let pollTime = Interval.milliseconds(10)

  /// The dispatcher of each pool of the script; empty where the profile has none.
  var dispatchers: [EndpointDispatcher] = []
  var loader: URLLoader
  /// What is known of each request of the script, by its place there.
  var requests: [Request]
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

  /// Something that reached the device: a part of the answer to a request, by its place in the
  /// script, or the loss of connections.
  enum Arrived: Hashable, Sendable {
    case headers(UInt32)
    case data(UInt32)
    case end(UInt32)
    case lost([LoadConnectionID], code: Int32)
  }

  init(_ script: Script, dispatches: Bool, defects: DispatcherDefects) {
    let settings = script.configuration.requests
    requests = Array(repeating: Request(), count: script.requests.count)
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

  // MARK: Time

  /// When the passing of time would change something; `never` where it would not.
  var nextDeadline: Instant {
    dispatchers.reduce(loader.nextDeadline ?? .never) { min($0, $1.nextDeadline ?? .never) }
  }
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
