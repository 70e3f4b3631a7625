/// An event of a state machine that carries requests over connections.
public enum CarrierEvent: Hashable, Sendable {
  /// A request is passed in.
  case started(CarriedRequest)
  /// A connection is established.
  case connected(HTTPConnectionID)
  /// The response, or a part of it, arrived; the timeout restarts.
  case received(CarriedRequest.ID)
  /// The response is complete.
  case finished(CarriedRequest.ID)
  /// Requests are canceled, all of them before another request gets their connections.
  case cancelled([CarriedRequest.ID])
  /// The server accepts no new requests on a connection (GOAWAY).
  case draining(HTTPConnectionID)
  /// A connection broke or could not be established.
  case connectionLost(HTTPConnectionID, code: Int32)
  /// Time passed.
  case timeElapsed
  /// The client is closed.
  case closed
}

/// An effect of a state machine that carries requests over connections.
public enum CarrierEffect: Hashable, Sendable, BitwiseCopyable {
  /// Open a connection.
  case open(HTTPConnectionID, endpoint: UInt32, pool: UInt32)
  /// Close a connection.
  case close(HTTPConnectionID)
  /// Send a request over a connection as soon as the connection is established.
  case send(CarriedRequest.ID, HTTPConnectionID)
  /// The request waits for a connection, and no error is reported.
  case freeze(CarriedRequest.ID)
  /// The request failed on a lost connection, and is sent over another one.
  case retry(CarriedRequest.ID, from: HTTPConnectionID)
  /// The request failed.
  case fail(CarriedRequest.ID, code: Int32)
}

/// A request as it is passed to the state machine that carries it.
public struct CarriedRequest: Hashable, Sendable, BitwiseCopyable {
  /// The number of a request, chosen by its caller and counted from zero.
  ///
  /// Two live requests never share a number.
  public typealias ID = UInt32

  /// The number of the request; tables allocate a row for each number up to the greatest.
  public var id: ID
  /// The endpoint of the request, counted from zero.
  public var endpoint: UInt32
  /// The pool whose connections the request may use.
  public var pool: UInt32
  /// The maximum time without received data; zero or less means no timeout.
  public var timeout: Interval
  /// Whether the request takes its connection over, for example for a WebSocket.
  public var isExempt: Bool
  /// The body of the request.
  public var body: RequestBody

  /// Creates a request.
  public init(
    id: ID, endpoint: UInt32, pool: UInt32, timeout: Interval, isExempt: Bool = false,
    body: RequestBody = .none
  ) {
    self.id = id
    self.endpoint = endpoint
    self.pool = pool
    self.timeout = timeout
    self.isExempt = isExempt
    self.body = body
  }
}

/// The body of a request, which determines the method and whether the request can be repeated.
public enum RequestBody: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The request is a GET without a body.
  case none
  /// The request is a POST whose body can be written again.
  case repeatable
  /// The request is a POST whose body can be written once, such as a stream.
  case oneShot = "one-shot"
}

/// The ID of an HTTP connection, which is never reused.
public struct HTTPConnectionID: Hashable, Sendable, BitwiseCopyable {
  /// The number, counted from zero.
  public let index: UInt32

  /// Creates an ID from a number.
  public init(_ index: UInt32) {
    self.index = index
  }
}
