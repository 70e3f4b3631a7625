/// A call that can be repeated until a part of its answer has been forwarded.
///
///     holding → begin → live → the next interceptor closes → holding → restart → live → …
///     live → a message arrives, or the requests exceed the limits → committed
///
/// While holding, all requests are buffered without a limit, because no attempt exists yet. While
/// live, requests are forwarded and also buffered for another attempt, within the limits. Once
/// committed, everything is forwarded. Headers are withheld until the first message or the final
/// close, so that the headers of a failed attempt are never forwarded. Each write is reported as
/// done once, however many attempts there are.
struct Replay: Hashable, Sendable {
  private let limits: BufferLimits
  private var kept = RequestBuffer()
  private var isLive = false
  /// Whether the current attempt is the last one.
  private(set) var isCommitted = false
  private var headers: Metadata??
  /// The number of writes done in this attempt, and the number reported to the previous
  /// interceptor.
  private var writesDone = 0
  private var reportedWrites = 0

  init(_ limits: BufferLimits) {
    self.limits = limits
  }

  mutating func handle(_ request: ChainRequest, _ manager: inout InterceptorManager) {
    if !isCommitted || !isLive { kept.append(request) }
    guard isLive else { return }
    manager.forwardNextInterceptor(request)
    commitBeyondLimits(&manager)
  }

  /// Starts an attempt with all buffered requests, with changed options for the start.
  mutating func begin(
    _ manager: inout InterceptorManager, change: (inout CallOptions) -> Void = { _ in }
  ) {
    isLive = true
    for request in kept.requests {
      guard case .start(var start) = request else {
        manager.forwardNextInterceptor(request)
        continue
      }
      change(&start.options)
      manager.startNextInterceptor(start)
    }
    if isCommitted { kept = RequestBuffer() }
    commitBeyondLimits(&manager)
  }

  /// Records that the next interceptor closed, so that requests are held from now on.
  mutating func attemptEnded() {
    isLive = false
  }

  /// Creates the rest of the chain again, and starts an attempt with all buffered requests.
  mutating func restart(
    _ manager: inout InterceptorManager, change: (inout CallOptions) -> Void = { _ in }
  ) {
    headers = nil
    writesDone = 0
    manager.renewNextInterceptor()
    begin(&manager, change: change)
  }

  private mutating func commitBeyondLimits(_ manager: inout InterceptorManager) {
    if kept.exceeds(limits) { commit(&manager) }
  }

  private mutating func commit(_ manager: inout InterceptorManager) {
    isCommitted = true
    // An interceptor that answers before it receives anything must not cause held requests to be
    // dropped.
    if isLive { kept = RequestBuffer() }
    if let headers { manager.forwardPreviousInterceptor(initialMetadata: headers) }
    headers = nil
  }

  // MARK: The answer

  mutating func handle(headers: Metadata?, _ manager: inout InterceptorManager) {
    if isCommitted {
      manager.forwardPreviousInterceptor(initialMetadata: headers)
    } else {
      self.headers = .some(headers)
    }
  }

  mutating func handle(_ message: Message, _ manager: inout InterceptorManager) {
    commit(&manager)
    manager.forwardPreviousInterceptor(message: message)
  }

  mutating func handleWriteDone(_ manager: inout InterceptorManager) {
    writesDone += 1
    guard writesDone > reportedWrites else { return }
    reportedWrites += 1
    manager.forwardPreviousInterceptorDidWrite()
  }

  /// Ends the call with the close of the current attempt.
  mutating func close(_ close: CallClose, _ manager: inout InterceptorManager) {
    commit(&manager)
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  /// Ends the call for a caller that cancels.
  func cancel(_ manager: inout InterceptorManager) {
    if isLive { manager.cancelNextInterceptor() }
    manager.closeCancelled()
  }
}
