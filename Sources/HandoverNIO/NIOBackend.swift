public import HandoverBackend
public import HandoverCore

/// A real transport: TCP over SwiftNIO, driven by the same client as the simulation, in real time.
///
/// Its network is given from outside, so that the same backend runs in a device lab and on the
/// loopback interface.
public struct NIOBackend: Backend {
  private let maker: any LiveNetworkMaker
  private let expectedEnd: @Sendable (Script, Profile) -> Instant
  private let options: Options

  /// What can be chosen.
  public struct Options: Hashable, Sendable {
    /// The longest run that is played in real time.
    public var longest = Interval.minutes(1)
    /// How much later than in virtual time things may happen.
    ///
    /// TCP's own timers are coarse: what is sent again waits twice as long each time.
    public var tolerance = Interval.seconds(1)

    /// The defaults.
    public init() {}
  }

  /// Makes the backend.
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

  /// Everything that the simulation shows can be seen here too, in the kernel's time.
  public var description: BackendDescription {
    BackendDescription(
      name: "nio", time: .real(tolerance: options.tolerance), capabilities: .all)
  }

  /// Makes a session; networks are made when scripts are opened.
  public func makeSession() throws(BackendError) -> any BackendSession {
    LiveSession(self)
  }

  /// The time-outs that the kernel can be given by a count of retransmissions, the shortest first:
  /// 200 ms, doubled with each.
  ///
  /// A script whose `tcpTimeout` is one of them gets it by the kernel's own count; every other one
  /// by TCP_USER_TIMEOUT.
  public static let countedTimeouts: [Interval] = retransmissionLimits.map {
    Interval(microseconds: 200_000 << ($0 + 1))
  }
  private static let retransmissionLimits: [Int64] = [4, 5, 6, 7]

  /// How much longer a run waits for calls that have not ended: what is late is seen to be late.
  var patience: Interval { options.tolerance + .seconds(2) }

  /// When the run of a script is over in virtual time.
  func expectedEnd(of script: Script, _ profile: Profile) throws(BackendError) -> Instant {
    if let reason = Self.obstacle(script, profile) { throw BackendError(.unsupported, reason) }
    let end = expectedEnd(script, profile)
    guard end <= .zero + options.longest else {
      throw BackendError(
        .unsupported,
        "it lasts longer than \(options.longest.text) of real time; raise the limit with --longest")
    }
    return end
  }

  func network(_ script: Script) throws(BackendError) -> any LiveNetwork {
    var plan: LivePlan
    do throws(LivePlan.Impossible) {
      plan = try LivePlan(script)
    } catch {
      throw BackendError(.unsupported, error.reason)
    }
    if let place = Self.countedTimeouts.firstIndex(of: script.configuration.tcpTimeout) {
      plan.retransmissionLimit = Int(Self.retransmissionLimits[place])
    }
    return try maker.makeNetwork(plan)
  }

  /// Why a script cannot be played on real sockets whatever the network; nil where it can.
  private static func obstacle(_ script: Script, _ profile: Profile) -> String? {
    if profile.transport == .cfStream, script.configuration.cfstream == .eventEngine {
      return "no kernel words its errors as the later generation of the CFStream code does"
    }
    if !script.configuration.chain.links.isEmpty {
      return "interceptors are played in virtual time only"
    }
    if profile.transport == .urlLoading {
      return "the limit of connections is of a platform's URL loading, which no kernel has"
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

extension ScriptAction {
  /// Whether the entry moves the device.
  fileprivate var movesDevice: Bool {
    switch self {
    case .flags, .path, .app: true
    case .startCall, .cancel, .finish, .send, .disconnect, .server, .names, .transport, .monitor,
      .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher:
      false
    }
  }
}
