public import HandoverCore

/// What all backends in real time share: in which networks they play, how long, and how exactly.
public struct RealTime: Sendable {
  /// What can be chosen.
  public struct Options: Hashable, Sendable {
    /// The longest run that is played in real time.
    public var maxDuration = Interval.minutes(1)
    /// How much later than in virtual time things may happen.
    ///
    /// TCP's own timers are coarse: what is sent again waits twice as long each time.
    public var tolerance = Interval.seconds(1)

    /// The defaults.
    public init() {}
  }

  private let maker: any LiveNetworkMaker
  private let options: Options
  private let expectedEnd: @Sendable (Script, Profile) -> Instant

  /// Makes the common ground of a backend.
  ///
  /// - Parameters:
  ///   - maker: makes the network of each run.
  ///   - options: what can be chosen.
  ///   - expectedEnd: when the run of a script is over in virtual time; what is to happen later is
  ///     not waited for.
  public init(
    in maker: any LiveNetworkMaker, options: Options = Options(),
    expectedEnd: @escaping @Sendable (Script, Profile) -> Instant
  ) {
    self.maker = maker
    self.options = options
    self.expectedEnd = expectedEnd
  }

  /// Asked on the thread of a run: what each thread that works for the run has to do first.
  ///
  /// Whoever keeps the faults of threads apart learns so whose they are.
  public var adoption: @Sendable () -> @Sendable () -> Void = { {} }

  /// How much later than in virtual time things may happen.
  public var tolerance: Interval { options.tolerance }

  /// How much longer a run waits for calls that have not ended: what is late is seen to be late.
  public var patience: Interval { options.tolerance + .seconds(2) }

  /// The time-outs that the kernel can be given by a count of retransmissions, the shortest first:
  /// 200 ms, doubled with each.
  public static let countedTimeouts: [Interval] = retransmissionLimits.map {
    Interval(microseconds: 200_000 << ($0 + 1))
  }
  private static let retransmissionLimits: [Int64] = [4, 5, 6, 7]
  /// The port of the first host that has addresses of its own.
  private static let firstPort: UInt16 = 50_051

  /// When the run of a script is over in virtual time.
  ///
  /// - Throws: ``BackendError`` that says why it cannot be played in real time.
  public func expectedEnd(
    of script: Script, _ profile: Profile
  ) throws(BackendError) -> Instant {
    if let reason = Self.obstacle(script, profile) { throw BackendError(.unsupported, reason) }
    let end = expectedEnd(script, profile)
    guard end <= .zero + options.maxDuration else {
      throw BackendError(
        .unsupported,
        "it lasts longer than \(options.maxDuration.text) of real time; raise the limit with "
          + "--max-duration")
    }
    return end
  }

  /// How long a run waits for calls that have not ended: until the script's `until` where it states
  /// one, as far as runs may be long here; otherwise some seconds longer than in virtual time.
  ///
  /// - Parameters:
  ///   - script: what is played.
  ///   - expectedEnd: when the run is over in virtual time.
  ///   - limit: when it is over at the latest.
  /// - Returns: the instant; never after the limit.
  public func lastInstant(
    of script: Script, expectedEnd: Instant, limit: Instant
  ) -> Instant {
    let usual = expectedEnd + patience
    guard let until = script.configuration.until else { return min(limit, usual) }
    return min(limit, max(usual, min(until, .zero + options.maxDuration)))
  }

  /// Makes the network of a script; the device's TCP gives up after the script's time-out where the
  /// kernel can count so far.
  ///
  /// - Parameters:
  ///   - script: what is played.
  ///   - delaysHandshakes: whether a connection takes as long as its host says; a backend whose own
  ///     servers see to that wants none.
  /// - Returns: the network, which stands.
  /// - Throws: ``BackendError`` where the script cannot be played, or the network cannot be made.
  public func makeNetwork(
    for script: Script, delaysHandshakes: Bool = true
  ) throws(BackendError) -> any LiveNetwork {
    var plan: LivePlan
    do throws(LivePlan.Impossible) {
      plan = try LivePlan(script)
    } catch {
      throw BackendError(.unsupported, error.reason)
    }
    if !delaysHandshakes { plan.handshakes = plan.handshakes.map { _ in .zero } }
    // Several hosts may have one address, and each has a server of its own.
    for host in plan.hosts.indices {
      plan.hosts[host].port = Self.firstPort &+ UInt16(truncatingIfNeeded: host)
    }
    if let index = Self.countedTimeouts.firstIndex(of: script.configuration.tcpTimeout) {
      plan.retransmissionLimit = Int(Self.retransmissionLimits[index])
    }
    return try maker.makeNetwork(plan)
  }

  /// Why a script cannot be played on real sockets whatever the network; nil where it can.
  private static func obstacle(_ script: Script, _ profile: Profile) -> String? {
    if profile.transport.hasStreamEvents, script.configuration.cfstream == .eventEngine {
      return "no kernel words its errors as the later generation of the CFStream code does"
    }
    if profile.transport.migration != nil {
      return "connections of QUIC are played in virtual time, by the built-in transport only"
    }
    if !script.configuration.chain.links.isEmpty {
      return "interceptors are played in virtual time only"
    }
    if profile.makesRequests {
      return "the limit of connections is of a platform's URL loading, which no kernel has"
    }
    // A recording that nobody has read is none there either.
    if let reason = script.obstacleInVirtualTime { return reason }
    if !script.configuration.order.isUsual {
      return "real time keeps no order inside an instant"
    }
    // Whatever happens first in a real instant happens first.
    let moves = script.entries.filter { $0.action.movesDevice }.map(\.at)
    for entry in script.entries {
      guard case .startCall(let call) = entry.action,
        let deadline = script.calls[call].deadline, moves.contains(entry.at + deadline)
      else { continue }
      return "the deadline of call \"\(script.calls[call].id)\" falls on the instant of a move, "
        + "and real time keeps no order inside an instant"
    }
    return nil
  }
}

extension TransportWord {
  /// Whether it may be met by connections that are made later, and not only by those that are open.
  package var meetsLaterAttempts: Bool {
    switch self {
    case .blackholeConnect, .resume: true
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill: false
    }
  }
}

extension ScriptAction {
  /// Whether the entry moves the device.
  fileprivate var movesDevice: Bool {
    switch self {
    case .flags, .path, .app, .network, .power: true
    case .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .server, .names, .transport,
      .monitor,
      .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher, .signal:
      false
    }
  }
}
