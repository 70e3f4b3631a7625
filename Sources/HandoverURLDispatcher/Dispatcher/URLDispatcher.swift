import Dispatch
public import Foundation
public import HandoverCore
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A queue in front of an HTTP client that limits the concurrent requests to each endpoint.
///
/// Each endpoint, a host and a port, has a fixed number of slots. Long requests, such as streams,
/// can use only some of them, so that a short request never waits for a stream to end. A request
/// without a slot waits in the dispatcher and not in the HTTP client, where its timeout would
/// already run. A long request at the long limit throws an error by default; the policy can select
/// another treatment. ``prediction(for:to:policy:)`` reports in advance what would happen to a
/// request.
///
/// ```swift
/// let dispatcher = URLDispatcher.shared
/// let stream = try dispatcher.startLong(request)
/// for await event in stream { show(event) }
/// ```
///
/// Each dispatcher has its own limits. Two dispatchers for the same endpoint may together exceed
/// what the platform allows (U12), so an application should have only one. All methods may be
/// called from any thread at any time. The dispatcher calls delegates, transports and closures
/// without holding a lock. When a dispatcher is destroyed, it closes in an orderly manner.
public final class URLDispatcher: Sendable {
  let engine: DispatcherEngine

  /// Creates a dispatcher.
  ///
  /// - Parameters:
  ///   - configuration: The limits and the policy.
  ///   - transport: The HTTP client that sends the requests. The dispatcher takes ownership, and
  ///     shuts the transport down when the dispatcher is closed and its last request has ended.
  /// - Throws: ``URLDispatcherError/Code/invalidConfiguration``.
  public init(
    _ configuration: Configuration, transport: any HTTPTransport
  ) throws(URLDispatcherError) {
    engine = try DispatcherEngine(configuration, transport: transport)
  }

  /// Creates a dispatcher with its own session, which has as many connections as there are slots
  /// (U9).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidConfiguration``.
  public convenience init(_ configuration: Configuration) throws(URLDispatcherError) {
    try self.init(
      configuration, transport: URLSessionTransport(connections: Int(configuration.limits.total)))
  }

  deinit { engine.close(.orderly) }

  /// The shared dispatcher of the application.
  ///
  /// It is created on first use, and again on the first use after it was closed (U64). Its limits
  /// are those of Foundation's sessions. A quarter of the slots is reserved for short requests; the
  /// original reserved half of them (U7).
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
    let total = min(max(URLSessionTransport.defaultConnectionCount, 1), 1_024)
    guard let limits = try? ConnectionLimits(reservingQuarterOf: UInt32(total)),
      let dispatcher = try? URLDispatcher(Configuration(limits: limits))
    else { preconditionFailure("a total between 1 and 1,024 must be valid") }
    return dispatcher
  }
}

// MARK: - Requests

extension URLDispatcher {
  /// Dispatches a round trip of a few seconds (U15).
  ///
  /// The timeout limits the whole request, from its start (U41, U43).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``, ``URLDispatcherError/Code/closed``.
  @discardableResult
  public func startShort(
    _ request: URLRequest, options: Options = Options(), delegate: any URLDispatcherDelegate
  ) throws(URLDispatcherError) -> URLDispatcherOperation {
    try engine.dispatch(Arrival(request, .short, options, delegate))
  }

  /// Dispatches a stream, or another request that takes minutes (U16).
  ///
  /// The timeout limits the time from its start to its first response (U42).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``, ``URLDispatcherError/Code/closed``;
  ///   ``URLDispatcherError/Code/longLimitReached`` under the policy `throw`.
  @discardableResult
  public func startLong(
    _ request: URLRequest, options: Options = Options(), delegate: any URLDispatcherDelegate
  ) throws(URLDispatcherError) -> URLDispatcherOperation {
    try engine.dispatch(Arrival(request, .long, options, delegate))
  }

