import HandoverCore

/// Where a connection stands, as the network knows it.
package enum LinkPhase: UInt8, BitwiseCopyable, Hashable, Sendable {
  /// The client has closed it, or it was never made.
  case gone
  /// The name is being looked up.
  case resolving
  /// The first packet is under way.
  case connecting
  /// TCP is connected; the server has not sent its SETTINGS (B4).
  case handshaking
  /// The client may use it.
  case established
  /// Lost; the client has been told, or will be.
  case dead
}

/// Why nothing passes on a connection.
package struct StallCauses: OptionSet, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The device left its path.
  package static let pathLeft = StallCauses(rawValue: 1)
  /// A fault holds everything back.
  package static let held = StallCauses(rawValue: 2)
  /// A fault acknowledges everything and throws it away.
  package static let discarded = StallCauses(rawValue: 4)
  /// A portal stands before its network.
  static let captive = StallCauses(rawValue: 8)
  /// What is behind the router is gone.
  static let uplinkDown = StallCauses(rawValue: 16)
  /// What the device sends is lost.
  static let requestsLost = StallCauses(rawValue: 32)
  /// What it would receive is lost.
  static let answersLost = StallCauses(rawValue: 64)
  /// Nobody on the way knows the flow any more.
  static let unknownFlow = StallCauses(rawValue: 128)
  /// The device sleeps, and its radio is off.
  static let radioOff = StallCauses(rawValue: 256)
  /// What the device sends does not pass for the quality of the path.
  static let sendingFails = StallCauses(rawValue: 512)
  /// What it would receive does not.
  static let receivingFails = StallCauses(rawValue: 1_024)

  /// The server does not know the address that the client has now.
  static let addressUnknown = StallCauses(rawValue: 2_048)

  /// Another network takes all traffic.
  static let takenOver = StallCauses(rawValue: 4_096)

  /// What the quality of a path keeps from passing.
  static let ofQuality: StallCauses = [.sendingFails, .receivingFails]

  /// Whether what the client writes is held back.
  @inline(__always)
  var holdsWrites: Bool {
    !subtracting([.answersLost, .receivingFails, .addressUnknown]).isEmpty
  }

  /// Whether what the far side sends is held back.
  @inline(__always)
  var holdsArrivals: Bool { !subtracting([.requestsLost, .sendingFails]).isEmpty }
}

/// What the far side has ended of a connection without the client's noticing (S7).
enum UnnoticedEnd: Hashable, Sendable {
  /// Its sending; it acknowledges what it is sent, and nothing comes of it.
  case sending
  /// Everything; it answers what it is sent with a reset.
  case everything
}

/// One connection of the simulated network, in the row of its identifier.
struct Connection: Hashable, Sendable {
  var generation: UInt32
  var host: UInt32
  /// The path it was made on; nil where there was none.
  var path: PathIndex?
  var phase = LinkPhase.resolving
  var stall: StallCauses = []
  /// What has ended unnoticed; nil where the client knows as much as there is.
  var unnoticedEnd: UnnoticedEnd?
  /// Bytes of messages that the send buffer holds.
  var bufferedBytes = 0
  /// What the client wrote while it stalled, in order.
  var bufferedWrites: ContiguousArray<CarriedWrite> = []
  /// What the far side sent while it stalled, in order.
  var inFlight: ContiguousArray<NetworkFact> = []
  /// The stream that was opened on it last; ``UInt32/max`` where there is none.
  var newestStream = UInt32.max
  /// The handshake was due while the connection stalled, or while nothing answered it.
  var handshakeIsDue = false
  /// The address that it is made to, a place among those of its host; ``anyAddress`` where these
  /// are not asked for.
  var address = Self.anyAddress
  /// Whether each address that it was tried at has refused it.
  var isRefused = false
  /// Whether the client knows that it is connected.
  var isKnown = false
  /// Whether the client has read the server's GOAWAY; the server ignores streams that begin later.
  var isDraining = false
  /// The time-out from the first unacknowledged byte.
  var timeout: Agenda<ScheduledEvent>.Handle?
  /// When the time-out is due.
  var timeoutDue = Instant.never
  /// How much of the time-out is left while the device sleeps; nil when it does not wait.
  var timeoutLeft: Interval?
  /// When the first of several addresses was tried; nil when the host has one address.
  var raceBegan: Instant?
  /// The end of the attempts at several addresses, on the agenda.
  var raceEnd: Agenda<ScheduledEvent>.Handle?

  static let anyAddress = UInt8.max

  /// A connection whose name is being looked up.
  init(generation: UInt32, host: UInt32, path: PathIndex?) {
    self.generation = generation
    self.host = host
    self.path = path
  }

  /// Another connection has the row from now on; part by part, because most parts of most are as
  /// they were.
  mutating func begin(generation: UInt32, host: UInt32, path: PathIndex?) {
    guard bufferedWrites.isEmpty, inFlight.isEmpty else {
      self = Connection(generation: generation, host: host, path: path)
      return
    }
    self.generation = generation
    self.host = host
    self.path = path
    phase = .resolving
    stall = []
    unnoticedEnd = nil
    bufferedBytes = 0
    newestStream = .max
    handshakeIsDue = false
    address = Self.anyAddress
    isRefused = false
    isKnown = false
    isDraining = false
    timeout = nil
    timeoutLeft = nil
    raceBegan = nil
    raceEnd = nil
  }

  /// There is no connection in the row any more, nor an identifier of one; the room of what it
  /// carried is kept.
  mutating func forget() {
    generation = .max
    path = nil
    phase = .gone
    stall = []
    unnoticedEnd = nil
    bufferedBytes = 0
    bufferedWrites.empty()
    inFlight.empty()
    timeout = nil
    timeoutLeft = nil
    raceBegan = nil
    raceEnd = nil
  }

  /// Whether what is written is acknowledged and lost: only where nothing keeps it from getting as
  /// far as that.
  var discards: Bool { stall == [.discarded] }
}

/// What a client can write to a connection.
enum Write: Hashable, Sendable {
  case request
  case messages(count: UInt32, bytes: UInt32)
  case finish
  case reset
  case ping

  var bytes: Int {
    switch self {
    case .messages(_, let bytes): Int(bytes)
    case .request, .finish, .reset, .ping: 0
    }
  }
}

/// A write with the connection it went to and the call it is about.
struct CarriedWrite: Hashable, Sendable {
  var connection: ConnectionID
  /// The call's place in the script; ``UInt32/max`` where the write is about none.
  var call: UInt32
  var write: Write
}

extension LinkPhase {
  /// Whether there is a socket, or a stream, that belongs to a path.
  ///
  /// A look-up has none: the system asks again on whatever network there is (B12).
  package var hasSocket: Bool { isAlive && self != .resolving }

  /// Whether the connection is being made or in use.
  package var isAlive: Bool {
    switch self {
    case .resolving, .connecting, .handshaking, .established: true
    case .gone, .dead: false
    }
  }
}
