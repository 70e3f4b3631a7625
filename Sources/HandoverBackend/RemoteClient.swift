public import HandoverCore

/// A client outside this process that receives facts and answers with effects.
///
/// The harness controls the instants. A world in virtual time can use a remote client in place of
/// the built-in one. It is used by one thread at a time, and after an error it is not used again.
public protocol RemoteClient: AnyObject {
  /// Begins a run and discards all state of the previous one.
  ///
  /// - Parameters:
  ///   - script: The script that will run.
  ///   - profile: The client profile whose behavior is required of the client.
  ///   - endpoints: The keys of its channels, in the order of their identifiers.
  /// - Throws: ``BackendError`` if the client fails, or does not support the script.
  func open(_ script: Script, profile: Profile, endpoints: [RemoteEndpoint]) throws(BackendError)

  /// Announces the identifier of a call, which is given by its index in the script.
  func introduce(_ call: Int, as id: CallID)

  /// Sends a fact to the client and appends the client's effects in their order.
  func send(
    _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError)

  /// Whether the client accepts several facts in one message.
  var acceptsBatches: Bool { get }

  /// Sends several facts of one instant in one message; used only if the client accepts batches.
  ///
  /// - Parameters:
  ///   - events: The facts. None of them depends on how the client reacts to another.
  ///   - now: The current instant.
  ///   - effects: The log to which the client's effects are appended in their order.
  /// - Returns: For each fact, the number of effects in the log after the effects of that fact.
  /// - Throws: ``BackendError`` if the client fails.
  func send(
    _ events: [ClientCore.Event], at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError) -> [Int]

  /// Returns the client's own message for the end of a call, if it is not one from the
  /// specifications.
  ///
  /// The result is `nil` if the client sent no such message.
  func endText(of call: CallID) -> String?

  /// The instants at which the client has to be notified that time has passed.
  var deadlines: RemoteDeadlines { get }

  /// Returns the fingerprint of the client's state.
  ///
  /// - Parameter now: The instant of the last fact.
  /// - Returns: A string that is equal for states with the same future behavior, or `nil` if the
  ///   client provides no fingerprints.
  /// - Throws: ``BackendError`` if the client fails.
  func digest(at now: Instant) throws(BackendError) -> String?

  /// The log that the client wrote since the run began; empty if it wrote none.
  var log: String { get }
}

extension RemoteClient {
  /// Returns `nil`: the client provides no fingerprints.
  public func digest(at now: Instant) throws(BackendError) -> String? { nil }

  /// Returns `nil`: the client has no messages other than those from the specifications.
  public func endText(of call: CallID) -> String? { nil }
}

/// The key of a channel, in the form that a remote client receives.
public struct RemoteEndpoint: Hashable, Sendable {
  /// The host, normalized if a channel can be created for it (P1).
  public var host: String
  /// The options that are part of the key.
  public var options: ChannelOptions

  /// Creates a key.
  public init(host: String, options: ChannelOptions) {
    self.host = host
    self.options = options
  }
}

/// The instants at which a remote client has to be notified that time has passed.
public struct RemoteDeadlines: Hashable, Sendable {
  /// The earliest of all deadlines, or `nil` if there is none.
  public var next: Instant?
  /// The earliest deadline that can end or change a call or a connection attempt.
  public var nonPeriodic: Instant?
  /// The earliest deadline for keepalive pings.
  public var keepalive: Instant?

  /// Creates deadlines; by default there are none.
  public init(next: Instant? = nil, nonPeriodic: Instant? = nil, keepalive: Instant? = nil) {
    self.next = next
    self.nonPeriodic = nonPeriodic
    self.keepalive = keepalive
  }
}

/// A factory of clients outside this process.
public protocol RemoteClientFactory: Sendable {
  /// The clients' name, kind of time and capabilities.
  var description: BackendDescription { get }

  /// Returns why the clients declare a script as unsupported, or `nil` if they support it.
  func obstacle(_ script: Script, _ profile: Profile) -> String?

  /// Whether the clients provide fingerprints of their states.
  var providesDigests: Bool { get }

  /// Starts a client.
  ///
  /// - Throws: ``BackendError`` if the client cannot be started.
  func makeClient() throws(BackendError) -> any RemoteClient
}

extension RemoteClientFactory {
  /// The default: the clients provide no fingerprints.
  public var providesDigests: Bool { false }
}

extension Interval {
  /// The default time limit of an answer from another process: 30 s, because an interpreter on a
  /// busy machine needs several seconds.
  public static let answerTimeout = Interval.seconds(30)
}
