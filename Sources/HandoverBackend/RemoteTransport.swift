public import HandoverCore

/// A transport outside this process, together with the network and the servers behind it.
///
/// The transport receives the effects of the client and the actions of the world, at instants that
/// the harness controls, and reports the results. A client in virtual time can use a remote
/// transport in place of the simulated network, which conforms to this protocol too. It is used by
/// one thread at a time, and after an error it is not used again.
public protocol RemoteTransport: AnyObject {
  /// Begins a run and discards all state of the previous one.
  ///
  /// - Parameters:
  ///   - script: The script that will run. The transport uses its hosts, its paths, its initial
  ///     device and its configuration. It is notified of everything else when it happens.
  ///   - profile: The client profile whose behavior is required of the transport.
  /// - Throws: ``BackendError`` if the transport fails, or does not support the script.
  func open(_ script: Script, profile: Profile) throws(BackendError)

  /// Sends a fact to the transport and appends its reports in their order.
  func send(
    _ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]
  ) throws(BackendError)

  /// The instants at which the transport has to be notified that time has passed.
  var deadlines: TransportDeadlines { get }

  /// The log that the transport wrote since the run began; empty if it wrote none.
  var log: String { get }
}

/// A fact for a transport: an effect of the client, or an action of the world around it.
///
/// Hosts, calls and entries are identified by their indices in the script.
public enum TransportFact: Hashable, Sendable {
  /// The client opens a connection.
  case connect(ConnectionID, host: UInt32)
  /// The client closes a connection, or abandons the attempt to open it.
  case close(ConnectionID)
  /// The client sends the request of a call; the answer describes how the server responds.
  case send(ConnectionID, call: UInt32, ServerAnswer)
  /// The client sends messages of a call.
  case sendMessages(ConnectionID, call: UInt32, count: UInt32, bytes: UInt32)
  /// The client signals to the server that the requests of a call are complete.
  case finish(ConnectionID, call: UInt32)
  /// The client signals to the server that a call is over.
  case reset(ConnectionID, call: UInt32)
  /// The client sends a ping.
  case ping(ConnectionID)
  /// The network of the device changed, or its application entered the background or returned.
  case device(Device)
  /// The server of a host does something, as an entry of the timeline specifies.
  case server(host: UInt32, ServerFault, entry: UInt32)
  /// Lookups of a host's name change.
  case names(host: UInt32, DNSFault, entry: UInt32)
  /// The connections of a host, or of all hosts, change.
  case fault(HostSelector, ConnectionFault, entry: UInt32)
  /// Time passed; a deadline may be due.
  case timeElapsed
  /// The run is over: all connections end, and the transport reports nothing more.
  case closed
}

/// The response of a server to a call.
public struct ServerAnswer: Hashable, Sendable {
  /// The kind of the call.
  public var kind: CallKind
  /// The time from the complete request to the end of the response, or `nil` if it never ends.
  public var takes: Interval?
  /// The interval between messages of the server, or `nil` if it sends none.
  public var every: Interval?

  /// Creates an answer.
  public init(kind: CallKind, takes: Interval?, every: Interval?) {
    self.kind = kind
    self.takes = takes
    self.every = every
  }
}

/// A report of a transport.
///
/// A report may name only connections and calls that the transport received; any other name is an
/// error in the program. Reports about a connection that the client closes in the same instant are
/// dropped, because the transport could not know of the close.
public enum TransportReport: Hashable, Sendable {
  /// A connection attempt succeeded.
  case connected(ConnectionID)
  /// A connection attempt failed.
  case connectFailed(ConnectionID, ConnectionFailure)
  /// A connection ended.
  case broken(ConnectionID, ConnectionFailure)
  /// The server accepts no new calls on a connection (GOAWAY).
  case draining(ConnectionID)
  /// A ping was answered.
  case pong(ConnectionID)
  /// A message of a call's server arrived.
  case message(call: UInt32)
  /// The server ended a call.
  case ended(call: UInt32, StatusCode)
  /// An attempt continues on the path that the device is on now, after its name was resolved.
  ///
  /// That path differs from the one on which the attempt began. This report and the following ones
  /// are not sent to the client.
  case moved(ConnectionID)
  /// A connection stalls.
  case stalled(ConnectionID)
  /// A connection continues after a stall.
  case resumed(ConnectionID)
  /// The send buffer of a connection is full; further writes wait.
  case sendBufferFull(ConnectionID)
  /// The server read the request of a call.
  case readRequest(call: UInt32)
  /// The server read messages of a call.
  case readMessages(call: UInt32, count: UInt32)
  /// A timeline entry about a server, a name or a connection had its first effect.
  case tookEffect(entry: UInt32)
}

/// The instants at which a remote transport has to be notified that time has passed.
public struct TransportDeadlines: Hashable, Sendable {
  /// The earliest of all deadlines, or `nil` if there is none.
  public var next: Instant?
  /// The earliest deadline that is not merely periodic.
  ///
  /// The messages of endless streams are periodic. A run is not over before this deadline.
  public var nonPeriodic: Instant?
  /// Whether every ping that is sent on a connection will be answered.
  ///
  /// If a ping will not be answered, the run continues until the client has detected it.
  public var answersPings: Bool

  /// Creates deadlines; by default there are none.
  public init(next: Instant? = nil, nonPeriodic: Instant? = nil, answersPings: Bool = true) {
    self.next = next
    self.nonPeriodic = nonPeriodic
    self.answersPings = answersPings
  }
}

/// A factory of transports outside this process.
public protocol RemoteTransportFactory: Sendable {
  /// The transports' name, kind of time and capabilities.
  var description: BackendDescription { get }

  /// Returns why the transports declare a script as unsupported, or `nil` if they support it.
  func obstacle(_ script: Script, _ profile: Profile) -> String?

  /// Starts a transport.
  ///
  /// - Throws: ``BackendError`` if the transport cannot be started.
  func makeTransport() throws(BackendError) -> any RemoteTransport
}
