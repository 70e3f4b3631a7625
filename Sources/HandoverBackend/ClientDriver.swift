package import HandoverCore

/// A driver that runs the built-in client in real time.
///
/// The driver decides which facts the client receives and when, in which order its effects are
/// carried out, and when the next deadline is due. The owner delivers facts and carries out each
/// effect before it asks for the next one:
///
///     driver.deliver(event, at: now, into: &trace)
///     while let order = driver.nextOrder(into: &trace) { carryOut(order) }
package struct ClientDriver: ~Copyable {
  private var core: ClientCore
  private var effects = EffectLog<ClientEffect>()
  /// The number of effects that the owner has already fetched.
  private var asked = 0
  /// The instant of the fact being delivered; its immediate effects have the same instant.
  private var now = Instant.zero
  private var held = DeferredEvents()
  /// The earliest instant for deadlines.
  ///
  /// A resumed application reads its pending input before its deadlines are checked.
  private var earliestDeadlineTime = Instant.zero
  /// Whether the client is closed and receives no more facts.
  package private(set) var isClosed = false

  /// The pooled channel of each call of the script, and the host of each channel.
  package private(set) var callEndpoints: [EndpointID] = []
  package private(set) var endpointHosts: ContiguousArray<UInt32> = []
  /// The identifier of each call of the script, or `nil` before the call starts.
  private var calls: [CallID?]
  /// The script's call for each row of the client's call table.
  private var callIndices: [UInt32] = []
  private var hasEnded: [Bool]
  private var endedCalls = 0

  /// Creates the client and registers the keys of the script's calls in their order.
  package init(_ script: Script, _ profile: Profile) {
    core = ClientCore(PoolConfiguration(script.configuration, policy: profile.policy))
    calls = Array(repeating: nil, count: script.calls.count)
    hasEnded = Array(repeating: false, count: script.calls.count)
    for call in script.calls {
      let endpoint = core.register(
        ChannelKey(host: script.hosts[call.host].name, options: call.options))
      callEndpoints.append(endpoint)
      while endpointHosts.count <= endpoint.index { endpointHosts.append(0) }
      endpointHosts[Int(endpoint.index)] = UInt32(truncatingIfNeeded: call.host)
    }
  }

  // MARK: Calls

  /// Assigns an identifier to a call of the script that is about to start.
  package mutating func introduce(_ call: Int) -> CallID {
    let id = core.nextCallID
    while callIndices.count <= id.index { callIndices.append(.max) }
    callIndices[Int(id.index)] = UInt32(truncatingIfNeeded: call)
    calls[call] = id
    return id
  }

  /// Returns the identifier of a call of the script, or `nil` before the call starts.
  package func id(of call: Int) -> CallID? { call < calls.count ? calls[call] : nil }

  /// Returns the call of the script that has an identifier.
  package func call(_ id: CallID) -> UInt32 { callIndices[Int(id.index)] }

  /// Returns whether a call of the script has ended.
  package func hasEnded(_ call: Int) -> Bool { hasEnded[call] }

  /// Whether every call of the script has started and ended; each call ends once.
  package var allCallsHaveEnded: Bool { endedCalls == calls.count }

  // MARK: Facts and effects

  /// Returns whether the client receives a fact now.
  ///
  /// If its application does not run, the fact is deferred until the application resumes.
  package mutating func receives(
    _ event: ClientCore.Event, in app: AppState, at now: Instant, into trace: inout Trace
  ) -> Bool {
    if DeferredEvents.isDelivered(event, in: app) { return true }
    trace.append(.world(held.hold(event)), at: now)
    return false
  }

  /// Delivers a fact to the client, whatever the state of its application.
  package mutating func deliver(
    _ event: ClientCore.Event, at now: Instant, into trace: inout Trace
  ) {
    self.now = now
    trace.append(.event(event), at: now)
    effects.removeAll()
    asked = 0
    core.step(event, at: now, into: &effects)
  }

  /// Returns the next effect of the last fact, to be carried out now, or `nil` after the last
  /// effect.
  package mutating func nextOrder(into trace: inout Trace) -> ClientEffect? {
    guard asked < effects.count else { return nil }
    let order = effects[asked]
    asked += 1
    trace.append(.effect(order), at: now)
    if case .endCall(let id, _) = order {
      hasEnded[Int(call(id))] = true
      endedCalls += 1
    }
    return order
  }

  /// Returns the next instant at which time alone changes the client's state, or `nil` if there is
  /// none.
  package func nextDeadline(in app: AppState) -> Instant? {
    guard app.runs, !isClosed, let deadline = core.nextDeadline else { return nil }
    return max(deadline, earliestDeadlineTime)
  }

  /// Resumes the application.
  ///
  /// - Parameters:
  ///   - now: The current instant.
  ///   - reading: The time that the application may spend on its pending input before its deadlines
  ///     are checked.
  /// - Returns: The facts that were deferred, to be delivered now.
  package mutating func resume(at now: Instant, reading: Interval) -> DeferredEvents {
    earliestDeadlineTime = now + reading
    return held.release()
  }

  // MARK: The end

  /// Marks the client as closed, after it received its close; it receives no more facts.
  ///
  /// Returns descriptions of timers that the client left behind.
  package mutating func close() -> [String] {
    isClosed = true
    return core.nextDeadline.map { ["a timer due at \($0.microseconds) us remains"] } ?? []
  }
}
