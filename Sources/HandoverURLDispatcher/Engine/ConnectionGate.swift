import HandoverDispatcher
import HandoverThreadPool

/// A request that is to be handed to the transport.
struct Start {
  var operation: URLDispatcherOperation
  var inFlight: InFlightRequest
  var isFrozen = false
  /// Whose threads do it.
  var pool: ThreadPool
}

/// What stands between the slots of an endpoint and the transport, as long as there is something to
/// do.
///
/// A slot is free as soon as its request is given up, so that the delegate is told at once (U38,
/// U46); its connection is only when the transport has let go of it. Until then whoever has the
/// slot next is not handed over: there are never more requests with the transport than slots.
struct ConnectionGate {
  /// As many threads as the endpoint has connections (U67); nil where several requests share one.
  var pool: ThreadPool?
  /// Those that the transport has, or is about to get.
  private var open: [InFlightRequest] = []
  /// Those that have a slot and not yet a connection, in their order.
  private var waiting: [Start] = []

  /// Whether there is nothing to do.
  var isIdle: Bool { open.isEmpty && waiting.isEmpty }

  mutating func add(_ start: Start) { waiting.append(start) }

  /// The next one that may be handed over; nil where nobody waits or the transport has as many as
  /// there are slots.
  mutating func next(of slots: UInt32) -> Start? {
    guard open.count < slots, !waiting.isEmpty else { return nil }
    let start = waiting.removeFirst()
    open.append(start.inFlight)
    return start
  }

  /// The transport has nothing of a request any more; nothing changes where it took no connection
  /// that is counted.
  mutating func close(_ inFlight: InFlightRequest) { open.removeAll { $0 === inFlight } }
}

/// The pools of endpoints that have nothing to do.
///
/// The latest are kept, so that their threads are used again as long as these last; the others give
/// up theirs.
struct IdlePools {
  private var pools: [(key: EndpointKey, pool: ThreadPool)] = []

  /// How many are kept.
  static let most = 16

  var count: Int { pools.count }

  mutating func add(_ pool: ThreadPool, of key: EndpointKey) {
    if pools.count == Self.most { pools.removeFirst() }
    pools.append((key, pool))
  }

  /// Takes out the pool of an endpoint that has something to do again.
  mutating func take(_ key: EndpointKey) -> ThreadPool? {
    guard let index = pools.firstIndex(where: { $0.key == key }) else { return nil }
    return pools.remove(at: index).pool
  }
}
