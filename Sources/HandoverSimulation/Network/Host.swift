import HandoverCore

/// A host of the simulated network: its name, its server, and what stands between.
struct Host: Hashable, Sendable {
  var connect: Interval
  /// One of ``ServerFault/first``.
  var server: ServerFault
  var names: DNSFault
  /// Whether its name stands for several addresses.
  var hasAddresses = false
  /// Whether new attempts to connect get no answer.
  var isBlackhole = false
  /// The entries that made things as they are; nil where they are as at the beginning.
  var serverCause: UInt32?
  var namesCause: UInt32?
  var blackholeCause: UInt32?
  /// The rows of the connections that were made to it; some of them may be another one's by now.
  var rows: ContiguousArray<Int> = []
  /// How many connections to it the client uses, and how many of these are disturbed.
  var established = 0
  var disturbed = 0
  /// What its server has not read while it was silent, in order.
  var unread: ContiguousArray<CarriedWrite> = []
  /// The calls whose answers were due while it was silent; some may have been answered since.
  var dueAnswers: ContiguousArray<UInt32> = []

  /// How many connections to it are in use whose pings are not answered.
  var unhealthy: Int { server == .silent ? established : disturbed }

  init(_ host: ScriptHost) {
    connect = host.connect
    server = host.server
    names = host.names
    hasAddresses = !host.addresses.isEmpty
  }

  /// Becomes the host as it is at the beginning of a run; part by part, because its lists are
  /// mostly empty and keep their room.
  mutating func begin(as host: ScriptHost) {
    connect = host.connect
    server = host.server
    names = host.names
    hasAddresses = !host.addresses.isEmpty
    isBlackhole = false
    serverCause = nil
    namesCause = nil
    blackholeCause = nil
    rows.empty()
    established = 0
    disturbed = 0
    unread.empty()
    dueAnswers.empty()
  }
}
