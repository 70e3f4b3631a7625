/// The state derived from a history prefix: live calls, channels and connections.
///
/// It contains no checks.
package struct Past: Hashable, Sendable {
  /// The categories of the specified table (M1).
  package enum Category: Hashable, Sendable {
    case none, cellular, wifi
  }

  package struct Call: Hashable, Sendable {
    package var id: Int
    package var host: Int
    package var failsFast: Bool
    package var awaitsToken: Bool
    package var deadline: Int64?
    package var channel: Int?
    package var connection: Int?
  }

  package struct Channel: Hashable, Sendable {
    package var id: Int
    package var host: Int
    package var phase = ChannelPhase.idle
    /// The time at which its last call ended, or `nil` while it has a call.
    package var unusedSince: Int64?
    /// Whether the channel ever had a call.
    package var wasUsed = false
  }

  package struct Connection: Hashable, Sendable {
    package var id: Int
    package var channel: Int
    package var isOpen = false
    package var drains = false
  }

  /// The last reported category, or `nil` before the first report.
  package private(set) var category: Category?
  /// The live calls, channels and connections, in order of creation.
  package private(set) var calls: [Call] = []
  package private(set) var channels: [Channel] = []
  package private(set) var connections: [Connection] = []

  package init() {}

  /// Returns the category of flags according to the specified table (M1).
  ///
  /// It is None if Reachable is missing or ConnectionRequired is set. Otherwise it is Cellular if
  /// IsWWAN is set, and WiFi if not.
  package static func category(of flags: Flags) -> Category {
    switch (flags.isReachable, flags.needsConnection, flags.isWWAN) {
    case (true, false, true): .cellular
    case (true, false, false): .wifi
    case (false, _, _), (_, true, _): .none
    }
  }

  package func call(_ id: Int) -> Call? { calls.first { $0.id == id } }
  package func channel(_ id: Int) -> Channel? { channels.first { $0.id == id } }
  package func connection(_ id: Int) -> Connection? { connections.first { $0.id == id } }

  /// Applies a fact, before the resulting orders.
  mutating func receive(_ step: Step) {
    switch step.fact {
    case .firstRead(let flags): category = flags.map(Self.category)
    case .callback(let flags): category = Self.category(of: flags)
    case .starts(let id, let host, let failsFast, let awaitsToken, let deadline):
      calls.append(
        Call(
          id: id, host: host, failsFast: failsFast, awaitsToken: awaitsToken, deadline: deadline))
    case .token(let id): change(call: id) { $0.awaitsToken = false }
    case .connected(let id): change(connection: id) { $0.isOpen = true }
    case .drains(let id): change(connection: id) { $0.drains = true }
    case .failed(let id, _), .broke(let id): connections.removeAll { $0.id == id }
    case .closes, .cancelled, .answered, .serverEnded, .disconnects, .disconnectsAll, .time,
      .other:
      break
    }
  }

  /// Applies an order.
  mutating func record(_ order: Order, at now: Int64) {
    switch order {
    case .makesChannel(let id, let host): channels.append(Channel(id: id, host: host))
    case .moves(let id, _, let phase): change(channel: id) { $0.phase = phase }
    case .destroys(let id): channels.removeAll { $0.id == id }
    case .binds(let id, let channel):
      change(call: id) { $0.channel = channel }
      change(channel: channel) {
        $0.wasUsed = true
        $0.unusedSince = nil
      }
    case .opens(let id, let channel): connections.append(Connection(id: id, channel: channel))
    case .shuts(let id): connections.removeAll { $0.id == id }
    case .sends(let id, let connection): change(call: id) { $0.connection = connection }
    case .ends(let id, _):
      let channel = call(id)?.channel
      calls.removeAll { $0.id == id }
      guard let channel, !calls.contains(where: { $0.channel == channel }) else { return }
      change(channel: channel) { $0.unusedSince = now }
    case .notifies, .gives, .other: break
    }
  }

  private mutating func change(call id: Int, _ body: (inout Call) -> Void) {
    if let index = calls.firstIndex(where: { $0.id == id }) { body(&calls[index]) }
  }

  private mutating func change(channel id: Int, _ body: (inout Channel) -> Void) {
    if let index = channels.firstIndex(where: { $0.id == id }) { body(&channels[index]) }
  }

  private mutating func change(connection id: Int, _ body: (inout Connection) -> Void) {
    if let index = connections.firstIndex(where: { $0.id == id }) { body(&connections[index]) }
  }
}
