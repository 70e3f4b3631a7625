import HandoverCore

func request(_ index: UInt32, _ generation: UInt32 = 0) -> RequestID {
  RequestID(index: index, generation: generation)
}

/// A dispatcher, the time of its last event, and two registered endpoints.
struct DispatcherRig: Hashable {
  private(set) var core: EndpointDispatcher
  private(set) var now = Instant.zero

  init(_ configuration: DispatcherConfiguration, endpoints: Int = 2) {
    core = EndpointDispatcher(configuration)
    for index in 0..<endpoints {
      guard let key = EndpointKey(host: "host\(index).example", port: 80) else { continue }
      _ = core.register(key)
    }
  }

  /// Creates a dispatcher for four concurrent requests, two of them long, as in version 1.5.0 and
  /// later.
  init(
    total: UInt32 = 4, long: UInt32 = 2, policy: LongLimitPolicy = .throw,
    chargesWaiting: Bool = false, defects: [DispatcherDefect] = []
  ) throws {
    self.init(
      DispatcherConfiguration(
        limits: try ConnectionLimits(total: total, long: long), policy: policy,
        chargesWaiting: chargesWaiting, defects: DispatcherDefects(defects)))
  }

  /// Sends an event to the dispatcher and returns the effects.
  @discardableResult
  mutating func send(
    _ event: EndpointDispatcher.Event, at instant: Instant? = nil
  ) -> [DispatcherEffect] {
    now = instant ?? now
    var effects = EffectLog<DispatcherEffect>()
    core.step(event, at: now, into: &effects)
    return effects.elements
  }

  /// Advances the time; due deadlines fire.
  @discardableResult
  mutating func wait(until instant: Instant) -> [DispatcherEffect] {
    send(.timeElapsed, at: instant)
  }

  /// Sends the arrival of the next request.
  @discardableResult
  mutating func arrive(
    _ settings: RequestSettings, on index: UInt32 = 0, at instant: Instant? = nil
  ) -> [DispatcherEffect] {
    send(.requestArrived(core.nextRequestID, endpoint(index), settings), at: instant)
  }

  /// Sends the arrivals of several requests of one kind.
  @discardableResult
  mutating func arrive(
    _ count: Int, _ kind: RequestKind, on index: UInt32 = 0
  ) -> [DispatcherEffect] {
    (0..<count).flatMap { _ in arrive(RequestSettings(kind), on: index) }
  }

  mutating func register(_ key: EndpointKey) -> EndpointID { core.register(key) }

  func usage(_ index: UInt32 = 0) -> EndpointUsage { core.usage(of: endpoint(index)) }

  func prediction(
    _ kind: RequestKind, on index: UInt32 = 0, policy: LongLimitPolicy? = nil
  ) -> Admission {
    core.prediction(for: kind, on: endpoint(index), policy: policy)
  }

  /// Returns a copy of the rig after `prepare`.
  func after(_ prepare: (inout DispatcherRig) -> Void) -> DispatcherRig {
    var copy = self
    prepare(&copy)
    return copy
  }
}
