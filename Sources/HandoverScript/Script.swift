public import HandoverMachines

/// What a run plays: the device, its hosts and its calls, as tables that refer to each other by
/// index.
///
/// A script holds no text that a run would have to look up, and no expectations: it is what a
/// backend under test is given, whatever judges it.
public struct Script: Hashable, Sendable {
  /// What copies share until one of them is changed: whoever begins a run or forks one copies a
  /// reference, and no tables.
  @usableFromInline var contents: Contents

  /// What a script is made of.
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

  /// Written by a script alone that nobody shares it with, so that it may be sent anywhere and
  /// nobody has to watch who looks at it meanwhile.
  @usableFromInline
  final class Contents: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var parts: Parts

    @usableFromInline
    init(_ parts: Parts) {
      unsafe self.parts = parts
    }
  }

  /// Makes a script of a quiet device on WiFi.
  public init() {
    contents = Contents(Parts())
  }

  @inlinable var parts: Parts {
    @inline(__always) _read { yield unsafe contents.parts }
    _modify {
      if !isKnownUniquelyReferenced(&contents) { contents = unsafe Contents(contents.parts) }
      yield unsafe &contents.parts
    }
  }

  /// The path of the category WiFi where none is named.
  public static let wifiPath = PathIndex(0)
  /// The path of the category Cellular where none is named.
  public static let cellularPath = PathIndex(1)
  /// How many paths a script may name, the two usual ones included.
  public static let maximumPathCount = 64
  /// How many pools a script may name, the usual one included.
  public static let maximumPoolCount = 16

  /// Whether both play the same.
  public static func == (left: Script, right: Script) -> Bool {
    left.contents === right.contents || left.parts == right.parts
  }

  /// Mixes everything in that it plays.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

// The tables, each with its meaning.
extension Script {
  /// The name of the scenario that it is the script of; empty where it has none.
  @inlinable public var name: String {
    @inline(__always) _read { yield parts.name }
    @inline(__always) _modify { yield &parts.name }
  }
  /// How the device stands at the beginning.
  @inlinable public var initial: InitialState {
    @inline(__always) _read { yield parts.initial }
    @inline(__always) _modify { yield &parts.initial }
  }
  /// The hosts, in the order of their declaration.
  @inlinable public var hosts: [ScriptHost] {
    @inline(__always) _read { yield parts.hosts }
    @inline(__always) _modify { yield &parts.hosts }
  }
  /// The names of the paths; the first two are always ``wifiPath`` and ``cellularPath``.
  @inlinable public var paths: [String] {
    @inline(__always) _read { yield parts.paths }
    @inline(__always) _modify { yield &parts.paths }
  }
  /// The networks that the device can have, in the order of the file; empty where flags and paths
  /// say everything.
  @inlinable public var networks: [ScriptNetwork] {
    @inline(__always) _read { yield parts.networks }
    @inline(__always) _modify { yield &parts.networks }
  }
  /// How good paths are when a run begins; empty where nothing is the matter with any.
  @inlinable public var qualities: [PathQuality] {
    @inline(__always) _read { yield parts.qualities }
    @inline(__always) _modify { yield &parts.qualities }
  }
  /// The calls, in the order in which the timeline makes them; most start when they are made.
  @inlinable public var calls: [ScriptCall] {
    @inline(__always) _read { yield parts.calls }
    @inline(__always) _modify { yield &parts.calls }
  }
  /// The requests, in the order in which the timeline makes them.
  @inlinable public var requests: [ScriptRequest] {
    @inline(__always) _read { yield parts.requests }
    @inline(__always) _modify { yield &parts.requests }
  }
  /// The questions to dispatchers, in the order in which the timeline asks them.
  @inlinable public var questions: [ScriptQuestion] {
    @inline(__always) _read { yield parts.questions }
    @inline(__always) _modify { yield &parts.questions }
  }
  /// The names of the pools that requests belong to; the first is always the usual one.
  @inlinable public var pools: [String] {
    @inline(__always) _read { yield parts.pools }
    @inline(__always) _modify { yield &parts.pools }
  }
  /// What happens, in the order of time; entries of one instant in the order of the file.
  @inlinable public var entries: ContiguousArray<ScriptEntry> {
    @inline(__always) _read { yield parts.entries }
    @inline(__always) _modify { yield &parts.entries }
  }
  /// The settings of the run.
  @inlinable public var configuration: RunConfiguration {
    @inline(__always) _read { yield parts.configuration }
    @inline(__always) _modify { yield &parts.configuration }
  }
}