  /// Dispatches a request that the platform's connection limit does not apply to, such as a
  /// WebSocket.
  ///
  /// The request starts immediately. Its timeout limits the time to its first response.
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``, ``URLDispatcherError/Code/closed``.
  @discardableResult
  public func startExempt(
    _ request: URLRequest, options: Options = Options(), delegate: any URLDispatcherDelegate
  ) throws(URLDispatcherError) -> URLDispatcherOperation {
    try engine.dispatch(Arrival(request, .exempt, options, delegate))
  }

  /// Blocks the calling thread until a short request has ended (U14).
  ///
  /// The timeout includes the waiting time, which limits how long the thread is blocked (U87).
  /// Without a delegate, the calling thread collects the response. The method may be called from a
  /// delegate callback.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - options: The options of the request.
  ///   - delegate: A delegate that also receives the events (U55).
  /// - Returns: The response with any status, and its body.
  /// - Throws: The error with which the request ended.
  @available(*, noasync, message: "It blocks the thread; await the answer instead.")
  public func performSynchronously(
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

  /// Waits for the whole response to a short request without blocking a thread.
  ///
  /// If the awaiting task is canceled, the request is canceled.
  ///
  /// - Returns: The response with any status, and its body.
  /// - Throws: The error with which the request ended.
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

  /// Dispatches a long request and returns its events as an asynchronous sequence.
  ///
  /// - Throws: The same errors as the variant with a delegate.
  public func startLong(
    _ request: URLRequest, options: Options = Options()
  ) throws(URLDispatcherError) -> URLDispatcherStream {
    try stream(of: request, .long, options)
  }

  /// Dispatches a short request and returns its events as an asynchronous sequence.
  ///
  /// - Throws: The same errors as the variant with a delegate.
  public func startShort(
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
  /// Returns what would happen to a request if it were dispatched now, and changes nothing (U19).
  ///
  /// The prediction is valid until another request is dispatched or ends. It takes short requests
  /// into account: if they use all slots, a long request below the long limit waits (U21).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``.
  public func prediction(
    for kind: RequestKind, to url: URL, policy: LongLimitPolicy? = nil
  ) throws(URLDispatcherError) -> URLDispatcherAdmission {
    engine.prediction(for: kind, on: try DispatcherEngine.key(of: url), policy: policy)
  }

  /// Returns how the slots of a URL's endpoint are used (U22).
  ///
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``.
  public func usage(of url: URL) throws(URLDispatcherError) -> EndpointUsage {
    engine.usage(of: try DispatcherEngine.key(of: url))
  }

  /// The counts of the dispatcher's requests.
  public var statistics: URLDispatcherStatistics { engine.numbers }
}

// MARK: - Changing

extension URLDispatcher {
  /// Changes the long limit of all endpoints; running requests are not affected (U10).
  ///
  /// - Throws: `longAboveTotal`; in this case nothing changes.
  public func setLongLimit(_ long: UInt32) throws(ConnectionLimitsError) {
    try engine.setLongLimit(long)
  }

  /// Sets the slots of an endpoint to the number of streams on its HTTP/2 connection.
  ///
  /// - Parameters:
  ///   - streams: The number that the server announced, or `nil` if it speaks HTTP/1.1 again. The
  ///     number of slots reserved for short requests does not change.
  ///   - url: Any URL of the endpoint.
  /// - Throws: ``URLDispatcherError/Code/invalidRequest``.
  public func setStreamLimit(_ streams: UInt32?, for url: URL) throws(URLDispatcherError) {
    engine.setStreams(streams, for: try DispatcherEngine.key(of: url))
  }

  /// Cancels all requests, waiting requests before running ones.
  public func cancelAll() { engine.cancelAll() }

  /// Stops accepting requests, and either cancels the existing ones or lets them finish.
  ///
  /// The method returns immediately. An orderly close can be followed by an immediate one.
  public func close(_ manner: Closing = .orderly) { engine.close(manner) }

  /// Waits until the dispatcher is closed and its last request has ended.
  ///
  /// The wait includes the return of the last delegate callback. This method does not close the
  /// dispatcher.
  public func waitUntilClosed() async { await engine.waitUntilClosed() }
}
