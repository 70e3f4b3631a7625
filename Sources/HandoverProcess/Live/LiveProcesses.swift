public import HandoverBackend
public import HandoverCore

/// Processes with their own sockets, clients or transports, in a real network and in real time.
///
/// Each run starts the command under test on the device, and the server command on the servers'
/// side. Therefore no socket of one run is visible in the next.
public struct LiveProcesses: Backend {
  let client: String
  let server: String
  let timeout: Interval
  /// The time limit of a process's start, once a first start has succeeded.
  ///
  /// All processes that live at the same time may start in the same moment. An interpreter or a
  /// virtual machine then needs more time than an answer does.
  var start: Interval
  let time: RealTime
  /// The maximum number of lines that a process may write in a run.
  var lineLimit = LiveProcess.maximumLines
  /// The handshake from the first start of the client's command.
  public let hello: BackendHello
  private let serverHello: ServerHello

  /// Starts both commands once, to read their handshakes.
  ///
  /// - Parameters:
  ///   - client: The shell command line of the backend under test.
  ///   - server: The shell command line of the program that runs the servers.
  ///   - timeout: The time limit of each answer.
  ///   - time: The settings that all real-time backends share.
  /// - Throws: ``BackendError`` if a command cannot be started or sends no valid handshake.
  public init(
    client: String, server: String, timeout: Interval = .answerTimeout, time: RealTime
  ) throws(BackendError) {
    self.client = client
    self.server = server
    self.timeout = timeout
    start = max(timeout, .answerTimeout)
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

  /// The backend's name and the observable events.
  ///
  /// For a client, only the ends of calls are observable. For a transport, the events of the
  /// built-in client are observable too.
  public var description: BackendDescription {
    let shown: Capabilities =
      switch hello.role {
      case .client: []
      case .transport: [.channels, .connections, .monitor, .messages]
      }
    return BackendDescription(
      name: hello.name, time: .real(tolerance: time.tolerance), capabilities: shown)
  }

  /// Creates a session; processes are started when scripts are opened.
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

  /// Returns why these processes cannot run a script, or `nil` if they can.
  func obstacle(_ script: Script, _ profile: Profile) -> String? {
    hello.obstacle(script, profile) ?? serverHello.obstacle(script)
      ?? Self.limit(script, profile, tolerance: time.tolerance)
  }

  /// Returns why a script is impossible with a process that has its own sockets, or `nil` if it is
  /// not.
  private static func limit(
    _ script: Script, _ profile: Profile, tolerance: Interval
  ) -> String? {
    let settings = script.configuration
    if settings.tcpTimeout != RunConfiguration().tcpTimeout,
      !RealTime.countedTimeouts.contains(settings.tcpTimeout)
    {
      return
        "the kernel does not support a tcpTimeout of \(settings.tcpTimeout.text), and the process "
        + "owns the sockets"
    }
    if let call = callDisturbedWhileConnecting(script) {
      return "something happens while call \"\(call)\" connects, and real time does not define "
        + "which of the two is first"
    }
    if script.dependsOnAddresses || script.hasIPv6 {
      return "a process in the lab receives one IPv4 address for each host and does not look up "
        + "names"
    }
    let looksUpNames = script.entries.contains {
      if case .names = $0.action { true } else { false }
    }
    if looksUpNames || script.hosts.contains(where: { $0.names != .resolve }) {
      return "a process in the lab receives addresses and does not look up names"
    }
    guard profile.policy.monitorsReachability else { return nil }
    let tampers = script.entries.contains {
      if case .monitor = $0.action { true } else { false }
    }
    if tampers || !script.initial.monitorIsReadable || settings.monitorLatency > tolerance
      || reportsNotifications(script)
    {
      return "the flags come directly from the kernel, so callbacks cannot be changed"
    }
    return nil
  }

  /// Returns whether a script has callbacks other than those that the kernel sends for its
  /// networks.
  private static func reportsNotifications(_ script: Script) -> Bool {
    let usesOnlyKernelFeatures = script.networks.allSatisfy {
      NetworkCategory($0.flags) == NetworkCategory($0.kind.flags)
    }
    guard usesOnlyKernelFeatures, script.configuration.monitorWatch == .defaultNetwork else {
      return true
    }
    return script.entries.contains {
      switch $0.action {
      case .signal, .network(_, _, .some): true
      default: false
      }
    }
  }

  /// Returns the first call that another event disturbs while it is still connecting in virtual
  /// time.
  ///
  /// Actions on calls and messages do not count. The result is `nil` if there is no such call.
  private static func callDisturbedWhileConnecting(_ script: Script) -> String? {
    for (position, entry) in script.entries.enumerated() {
      guard case .startCall(let call) = entry.action else { continue }
      let connected = entry.at + script.hosts[script.calls[call].host].connect
      let following = script.entries[(position + 1)...].prefix { $0.at < connected }
      if following.contains(where: \.action.disturbs) { return script.calls[call].id }
    }
    return nil
  }
}

extension ScriptAction {
  /// Whether the action can change the outcome of a call that is connecting.
  fileprivate var disturbs: Bool {
    switch self {
    case .flags, .path, .app, .cancel, .disconnect, .server, .address, .names, .answer, .transport,
      .monitor, .network, .signal, .power:
      true
    case .makeCall, .startCall, .finish, .send, .receive, .interceptor, .request, .cancelRequest,
      .ask,
      .dispatcher:
      false
    }
  }
}
