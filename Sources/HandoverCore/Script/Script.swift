/// The input of a run: the device, its hosts and its calls, as tables that refer to each other by
/// index.
///
/// A script contains no expectations and no strings that a run would have to look up. A backend
/// under test receives it, regardless of the checker.
public struct Script: Hashable, Sendable {
  /// The parts, as the only element of an array.
  ///
  /// Copies share the array until one of them changes. Starting or forking a run therefore copies a
  /// reference instead of tables.
  @usableFromInline var contents: ContiguousArray<Parts>

  /// The tables and settings of a script.
  @usableFromInline
  struct Parts: Hashable, Sendable {
    @usableFromInline var name = ""
    @usableFromInline var initial = InitialState()
    @usableFromInline var hosts: [ScriptHost] = []
    @usableFromInline var paths = ["wifi", "cellular"]
    @usableFromInline var networks: [ScriptNetwork] = []
    @usableFromInline var qualities: [PathQuality] = []
    @usableFromInline var calls: [ScriptCall] = []
    @usableFromInline var requests: [ScriptRequest] = []
    @usableFromInline var questions: [ScriptQuestion] = []
    @usableFromInline var pools = ["shared"]
    @usableFromInline var entries: ContiguousArray<ScriptEntry> = []
    @usableFromInline var configuration = RunConfiguration()

    @usableFromInline
    init() {}
  }

  /// Creates a script of a device that stays on WiFi.
  public init() {
    contents = [Parts()]
  }

  @inlinable var parts: Parts {
    _read { yield contents[0] }
    _modify { yield &contents[0] }
  }

  /// The default path of the category WiFi.
  public static let wifiPath = PathIndex(0)
  /// The default path of the category Cellular.
  public static let cellularPath = PathIndex(1)
  /// The maximum number of paths in a script, including the two default paths.
  public static let maximumPathCount = 64
  /// The maximum number of pools in a script, including the default pool.
  public static let maximumPoolCount = 16
}

extension Script {
  /// The name of the scenario, or an empty string if it has none.
  @inlinable public var name: String {
    _read { yield parts.name }
    _modify { yield &parts.name }
  }
  /// The state of the device at the beginning of a run.
  @inlinable public var initial: InitialState {
    _read { yield parts.initial }
    _modify { yield &parts.initial }
  }
  /// The hosts, in the order of their declaration.
  @inlinable public var hosts: [ScriptHost] {
    _read { yield parts.hosts }
    _modify { yield &parts.hosts }
  }
  /// The names of the paths; the first two are always ``wifiPath`` and ``cellularPath``.
  @inlinable public var paths: [String] {
    _read { yield parts.paths }
    _modify { yield &parts.paths }
  }
  /// The networks of the device, in the order of the file; empty if the scenario uses flags and
  /// paths.
  @inlinable public var networks: [ScriptNetwork] {
    _read { yield parts.networks }
    _modify { yield &parts.networks }
  }
  /// The quality of paths at the beginning of a run; empty if no path is impaired.
  @inlinable public var qualities: [PathQuality] {
    _read { yield parts.qualities }
    _modify { yield &parts.qualities }
  }
  /// The calls, in the order in which the timeline creates them; most start immediately.
  @inlinable public var calls: [ScriptCall] {
    _read { yield parts.calls }
    _modify { yield &parts.calls }
  }
  /// The requests, in the order in which the timeline makes them.
  @inlinable public var requests: [ScriptRequest] {
    _read { yield parts.requests }
    _modify { yield &parts.requests }
  }
  /// The questions to dispatchers, in the order in which the timeline asks them.
  @inlinable public var questions: [ScriptQuestion] {
    _read { yield parts.questions }
    _modify { yield &parts.questions }
  }
  /// The names of the pools that requests belong to; the first is always the default pool.
  @inlinable public var pools: [String] {
    _read { yield parts.pools }
    _modify { yield &parts.pools }
  }
  /// The timeline, in the order of time; entries of one instant are in the order of the file.
  @inlinable public var entries: ContiguousArray<ScriptEntry> {
    _read { yield parts.entries }
    _modify { yield &parts.entries }
  }
  /// The settings of the run.
  @inlinable public var configuration: RunConfiguration {
    _read { yield parts.configuration }
    _modify { yield &parts.configuration }
  }
}

/// The state of the device at the beginning of a run.
public struct InitialState: Hashable, Sendable {
  /// The flags that the monitor reads first.
  public var flags: ReachabilityFlags = [.reachable]
  /// The path that the device is on, or `nil` for the default path of the flags' category.
  public var path: PathIndex?
  /// The state of the application.
  public var app: AppState = .foreground
  /// Whether the monitor's first read succeeds (M8).
  public var monitorIsReadable = true
  /// The networks that are up, or `nil` if the script has no networks.
  public var networksUp: PathSet?

  /// Creates the state of a foreground application on WiFi.
  public init() {}
}

