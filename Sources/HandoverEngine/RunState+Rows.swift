import HandoverCore
import HandoverTrace

// What is known of one call, channel, connection and host.
extension RunState {
  struct Call {
    var id: CallID?
    var endpoint = UInt32.max
    var deadline = Instant.never
    var failsFast = false
    /// The channel it was bound to; nil before.
    var channel: ChannelID?
    var channelIsNew = false
    var isRunning = false
    /// When the device first moved under the bound call.
    var changedAt: Instant?
    var end: CallEnd?
    var endedAt = Instant.zero

    // A record changes several parts of a row at once; each of these is one access to the table.

    mutating func start(on endpoint: EndpointID, _ settings: CallSettings) {
      self.endpoint = endpoint.index
      deadline = settings.deadline
      failsFast = settings.failsFast
    }

    mutating func bind(to channel: ChannelID, isNew: Bool) {
      self.channel = channel
      channelIsNew = isNew
    }

    /// Another attempt begins under the same call, with an identifier of its own.
    mutating func beginAttempt(as id: CallID) {
      let changedAt = self.changedAt
      self = Call()
      self.id = id
      self.changedAt = changedAt
    }

    mutating func finish(_ end: CallEnd, at now: Instant) {
      self.end = end
      endedAt = now
    }

    var isUnfinished: Bool { id != nil && end == nil }
    var isBound: Bool { channel != nil }

    /// Whether it is bound to the channel of a key and has no connection yet.
    func waits(on endpoint: UInt32) -> Bool {
      isUnfinished && isBound && !isRunning && self.endpoint == endpoint
    }
  }

  struct Channel {
    var host: UInt32
    var generation: UInt32 = 0
    var state: ChannelState = .shutdown
    /// The start of the last attempt to connect, and how many before it failed in a row.
    var lastAttempt: Instant?
    var failuresBeforeIt = 0
    /// How many attempts failed since the last success.
    var failures = 0
    /// A call of the script that has this key, for its options.
    var anyCall: UInt32 = .max
    /// How many unfinished calls are bound to it, and how many of this key have no connection yet.
    var bound = 0
    var waiting = 0

    var exists: Bool { state != .shutdown }

    mutating func begin(generation: UInt32) {
      self.generation = generation
      state = .idle
      lastAttempt = nil
      failures = 0
    }

    mutating func attempt(at now: Instant) {
      lastAttempt = now
      failuresBeforeIt = failures
    }
  }

  struct Connection {
    var generation: UInt32
    var endpoint: UInt32
    var host: UInt32
    var path: PathIndex?
    var phase: Phase

    enum Phase {
      case attempted
      case open
      case closed
    }
  }

  struct Host {
    var alive = 0
    var destroyed = 0
    var attempts = 0
    var open = 0
    var received = 0
    /// How many of its keys ever had a channel.
    var made = 0

    mutating func loseChannel() {
      alive -= 1
      destroyed += 1
    }
  }
}
