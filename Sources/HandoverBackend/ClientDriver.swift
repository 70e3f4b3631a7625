package import HandoverCore
package import HandoverTrace

/// Drives the built-in client in real time: what it hears and when, in which order its orders are
/// carried out, and when time alone changes something.
///
/// Whoever owns it brings the facts and carries out the orders, each before the next is asked for:
///
///     driver.tell(event, at: now, into: &trace)
///     while let order = driver.nextOrder(into: &trace) { carryOut(order) }
package struct ClientDriver: ~Copyable {
  private var core: ClientCore
  private var effects = EffectLog<ClientEffect>()
  /// How many of the orders were asked for.
  private var asked = 0
  /// The instant of the fact that is told; what follows from it at once has the same.
  private var now = Instant.zero
  private var held = HeldFacts()
  /// An application that returns reads what waits for it before its deadlines are looked at.
  private var deadlinesRest = Instant.zero
  /// Whether it hears nothing more.
  package private(set) var isClosed = false

  /// The pooled channel of each call of the script, and the host of each channel.
  package private(set) var callEndpoints: [EndpointID] = []
  package private(set) var endpointHosts: ContiguousArray<UInt32> = []
  /// The identifier of each call of the script; nil before its start.
  private var calls: [CallID?]
  /// The call of the script that has a row of the client's table.
  private var callIndices: [UInt32] = []
  private var hasEnded: [Bool]
  private var endedCalls = 0

  /// Makes the client, and registers the keys of the script's calls in their order.
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

  /// Gives a call of the script, which is about to be started, its identifier.
  package mutating func introduce(_ call: Int) -> CallID {
    let id = core.nextCallID
    while callIndices.count <= id.index { callIndices.append(.max) }
    callIndices[Int(id.index)] = UInt32(truncatingIfNeeded: call)
    calls[call] = id
    return id
  }

  /// The identifier of a call of the script; nil before its start.
  package func id(of call: Int) -> CallID? { call < calls.count ? calls[call] : nil }

  /// The call of the script that an identifier stands for.
  package func call(_ id: CallID) -> UInt32 { callIndices[Int(id.index)] }

  /// Whether a call of the script has ended.
  package func hasEnded(_ call: Int) -> Bool { hasEnded[call] }

  /// Whether every call of the script has been started and has ended, which each does once.
  package var allCallsHaveEnded: Bool { endedCalls == calls.count }

  // MARK: Facts and orders

  /// Whether the client hears of a fact now; one whose application does not run hears it later.
  package mutating func hears(
    _ event: ClientCore.Event, in app: AppState, at now: Instant, into trace: inout Trace
  ) -> Bool {
    if HeldFacts.isHeard(event, in: app) { return true }
    trace.append(.world(held.hold(event)), at: now)
    return false
  }

  /// Tells the client of a fact, whatever its application does.
  package mutating func deliver(
    _ event: ClientCore.Event, at now: Instant, into trace: inout Trace
  ) {
    self.now = now
    trace.append(.event(event), at: now)
    effects.removeAll()
    asked = 0
    core.step(event, at: now, into: &effects)
  }

  /// The next order that follows from the last fact, to be carried out now; nil after the last.
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

  /// When time alone changes something; nil where it never does.
  package func nextDeadline(in app: AppState) -> Instant? {
    guard app.runs, !isClosed, let deadline = core.nextDeadline else { return nil }
    return max(deadline, deadlinesRest)
  }

  /// The application runs again.
  ///
  /// - Parameters:
  ///   - now: the instant.
  ///   - reading: how long it may take to read what waits for it, before its deadlines.
  /// - Returns: what it did not hear, to be told now.
  package mutating func resume(at now: Instant, reading: Interval) -> HeldFacts {
    deadlinesRest = now + reading
    return held.release()
  }

  // MARK: The end

  /// The client was told that it is closed, and hears nothing more; answers what of it remains.
  package mutating func close() -> [String] {
    isClosed = true
    return core.nextDeadline.map { ["a timer due at \($0.microseconds) us remains"] } ?? []
  }
}
