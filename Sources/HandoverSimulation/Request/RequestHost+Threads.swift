import HandoverCore
import HandoverTrace

// The threads that run the requests of dispatchers: each slot that is held is a thread that runs.
extension RequestHost {
  /// A request has taken a slot.
  mutating func occupyThread(_ request: Int, _ context: inout Context) {
    let wanted = context.script.requests[request]
    // What needs no slot needs no thread of the pool.
    guard threads != nil, wanted.kind != .exempt else { return }
    let endpoint = endpoints[wanted.host]
    let place = threadPool(of: request, context)
    let (load, host) = (
      tracePlace(request), tracePlace(endpointHosts[Int(endpoint.index)])
    )
    let pool = tracePlace(wanted.pool)
    let slots = dispatchers[wanted.pool].usage(of: endpoint).total
    threads?.open(place, host: host, pool: pool, threads: slots)
    threads?.run(load, in: place)
    tellOfThreads(changing: [place], &context)
  }

  /// The slot of a request is free.
  mutating func leaveThread(_ request: Int, _ context: inout Context) {
    let place = threadPool(of: request, context)
    threads?.release(request, in: place)
  }

  /// A step of a dispatcher is over: threads that nobody has taken again have nothing to do.
  mutating func restThreads(_ context: inout Context) {
    guard let changed = threads?.rest(at: context.now) else { return }
    tellOfThreads(changing: changed, &context)
  }

  /// Ends the pools of a dispatcher that is closed.
  mutating func endThreads(of pool: Int) {
    guard threads != nil else { return }
    for endpoint in endpointHosts.indices {
      threads?.close(pool * endpointHosts.count + endpoint)
    }
  }

  /// Time has passed for idle threads.
  mutating func collectThreads(_ context: inout Context) {
    while let due = context.collections.nextInstant, due <= context.now,
      let place = context.collections.popFirst()
    {
      threads?.collect(Int(place), at: context.now)
      tellOfThreads(changing: [Int(place)], &context)
    }
    refreshDeadline(&context)
  }

  /// Looks up when a dispatcher, the platform or a collector has waited long enough.
  mutating func refreshDeadline(_ context: inout Context) {
    collectionDeadline = context.collections.nextInstant ?? .never
    deadline = min(nextDeadline, collectionDeadline)
  }

  /// When idle threads are collected that nothing can need any more; `never` where none are.
  func nextPressingCollection() -> Instant {
    dispatchers.allSatisfy { $0.unfinishedCount == 0 } ? collectionDeadline : .never
  }

  /// The pool of a request's endpoint.
  private func threadPool(of request: Int, _ context: borrowing Context) -> Int {
    let wanted = context.script.requests[request]
    return wanted.pool * endpointHosts.count + Int(endpoints[wanted.host].index)
  }

  private mutating func tellOfThreads(changing pools: [Int], _ context: inout Context) {
    for fact in threads?.takeFacts() ?? [] { note(fact, &context) }
    for pool in pools { threads?.schedule(pool, in: &context.collections) }
  }
}
