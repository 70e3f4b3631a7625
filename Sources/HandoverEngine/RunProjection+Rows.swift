package import HandoverCore
import HandoverTrace

// What is known of one call, channel, connection and host.
extension RunProjection {
  package struct Call {
    package fileprivate(set) var id: CallID?
    var endpoint = UInt32.max
    package fileprivate(set) var deadline = Instant.never
    var failsFast = false
    package fileprivate(set) var awaitsToken = false
    /// The channel it was bound to; nil before.
    package fileprivate(set) var channel: ChannelID?
    var channelIsNew = false
    /// The connection that its request was sent on; nil before.
    package fileprivate(set) var connection: ConnectionID?
    /// When the device first moved under the bound call.
    var changedAt: Instant?
    package fileprivate(set) var end: CallEnd?
    package fileprivate(set) var endedAt = Instant.zero
    /// Whether it had no end when the run was over.
    package var wasUnfinished = false

    // A record changes several parts of a row at once; each of these is one access to the table.

    mutating func start(on endpoint: EndpointID, _ settings: CallSettings) {
      self.endpoint = endpoint.index
      deadline = settings.deadline
      failsFast = settings.failsFast
      awaitsToken = settings.awaitsToken
    }

    mutating func bind(to channel: ChannelID, isNew: Bool) {
      self.channel = channel
      channelIsNew = isNew
    }

    /// It is introduced, or another attempt begins under it, with an identifier of its own.
    mutating func introduce(as id: CallID) {
      guard self.id != nil else {
        self.id = id
        return
      }
      let changedAt = self.changedAt
      self = Call()
      self.id = id
      self.changedAt = changedAt
    }

    mutating func finish(_ end: CallEnd, at now: Instant) {
      self.end = end
      endedAt = now
    }

    mutating func run(on connection: ConnectionID) { self.connection = connection }

    package var isStarted: Bool { endpoint != .max }
    var isUnfinished: Bool { id != nil && end == nil }
    package var isBound: Bool { channel != nil }
    package var isRunning: Bool { connection != nil }

    /// Whether it is bound to the channel of a key and has no connection yet.
    func waits(on endpoint: UInt32) -> Bool {
      isUnfinished && isBound && !isRunning && self.endpoint == endpoint
    }
  }

  package struct Channel {
    package var host: UInt32
    package var generation: UInt32 = 0
    package var state: ChannelState = .shutdown
    /// Which of all channels it was that were made so far, counted from 1; 0 before.
    package var number = 0
    /// How many channels its key has had.
    package var made = 0
    /// Why it was destroyed, and when; nil while it lives.
    package var reason: DestroyReason?
    package var destroyedAt = Instant.zero
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

    package var exists: Bool { state != .shutdown }

    mutating func begin(generation: UInt32) {
      self.generation = generation
      state = .idle
      made += 1
      reason = nil
      lastAttempt = nil
      failures = 0
    }

    mutating func attempt(at now: Instant) {
      lastAttempt = now
      failuresBeforeIt = failures
    }
  }

  package struct Connection {
    package var id: ConnectionID
    package var channel: ChannelID
    var host: UInt32
    package var path: PathIndex?
    package var phase: Phase
    /// Whether the attempt to make it succeeded, whatever became of it since.
    package var wasOpen = false
    package var isDraining = false
    package var isStalled = false
    package var isFull = false

    var endpoint: UInt32 { channel.endpoint.index }

    package enum Phase {
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
