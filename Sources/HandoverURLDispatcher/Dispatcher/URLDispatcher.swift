import Dispatch
public import Foundation
public import HandoverDispatcher
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A gate in front of an HTTP client that lets only so many requests to one endpoint run at once,
/// and tells beforehand which would not.
///
/// Each endpoint, a host and a port, has so many slots. Long requests, such as streams, take only
/// some of them, so that a short one never waits for a stream to end. What finds no slot waits in
/// the dispatcher and not in the client, where it would be charged for waiting and could only time
/// out; a long one at the long limit is told so, and thrown back unless its policy says otherwise.
///
/// ```swift
/// let dispatcher = URLDispatcher.shared
/// let stream = try dispatcher.long(request)
/// for await event in stream { show(event) }
/// ```
///
/// Limits are a dispatcher's own: two of them to one endpoint may exceed together what the platform
/// allows (U12), so that an application should have one. Everything may be used by any thread at
/// any time, and what it runs of others, it runs under no lock. A dispatcher that nobody holds any
/// more is closed in an orderly manner.
public final class URLDispatcher: Sendable {
  let engine: DispatcherEngine

  /// Makes a dispatcher.
  ///
  /// - Parameters:
  ///   - configuration: limits and policy.
  ///   - transport: what carries the requests; the dispatcher's own from now on. It is shut down
  ///     when the dispatcher is closed and its last request has ended.
  /// - Throws: ``URLDispatcherError/Code/invalidConfiguration``.
  public init(
    _ configuration: Configuration, transport: any HTTPTransport
  ) throws(URLDispatcherError) {
    engine = try DispatcherEngine(configuration, transport: transport)
  }

  /// Makes a dispatcher over a session of its own with as many connections as it has slots (U9).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidConfiguration``.
  public convenience init(_ configuration: Configuration) throws(URLDispatcherError) {
    try self.init(
      configuration, transport: URLSessionTransport(connections: Int(configuration.limits.total)))
  }

  deinit { engine.close(.orderly) }

  /// The application's dispatcher, made when it is first asked for, and made again when it is asked
  /// for after it was closed (U64).
  ///
  /// Its limits are those of Foundation's sessions, of which a quarter is kept for short requests;
  /// the original kept half of them (U7).
  public static var shared: URLDispatcher {
    current.withLock { current in
      if let current, !current.engine.isClosing { return current }
      let dispatcher = makeShared()
      current = dispatcher
      return dispatcher
    }
  }

  private static let current = Mutex<URLDispatcher?>(nil)

  private static func makeShared() -> URLDispatcher {
    let total = min(max(URLSessionTransport.defaultConnections, 1), 1_024)
    guard let limits = try? ConnectionLimits(keepingQuarterOf: UInt32(total)),
      let dispatcher = try? URLDispatcher(Configuration(limits: limits))
    else { preconditionFailure("a total between 1 and 1,024 is a limit") }
    return dispatcher
  }
}

// MARK: - Requests

extension URLDispatcher {
  /// Dispatches a round trip of a few seconds (U15).
  ///
  /// Its time-out bounds the whole of it, from its start on (U41, U43).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``, ``URLDispatcherError/Code/closed``.
  @discardableResult
  public func short(
    _ request: URLRequest, options: Options = Options(), delegate: any URLDispatcherDelegate
  ) throws(URLDispatcherError) -> URLDispatcherOperation {
    try engine.dispatch(Arrival(request, .short, options, delegate))
  }

  /// Dispatches a stream, or whatever else takes minutes (U16).
  ///
  /// Its time-out bounds the time from its start to its first response (U42).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``, ``URLDispatcherError/Code/closed``;
  ///   ``URLDispatcherError/Code/longLimitReached`` with the policy to throw.
  @discardableResult
  public func long(
    _ request: URLRequest, options: Options = Options(), delegate: any URLDispatcherDelegate
  ) throws(URLDispatcherError) -> URLDispatcherOperation {
    try engine.dispatch(Arrival(request, .long, options, delegate))
  }

  /// Dispatches what the platform's limit does not concern, such as a WebSocket; it starts at once.
  ///
  /// Its time-out bounds the time to its first response.
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``, ``URLDispatcherError/Code/closed``.
  @discardableResult
  public func exempt(
    _ request: URLRequest, options: Options = Options(), delegate: any URLDispatcherDelegate
  ) throws(URLDispatcherError) -> URLDispatcherOperation {
    try engine.dispatch(Arrival(request, .exempt, options, delegate))
  }

