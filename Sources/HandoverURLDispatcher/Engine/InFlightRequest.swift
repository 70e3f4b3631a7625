import Synchronization

/// One attempt to send a request through the transport, which can be canceled while it begins.
final class InFlightRequest: Sendable {
  private enum State {
    /// Not passed to the transport yet.
    case idle
    /// A thread is passing it to the transport.
    case beginning
    /// The transport has begun it.
    case begun(any HTTPExchange)
    /// Canceled.
    case abandoned
  }

  private let state = Mutex(State.idle)

  /// Passes a request to the transport, unless it was canceled.
  ///
  /// - Parameter body: Begins the request; called without a lock.
  /// - Returns: Whether the request was passed on.
  func begin(_ body: () throws -> any HTTPExchange) rethrows -> Bool {
    let isWanted = state.withLock { state in
      guard case .idle = state else { return false }
      state = .beginning
      return true
    }
    guard isWanted else { return false }
    let exchange = try body()
    let isAbandoned = state.withLock { state in
      if case .abandoned = state { return true }
      state = .begun(exchange)
      return false
    }
    if isAbandoned { exchange.cancel() }
    return true
  }

  /// Cancels the request.
  func abandon() {
    let exchange = state.withLock { state -> (any HTTPExchange)? in
      defer { state = .abandoned }
      guard case .begun(let exchange) = state else { return nil }
      return exchange
    }
    exchange?.cancel()
  }
}