/// How the device stands when a run begins.
public struct InitialState: Hashable, Sendable {
  /// The flags the monitor reads first.
  public var flags: ReachabilityFlags = [.reachable]
  /// The path the device is on; nil takes the one of the flags' category.
  public var path: PathIndex?
  /// Whether the application runs.
  public var app: AppState = .foreground
  /// Whether the monitor's first read succeeds (M8).
  public var monitorIsReadable = true
  /// Where the script has networks: those that are up; nil has none, and the flags say all.
  public var networksUp: PathSet?

  /// A foreground application on WiFi.
  public init() {}
}

/// A host, its server and its name.
public struct ScriptHost: Hashable, Sendable {
  /// The host as written.
  public var written: String
  /// The host as the pool's key knows it; nil where no channel can be made for it (C13).
  public var name: HostName?
  /// How long a connection takes to be established.
  public var connect: Interval
  /// What the server does at first; one of ``ServerFault/first``.
  public var server: ServerFault
  /// What becomes of look-ups of the name at first.
  public var names: DNSFault
  /// How many streams its HTTP/2 connection takes at once; nil speaks HTTP/1.1 (U86).
  public var streams: UInt32?
  /// The addresses that its name has, in the order of the name server's answer; empty where it is
  /// one that nobody asks for.
  public var addresses: [ScriptAddress] = []

  /// Makes a host that accepts at once.
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

/// A call as the timeline starts it, once.
public struct ScriptCall: Hashable, Sendable {
  /// The name the file knows it by.
  public var id: String
  /// Its host, an index into ``Script/hosts``.
  public var host: Int
  /// Its kind.
  public var kind: CallKind
  /// How long the server takes from the complete request to the end of the answer; nil never ends.
  public var takes: Interval?
  /// How often the server sends a message; nil never.
  public var every: Interval?
  /// How long after its start the call gives up; nil never.
  public var deadline: Interval?
  /// Whether the call ends at once where its channel is in TRANSIENT_FAILURE (D7).
  public var failFast: Bool
  /// The options in the key of its channel.
  public var options: ChannelOptions
  /// How long the call waits for its auth token before it starts on a channel; nil has one (C6).
  public var tokenDelay: Interval?
  /// The method, such as `/package.Service/Method`.
  public var path = "/example.Service/Call"
  /// The verb.
  public var safety = CallSafety.standard
  /// The headers that the user sends.
  public var metadata: [ScriptHeader] = []
  /// Whether messages come only as the user asks for them (I36).
  public var hasFlowControl = false
  /// What makes bytes of the call's messages behind its links; nil where messages are bytes.
  public var marshaller: MarshallerWord?
  /// Whether the call is made in the old way, which knows no interceptors (I35).
  public var isLegacy = false

  /// Whether the call goes through a chain of interceptors, where a run has one.
  public func isIntercepted(by chain: ChainScript) -> Bool {
    !isLegacy && !chain.links.isEmpty
  }

  /// Makes a call without deadline.
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

  /// What a client is told of the call when it starts at an instant.
  public func settings(startedAt now: Instant) -> CallSettings {
    CallSettings(
      deadline: deadline.map { now + $0 } ?? .never, failsFast: failFast,
      awaitsToken: tokenDelay != nil, requestIsComplete: kind.requestIsCompleteAtStart)
  }
}

/// One host of the script, or all of them.
public enum HostSelector: Hashable, Sendable {
  /// The host at a place in ``Script/hosts``.
  case one(Int)
  /// Every host.
  case all

  /// Whether the selector names the host.
  public func includes(_ host: Int) -> Bool {
    switch self {
    case .one(let index): index == host
    case .all: true
    }
  }
}

/// Something that happens at an instant of the run.
public struct ScriptEntry: Hashable, Sendable {
  /// When.
  public var at: Instant
  /// What.
  public var action: ScriptAction

