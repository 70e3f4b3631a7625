import HandoverCore

/// The differences between connections that iOS makes for requests and connections that a client
/// makes for its calls.
struct ConnectionTraits: Hashable, Sendable {
  /// Whether the streams of the network are the requests of the script, instead of its calls.
  let carriesRequests: Bool
  /// Whether a connection is usable only after the server's SETTINGS (B4).
  let awaitsSettings: Bool
  /// Whether a lookup belongs to the path on which it began, and is lost with that path as
  /// ``PathLossPolicy`` defines.
  let lookUpsHavePaths: Bool
  /// Whether TCP gives up if data stays unacknowledged.
  ///
  /// Requests have their own timeouts.
  let timesOut: Bool
  /// Whether the client is notified of all losses of one instant together, so that it does not use
  /// a lost connection in between.
  let tellsLossesTogether: Bool
  /// Whether stalls and reads of the server are recorded in the trace.
  let isTraced: Bool

  static let calls = ConnectionTraits(
    carriesRequests: false, awaitsSettings: true, lookUpsHavePaths: false, timesOut: true,
    tellsLossesTogether: false, isTraced: true)

  /// The traits of calls over QUIC, which has its own timeout.
  static let callsOverQUIC = ConnectionTraits(
    carriesRequests: false, awaitsSettings: true, lookUpsHavePaths: false, timesOut: false,
    tellsLossesTogether: false, isTraced: true)

  static let requests = ConnectionTraits(
    carriesRequests: true, awaitsSettings: false, lookUpsHavePaths: true, timesOut: false,
    tellsLossesTogether: true, isTraced: false)
}
