public import HandoverCore

/// A client that is not this process' own: it is told of facts and answers with orders, at instants
/// that the harness gives.
///
/// Whoever plays the world around a client in virtual time can put one of these in the place of the
/// built-in one. It is used by one thread at a time; after an error it is not used again.
public protocol RemoteClient: AnyObject {
  /// Begins a run; whatever was known of the one before is forgotten.
  ///
  /// - Parameters:
  ///   - script: what will be played.
  ///   - profile: the contract that the client is held to.
  ///   - endpoints: the keys of its channels, in the order of their identifiers.
  /// - Throws: ``BackendError`` where it broke down, or does not play the script.
  func open(_ script: Script, profile: Profile, endpoints: [RemoteEndpoint]) throws(BackendError)

  /// A call of the script, by its place there, is known by an identifier from now on.
  func introduce(_ call: Int, as id: CallID)

  /// Tells the client of a fact and gives its orders, in their order.
  func send(
    _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError)

  /// Whether it takes several facts at once.
  var takesBatches: Bool { get }

  /// Tells the client of several facts of one instant at once; used only where it takes batches.
  ///
  /// - Parameters:
  ///   - events: the facts, none of which hangs on what the client does about another.
  ///   - now: the instant.
  ///   - effects: is given its orders, in their order.
  /// - Returns: for each fact, how many orders the log held after those about it.
  /// - Throws: ``BackendError`` where it broke down.
  func send(
    _ events: [ClientCore.Event], at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError) -> [Int]

  /// What it said of the end of a call in words that are none of the documents'; nil where it said
  /// nothing of the kind.
  func endText(of call: CallID) -> String?

  /// When it wants to be told that time has passed.
  var deadlines: RemoteDeadlines { get }

  /// What state the client is in.
  ///
  /// - Parameter now: the instant of the last fact.
  /// - Returns: a text that is the same wherever it goes on alike; nil where it has none.
  /// - Throws: ``BackendError`` where it broke down.
  func digest(at now: Instant) throws(BackendError) -> String?

  /// What it wrote for people since the run began; empty where it wrote nothing.
  var log: String { get }
}

extension RemoteClient {
  /// Nothing.
  public func digest(at now: Instant) throws(BackendError) -> String? { nil }

  /// Nothing.
  public func endText(of call: CallID) -> String? { nil }
}

/// The key of a channel, as a client elsewhere knows it.
public struct RemoteEndpoint: Hashable, Sendable {
  /// The host, normalised where a channel can be made for it (P1).
  public var host: String
  /// The options that are part of the key.
  public var options: ChannelOptions

  /// Makes a key.
  public init(host: String, options: ChannelOptions) {
    self.host = host
    self.options = options
  }
}

/// When a client elsewhere wants to be told that time has passed.
public struct RemoteDeadlines: Hashable, Sendable {
  /// The earliest deadline of all; nil where there is none.
  public var next: Instant?
  /// The earliest that will end or change a call or an attempt to connect.
  public var nonPeriodic: Instant?
  /// The earliest that has to do with pings.
  public var keepalive: Instant?

  /// Makes deadlines; none without any.
  public init(next: Instant? = nil, nonPeriodic: Instant? = nil, keepalive: Instant? = nil) {
    self.next = next
    self.nonPeriodic = nonPeriodic
    self.keepalive = keepalive
  }
}

/// Makes clients that are not this process' own.
public protocol RemoteClients: Sendable {
  /// Who they are, and what can be seen of them.
  var description: BackendDescription { get }

  /// Why a script cannot be played with them, as they declared beforehand; nil where it can.
  func obstacle(_ script: Script, _ profile: Profile) -> String?

  /// Whether they say digests of their states.
  var givesDigests: Bool { get }

  /// Starts a client.
  ///
  /// - Throws: ``BackendError`` where it cannot be started.
  func makeClient() throws(BackendError) -> any RemoteClient
}

extension RemoteClients {
  /// None.
  public var givesDigests: Bool { false }
}
