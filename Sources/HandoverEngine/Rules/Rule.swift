import HandoverCore

/// An invariant of every run of a profile.
///
/// The invariant observes the records of a run one by one, with the state of the run before each
/// record. It reports violations immediately. Its stored properties are obligations: the events
/// that it waits for, and whose absence is a violation.
///
/// ``RuleList`` lists all invariants.
protocol Rule: Equatable, Sendable {
  /// The identifier of the invariant.
  static var identifier: RuleIdentifier { get }

  /// The moments of a run that concern the invariant; it is not called at any other.
  static var moments: RunMoments { get }

  /// Creates the invariant in its state before the first record.
  init()

  /// Resets the invariant to its state before the first record; reuses its memory.
  mutating func restart()

  /// Handles a record before it changes the state of the run.
  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun)

  /// Handles the end of a step.
  ///
  /// The client has issued all effects of the latest event, so missing effects will not follow.
  mutating func stepIsOver(_ run: inout ObservedRun)

  /// Handles the end of the current instant; the next record has a later instant.
  mutating func instantIsOver(_ run: inout ObservedRun)

  /// Handles the closing of the client; no records follow.
  ///
  /// - Parameters:
  ///   - leaks: the resources that the backend reports as still existing.
  ///   - run: the state of the run.
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun)
}

extension Rule {
  mutating func restart() { self = Self() }
  mutating func stepIsOver(_ run: inout ObservedRun) {}
  mutating func instantIsOver(_ run: inout ObservedRun) {}
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {}

  /// Reports a violation of this invariant at the current instant, with the expected and the
  /// observed behavior.
  func broken(_ run: inout ObservedRun, _ expected: TimedText, _ seen: TimedText) {
    run.broken(Self.identifier, expected, seen)
  }
}

/// Moments of a run that invariants distinguish: kinds of records, and times between records.
///
/// Most records concern few of the invariants; the others are skipped.
struct RunMoments: OptionSet {
  let rawValue: UInt32

  /// The device reports its flags to the client.
  static let reachability = RunMoments(rawValue: 1 << 0)
  /// A call starts, receives its access token, or is cancelled.
  static let callEvents = RunMoments(rawValue: 1 << 1)
  /// An attempt to connect succeeds or fails.
  static let attemptResults = RunMoments(rawValue: 1 << 2)
  /// The time of a deadline of the client comes.
  static let timePassing = RunMoments(rawValue: 1 << 3)
  /// The client is asked to close.
  static let closeRequest = RunMoments(rawValue: 1 << 4)
  /// The client notifies the observers of its monitor.
  static let notifications = RunMoments(rawValue: 1 << 5)
  /// The client creates a channel.
  static let channelCreations = RunMoments(rawValue: 1 << 6)
  /// The state of a channel changes.
  static let channelMoves = RunMoments(rawValue: 1 << 7)
  /// The client destroys a channel.
  static let channelDestructions = RunMoments(rawValue: 1 << 8)
  /// The client binds a call to a channel.
  static let bindings = RunMoments(rawValue: 1 << 9)
  /// The client opens a connection.
  static let attempts = RunMoments(rawValue: 1 << 10)
  /// The client closes a connection or sends a ping.
  static let connections = RunMoments(rawValue: 1 << 11)
  /// The client sends a part of a call.
  static let sending = RunMoments(rawValue: 1 << 12)
  /// The client delivers a message or requests a token.
  static let deliveries = RunMoments(rawValue: 1 << 13)
  /// The client ends a call.
  static let callEnds = RunMoments(rawValue: 1 << 14)
  /// A fact of a chain of interceptors.
  static let chains = RunMoments(rawValue: 1 << 15)
  /// A fact of a request.
  static let requests = RunMoments(rawValue: 1 << 16)
  /// The run ends; the following records only close the client.
  static let end = RunMoments(rawValue: 1 << 17)
  /// A record has an earlier instant than the records before it.
  static let timeReversal = RunMoments(rawValue: 1 << 18)
  /// The end of a step in which the invariant observed a record.
  static let stepEnd = RunMoments(rawValue: 1 << 19)
  /// The end of an instant.
  static let instantEnd = RunMoments(rawValue: 1 << 20)
  /// The closing of the client.
  static let closing = RunMoments(rawValue: 1 << 21)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the kind of a record.
  init(_ record: TraceRecord) {
    switch record.body {
    case .event(.reachability): self = .reachability
    case .event(.pool(let event)): self.init(event)
    case .effect(let effect): self.init(effect)
    case .world(.runEnded): self = .end
    case .world: self = []
    case .chain: self = .chains
    case .request: self = .requests
    }
  }

  private init(_ event: ChannelPool.Event) {
    switch event {
    case .callStarted, .tokenArrived, .callCancelled: self = .callEvents
    case .connected, .connectFailed: self = .attemptResults
    case .timeElapsed: self = .timePassing
    case .closed: self = .closeRequest
    case .messageQueued, .requestFinished, .connectionBroken, .connectionDraining, .pongReceived,
      .dataReceived, .messageReceived, .streamEnded, .disconnectRequested,
      .disconnectAllRequested:
      self = []
    }
  }

  private init(_ effect: ClientEffect) {
    switch effect {
    case .notify: self = .notifications
    case .channelCreated: self = .channelCreations
    case .channelMoved: self = .channelMoves
    case .channelDestroyed: self = .channelDestructions
    case .callBound: self = .bindings
    case .openConnection: self = .attempts
    case .closeConnection, .sendPing: self = .connections
    case .startStream, .sendMessages, .finishStream, .resetStream: self = .sending
    case .fetchToken, .deliverMessage: self = .deliveries
    case .endCall: self = .callEnds
    }
  }
}
