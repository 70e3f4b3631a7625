public import HandoverBackend
public import HandoverCore

/// Processes with sockets of their own, clients or transports, in a real network and in real time.
///
/// For each run the command under test is started anew on the device and the servers' among the
/// servers, so that no socket of one run is met by the next.
public struct LiveProcesses: Backend {
  let client: String
  let server: String
  let timeout: Interval
  /// How long a process may take to start once it is known that it does.
  ///
  /// All that live at once may start in the same moment, and an interpreter or a virtual machine
  /// takes its time for it: what is enough for an answer is not.
  var start: Interval
  let time: RealTime
  /// How many lines a process may write in a run.
  var lineLimit = LiveProcess.maximumLines
  /// What the client's command said of itself when it was asked first.
  public let hello: BackendHello
  private let serverHello: ServerHello

  /// Starts both commands once, to hear who they are.
  ///
  /// - Parameters:
  ///   - client: what is under test, as one would type it in a shell.
  ///   - server: what plays the servers.
  ///   - timeout: how long each answer may take.
  ///   - time: what all backends in real time share.
  /// - Throws: ``BackendError`` where one cannot be started or says no proper hello.
  public init(
    client: String, server: String, timeout: Interval = .seconds(5), time: RealTime
  ) throws(BackendError) {
    self.client = client
    self.server = server
    self.timeout = timeout
    start = Interval(microseconds: 6 * min(timeout, .minutes(60)).microseconds)
    self.time = time
    let (clientProcess, hello) = try Self.startClient(
      client, timeout, start: timeout, at: .here)
    _ = clientProcess.stop()
    self.hello = hello
    let (serverProcess, serverHello) = try Self.startServer(
      server, timeout, start: timeout, at: .here)
    _ = serverProcess.stop()
    self.serverHello = serverHello
  }

  /// Its name, and what can be seen: of a client how its calls end and no more, of a transport all
  /// that the built-in client above it shows.
  public var description: BackendDescription {
    let shown: Capabilities =
      switch hello.role {
      case .client: []
      case .transport: [.channels, .connections, .monitor, .messages]
      }
    return BackendDescription(
      name: hello.name, time: .real(tolerance: time.tolerance), capabilities: shown)
  }

  /// Makes a session; processes are started when scripts are opened.
  public func makeSession() throws(BackendError) -> any BackendSession {
    LiveProcessSession(self)
  }

  static func startClient(
    _ command: String, _ timeout: Interval, start: Interval, at place: BackendProcess.Place,
    lineLimit: Int = LiveProcess.maximumLines
  ) throws(BackendError) -> (LiveProcess, BackendHello) {
    try LiveProcess.start(
      command, timeout: timeout, start: start, at: place, title: "the backend",
      lineLimit: lineLimit
    ) { line throws(AnswerError) in try BackendHello(line, in: .real) }
  }

  static func startServer(
    _ command: String, _ timeout: Interval, start: Interval, at place: BackendProcess.Place
  ) throws(BackendError) -> (LiveProcess, ServerHello) {
    try LiveProcess.start(
      command, timeout: timeout, start: start, at: place, title: "the server"
    ) { line throws(AnswerError) in try ServerHello(line) }
  }

  /// Why a script cannot be played with these processes; nil where it can.
  func obstacle(_ script: Script, _ profile: Profile) -> String? {
    hello.obstacle(script, profile) ?? serverHello.obstacle(script)
      ?? Self.limit(script, profile, tolerance: time.tolerance)
  }

  /// What nobody can do to a process with sockets of its own.
  private static func limit(
    _ script: Script, _ profile: Profile, tolerance: Interval
  ) -> String? {
    let settings = script.configuration
    if settings.tcpTimeout != RunConfiguration().tcpTimeout,
      !RealTime.countedTimeouts.contains(settings.tcpTimeout)
    {
      return "no kernel counts to a tcpTimeout of \(settings.tcpTimeout.text), and the sockets "
        + "are the process's own"
    }
    if let call = callDisturbedWhileConnecting(script) {
      return "something happens while call \"\(call)\" connects, and real time does not say "
        + "which of the two is first"
    }
    if script.looksAtAddresses || script.hasIPv6 {
      return "a process in the lab is given one address of IPv4 for each host, and looks up no "
        + "names"
    }
    let looksUpNames = script.entries.contains {
      if case .names = $0.action { true } else { false }
    }
    if looksUpNames || script.hosts.contains(where: { $0.names != .resolve }) {
      return "a process in the lab is given addresses, and looks up no names"
    }
    guard profile.policy.monitorsReachability else { return nil }
    let tampers = script.entries.contains {
      if case .monitor = $0.action { true } else { false }
    }
    if tampers || !script.initial.monitorIsReadable || settings.monitorLatency > tolerance
      || saysWhatIsTold(script)
    {
      return "the kernel itself is asked for its flags, and nobody stands between"
    }
    return nil
  }

  /// Whether a script has callbacks other than those that the kernel makes of its networks.
  private static func saysWhatIsTold(_ script: Script) -> Bool {
    let isKernels = script.networks.allSatisfy {
      NetworkCategory($0.flags) == NetworkCategory($0.kind.flags)
    }
    guard isKernels, script.configuration.monitorWatch == .defaultNetwork else { return true }
    return script.entries.contains {
      switch $0.action {
      case .signal, .network(_, _, .some): true
      default: false
      }
    }
  }

  /// The first call that is still connecting in virtual time when something else than calls and
  /// messages comes; nil where there is none.
  private static func callDisturbedWhileConnecting(_ script: Script) -> String? {
    for (place, entry) in script.entries.enumerated() {
      guard case .startCall(let call) = entry.action else { continue }
      let connected = entry.at + script.hosts[script.calls[call].host].connect
      let following = script.entries[(place + 1)...].prefix { $0.at < connected }
      if following.contains(where: \.action.disturbs) { return script.calls[call].id }
    }
    return nil
  }
}

extension ScriptAction {
  /// Whether it changes what becomes of a call that connects.
  fileprivate var disturbs: Bool {
    switch self {
    case .flags, .path, .app, .cancel, .disconnect, .server, .names, .transport, .monitor, .network,
      .signal, .power:
      true
    case .makeCall, .startCall, .finish, .send, .receive, .interceptor, .request, .cancelRequest,
      .ask,
      .dispatcher:
      false
    }
  }
}
