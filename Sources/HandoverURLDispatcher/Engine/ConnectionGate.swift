import HandoverCore
import HandoverThreadPool

/// A request to pass to the transport.
struct Start {
  var operation: URLDispatcherOperation
  var inFlight: InFlightRequest
  var isFrozen = false
  /// The pool whose threads pass it on.
  var pool: ThreadPool
}

/// A queue between the slots of an endpoint and the transport, which exists while there is work.
///
/// A slot is freed as soon as its request is canceled, so that the delegate is notified immediately
/// (U38, U46). The connection is freed only when the transport has released it. Until then, the
/// next request with that slot is not passed on, so the transport never has more requests than
/// there are slots.
struct ConnectionGate {
  /// A pool with one thread per connection of the endpoint (U67), or `nil` if requests share
  /// connections.
  var pool: ThreadPool?
  /// The requests that the transport has or is about to receive.
  private var open: [InFlightRequest] = []
  /// The requests that have a slot but no connection yet, in order.
  private var waiting: [Start] = []

  /// Whether the gate has no requests.
  var isIdle: Bool { open.isEmpty && waiting.isEmpty }

  mutating func add(_ start: Start) { waiting.append(start) }

  /// Returns the next request to pass on, or `nil` if none waits or all slots are in use.
  mutating func next(of slots: UInt32) -> Start? {
    guard open.count < slots, !waiting.isEmpty else { return nil }
    let start = waiting.removeFirst()
    open.append(start.inFlight)
    return start
  }

  /// Removes a request that the transport has released; has no effect if the request is not
  /// counted.
  mutating func close(_ inFlight: InFlightRequest) { open.removeAll { $0 === inFlight } }
}

/// The thread pools of endpoints without requests.
///
/// The most recent pools are kept, so that their threads can be reused. Older pools are released.
struct IdlePools {
  private var pools: [(key: EndpointKey, pool: ThreadPool)] = []

  /// The maximum number of pools that are kept.
  static let most = 16

  var count: Int { pools.count }

  mutating func add(_ pool: ThreadPool, of key: EndpointKey) {
    if pools.count == Self.most { pools.removeFirst() }
    pools.append((key, pool))
  }

  /// Removes and returns the pool of an endpoint that has requests again.
  mutating func take(_ key: EndpointKey) -> ThreadPool? {
    guard let index = pools.firstIndex(where: { $0.key == key }) else { return nil }
    return pools.remove(at: index).pool
  }
}
