import HandoverCore

/// A host of the simulated network: its name, its server, and what stands between.
struct Host: Hashable, Sendable {
  var connect: Interval
  /// One of ``ServerFault/first``.
  var server: ServerFault
  var names: DNSFault
  /// Whether its name stands for several addresses.
  var hasAddresses = false
  /// Whether its server refuses at the beginning, and when it began or ceased to refuse since then;
  /// kept for hosts with addresses, whose attempts last for several answers.
  private(set) var refusesAtFirst = false
  private(set) var refusalTurns: ContiguousArray<Instant> = []
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
    refusesAtFirst = host.server == .refuse
    names = host.names
    hasAddresses = !host.addresses.isEmpty
  }

  /// Becomes the host as it is at the beginning of a run; part by part, because its lists are
  /// mostly empty and keep their room.
  mutating func begin(as host: ScriptHost) {
    connect = host.connect
    server = host.server
    refusesAtFirst = host.server == .refuse
    refusalTurns.empty()
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

  /// The server does something else from an instant on.
  ///
  /// - Returns: whether attempts at several addresses end in another way now.
  mutating func serve(_ word: ServerFault, from now: Instant) -> Bool {
    let refused = server == .refuse
    server = word
    guard hasAddresses, refused != (word == .refuse) else { return false }
    refusalTurns.append(now)
    return true
  }

  /// Whether the server refuses at an instant.
  func refuses(at instant: Instant) -> Bool {
    let turns = refusalTurns.count { $0 <= instant }
    return refusesAtFirst != (turns % 2 == 1)
  }
}
