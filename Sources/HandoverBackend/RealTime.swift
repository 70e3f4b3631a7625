public import HandoverCore

/// The settings and functions that all real-time backends share.
///
/// They determine in which networks scripts run, for how long, and with which tolerance.
public struct RealTime: Sendable {
  /// The configurable settings.
  public struct Options: Hashable, Sendable {
    /// The longest run allowed in real time.
    public var maxDuration = Interval.minutes(1)
    /// The allowed delay of events compared with virtual time.
    ///
    /// TCP's own timers are coarse, because the interval doubles with each retransmission.
    public var tolerance = Interval.seconds(1)

    /// Creates the default settings.
    public init() {}
  }

  private let maker: any LiveNetworkFactory
  private let options: Options
  private let expectedEnd: @Sendable (Script, Profile) -> Instant

  /// Creates the shared part of a real-time backend.
  ///
  /// - Parameters:
  ///   - maker: The factory of the network of each run.
  ///   - options: The settings.
  ///   - expectedEnd: A function that returns when the run of a script ends in virtual time. The
  ///     run does not wait for events after that.
  public init(
    in maker: any LiveNetworkFactory, options: Options = Options(),
    expectedEnd: @escaping @Sendable (Script, Profile) -> Instant
  ) {
    self.maker = maker
    self.options = options
    self.expectedEnd = expectedEnd
  }

  /// A closure that returns the setup that each thread working for a run has to perform first.
  ///
  /// It is called on the thread of the run. A caller that keeps the crashes of threads apart uses
  /// it to assign each thread to its run.
  public var makeThreadAdopter: @Sendable () -> @Sendable () -> Void = { {} }

  /// The allowed delay of events compared with virtual time.
  public var tolerance: Interval { options.tolerance }

  /// Checks that a change of the network was complete in time.
  ///
  /// The kernel serializes such changes across all namespaces, so a busy machine can need seconds
  /// for one. Until then the client sees the former network.
  ///
  /// - Parameters:
  ///   - due: the instant of the change.
  ///   - now: the instant at which the change was complete.
  /// - Throws: ``BackendError/Code/late`` if the difference exceeds the tolerance and the time that
  ///   a kernel may always take.
  public func checkChange(due: Instant, completeAt now: Instant) throws(BackendError) {
    let late = now.since(due)
    guard late > max(tolerance, Self.changeTime) else { return }
    throw BackendError(
      .late,
      "the network change at \(due.text) was complete \(late.text) late: this machine or the "
        + "client is too slow for the timeline")
  }

  /// The time that a kernel may take for a change of the network, even if the tolerance is less.
  private static let changeTime = Interval.seconds(1)

  /// The additional time for which a run waits for calls that have not ended.
  ///
  /// It exceeds the tolerance, so that a late event is still observed, as late.
  public var patience: Interval { options.tolerance + .seconds(2) }

  /// The timeouts that the kernel can implement by a number of retransmissions, the shortest first.
  ///
  /// The first interval is 200 ms, and each following one doubles.
  public static let countedTimeouts: [Interval] = retransmissionLimits.map {
    Interval(microseconds: 200_000 << ($0 + 1))
  }
  private static let retransmissionLimits: [Int64] = [4, 5, 6, 7]
  /// The port of the first host; each following host gets the next port.
  private static let firstPort: UInt16 = 50_051

  /// Returns the instant at which the run of a script ends in virtual time.
  ///
  /// - Throws: ``BackendError`` with the reason if the script cannot run in real time.
  public func expectedEnd(
    of script: Script, _ profile: Profile
  ) throws(BackendError) -> Instant {
    if let reason = Self.obstacle(script, profile) { throw BackendError(.unsupported, reason) }
    let end = expectedEnd(script, profile)
    guard end <= .zero + options.maxDuration else {
      throw BackendError(
        .unsupported,
        "it lasts longer than \(options.maxDuration.text) in real time; increase the limit with "
          + "--max-duration")
    }
    return end
  }

