import HandoverCore

/// The phase of a connection, as the network sees it.
package enum LinkPhase: UInt8, BitwiseCopyable, Hashable, Sendable {
  /// The client has closed the connection, or it was never made.
  case gone
  /// The name is being looked up.
  case resolving
  /// The first packet is in transit.
  case connecting
  /// TCP is connected; the server has not sent its SETTINGS (B4).
  case handshaking
  /// The client may use the connection.
  case established
  /// The connection is lost.
  ///
  /// The client has been notified, or will be.
  case dead
}

/// The reasons why no data passes on a connection.
package struct StallCauses: OptionSet, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The device has left the path of the connection.
  package static let pathLeft = StallCauses(rawValue: 1)
  /// A fault withholds all data.
  package static let held = StallCauses(rawValue: 2)
  /// A fault acknowledges all data and discards it.
  package static let discarded = StallCauses(rawValue: 4)
  /// A captive portal blocks the network.
  static let captive = StallCauses(rawValue: 8)
  /// The router has lost its uplink.
  static let uplinkDown = StallCauses(rawValue: 16)
  /// Packets from the device are lost.
  static let requestsLost = StallCauses(rawValue: 32)
  /// Packets to the device are lost.
  static let answersLost = StallCauses(rawValue: 64)
  /// Packets in one direction are lost.
  static let losses: StallCauses = [.requestsLost, .answersLost]
  /// The router no longer has state for the flow.
  static let unknownFlow = StallCauses(rawValue: 128)
  /// The device sleeps, and its radio is off.
  static let radioOff = StallCauses(rawValue: 256)
  /// The quality of the path blocks all packets from the device.
  static let sendingFails = StallCauses(rawValue: 512)
  /// The quality of the path blocks all packets to the device.
  static let receivingFails = StallCauses(rawValue: 1_024)

  /// The server does not know the client's current address.
  static let addressUnknown = StallCauses(rawValue: 2_048)

  /// Another network, such as a VPN, carries all traffic.
  static let takenOver = StallCauses(rawValue: 4_096)

  /// The server is unreachable at the address of the connection.
  static let addressUnreachable = StallCauses(rawValue: 8_192)

  /// The causes that result from the quality of a path.
  static let ofQuality: StallCauses = [.sendingFails, .receivingFails]

  /// Whether the client's writes are withheld.
  var holdsWrites: Bool {
    !subtracting([.answersLost, .receivingFails, .addressUnknown]).isEmpty
  }

  /// Whether data from the server is withheld.
  var holdsArrivals: Bool { !subtracting([.requestsLost, .sendingFails]).isEmpty }
}

/// The part of a connection that the server has ended without the client noticing (S7).
enum UnnoticedEnd: Hashable, Sendable {
  /// The server's sending direction.
  ///
  /// The server still acknowledges received data and ignores it.
  case sending
  /// Both directions.
  ///
  /// The server responds to received data with a reset.
  case everything
}

/// A connection of the simulated network.
///
/// Its row is the index of its identifier.
struct Connection: Hashable, Sendable {
  var generation: UInt32
  var host: UInt32
  /// The path on which the connection was made, or `nil` if there was none.
  var path: PathIndex?
  var phase = LinkPhase.resolving
  var stall: StallCauses = []
  /// The part that has ended unnoticed, or `nil` if the client knows the current state.
  var unnoticedEnd: UnnoticedEnd?
  /// The number of message bytes in the send buffer.
  var bufferedBytes = 0
  /// The client's writes during the stall, in order.
  var bufferedWrites: ContiguousArray<CarriedWrite> = []
  /// The facts that the server sent during the stall, in order.
  var inFlight: ContiguousArray<NetworkFact> = []
  /// The stream that was opened last on the connection, or ``UInt32/max`` if there is none.
  var newestStream = UInt32.max
  /// Whether the handshake was due during a stall, or while the server did not respond.
  var handshakeIsDue = false
  /// The address to which the connection is made, as an index into the addresses of its host.
  ///
  /// ``anyAddress`` if the host lists no addresses.
  var address = Self.anyAddress
  /// Whether every address that was tried has refused the connection.
  var isRefused = false
  /// Whether the client knows that the connection is established.
  var isKnown = false
  /// Whether the client has read the server's GOAWAY.
  ///
  /// The server ignores streams that begin later.
  var isDraining = false
  /// The answer of the name server that is under way.
  var nameAnswer: Agenda<ScheduledEvent>.Handle?
  /// The entry that last changed the addresses of the name before its lookup, or `nil`.
  var answerCause: UInt32?
  /// The timeout that started with the first unacknowledged byte.
  var timeout: Agenda<ScheduledEvent>.Handle?
  /// The time at which the timeout is due.
  var timeoutDue = Instant.never
  /// The remaining time of the timeout while the device sleeps, or `nil` if the timeout is not
  /// paused.
  var timeoutLeft: Interval?
  /// The time of the first attempt if the host has several addresses; otherwise `nil`.
  var raceBegan: Instant?
  /// The scheduled end of the attempts at several addresses.
  var raceEnd: Agenda<ScheduledEvent>.Handle?

  static let anyAddress = UInt8.max

  /// Creates a connection whose name is being looked up.
  init(generation: UInt32, host: UInt32, path: PathIndex?) {
    self.generation = generation
    self.host = host
    self.path = path
  }

  /// Reuses the row for another connection.
  ///
  /// Fields are assigned one by one, because most of them keep their initial value.
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
    nameAnswer = nil
    answerCause = nil
    timeout = nil
    timeoutLeft = nil
    raceBegan = nil
    raceEnd = nil
  }

  /// Whether written data is acknowledged and discarded.
  ///
  /// False if another cause withholds the data first.
  var discards: Bool { stall == [.discarded] }
}

/// Data that a client can write to a connection.
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

/// A write with its connection and its call.
struct CarriedWrite: Hashable, Sendable {
  var connection: ConnectionID
  /// The script index of the call, or ``UInt32/max`` if the write belongs to no call.
  var call: UInt32
  var write: Write
}

extension LinkPhase {
  /// Whether the connection has a socket or a stream that belongs to a path.
  ///
  /// A lookup has none, because the system repeats it on whatever network is available (B12).
  package var hasSocket: Bool { isAlive && self != .resolving }

  /// Whether the connection is being made or is in use.
  package var isAlive: Bool {
    switch self {
    case .resolving, .connecting, .handshaking, .established: true
    case .gone, .dead: false
    }
  }
}