  /// Makes an entry.
  public init(at: Instant, action: ScriptAction) {
    self.at = at
    self.action = action
  }
}

/// What an entry of the timeline does.
public enum ScriptAction: Hashable, Sendable {
  /// The device's flags change: it moves to the path given or the one of the new category. Links
  /// `up` stay alive although they are left; links `down` that were alive die now.
  case flags(ReachabilityFlags, path: PathIndex?, linksUp: PathSet, linksDown: PathSet)
  /// The device moves to another path without any callback: another hotspot, another radio.
  case path(PathIndex)
  /// The application goes to the background or comes back.
  case app(AppState)
  /// The call at a place in ``Script/calls`` is made and does not start: nothing is opened and
  /// nobody is told of it (C7).
  case makeCall(Int)
  /// The call at a place in ``Script/calls`` starts; it is made now where it was not before.
  case startCall(Int)
  /// The user cancels a call.
  case cancel(Int)
  /// The user ends the requests of a call.
  case finish(Int)
  /// The user sends a message on a call.
  case send(Int, bytes: Int)
  /// The user disconnects the channels of a host, or all.
  case disconnect(HostSelector)
  /// The server of a host does something.
  case server(Int, ServerFault)
  /// Look-ups of a host's name change.
  case names(Int, DNSFault)
  /// The connections of a host, or all, change.
  case transport(HostSelector, TransportWord)
  /// Reachability callbacks are tampered with; `by` goes with `delay`. With a network only those
  /// are meant that its changes bring about.
  case monitor(MonitorWord, by: Interval, of: PathIndex? = nil)
  /// The user asks for so many more messages on a call.
  case receive(Int, count: Int)
  /// The link at a place in ``ChainScript/links`` does something to a call; the status goes with
  /// `close`.
  case interceptor(Int, call: Int, InterceptorWord, StatusCode)
  /// The user makes the request at a place in ``Script/requests``.
  case request(Int)
  /// The user cancels a request.
  case cancelRequest(Int)
  /// The user asks the question at a place in ``Script/questions``.
  case ask(Int)
  /// Something is done to the dispatcher of a pool, by its place in ``Script/pools``.
  case dispatcher(Int, DispatcherCommand)
  /// Something becomes of a network; the callback that follows tells the flags given, where there
  /// are some, or else what is so.
  case network(PathIndex, NetworkAction, signal: ReachabilityFlags?)
  /// A callback tells flags, and nothing is otherwise than before.
  case signal(ReachabilityFlags)
  /// The device falls asleep, or wakes.
  case power(DevicePower)

  /// Whether the entry is a fault: one that must have an effect, or the scenario fails.
  public var isFault: Bool {
    switch self {
    case .server, .names, .transport, .monitor: true
    case .network(_, let change, _): change.isFault
    case .flags, .path, .app, .makeCall, .startCall, .cancel, .finish, .send, .disconnect,
      .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher, .signal, .power:
      false
    }
  }
}

extension Script {
  /// Whether connections may have keepalive: the run has it, or the options of a call do.
  package var mayPing: Bool {
    configuration.keepalive != nil || calls.contains { $0.options.keepaliveInterval != nil }
  }
}

/// The settings of a run, with the documents' numbers as defaults.
public struct RunConfiguration: Hashable, Sendable {
  /// The connection backoff (B1).
  public var backoff = BackoffConfiguration()
  /// How long unused channels are kept; nil takes the profile's answer (P6).
  public var idle: Interval?
  /// The keepalive of connections; nil sends no pings (B6).
  public var keepalive: KeepaliveConfiguration?
  /// Which clock the timers of calls, channels and connections use.
  ///
  /// Default ``TimerClock/boot``.
  public var clock = TimerClock.boot
  /// How long TCP waits from the first unacknowledged byte before it gives up.
  ///
  /// Default 15 min.
  public var tcpTimeout = Interval.minutes(15)
  /// How many bytes a stalled connection accepts before writes wait.
  ///
  /// Default 128 KiB.
  public var sendBuffer = 131_072
  /// How long a client that races addresses tries one before it tries the next one, too (RFC 8305,
  /// 5); nil tries one at a time.
  public var happyEyeballs: Interval?
  /// Whether a run tells over which connection each request came; nobody is told who does not ask.
  public var tellsWays = false
  /// Whether a run tells what the device's kernel has counted.
  public var tellsKernel = false
  /// What connections of QUIC may do; it counts where the profile's transport is QUIC.
  public var quic = QUICConfiguration()
  /// The generation of the CFStream code; it counts where the profile's transport is CFStream.
  ///
  /// Default iomgr.
  public var cfstream = CFStreamGeneration.iomgr
  /// How long a reachability callback is under way.
  ///
  /// Default 0.
  public var monitorLatency = Interval.zero
  /// Whose changes callbacks tell of, where the script has networks.
  ///
  /// Default the default network's.
  public var monitorWatch = MonitorWatch.defaultNetwork
  /// The interceptors that calls go through.
  public var chain = ChainScript()
  /// How requests are limited.
  public var requests = RequestConfiguration()
  /// In which order things happen that are due at one instant.
  public var order = InstantOrder()
  /// The seed of everything random.
  ///
  /// Default 1.
  public var seed: UInt64 = 1
  /// The end of the run; nil is ``defaultUntil`` after the last entry at the latest.
  public var until: Instant?

  /// How long after the last entry a run ends at the latest.
  public static let defaultUntil = Interval.minutes(30)

  /// The documents' numbers.
  public init() {}
}
