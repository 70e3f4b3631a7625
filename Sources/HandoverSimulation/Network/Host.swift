import HandoverCore

/// A host of the simulated network: its name, its server, and the faults on the way to it.
struct Host: Hashable, Sendable {
  var connect: Interval
  /// The state of the server, one of ``ServerFault/first``.
  var server: ServerFault
  var names: DNSFault
  /// Whether the host's name resolves to listed addresses.
  var hasAddresses = false
  /// Whether the server refuses connections at the start of the run.
  private(set) var refusesAtFirst = false
  /// The times at which the server started or stopped refusing connections.
  ///
  /// Used for hosts with addresses, whose attempts span several responses.
  private(set) var refusalTurns: ContiguousArray<Instant> = []
  /// A change of the reachability of an address.
  struct AddressTurn: Hashable, Sendable {
    /// The address, an index into ``ScriptHost/addresses``.
    var position: Int
    var at: Instant
    var cause: UInt32
  }

  /// The times at which addresses became unreachable or reachable again.
  private(set) var addressTurns: ContiguousArray<AddressTurn> = []
  /// Whether new connection attempts receive no response.
  var isBlackhole = false
  /// The entries that caused the current state, or `nil` if the initial state has not changed.
  var serverCause: UInt32?
  var namesCause: UInt32?
  /// The entry that last changed the addresses that lookups return, or `nil`.
  var answerCause: UInt32?
  var blackholeCause: UInt32?
  /// The rows of the connections that were made to the host.
  ///
  /// Other connections may have reused some of them.
  var rows: ContiguousArray<Int> = []
  /// The number of connections to the host that the client uses.
  var established = 0
  /// The number of these connections that are stalled or have ended unnoticed.
  var disturbed = 0
  /// The writes that arrived while the server was silent, in order.
  var unread: ContiguousArray<CarriedWrite> = []
  /// The calls whose responses were due while the server was silent.
  ///
  /// Some may have received them since.
  var dueAnswers: ContiguousArray<UInt32> = []

  /// The number of connections in use whose pings receive no response.
  var unhealthy: Int { server == .silent ? established : disturbed }

  init(_ host: ScriptHost) {
    connect = host.connect
    server = host.server
    refusesAtFirst = host.server == .refuse
    names = host.names
    hasAddresses = !host.addresses.isEmpty
  }

  /// Resets the host to its state at the start of a run.
  ///
  /// Fields are reset one by one, because the lists are mostly empty and keep their memory.
  mutating func begin(as host: ScriptHost) {
    connect = host.connect
    server = host.server
    refusesAtFirst = host.server == .refuse
    refusalTurns.empty()
    addressTurns.empty()
    names = host.names
    hasAddresses = !host.addresses.isEmpty
    isBlackhole = false
    serverCause = nil
    namesCause = nil
    answerCause = nil
    blackholeCause = nil
    rows.empty()
    established = 0
    disturbed = 0
    unread.empty()
    dueAnswers.empty()
  }

  /// Changes the state of the server.
  ///
  /// - Returns: whether attempts at several addresses now end differently.
  mutating func serve(_ fault: ServerFault, from now: Instant) -> Bool {
    let refused = server == .refuse
    server = fault
    guard hasAddresses, refused != (fault == .refuse) else { return false }
    refusalTurns.append(now)
    return true
  }

  /// Returns whether the server refuses connections at an instant.
  func refuses(at instant: Instant) -> Bool {
    let turns = refusalTurns.count { $0 <= instant }
    return refusesAtFirst != (turns % 2 == 1)
  }

  /// Changes whether an address is reachable.
  ///
  /// - Returns: whether this is a change.
  mutating func setReachable(
    _ isReachable: Bool, _ position: Int, from now: Instant, cause: UInt32
  ) -> Bool {
    guard self.isReachable(position, at: now) != isReachable else { return false }
    addressTurns.append(AddressTurn(position: position, at: now, cause: cause))
    return true
  }

  func isReachable(_ position: Int, at instant: Instant) -> Bool {
    addressTurns.count { $0.position == position && $0.at <= instant }.isMultiple(of: 2)
  }

  /// Returns when an address answers a first packet, and the entry that last affected the answer.
  ///
  /// A lost packet is sent again when the address is reachable again.
  ///
  /// - Parameters:
  ///   - position: the address.
  ///   - sent: the instant of the first packet.
  ///   - connect: the time until the answer.
  /// - Returns: the instant, or `nil` if the address does not become reachable again.
  func answer(
    of position: Int, to sent: Instant, takes connect: Interval
  ) -> (at: Instant?, cause: UInt32?) {
    let turns = addressTurns.filter { $0.position == position }
    var at = sent + connect
    var cause: UInt32?
    while !isReachable(position, at: at) {
      guard let back = turns.first(where: { $0.at > at }) else {
        return (nil, turns.last?.cause)
      }
      cause = back.cause
      at = back.at + connect
    }
    return (at, cause)
  }
}
