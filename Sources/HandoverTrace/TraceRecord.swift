public import HandoverCore

/// One thing that happened in a run, as a plain value.
///
/// The client's events and effects are kept as they are, so that a trace can be replayed through a
/// fresh core and must give the same effects; everything else is told by ``WorldFact``.
@frozen
public struct TraceRecord: Hashable, Sendable {
  /// When.
  public var at: Instant
  /// What.
  public var body: Body

  /// What can happen.
  @frozen
  public enum Body: Hashable, Sendable {
    /// The client was told of a fact.
    case event(ClientCore.Event)
    /// The client gave an order.
    case effect(ClientEffect)
    /// Something happened in the world around it.
    case world(WorldFact)
    /// Something happened between a call's user and the client, in the chain of interceptors.
    case chain(ChainFact)
    /// Something happened to a request.
    case request(RequestFact)
  }

  /// Makes a record.
  @inlinable
  public init(at: Instant, body: Body) {
    self.at = at
    self.body = body
  }
}

/// Something that happened in the world around the client.
///
/// Calls, hosts and entries are given by their places in the script.
@frozen
public enum WorldFact: Hashable, Sendable {
  /// An entry of the timeline was played.
  case entryPlayed(UInt32)
  /// The device moved to a path, or to none.
  case deviceMoved(PathIndex?)
  /// The application went to the background or came back, or runs or rests there.
  case appMoved(AppState)
  /// A call of the script starts, and is known to the client by this identifier.
  case callIntroduced(UInt32, CallID)
  /// An attempt to connect to a host began, on a path or on none.
  case attemptBegan(ConnectionID, host: UInt32, PathIndex?)
  /// An attempt whose name was looked up meanwhile goes on from another path than it began on.
  case attemptMoved(ConnectionID, PathIndex?)
  /// A connection stalls.
  case connectionStalled(ConnectionID)
  /// A connection goes on after a stall.
  case connectionResumed(ConnectionID)
  /// The send buffer of a connection is full; further writes wait.
  case sendBufferFull(ConnectionID)
  /// The server read the request of a call.
  case serverReadRequest(host: UInt32, call: UInt32)
  /// The server read messages of a call.
  case serverReadMessages(host: UInt32, call: UInt32, count: UInt32)
  /// A reachability callback was lost.
  case callbackLost
  /// Something was held back because the application does not run.
  case heldBack(HeldKind)
  /// A fault had its first effect.
  case faultTookEffect(UInt32)
  /// The run is over; the client is closed next.
  case runEnded(RunEnd)
  /// A call had no end when the run was over.
  case callUnfinished(UInt32)
}

/// What can be held back from an application that does not run.
@frozen
public enum HeldKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A reachability callback.
  case callback
  /// An event of a transport.
  case transportEvent
}

/// Why a run was over.
@frozen
public enum RunEnd: UInt8, Hashable, Sendable, CaseIterable {
  /// Everything was played and decided, and nothing was due.
  case quiet
  /// The time given to the run had passed.
  case until
}
