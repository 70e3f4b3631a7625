// This is the only list of profiles. A new profile that combines existing parts needs a constant
// and an entry in the list here. The schema, the help, the completion, the fuzzer's dictionary and
// the documentation of profiles are generated from the list or compared with it.
extension Profile {
  /// Bare TCP sockets, before v0.14.0: both documented stalls, no monitor (D2, D4, D8).
  public static let sockets = Profile(
    name: "sockets",
    summary: "Bare TCP sockets, before v0.14.0: both documented stalls, no monitor.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .tcpSockets)

  /// TCP sockets with ConnectivityMonitor, from v0.14.0: category changes destroy channels.
  public static let socketsMonitor = Profile(
    name: "sockets-monitor",
    summary:
      "TCP sockets and ConnectivityMonitor, from v0.14.0: category changes destroy channels.",
    policy: ClientPolicy(monitorsReachability: true, unusedChannelLifetime: .seconds(30)),
    transport: .tcpSockets)

  /// CFStream, from v1.13.0: an event always arrives; no monitor (D10, S10).
  public static let cfStream = Profile(
    name: "cfstream",
    summary:
      "CFStream, from v1.13.0: an event always arrives when a connection is lost; no monitor.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: .seconds(30)),
    transport: .cfStream)

  /// The 2017 network-transition doc: the monitor, and a broken connection destroys its channel too
  /// (D9).
  public static let sockets2017 = Profile(
    name: "sockets-2017",
    summary: "The 2017 document: monitor; a broken connection destroys its channel immediately.",
    policy: ClientPolicy(
      monitorsReachability: true, brokenConnectionDestroysChannel: true,
      nameFailureEndsCalls: false, unusedChannelLifetime: nil),
    transport: .tcpSockets)

  /// CFStream in a client that keeps its monitor, as with `grpc_cfstream=2` in 2018 and 2019 (G3,
  /// G5).
  ///
  /// Both are notified of a change, each in its own way.
  public static let cfStreamMonitor = Profile(
    name: "cfstream-monitor",
    summary:
      "CFStream and ConnectivityMonitor, as with grpc_cfstream=2: both are notified of changes.",
    policy: ClientPolicy(monitorsReachability: true, unusedChannelLifetime: .seconds(30)),
    transport: .cfStream)

  /// The behavior of the raw Linux kernel, from no specification: no loss is reported, so every
  /// loss stalls.
  public static let linuxSockets = Profile(
    name: "linux-sockets",
    summary: "Bare TCP sockets on Linux, which reports no lost network: every loss stalls.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .linuxSockets, isDocumented: false)

  /// A monitor on the raw Linux kernel: it reports a category change, but not a change of the
  /// hotspot.
  public static let linuxSocketsMonitor = Profile(
    name: "linux-sockets-monitor",
    summary: "TCP sockets on Linux and ConnectivityMonitor: only category changes are noticed.",
    policy: ClientPolicy(monitorsReachability: true, unusedChannelLifetime: .seconds(30)),
    transport: .linuxSockets, isDocumented: false)

  /// The iOS URL loading of the article: the connection above its limit freezes and times out
  /// (U31).
  public static let urlLoading = Profile(
    name: "url-loading",
    summary: "Requests over the URL loading of iOS: a request beyond its limit freezes.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .urlLoading, client: .urlLoading)

  /// The article's solution: iOS URL loading with an endpoint dispatcher in front of it.
  public static let urlDispatcher = Profile(
    name: "url-dispatcher",
    summary: "Requests through an endpoint dispatcher, over the URL loading of iOS.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .urlLoading, client: .urlDispatcher)

  /// QUIC with connection migration, as in Cronet if enabled: calls survive.
  public static let quic = Profile(
    name: "quic",
    summary: "QUIC whose connections follow the device, as Cronet has it: calls survive.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .quic, isDocumented: false)

  /// QUIC in an app that never opens another socket, as with quinn.
  public static let quicStays = Profile(
    name: "quic-stays",
    summary: "QUIC on its first socket: a connection that loses its network times out.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .quicOnOneSocket, isDocumented: false)

  /// HTTP/1.1 requests over the connection pool of OkHttp, which ignores network changes.
  public static let okHTTPPool = Profile(
    name: "okhttp-pool",
    summary: "HTTP/1.1 requests over OkHttp's connection pool, which ignores network changes.",
    policy: ClientPolicy(monitorsReachability: false, unusedChannelLifetime: nil),
    transport: .linuxSockets, client: .connectionPool, isDocumented: false)

  /// Every profile of the specifications for calls, in the order of reports.
  ///
  /// A scenario without a list of profiles uses these.
  public static let all: [Profile] = [.sockets, .socketsMonitor, .cfStream, .sockets2017]

  /// Every profile, including those that a scenario must name.
  public static let known: [Profile] =
    all + [
      .linuxSockets, .urlLoading, .urlDispatcher, .cfStreamMonitor, .linuxSocketsMonitor, .quic,
      .quicStays, .okHTTPPool,
    ]
}
