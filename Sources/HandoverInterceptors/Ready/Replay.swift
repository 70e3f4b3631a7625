/// A call that can be begun anew as long as nothing of its answer has gone on.
///
///     holding → begin → live → the next link closes → holding → beginAnew → live → …
///     live → a message comes, or more was asked than the limits allow → committed
///
/// While holding, all requests are kept, however many: they wait for their first chance. While
/// live, they go on, and are kept for another attempt within the limits. Once committed, everything
/// goes through. Headers are withheld until the first message or the final close, so that those of
/// an attempt that failed are never seen; each write is told done once, whatever the attempts.
struct Replay: Hashable, Sendable {
  private let limits: BufferLimits
  private var kept = RequestBuffer()
  private var isLive = false
  /// Whether the present attempt is the last.
  private(set) var isCommitted = false
  private var headers: Metadata??
  /// How many writes this attempt has told done, and how many the previous link knows of.
  private var writesDone = 0
  private var writesTold = 0

  init(_ limits: BufferLimits) {
    self.limits = limits
  }

  mutating func handle(_ request: ChainRequest, _ manager: inout InterceptorManager) {
    if !isCommitted || !isLive { kept.append(request) }
    guard isLive else { return }
    manager.forwardNextInterceptor(request)
    commitBeyondLimits(&manager)
  }

  /// Sends everything kept on, with the start as it is to be now.
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

  /// The next link closed: from now on requests are held.
  mutating func attemptEnded() {
    isLive = false
  }

  /// Makes the rest of the chain anew and sends everything kept on.
  mutating func beginAnew(
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
    // A link that answers what it was never asked must not make requests vanish that are held.
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
    guard writesDone > writesTold else { return }
    writesTold += 1
    manager.forwardPreviousInterceptorDidWrite()
  }

  /// Ends the call with the answer of the present attempt.
  mutating func close(_ close: CallClose, _ manager: inout InterceptorManager) {
    commit(&manager)
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  /// Ends the call for the user who cancels.
  func cancel(_ manager: inout InterceptorManager) {
    if isLive { manager.cancelNextInterceptor() }
    manager.closeCancelled()
  }
}
