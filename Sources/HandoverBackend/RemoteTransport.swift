public import HandoverCore

/// A transport that is not this process' own, with the network and the servers behind it: it is
/// told what the client orders and what the world does, at instants that the harness gives, and
/// reports what comes of it.
///
/// Whoever runs a client in virtual time can put one of these in the place of the simulated
/// network, which is one itself. It is used by one thread at a time; after an error it is not used
/// again.
public protocol RemoteTransport: AnyObject {
  /// Begins a run; whatever was known of the one before is forgotten.
  ///
  /// - Parameters:
  ///   - script: what will be played. Its hosts, its paths, its first device and its configuration
  ///     are the transport's; everything else it is told when it happens.
  ///   - profile: the contract that the transport is held to.
  /// - Throws: ``BackendError`` where it broke down, or does not play the script.
  func open(_ script: Script, profile: Profile) throws(BackendError)

  /// Tells the transport of a fact and gives its reports, in their order.
  func send(
    _ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]
  ) throws(BackendError)

  /// When it wants to be told that time has passed.
  var deadlines: TransportDeadlines { get }

  /// What it wrote for people since the run began; empty where it wrote nothing.
  var log: String { get }
}

/// What a transport is told: an order of the client, or what the world around it does.
///
/// Hosts, calls and entries are given by their places in the script.
public enum TransportFact: Hashable, Sendable {
  /// Make a connection.
  case connect(ConnectionID, host: UInt32)
  /// Close a connection, or give up the attempt to make it.
  case close(ConnectionID)
  /// Send the request of a call, which its server answers so.
  case send(ConnectionID, call: UInt32, ServerAnswer)
  /// Send messages of a call.
  case sendMessages(ConnectionID, call: UInt32, count: UInt32, bytes: UInt32)
  /// Tell the server that the requests of a call are complete.
  case finish(ConnectionID, call: UInt32)
  /// Tell the server that a call is over.
  case reset(ConnectionID, call: UInt32)
  /// Send a ping.
  case ping(ConnectionID)
  /// The device has moved, or its application has gone to the background or come back.
  case device(Device)
  /// The server of a host does something, as an entry of the timeline says.
  case server(host: UInt32, ServerFault, entry: UInt32)
  /// Look-ups of a host's name change.
  case names(host: UInt32, DNSFault, entry: UInt32)
  /// The connections of a host, or all, change.
  case fault(HostSelector, TransportWord, entry: UInt32)
  /// Time passed; a deadline may be due.
  case timeElapsed
  /// The run is over: everything ends, and nothing is reported any more.
  case closed
}

/// How a server answers a call.
public struct ServerAnswer: Hashable, Sendable {
  /// The kind of the call.
  public var kind: CallKind
  /// How long it takes from the complete request to the end of the answer; nil never ends.
  public var takes: Interval?
  /// How often it sends a message; nil never.
  public var every: Interval?

  /// Makes an answer.
  public init(kind: CallKind, takes: Interval?, every: Interval?) {
    self.kind = kind
    self.takes = takes
    self.every = every
  }
}

/// What a transport reports.
///
/// It names only what it was told of; anything else is a mistake in the program. What it reports of
/// a connection that the client closes in the same instant is dropped, because it could not know.
public enum TransportReport: Hashable, Sendable {
  /// An attempt to connect has succeeded.
  case connected(ConnectionID)
  /// An attempt to connect has failed.
  case connectFailed(ConnectionID, ConnectionFailure)
  /// A connection is no more.
  case broken(ConnectionID, ConnectionFailure)
  /// The server takes no new calls on a connection (GOAWAY).
  case draining(ConnectionID)
  /// A ping was answered.
  case pong(ConnectionID)
  /// A message of a call's server arrived.
  case message(call: UInt32)
  /// The server ended a call.
  case ended(call: UInt32, StatusCode)
  /// The name of an attempt is known, and it goes on from the path the device is on now, which is
  /// another than the one it began on; this and what follows the client does not hear of.
  case moved(ConnectionID)
  /// A connection stalls.
  case stalled(ConnectionID)
  /// A connection goes on after a stall.
  case resumed(ConnectionID)
  /// The send buffer of a connection is full; further writes wait.
  case sendBufferFull(ConnectionID)
  /// The server read the request of a call.
  case readRequest(call: UInt32)
  /// The server read messages of a call.
  case readMessages(call: UInt32, count: UInt32)
  /// What an entry of the timeline did to a server, a name or a connection had its first effect.
  case tookEffect(entry: UInt32)
}

/// When a transport elsewhere wants to be told that time has passed.
public struct TransportDeadlines: Hashable, Sendable {
  /// The earliest deadline of all; nil where there is none.
  public var next: Instant?
  /// The earliest that is not merely periodic, as the messages of endless streams are: a run is
  /// not over before it.
  public var nonPeriodic: Instant?
  /// Whether every ping that is sent on a connection will be answered; where one will not, the run
  /// goes on until the client has noticed.
  public var answersPings: Bool

  /// Makes deadlines; none without any.
  public init(next: Instant? = nil, nonPeriodic: Instant? = nil, answersPings: Bool = true) {
    self.next = next
    self.nonPeriodic = nonPeriodic
    self.answersPings = answersPings
  }
}

/// Makes transports that are not this process' own.
public protocol RemoteTransports: Sendable {
  /// Who they are, and what can be seen of them.
  var description: BackendDescription { get }

  /// Why a script cannot be played with them, as they declared beforehand; nil where it can.
  func obstacle(_ script: Script, _ profile: Profile) -> String?

  /// Starts a transport.
  ///
  /// - Throws: ``BackendError`` where it cannot be started.
  func makeTransport() throws(BackendError) -> any RemoteTransport
}
