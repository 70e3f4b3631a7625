import HandoverCore

/// What is otherwise about the connections that a platform makes for requests than about those that
/// a client makes for its calls; all else is one network's.
struct ConnectionTraits: Hashable, Sendable {
  /// What is carried: the streams of the network are the requests of the script, or its calls.
  let carriesRequests: Bool
  /// Whether a connection is of use only after the server's SETTINGS (B4).
  let awaitsSettings: Bool
  /// Whether a look-up belongs to the path it began on, as ``PathLossPolicy`` says, and is lost
  /// with it.
  let lookUpsHavePaths: Bool
  /// Whether TCP gives up where nothing is acknowledged; requests have time-outs of their own.
  let timesOut: Bool
  /// Whether the client is told at once of everything that was lost at one instant, so that it
  /// does nothing with one of them in between.
  let tellsLossesTogether: Bool
  /// Whether the trace has words for stalls, and for what servers read.
  let isTraced: Bool

  static let calls = ConnectionTraits(
    carriesRequests: false, awaitsSettings: true, lookUpsHavePaths: false, timesOut: true,
    tellsLossesTogether: false, isTraced: true)

  /// Calls over QUIC, which has a time-out of its own.
  static let callsOverQUIC = ConnectionTraits(
    carriesRequests: false, awaitsSettings: true, lookUpsHavePaths: false, timesOut: false,
    tellsLossesTogether: false, isTraced: true)

  static let requests = ConnectionTraits(
    carriesRequests: true, awaitsSettings: false, lookUpsHavePaths: true, timesOut: false,
    tellsLossesTogether: true, isTraced: false)
}
