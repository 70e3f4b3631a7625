import Dispatch
public import HandoverInterceptors

/// Makes calls that go through interceptors, in real time.
///
/// The chains are those of ``CallChains``; links work side by side, each queue of a chain as a line
/// of its own. Everything the user wrote runs outside of the client's lock and may use the client.
public struct InterceptedClient: Sendable {
  /// How a client works.
  public struct Configuration: Sendable {
    /// How chains are made; their global interceptor is ``global``.
    public var chains = CallChains.Configuration()
    /// The interceptor that all calls go through.
    public var global = GlobalInterceptor.process
    /// Who gets messages where a handler has the deprecated callback; the sources disagree (I30).
    public var rawMessages = ResponseHandler.RawMessages.always
    /// Where links work that have queues of their own.
    public var place = ExecutionPlace.dispatch(.global())
    /// Where links work whose factories name a shared or a concurrent queue; one that is not here
    /// is a dispatch queue, made when it is first needed.
    public var places: [String: ExecutionPlace] = [:]
    /// What tells the time.
    public var clock: any ChainClock = DispatchChainClock()
    /// Answers what links ask; nil where there is no answer.
    public var services: @Sendable (String) async -> String? = { _ in nil }
    /// Hears what becomes of chains: links made and released, notes, and broken rules.
    ///
    /// It is called from whatever thread it happens on; an effect that is an order to the client is
    /// none of its business and never comes.
    public var report: @Sendable (ChainEffect) -> Void = { _ in }

    /// Chains as the proposal has them, on dispatch queues, with the process's global interceptor.
    public init() {}
  }

  private let runner: ChainRunner

  /// Makes a client over a transport.
  public init(
    _ transport: any ChainTransport, _ configuration: Configuration = Configuration()
  ) {
    runner = ChainRunner(transport, configuration)
  }

  /// Makes a call; nothing is sent before its start.
  ///
  /// Its links are made when it starts, on the thread that starts it (L17). Where each is made when
  /// it is needed, the first is made on this very thread (I4).
  ///
  /// - Throws: ``CallOpenError`` where host or path is empty (I10), or no transport is found (R3).
  public func makeCall(
    _ request: RequestOptions, _ options: CallOptions = CallOptions(), handler: ResponseHandler
  ) throws(CallOpenError) -> InterceptedCall {
    try InterceptedCall(runner, CallStart(request, options), handler, isLegacy: false)
  }

  /// Makes a call of the older interface, which goes through no interceptor at all (I35).
  ///
  /// - Throws: ``CallOpenError`` where host or path is empty (I10), or no transport is found (R3).
  public func makeLegacyCall(
    _ request: RequestOptions, _ options: CallOptions = CallOptions(), handler: ResponseHandler
  ) throws(CallOpenError) -> InterceptedCall {
    try InterceptedCall(runner, CallStart(request, options), handler, isLegacy: true)
  }
}

/// A call (L50, `GRPCCall2`): hands everything to the first link of its chain.
///
/// All methods may be called from any thread. A call whose object is let go of lives on until its
/// end, but one that was never started is forgotten.
public final class InterceptedCall: Sendable {
  /// The call as ``InterceptedClient/Configuration/report`` names it.
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

  /// Sends a message; before the start it waits for it (I27).
  public func write(_ message: Message) {
    runner.handle(.write(message), of: id)
  }

  /// Sends no message any more.
  public func finish() {
    runner.handle(.finish, of: id)
  }

  /// Ends the call now; legal before the start too (I21).
  public func cancel() {
    runner.handle(.cancel, of: id)
  }

  /// Takes so many more messages; only with flow control (I36).
  public func receiveNextMessages(_ count: Int) {
    runner.handle(.receiveNextMessages(count), of: id)
  }
}
