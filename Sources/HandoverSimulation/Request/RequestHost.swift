import HandoverCore

/// The client that makes requests: their users, the dispatchers that admit them, and the platform
/// that carries them.
///
/// It gives the network orders, and hears of facts from it; connections and servers are there. It
/// has over 400 lines, because all that dispatchers and the platform order goes through one loop.
struct RequestHost {
  /// The dispatcher of each pool of the script; empty where the profile has none.
  var dispatchers: [EndpointDispatcher] = []
  var platform: Platform
  var table: RequestTable
  /// Steps of machines that follow from what others ordered; each is taken before the next fact.
  var pending: [MachineFact] = []
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
    case lost(Platform.Loss)
  }

  init(_ script: Script, dispatches: Bool, defects: DispatcherDefects) {
    let settings = script.configuration.requests
    table = RequestTable(script, defects)
    let streams = table.endpointHosts.map { script.hosts[$0].streams }
    platform = Platform(settings, streams: streams)
    guard dispatches else { return }
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

  /// Takes in what decides what becomes of the requests.
  ///
  /// Deadlines are those of the parts; steps that follow from others were taken.
  func combine(into digest: inout StateDigest) {
    assert(pending.isEmpty && failed == nil, "each step is taken before the next fact")
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

  // MARK: Time

  /// Looks up when a dispatcher, the platform or a collector has waited long enough.
  mutating func refreshDeadline(_ context: inout Context) {
    collectionDeadline = context.collections.nextInstant ?? .never
    let next = dispatchers.reduce(platform.loader.nextDeadline ?? .never) {
      min($0, $1.nextDeadline ?? .never)
    }
    deadline = min(next, collectionDeadline)
  }

  /// When something will still end of itself before a limit; the limit where nothing will.
  ///
  /// The time-out of a request whose data comes again and again begins anew each time.
  func nextForeground(
    before limit: Instant, _ network: borrowing Network, _ context: borrowing Context
  ) -> Instant {
    var due = limit
    for pool in dispatchers.indices {
      due = dispatchers[pool].nextDeadline(before: due) {
        !platform.restsForEver(table.index(of: $0, in: pool), table, network, context)
      }
    }
    due = platform.loader.nextTimeout(before: due) { !platform.isFed($0, network, context) }
    // Idle threads are collected that nothing can need any more.
    let nothingRuns = dispatchers.allSatisfy { $0.unfinishedCount == 0 }
    return nothingRuns ? min(due, collectionDeadline) : due
  }
}
