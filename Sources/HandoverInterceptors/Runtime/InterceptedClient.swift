import Dispatch

/// A client whose calls pass through interceptors, in real time.
///
/// Its chains behave as in ``CallChains``. Interceptors run in parallel, because each queue of a
/// chain is a separate line. All code of the user runs outside the client's lock and may use the
/// client.
public struct InterceptedClient: Sendable {
  /// The configuration of a client.
  public struct Configuration: Sendable {
    /// The configuration of chains, except for their global interceptor, which is ``global``.
    public var chains = CallChains.Configuration()
    /// The global interceptor of all calls.
    public var global = GlobalInterceptor.process
    /// The rule for messages if a handler has the deprecated callback; the sources disagree (I30).
    public var rawMessages = ResponseHandler.RawMessages.always
    /// The executor of interceptors with their own queues.
    public var place = ExecutionPlace.dispatch(.global())
    /// The executors of shared and concurrent queues, by the name that factories use.
    ///
    /// A name that is missing here gets a dispatch queue on first use.
    public var places: [String: ExecutionPlace] = [:]
    /// The clock of the client.
    public var clock: any ChainClock = DispatchChainClock()
    /// Answers the questions of interceptors; `nil` means no answer.
    public var services: @Sendable (String) async -> String? = { _ in nil }
    /// Receives reports about chains: created and released interceptors, notes and violations.
    ///
    /// The client calls it on the thread on which the event happens. Effects that are orders to the
    /// client are not reported.
    public var report: @Sendable (ChainEffect) -> Void = { _ in }

    /// Creates the configuration of the proposal, with dispatch queues and the process's global
    /// interceptor.
    public init() {}
  }

  private let runner: ChainRunner

  /// Creates a client over a transport.
  public init(
    _ transport: any ChainTransport, _ configuration: Configuration = Configuration()
  ) {
    runner = ChainRunner(transport, configuration)
  }

  /// Creates a call, which sends nothing before its start.
  ///
  /// The call's interceptors are created at its start, on the thread that starts it (L17). If
  /// interceptors are created on demand instead, the first one is created on the calling thread
  /// (I4).
  ///
  /// - Throws: ``CallOpenError`` if the host or path is empty (I10), or if no transport is found
  ///   (R3).
  public func makeCall(
    _ request: RequestOptions, _ options: CallOptions = CallOptions(), handler: ResponseHandler
  ) throws(CallOpenError) -> InterceptedCall {
    try InterceptedCall(runner, CallStart(request, options), handler, isLegacy: false)
  }

  /// Creates a call of the legacy interface, which bypasses all interceptors (I35).
  ///
  /// - Throws: ``CallOpenError`` if the host or path is empty (I10), or if no transport is found
  ///   (R3).
  public func makeLegacyCall(
    _ request: RequestOptions, _ options: CallOptions = CallOptions(), handler: ResponseHandler
  ) throws(CallOpenError) -> InterceptedCall {
    try InterceptedCall(runner, CallStart(request, options), handler, isLegacy: true)
  }
}

/// A call (L50, `GRPCCall2`), which passes all requests to the first interceptor of its chain.
///
/// All methods may be called from any thread. A started call continues to its end even if its
/// object is released. A call that was never started ends with its object.
public final class InterceptedCall: Sendable {
  /// The identifier of the call in ``InterceptedClient/Configuration/report``.
  public let id: ChainID
  private let runner: ChainRunner
  private let opened: CallStart

  init(
    _ runner: ChainRunner, _ start: CallStart, _ handler: ResponseHandler, isLegacy: Bool
  ) throws(CallOpenError) {
    self.runner = runner
    opened = start
    id = try runner.open(start, handler, isLegacy: isLegacy)
  }

  deinit {
    runner.abandon(id)
  }

  /// Starts the call.
  public func start() {
    runner.handle(.start(opened), of: id)
  }

  /// Sends a message, or defers it until the call starts (I27).
  public func write(_ message: Message) {
    runner.handle(.write(message), of: id)
  }

  /// Finishes the request, after which no message can be sent.
  public func finish() {
    runner.handle(.finish, of: id)
  }

  /// Cancels the call immediately, even before its start (I21).
  public func cancel() {
    runner.handle(.cancel, of: id)
  }

  /// Requests a number of further messages; only with flow control (I36).
  public func receiveNextMessages(_ count: Int) {
    runner.handle(.receiveNextMessages(count), of: id)
  }
}
