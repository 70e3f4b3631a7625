public import HandoverCore

/// One thing that happened in a run, as a plain value.
///
/// The client's events and effects are kept as they are, so that a trace can be replayed through a
/// fresh core and must give the same effects; everything else is told by ``WorldFact``.
@frozen
public struct TraceRecord: BitwiseCopyable, Hashable, Sendable {
  /// When.
  public var at: Instant
  /// What.
  public var body: Body

  /// What can happen.
  @frozen
  public enum Body: BitwiseCopyable, Hashable, Sendable {
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