/// A host, its server and its name.
public struct ScriptHost: Hashable, Sendable {
  /// The host as written in the scenario.
  public var written: String
  /// The host as used in the pool's key, or `nil` if no channel can be made for it (C13).
  public var name: HostName?
  /// The time until a connection is established.
  public var connect: Interval
  /// The initial behavior of the server; one of ``ServerFault/first``.
  public var server: ServerFault
  /// The initial behavior of lookups of the name.
  public var names: DNSFault
  /// The number of concurrent streams of an HTTP/2 connection, or `nil` for HTTP/1.1 (U86).
  public var streams: UInt32?
  /// The addresses of the host, in the order of the name server's answer.
  ///
  /// The list is empty if the host has a single address that the scenario does not specify.
  public var addresses: [ScriptAddress] = []

  /// Creates a host that accepts immediately by default.
  public init(
    written: String, connect: Interval = .zero, server: ServerFault = .accept,
    names: DNSFault = .resolve, streams: UInt32? = nil
  ) {
    self.written = written
    self.name = HostName(written)
    self.connect = connect
    self.server = server
    self.names = names
    self.streams = streams
  }
}

/// A call that the timeline starts once.
public struct ScriptCall: Hashable, Sendable {
  /// The name of the call in the scenario file.
  public var id: String
  /// The host, an index into ``Script/hosts``.
  public var host: Int
  /// The kind of the call.
  public var kind: CallKind
  /// The time from the complete request to the end of the answer, or `nil` if it never ends.
  public var takes: Interval?
  /// The interval at which the server sends messages, or `nil` if it sends none.
  public var every: Interval?
  /// The deadline of the call after its start, or `nil` if it has none.
  public var deadline: Interval?
  /// Whether the call ends immediately if its channel is in TRANSIENT_FAILURE (D7).
  public var failFast: Bool
  /// The options in the key of its channel.
  public var options: ChannelOptions
  /// The time that the call waits for its auth token before it starts, or `nil` for no token (C6).
  public var tokenDelay: Interval?
  /// The method, such as `/package.Service/Method`.
  public var path = "/example.Service/Call"
  /// The safety class of the method.
  public var safety = CallSafety.standard
  /// The headers that the user sends.
  public var metadata: [ScriptHeader] = []
  /// Whether messages arrive only when the user requests them (I36).
  public var hasFlowControl = false
  /// The marshaller behind the call's interceptors, or `nil` if messages are bytes.
  public var marshaller: MarshallerKind?
  /// Whether the call uses the legacy API, which does not support interceptors (I35).
  public var isLegacy = false

  /// Returns whether the call goes through a chain of interceptors.
  public func isIntercepted(by chain: ChainScript) -> Bool {
    !isLegacy && !chain.links.isEmpty
  }

  /// Creates a call without a deadline by default.
  public init(
    id: String, host: Int, kind: CallKind, takes: Interval?, every: Interval? = nil,
    deadline: Interval? = nil, failFast: Bool = false, options: ChannelOptions = ChannelOptions(),
    tokenDelay: Interval? = nil
  ) {
    self.id = id
    self.host = host
    self.kind = kind
    self.takes = takes
    self.every = every
    self.deadline = deadline
    self.failFast = failFast
    self.options = options
    self.tokenDelay = tokenDelay
  }

  /// Returns the settings that the client receives when the call starts.
  public func settings(startedAt now: Instant) -> CallSettings {
    CallSettings(
      deadline: deadline.map { now + $0 } ?? .never, failsFast: failFast,
      awaitsToken: tokenDelay != nil, requestIsComplete: kind.requestIsCompleteAtStart)
  }
}

/// One host of the script, or all of them.
public enum HostSelector: Hashable, Sendable {
  /// The host at an index into ``Script/hosts``.
  case one(Int)
  /// Every host.
  case all

  /// Returns whether the selector includes the host.
  public func includes(_ host: Int) -> Bool {
    switch self {
    case .one(let index): index == host
    case .all: true
    }
  }
}

/// An action of the timeline with its instant.
public struct ScriptEntry: Hashable, Sendable {
  /// The instant of the action.
  public var at: Instant
  /// The action.
  public var action: ScriptAction

  /// Creates an entry.
  public init(at: Instant, action: ScriptAction) {
    self.at = at
    self.action = action
  }
}

