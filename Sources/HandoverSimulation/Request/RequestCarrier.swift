import HandoverCore

/// The state machine that carries the requests of a client over connections.
///
/// Exactly one of the properties is not `nil`. They are not the cases of an enum, because Swift
/// changes the payload of a case only by moving it, which would copy shared tables.
struct RequestCarrier: Hashable, Sendable {
  private var loader: URLLoader?
  private var pool: HTTPConnectionPool?

  /// Creates the carrier of a client.
  ///
  /// - Parameters:
  ///   - kind: the kind of the client, which takes requests.
  ///   - settings: the settings of the run.
  ///   - streams: the stream limit of the HTTP/2 connection of each endpoint, or `nil` for
  ///     HTTP/1.1.
  init(_ kind: ClientKind, _ settings: RequestConfiguration, streams: [UInt32?]) {
    switch kind.machine {
    case .channels, .urlLoading:
      loader = URLLoader(
        limit: settings.platformLimit, keepAlive: settings.keepAlive, streams: streams)
    case .connectionPool:
      pool = HTTPConnectionPool()
    }
  }

  mutating func step(
    _ event: CarrierEvent, at now: Instant, into effects: inout EffectLog<CarrierEffect>
  ) {
    loader?.step(event, at: now, into: &effects)
    pool?.step(event, at: now, into: &effects)
  }

  var nextDeadline: Instant? { loader?.nextDeadline ?? pool?.nextDeadline }

  /// Returns the time of the next request timeout that matters, or the limit if there is none
  /// before it.
  func nextTimeout(
    before limit: Instant, where matters: (CarriedRequest.ID) -> Bool
  ) -> Instant {
    loader?.nextTimeout(before: limit, where: matters)
      ?? pool?.nextTimeout(before: limit, where: matters) ?? limit
  }

  /// Returns the connection that carries a request, or `nil` if there is none.
  func connection(of id: CarriedRequest.ID) -> HTTPConnectionID? {
    loader?.connection(of: id) ?? pool?.connection(of: id)
  }

  /// Returns the carrier of a request that would be passed in now, or `nil` if it would freeze.
  ///
  /// Used for the polls of a dispatcher, which only URL loading carries.
  func carrier(on endpoint: UInt32, of pool: UInt32) -> URLLoader.Carrier? {
    loader?.carrier(on: endpoint, of: pool)
  }

  /// Adds the state that determines the future behavior to a digest.
  func combine(into digest: inout StateDigest) {
    loader?.combine(into: &digest)
    pool?.combine(into: &digest)
  }
}