  /// Returns the last instant until which a run waits for calls that have not ended.
  ///
  /// If the script specifies `until`, the run waits until then, but no longer than the longest run
  /// allowed. Otherwise it waits some seconds longer than in virtual time.
  ///
  /// - Parameters:
  ///   - script: The script of the run.
  ///   - expectedEnd: The instant at which the run ends in virtual time.
  ///   - limit: The latest possible end of the run.
  /// - Returns: The instant, never after the limit.
  public func lastInstant(
    of script: Script, expectedEnd: Instant, limit: Instant
  ) -> Instant {
    let usual = expectedEnd + patience
    guard let until = script.configuration.until else { return min(limit, usual) }
    return min(limit, max(usual, min(until, .zero + options.maxDuration)))
  }

  /// Creates the network of a script.
  ///
  /// If the kernel can implement the script's TCP timeout as a number of retransmissions, the
  /// device's TCP gives up after it.
  ///
  /// - Parameters:
  ///   - script: The script of the run.
  ///   - delaysHandshakes: Whether the network delays each connection as its host specifies. A
  ///     backend whose own servers do so passes `false`.
  /// - Returns: The network, ready for use.
  /// - Throws: ``BackendError`` if the script cannot run in real time, or if the network cannot be
  ///   created.
  public func makeNetwork(
    for script: Script, delaysHandshakes: Bool = true
  ) throws(BackendError) -> any LiveNetwork {
    var plan: LivePlan
    do throws(LivePlan.UnsupportedScript) {
      plan = try LivePlan(script)
    } catch {
      throw BackendError(.unsupported, error.reason)
    }
    if !delaysHandshakes { plan.handshakes = plan.handshakes.map { _ in .zero } }
    // Several hosts may share one address, so each one gets a different port.
    for host in plan.hosts.indices {
      plan.hosts[host].port = Self.firstPort &+ UInt16(truncatingIfNeeded: host)
    }
    if let index = Self.countedTimeouts.firstIndex(of: script.configuration.tcpTimeout) {
      plan.retransmissionLimit = Int(Self.retransmissionLimits[index])
    }
    return try maker.makeNetwork(plan)
  }

  /// Returns why a script cannot run on real sockets in any network, or `nil` if it can.
  private static func obstacle(_ script: Script, _ profile: Profile) -> String? {
    if profile.transport.hasStreamEvents, script.configuration.cfstream == .eventEngine {
      return "no kernel reports errors like the later generation of the CFStream code"
    }
    if profile.transport.migration != nil {
      return "only the built-in transport, in virtual time, supports QUIC"
    }
    if !script.configuration.chain.links.isEmpty {
      return "interceptors are supported in virtual time only"
    }
    if let reason = profile.client.realTimeObstacle { return reason }
    // A recording that has not been loaded is missing in real time too.
    if let reason = script.obstacleInVirtualTime { return reason }
    if !script.configuration.order.isDefault {
      return "real time has no defined order for simultaneous entries"
    }
    // Real time does not order a deadline and a network change that share an instant.
    let moves = script.entries.filter { $0.action.movesDevice }.map(\.at)
    for entry in script.entries {
      guard case .startCall(let call) = entry.action,
        let deadline = script.calls[call].deadline, moves.contains(entry.at + deadline)
      else { continue }
      return "the deadline of call \"\(script.calls[call].id)\" coincides with a network change, "
        + "and real time has no defined order for simultaneous events"
    }
    return nil
  }
}

extension ConnectionFault {
  /// Whether the fault also affects connections opened later, not only those that are open now.
  package var affectsLaterAttempts: Bool {
    switch self {
    case .blackholeConnect, .resume: true
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill: false
    }
  }
}

extension ScriptAction {
  /// Whether the entry changes the state of the device.
  fileprivate var movesDevice: Bool {
    switch self {
    case .flags, .path, .app, .network, .power: true
    default: false
    }
  }
}