/// An action of an entry in the timeline.
public enum ScriptAction: Hashable, Sendable {
  /// Changes the device's flags.
  ///
  /// The device moves to the given path, or to the path of the new category. Paths in `linksUp`
  /// stay alive after the device leaves them. Paths in `linksDown` that were alive die now.
  case flags(ReachabilityFlags, path: PathIndex?, linksUp: PathSet, linksDown: PathSet)
  /// Moves the device to another path without a callback, such as another hotspot or another radio.
  case path(PathIndex)
  /// Moves the application to the background or to the foreground.
  case app(AppState)
  /// Creates the call at an index into ``Script/calls`` without starting it.
  ///
  /// Nothing is opened, and no component is notified of the call (C7).
  case makeCall(Int)
  /// Starts the call at an index into ``Script/calls``; creates it if it does not exist yet.
  case startCall(Int)
  /// Cancels a call on behalf of the user.
  case cancel(Int)
  /// Ends the requests of a call on behalf of the user.
  case finish(Int)
  /// Sends a message on a call on behalf of the user.
  case send(Int, bytes: Int)
  /// Disconnects the channels of a host, or of all hosts, on behalf of the user.
  case disconnect(HostSelector)
  /// Changes the behavior of a host's server.
  case server(Int, ServerFault)
  /// Changes the behavior of lookups of a host's name.
  case names(Int, DNSFault)
  /// Changes the addresses that lookups of a host's name return.
  ///
  /// The addresses are indices into ``ScriptHost/addresses``, in the order of the answer.
  case answer(Int, addresses: [Int])
  /// Makes the server of a host unreachable at one of the host's addresses, or reachable again.
  ///
  /// `position` is an index into ``ScriptHost/addresses``. Packets in both directions are lost.
  case address(Int, position: Int, isReachable: Bool)
  /// Changes the connections of a host, or of all hosts.
  case transport(HostSelector, ConnectionFault)
  /// Tampers with reachability callbacks; `by` belongs to `delay`.
  ///
  /// With a network, only callbacks caused by changes of this network are affected.
  case monitor(MonitorFault, by: Interval, of: PathIndex? = nil)
  /// Requests `count` more messages on a call on behalf of the user.
  case receive(Int, count: Int)
  /// Makes the interceptor at an index into ``ChainScript/links`` act on a call.
  ///
  /// The status belongs to the action `close`.
  case interceptor(Int, call: Int, GateAction, StatusCode)
  /// Makes the request at an index into ``Script/requests`` on behalf of the user.
  case request(Int)
  /// Cancels a request on behalf of the user.
  case cancelRequest(Int)
  /// Asks the question at an index into ``Script/questions`` on behalf of the user.
  case ask(Int)
  /// Performs an action on the dispatcher of a pool, by its index into ``Script/pools``.
  case dispatcher(Int, DispatcherCommand)
  /// Changes a network.
  ///
  /// The callback that follows reports the flags in `signal`, or the real flags if `signal` is
  /// `nil`.
  case network(PathIndex, NetworkAction, signal: ReachabilityFlags?)
  /// Sends a callback with these flags; nothing else changes.
  case signal(ReachabilityFlags)
  /// Puts the device to sleep or wakes it.
  case power(DevicePower)

  /// Whether the entry is a fault: it must have an effect, or the scenario fails.
  public var isFault: Bool {
    switch self {
    case .server, .names, .answer, .address, .transport, .monitor: true
    case .network(_, let change, _): change.isFault
    case .flags, .path, .app, .makeCall, .startCall, .cancel, .finish, .send, .disconnect,
      .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher, .signal, .power:
      false
    }
  }
}

extension Script {
  /// Whether connections can use keepalive, by the settings of the run or the options of a call.
  package var mayPing: Bool {
    configuration.keepalive != nil || calls.contains { $0.options.keepaliveInterval != nil }
  }
}

/// The settings of a run, with the values of the specifications as defaults.
public struct RunConfiguration: Hashable, Sendable {
  /// The connection backoff (B1).
  public var backoff = BackoffConfiguration()
  /// The lifetime of unused channels, or `nil` for the profile's value (P6).
  public var idle: Interval?
  /// The keepalive of connections, or `nil` to send no pings (B6).
  public var keepalive: KeepaliveConfiguration?
  /// The clock that the timers of calls, channels and connections use.
  ///
  /// Default ``TimerClock/boot``.
  public var clock = TimerClock.boot
  /// The time from the first unacknowledged byte after which TCP gives up.
  ///
  /// Default 15 min.
  public var tcpTimeout = Interval.minutes(15)
  /// The number of bytes that a stalled connection buffers before writes block.
  ///
  /// Default 128 KiB.
  public var sendBuffer = 131_072
  /// The delay between connection attempts to different addresses (RFC 8305, 5).
  ///
  /// If it is `nil`, the client tries one address at a time.
  public var happyEyeballs: Interval?
  /// Whether the run records the connection of each request.
  public var recordsConnections = false
  /// Whether the run records the counters of the device's kernel.
  public var recordsKernelCounters = false
  /// The settings of QUIC connections; used only if the profile's transport is QUIC.
  public var quic = QUICConfiguration()
  /// The generation of the CFStream code; used only if the profile's transport is CFStream.
  ///
  /// Default iomgr.
  public var cfstream = CFStreamGeneration.iomgr
  /// The delay of a reachability callback.
  ///
  /// Default 0.
  public var monitorLatency = Interval.zero
  /// The networks whose changes cause callbacks, if the script has networks.
  ///
  /// Default: the default network.
  public var monitorWatch = MonitorWatch.defaultNetwork
  /// The interceptors of the calls.
  public var chain = ChainScript()
  /// The limits of requests.
  public var requests = RequestConfiguration()
  /// The order of events that are due at the same instant.
  public var order = InstantOrder()
  /// The seed of all random decisions.
  ///
  /// Default 1.
  public var seed: UInt64 = 1
  /// The end of the run, or `nil` for at most ``defaultUntil`` after the last entry.
  public var until: Instant?

  /// The default maximum time from the last entry to the end of the run.
  public static let defaultUntil = Interval.minutes(30)

  /// Creates the default settings.
  public init() {}
}
