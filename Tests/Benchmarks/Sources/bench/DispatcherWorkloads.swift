import HandoverCore

/// The endpoint dispatcher with a long queue of short requests for one endpoint.
struct DispatcherWorkload: ~Copyable {
  private var dispatcher: EndpointDispatcher
  private var effects = EffectLog<DispatcherEffect>(reserving: 16)
  private var endpoint: EndpointID
  private var order = OrderSum()
  private var random = XorShift()
  private var now = Instant.zero
  /// The queued requests and the running ones.
  ///
  /// A new request takes the position of the one that it replaces.
  private var waiting: ContiguousArray<RequestID> = []
  private var running: ContiguousArray<RequestID> = []

  /// Fills the endpoint and its queue.
  private init?(queued: Int) {
    dispatcher = EndpointDispatcher(
      DispatcherConfiguration(limits: ConnectionLimitsPreset.version1_5.limits))
    guard let key = EndpointKey(host: "host.example", port: 443) else { return nil }
    endpoint = dispatcher.register(key)
    for _ in 0..<4 { running.append(admit()) }
    for _ in 0..<queued { waiting.append(admit()) }
  }

  /// Measures operations in which a request ends, the next queued one starts, and a new one
  /// arrives.
  static func admissionAndRelease(queued: Int, operations: Int) -> Measurement? {
    guard var workload = DispatcherWorkload(queued: queued) else { return nil }
    return measure("dispatcher \(queued)") { workload.release(operations) }
  }

  /// Measures operations in which a random queued request is cancelled and a new one arrives.
  static func cancelInQueue(queued: Int, operations: Int) -> Measurement? {
    guard var workload = DispatcherWorkload(queued: queued) else { return nil }
    return measure("dispatcher-cancel \(queued)") { workload.cancel(operations) }
  }

  @inline(__always)
  private mutating func admit() -> RequestID {
    let id = dispatcher.nextRequestID
    effects.removeAll()
    dispatcher.step(
      .requestArrived(id, endpoint, RequestSettings(.short)), at: now, into: &effects)
    return id
  }

  private mutating func release(_ operations: Int) -> (operations: UInt64, order: UInt64) {
    for operation in 0..<operations {
      now = now + .milliseconds(1)
      effects.removeAll()
      dispatcher.step(.finished(running[operation % 4]), at: now, into: &effects)
      guard case .start(let started) = effects[effects.count - 1] else { break }
      order.add(UInt64(started.index))
      running[operation % 4] = started
      _ = admit()
    }
    return (UInt64(operations), order.value)
  }

  private mutating func cancel(_ operations: Int) -> (operations: UInt64, order: UInt64) {
    for _ in 0..<operations {
      let victim = Int(random.next() % UInt64(waiting.count))
      effects.removeAll()
      dispatcher.step(.cancelled(waiting[victim]), at: now, into: &effects)
      guard case .notify(let reported, .cancelled) = effects[0] else { break }
      order.add(UInt64(reported.index))
      waiting[victim] = admit()
    }
    return (UInt64(operations), order.value)
  }
}
