import HandoverCore

/// The client that makes requests: their users, the dispatchers that admit them, and the platform
/// that carries them.
///
/// The client gives orders to the network and receives facts from it. Connections and servers
/// belong to the network. The type has over 400 lines, because all orders of dispatchers and of the
/// platform pass through one loop.
struct RequestHost {
  /// The dispatcher of each pool of the script.
  ///
  /// Empty if the profile has no dispatcher.
  var dispatchers: [EndpointDispatcher] = []
  var platform: Platform
  var table: SimulatedRequestTable
  /// The facts that resulted from orders.
  ///
  /// All are processed before the next fact from outside.
  var pending: [MachineFact] = []
  /// The data that the application has not received because it is suspended, in order.
  var held: [Arrived] = []
  /// The dispatched requests that failed with the connections that are being lost, or `nil` if none
  /// are being lost.
  var failed: [Int]?
  /// The threads that run the requests of the dispatchers, or `nil` if the run has no threads.
  var threads: ThreadHost?
  /// The time of the next check for idle threads, or `never` if there are none.
  var collectionDeadline = Instant.never
  /// The next deadline of a dispatcher, the platform or a collection of idle threads, or `never` if
  /// there is none.
  var deadline = Instant.never

  /// A fact for one of the state machines.
  enum MachineFact {
    case dispatcher(pool: Int, EndpointDispatcher.Event)
    case carrier(CarrierEvent)
  }

  /// Data that reached the device: a part of the response to a request (by script index), or the
  /// loss of connections.
  enum Arrived: Hashable, Sendable {
    case headers(UInt32)
    case data(UInt32)
    case end(UInt32)
    case lost(Platform.Loss)
  }

  init(_ script: Script, _ kind: ClientKind, defects: DispatcherDefects) {
    let settings = script.configuration.requests
    table = SimulatedRequestTable(script, defects)
    let streams = table.endpointHosts.map { script.hosts[$0].streams }
    platform = Platform(kind, settings, streams: streams)
    guard kind.hasDispatcher else { return }
    threads = settings.threads.map {
      ThreadHost(
        $0, pools: script.pools.count * streams.count, requests: script.requests.count)
    }
    for _ in script.pools {
      var dispatcher = EndpointDispatcher(
        DispatcherConfiguration(
          limits: settings.limits, policy: settings.policy,
          chargesWaiting: settings.chargesWaiting, defects: defects))
      for key in table.keys { _ = dispatcher.register(key) }
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

  // MARK: The digest

  /// Adds to a digest the state that determines the future of the requests.
  ///
  /// Deadlines are not added, because they follow from the parts. No fact is pending.
  func combine(into digest: inout StateDigest) {
    assert(
      pending.isEmpty && failed == nil, "the previous step must be complete before the next fact")
    for dispatcher in dispatchers { dispatcher.combine(into: &digest) }
    platform.combine(into: &digest)
    table.combine(into: &digest, dispatchers)
    digest.combine(held.count)
    for arrived in held { combine(arrived, into: &digest) }
    threads?.combine(into: &digest)
  }

  private func combine(_ arrived: Arrived, into digest: inout StateDigest) {
    switch arrived {
    case .headers(let request): digest.combine(UInt64(1) << 32 | UInt64(request))
    case .data(let request): digest.combine(UInt64(2) << 32 | UInt64(request))
    case .end(let request): digest.combine(UInt64(3) << 32 | UInt64(request))
    case .lost(let loss):
      digest.combine(UInt64(4) << 32 | UInt64(loss.connections.count))
      digest.combine(loss.code)
      for connection in loss.connections { digest.combine(connection.index) }
    }
  }

  /// Returns descriptions of everything that remains after the client was closed.
  func leaks() -> [String] {
    var leaks: [String] = []
    if let count = threads?.count, count > 0 { leaks.append("a thread remains") }
    if dispatchers.contains(where: { $0.keptCount > 0 }) {
      leaks.append("a dispatcher remembers requests that have ended")
    }
    return leaks
  }

  // MARK: Time

  /// Updates the next deadlines.
  mutating func refreshDeadline(_ context: inout Context) {
    collectionDeadline = context.collections.nextInstant ?? .never
    let next = dispatchers.reduce(platform.carrier.nextDeadline ?? .never) {
      min($0, $1.nextDeadline ?? .never)
    }
    deadline = min(next, collectionDeadline)
  }

  /// Returns the time of the next timeout that will occur without further events, or the limit if
  /// none comes before it.
  ///
  /// A request that keeps receiving data is ignored, because its timeout restarts each time.
  func nextForeground(
    before limit: Instant, _ network: borrowing Network, _ context: borrowing Context
  ) -> Instant {
    var due = limit
    for pool in dispatchers.indices {
      due = dispatchers[pool].nextDeadline(before: due) {
        !platform.idlesForever(table.index(of: $0, in: pool), table, network, context)
      }
    }
    due = platform.carrier.nextTimeout(before: due) {
      !platform.keepsReceivingData($0, network, context)
    }
    // If no request is unfinished, idle threads are no longer needed and their collection counts.
    let nothingRuns = dispatchers.allSatisfy { $0.unfinishedCount == 0 }
    return nothingRuns ? min(due, collectionDeadline) : due
  }
}
