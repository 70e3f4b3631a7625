import HandoverCore

/// The endpoint dispatcher with a long line of short requests before one endpoint.
struct DispatcherWorkload: ~Copyable {
  private var dispatcher: EndpointDispatcher
  private var effects = EffectLog<DispatcherEffect>(reserving: 16)
  private var endpoint: EndpointID
  private var order = OrderSum()
  private var random = XorShift()
  private var now = Instant.zero
  /// The requests in line, and those that run; each stands where it came in.
  private var waiting: ContiguousArray<RequestID> = []
  private var running: ContiguousArray<RequestID> = []

  /// Fills the endpoint and its line.
  private init?(queued: Int) {
    dispatcher = EndpointDispatcher(
      DispatcherConfiguration(limits: ConnectionLimitsPreset.version1_5.limits))
    guard let key = EndpointKey(host: "host.example", port: 443) else { return nil }
    endpoint = dispatcher.register(key)
    for _ in 0..<4 { running.append(admit()) }
    for _ in 0..<queued { waiting.append(admit()) }
  }

  /// A request ends, the first in line starts in its place, and another one arrives.
  static func admissionAndRelease(queued: Int, operations: Int) -> Measurement? {
    guard var workload = DispatcherWorkload(queued: queued) else { return nil }
    return measure("dispatcher \(queued)") { workload.release(operations) }
  }

  /// A request is withdrawn from anywhere in the line, and another one arrives.
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
      guard case .tell(let told, .cancelled) = effects[0] else { break }
      order.add(UInt64(told.index))
      waiting[victim] = admit()
    }
    return (UInt64(operations), order.value)
  }
}
