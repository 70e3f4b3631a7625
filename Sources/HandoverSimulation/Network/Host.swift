import HandoverCore

/// A host of the simulated network: its name, its server, and what stands between.
struct Host: Hashable, Sendable {
  var connect: Interval
  /// One of ``ServerWord/first``.
  var server: ServerWord
  var names: NamesWord
  /// Whether new attempts to connect get no answer.
  var isBlackhole = false
  /// The entries that made things as they are; nil where they are as at the beginning.
  var serverCause: UInt32?
  var namesCause: UInt32?
  var blackholeCause: UInt32?

  init(_ host: ScriptHost) {
    connect = host.connect
    server = host.server
    names = host.names
  }
}

/// A call as its server knows it, in the row of the call's place in the script.
struct Stream: Hashable, Sendable {
  var call: CallID?
  var connection: ConnectionID?
  var callHasEnded = false
  /// Whether the server has read the request and not ended the answer.
  var isOpen = false
  /// The end of the answer was due while the server was silent.
  var answerIsDue = false
  var end: Agenda<Happening>.Handle?
  var message: Agenda<Happening>.Handle?
}