  /// Blocks the calling thread until a short request has ended (U14).
  ///
  /// Its time-out is charged for waiting, so that the thread is not blocked for longer (U87). The
  /// calling thread gathers the response, unless there is a delegate. It may be one on which a
  /// delegate is being told something.
  ///
  /// - Parameters:
  ///   - request: what to send.
  ///   - options: what it may bring along.
  ///   - delegate: who else is told what happens (U55).
  /// - Returns: the response, whatever its status, and its body.
  /// - Throws: what became of it otherwise.
  @available(*, noasync, message: "It blocks the thread; await the answer instead.")
  public func synchronous(
    _ request: URLRequest, options: Options = Options(),
    delegate: (any URLDispatcherDelegate)? = nil
  ) throws(URLDispatcherError) -> URLDispatcherAnswer {
    let collector = BodyCollector(passingOnTo: delegate)
    let caller = delegate == nil ? DispatchSemaphore(value: 0) : nil
    let operation = try engine.dispatch(
      Arrival(request, .synchronous, options, collector, caller: caller))
    operation.queue.runUntilEnd()
    collector.end.wait()
    return try collector.outcome.get()
  }

  /// Waits for the whole response to a short request, without blocking a thread.
  ///
  /// Cancelling the task that awaits cancels the request.
  ///
  /// - Returns: the response, whatever its status, and its body.
  /// - Throws: what became of it otherwise.
  public func answer(
    to request: URLRequest, options: Options = Options()
  ) async throws(URLDispatcherError) -> URLDispatcherAnswer {
    let collector = BodyCollector()
    let operation = try engine.dispatch(Arrival(request, .short, options, collector))
    let outcome = await withTaskCancellationHandler {
      await collector.wait()
    } onCancel: {
      operation.cancel()
    }
    return try outcome.get()
  }

  /// Dispatches a stream whose events are gone through.
  ///
  /// - Throws: as with a delegate.
  public func long(
    _ request: URLRequest, options: Options = Options()
  ) throws(URLDispatcherError) -> URLDispatcherStream {
    try stream(of: request, .long, options)
  }

  /// Dispatches a short request whose events are gone through.
  ///
  /// - Throws: as with a delegate.
  public func short(
    _ request: URLRequest, options: Options = Options()
  ) throws(URLDispatcherError) -> URLDispatcherStream {
    try stream(of: request, .short, options)
  }

  private func stream(
    of request: URLRequest, _ kind: RequestKind, _ options: Options
  ) throws(URLDispatcherError) -> URLDispatcherStream {
    let (events, continuation) = AsyncStream.makeStream(of: URLDispatcherEvent.self)
    let operation = try engine.dispatch(
      Arrival(request, kind, options, Streamer(continuation: continuation)))
    continuation.onTermination = { _ in operation.cancel() }
    return URLDispatcherStream(operation: operation, events: events)
  }
}

// MARK: - Asking

extension URLDispatcher {
  /// What would become of a request if it were dispatched now; asking changes nothing (U19).
  ///
  /// It is a promise until somebody else dispatches or something ends. Short load counts too: where
  /// it takes all slots, a long request below the long limit waits (U21).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``.
  public func prediction(
    for kind: RequestKind, to url: URL, policy: LongLimitPolicy? = nil
  ) throws(URLDispatcherError) -> URLDispatcherAdmission {
    engine.prediction(for: kind, on: try DispatcherEngine.key(of: url), policy: policy)
  }

  /// How the endpoint of a URL is used (U22).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``.
  public func usage(of url: URL) throws(URLDispatcherError) -> EndpointUsage {
    engine.usage(of: try DispatcherEngine.key(of: url))
  }

  /// What the dispatcher has and has done.
  public var numbers: URLDispatcherNumbers { engine.numbers }
}

// MARK: - Changing

extension URLDispatcher {
  /// Changes how many long requests each endpoint may have; those that run are left alone (U10).
  ///
  /// - Throws: `longAboveTotal`; then nothing is changed.
  public func setLongLimit(_ long: UInt32) throws(ConnectionLimitsError) {
    try engine.setLongLimit(long)
  }

  /// Lets an endpoint have as many requests at once as its HTTP/2 connection carries streams.
  ///
  /// - Parameters:
  ///   - streams: what the server announced; nil when it speaks HTTP/1.1 again. As many as else
  ///     are kept for short requests.
  ///   - url: any URL of the endpoint.
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``.
  public func announce(streams: UInt32?, for url: URL) throws(URLDispatcherError) {
    engine.setStreams(streams, for: try DispatcherEngine.key(of: url))
  }

  /// Cancels all requests, those that wait before those that run.
  public func cancelAll() { engine.cancelAll() }

  /// Accepts no more requests, and gives up those there are or lets them end.
  ///
  /// It returns at once. An orderly closing may be followed by an immediate one.
  public func close(_ manner: Closing = .orderly) { engine.close(manner) }

  /// Waits until the dispatcher is closed, its last request has ended, and its delegate has been
  /// told and has returned.
  ///
  /// It closes nothing by itself.
  public func waitUntilClosed() async { await engine.waitUntilClosed() }
}
