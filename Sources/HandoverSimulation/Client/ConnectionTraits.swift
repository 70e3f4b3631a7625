import HandoverCore

/// The differences between the connections of the kinds of clients.
struct ConnectionTraits: Hashable, Sendable {
  /// The objects of the script that are the streams of the network.
  let work: ClientKind.Work
  /// Whether connections to all hosts are HTTP/2, and not only those to hosts with a stream limit.
  let isAlwaysHTTP2: Bool
  /// Whether a connection is usable only after the server's SETTINGS (B4).
  let awaitsSettings: Bool
  /// Whether a lookup belongs to the path on which it began, and is lost with that path as
  /// ``PathLossPolicy`` defines.
  let lookupsHavePaths: Bool
  /// Whether TCP gives up if data stays unacknowledged.
  ///
  /// Requests have their own timeouts, and QUIC has one too.
  let timesOut: Bool
  /// Whether the client is notified of all losses of one instant together, so that it does not use
  /// a lost connection in between.
  let reportsLossesTogether: Bool
  /// Whether stalls and reads of the server are recorded in the trace.
  let isTraced: Bool

  /// Creates the traits of the connections of a profile.
  init(of profile: Profile) {
    work = profile.client.work
    let makesCalls = work == .calls
    isAlwaysHTTP2 = makesCalls
    awaitsSettings = makesCalls
    lookupsHavePaths =
      switch profile.client.machine {
      case .urlLoading: true
      case .channels, .connectionPool: false
      }
    timesOut = makesCalls && profile.transport.migration == nil
    reportsLossesTogether = !makesCalls
    isTraced = makesCalls
  }
}

extension ClientKind.Work {
  /// Returns the number of objects of the work in a script.
  func count(in script: Script) -> Int {
    switch self {
    case .calls: script.calls.count
    case .requests: script.requests.count
    }
  }
}
