/// One event in a run, as a plain value.
///
/// The client's events and effects are stored unchanged, so a trace can be replayed through a new
/// core, which must then return the same effects. ``WorldFact`` covers events outside the client.
@frozen
public struct TraceRecord: BitwiseCopyable, Hashable, Sendable {
  /// The time of the event.
  public var at: Instant
  /// The content of the event.
  public var body: Body

  /// The kinds of content.
  @frozen
  public enum Body: BitwiseCopyable, Hashable, Sendable {
    /// The client received an event.
    case event(ClientCore.Event)
    /// The client issued an effect.
    case effect(ClientEffect)
    /// An event in the world around the client.
    case world(WorldFact)
    /// An event in the interceptor chain, between the caller and the client.
    case chain(ChainFact)
    /// An event of a request.
    case request(RequestFact)
  }

  /// Creates a record.
  @inlinable
  public init(at: Instant, body: Body) {
    self.at = at
    self.body = body
  }
}
