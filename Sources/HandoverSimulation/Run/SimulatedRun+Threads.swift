import HandoverCore
import HandoverTrace

// The threads that run the requests of dispatchers: each slot that is held is a thread that runs.
extension SimulatedRun {
  /// A request has taken a slot.
  mutating func occupyThread(_ request: Int) {
    let wanted = script.requests[request]
    // What needs no slot needs no thread of the pool.
    guard requests.threads != nil, wanted.kind != .exempt else { return }
    let endpoint = requests.endpoints[wanted.host]
    let place = threadPool(of: request)
    let (load, host) = (
      tracePlace(request), tracePlace(requests.endpointHosts[Int(endpoint.index)])
    )
    let pool = tracePlace(wanted.pool)
    let slots = requests.dispatchers[wanted.pool].usage(of: endpoint).total
    requests.threads?.open(place, host: host, pool: pool, threads: slots)
    requests.threads?.run(load, in: place)
    tellOfThreads(changing: [place])
  }

  /// The slot of a request is free.
  mutating func leaveThread(_ request: Int) {
    let place = threadPool(of: request)
    requests.threads?.release(request, in: place)
  }

  /// A step of a dispatcher is over: threads that nobody has taken again have nothing to do.
  mutating func restThreads() {
    guard let changed = requests.threads?.rest(at: now) else { return }
    tellOfThreads(changing: changed)
  }

  /// Ends the pools of a dispatcher that is closed.
  mutating func endThreads(of pool: Int) {
    guard requests.threads != nil else { return }
    for endpoint in requests.endpointHosts.indices {
      requests.threads?.close(pool * requests.endpointHosts.count + endpoint)
    }
  }

  /// Time has passed for idle threads.
  mutating func collectThreads() {
    while let due = collections.nextInstant, due <= now, let place = collections.popFirst() {
      requests.threads?.collect(Int(place), at: now)
      tellOfThreads(changing: [Int(place)])
    }
    refreshRequestDeadline()
  }

  /// Looks up when a dispatcher, the platform or a collector has waited long enough.
  mutating func refreshRequestDeadline() {
    collectionDeadline = collections.nextInstant ?? .never
    requestDeadline = min(requests.nextDeadline, collectionDeadline)
  }

  /// When idle threads are collected that nothing can need any more; `never` where none are.
  func nextPressingCollection() -> Instant {
    requests.dispatchers.allSatisfy { $0.unfinishedCount == 0 } ? collectionDeadline : .never
  }

  /// The pool of a request's endpoint.
  private func threadPool(of request: Int) -> Int {
    let wanted = script.requests[request]
    return wanted.pool * requests.endpointHosts.count + Int(requests.endpoints[wanted.host].index)
  }

  private mutating func tellOfThreads(changing pools: [Int]) {
    for fact in requests.threads?.takeFacts() ?? [] { note(fact) }
    for pool in pools { requests.threads?.schedule(pool, in: &collections) }
  }
}
