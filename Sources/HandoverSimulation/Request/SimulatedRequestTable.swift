import HandoverCore

/// Maps the requests of a run between the script, their dispatchers and their endpoints.
struct SimulatedRequestTable {
  /// The state of each request, by its script index.
  private var rows: [Request]
  /// The endpoint of each host, as the platform and every dispatcher number them.
  let endpoints: [EndpointID]
  /// The keys of the endpoints, and the first host of each.
  let keys: [EndpointKey]
  let endpointHosts: [Int]
  /// The script index of each request, by pool and row of its dispatcher.
  private var positions: [[UInt32]]

  init(_ script: Script, _ defects: DispatcherDefects) {
    rows = Array(repeating: Request(), count: script.requests.count)
    positions = Array(repeating: [], count: script.pools.count)
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

  /// Returns the key of a host.
  ///
  /// A host that no request can reach gets a unique key.
  private static func key(
    of host: ScriptHost, at index: Int, _ defects: DispatcherDefects
  ) -> EndpointKey {
    if let key = host.endpointKey(defects: defects) { return key }
    guard let own = EndpointKey(host: "unusable-\(index)", port: 1) else {
      preconditionFailure("a plain name is not a valid key")
    }
    return own
  }

  subscript(request: Int) -> Request {
    get { rows[request] }
    _modify { yield &rows[request] }
  }

  /// Adds the state of the requests to a digest.
  ///
  /// The dispatchers add the state of their identifiers.
  func combine(into digest: inout StateDigest, _ dispatchers: [EndpointDispatcher]) {
    for (pool, positions) in positions.enumerated() {
      digest.combine(positions.count)
      for (row, request) in positions.enumerated() {
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

  /// Assigns the dispatcher's identifier to a request of the script.
  mutating func introduce(_ request: Int, as id: RequestID, in pool: Int) {
    rows[request].id = id
    while positions[pool].count <= id.index { positions[pool].append(.max) }
    positions[pool][Int(id.index)] = UInt32(truncatingIfNeeded: request)
  }

  /// Returns the script index of a dispatcher's request.
  func index(of id: RequestID, in pool: Int) -> Int {
    Int(positions[pool][Int(id.index)])
  }

  /// Returns the index of the thread pool that runs a request.
  func threadPool(of request: Int, _ context: borrowing Context) -> Int {
    let wanted = context.script.requests[request]
    return wanted.pool * endpointHosts.count + Int(endpoints[wanted.host].index)
  }

  /// Returns the pool and the endpoint that own the slot of a request.
  func slot(of request: Int, _ context: borrowing Context) -> (Int, EndpointID) {
    let wanted = context.script.requests[request]
    return (wanted.pool, endpoints[wanted.host])
  }

  /// Groups requests by pool and endpoint, in the order of the first request of each group.
  func bySlots(_ requests: [Int], _ context: borrowing Context) -> [[Int]] {
    var groups: [[Int]] = []
    var positions: [Int: Int] = [:]  // lookup only
    for request in requests {
      let (pool, endpoint) = slot(of: request, context)
      let key = pool * endpoints.count + Int(endpoint.index)
      if let index = positions[key] {
        groups[index].append(request)
      } else {
        positions[key] = groups.count
        groups.append([request])
      }
    }
    return groups
  }
}

/// The state of one request.
struct Request: Hashable, Sendable {
  /// The identifier of the request in its dispatcher.
  var id: RequestID?
  var isWithPlatform = false
  /// Whether the request is frozen because it exceeds the long limit, so that the platform does not
  /// have it.
  var isHeld = false
  /// Whether the request is a stream that was replaced by polls.
  var isPolling = false
  /// The time at which the request was first handed to the platform.
  var began: Instant?
}
