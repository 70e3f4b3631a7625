import HandoverCore

/// Who is who among the requests of a run: in the script, at their dispatchers, and by endpoints.
struct RequestTable {
  /// What is known of each request of the script, by its place there.
  private var rows: [Request]
  /// The endpoint of each host, as the platform and every dispatcher number them.
  let endpoints: [EndpointID]
  /// The keys of the endpoints, and the first host of each.
  let keys: [EndpointKey]
  let endpointHosts: [Int]
  /// Which request of the script has which row of its dispatcher, by pool and row.
  private var places: [[UInt32]]

  init(_ script: Script, _ defects: DispatcherDefects) {
    rows = Array(repeating: Request(), count: script.requests.count)
    places = Array(repeating: [], count: script.pools.count)
    var keys: [EndpointKey] = []
    var endpoints: [EndpointID] = []
    var endpointHosts: [Int] = []
    for (hostIndex, host) in script.hosts.enumerated() {
      let key = Self.key(of: host, at: hostIndex, defects)
      let index = keys.firstIndex(of: key) ?? keys.count
      endpoints.append(EndpointID(index: UInt32(truncatingIfNeeded: index)))
      guard index == keys.count else { continue }
      keys.append(key)
      endpointHosts.append(hostIndex)
    }
    self.endpoints = endpoints
    self.keys = keys
    self.endpointHosts = endpointHosts
  }

  /// The key of a host; one that no request can go to has a key that nothing else has.
  private static func key(
    of host: ScriptHost, at index: Int, _ defects: DispatcherDefects
  ) -> EndpointKey {
    if let key = host.endpointKey(defects: defects) { return key }
    guard let own = EndpointKey(host: "unusable-\(index)", port: 1) else {
      preconditionFailure("a plain name is a key")
    }
    return own
  }

  subscript(request: Int) -> Request {
    get { rows[request] }
    _modify { yield &rows[request] }
  }

  /// Takes in what is known of the requests; whom an identifier means is the dispatchers' to say.
  func combine(into digest: inout StateDigest, _ dispatchers: [EndpointDispatcher]) {
    for (pool, places) in places.enumerated() {
      digest.combine(places.count)
      for (row, request) in places.enumerated() {
        digest.combine(request)
        guard request != .max, let id = rows[Int(request)].id, id.index == row else { continue }
        dispatchers[pool].combine(id, into: &digest)
      }
    }
    for row in rows {
      digest.combine(row.id.map { UInt64($0.index) } ?? .max)
      digest.combine(
        (row.isWithPlatform ? 4 : 0) | (row.isHeld ? 2 : 0) | (row.isPolling ? 1 : 0) as UInt64)
      digest.combine(row.began ?? .never)
    }
  }

  /// A request of the script is known to its dispatcher by an identifier from now on.
  mutating func introduce(_ request: Int, as id: RequestID, in pool: Int) {
    rows[request].id = id
    while places[pool].count <= id.index { places[pool].append(.max) }
    places[pool][Int(id.index)] = UInt32(truncatingIfNeeded: request)
  }

  /// The place in the script of a request that a dispatcher speaks of.
  func index(of id: RequestID, in pool: Int) -> Int {
    Int(places[pool][Int(id.index)])
  }

  /// The place of the pool of threads that a request is run by.
  func threadPool(of request: Int, _ context: borrowing Context) -> Int {
    let wanted = context.script.requests[request]
    return wanted.pool * endpointHosts.count + Int(endpoints[wanted.host].index)
  }

  /// The pool whose dispatcher a request has its slot of, and the endpoint.
  func slot(of request: Int, _ context: borrowing Context) -> (Int, EndpointID) {
    let wanted = context.script.requests[request]
    return (wanted.pool, endpoints[wanted.host])
  }

  /// Requests in groups: those of one pool and endpoint together, in the order of their first ones.
  func bySlots(_ requests: [Int], _ context: borrowing Context) -> [[Int]] {
    var groups: [[Int]] = []
    var places: [Int: Int] = [:]  // lookup only
    for request in requests {
      let (pool, endpoint) = slot(of: request, context)
      let key = pool * endpoints.count + Int(endpoint.index)
      if let index = places[key] {
        groups[index].append(request)
      } else {
        places[key] = groups.count
        groups.append([request])
      }
    }
    return groups
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
