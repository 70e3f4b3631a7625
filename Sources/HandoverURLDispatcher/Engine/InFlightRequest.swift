import Synchronization

/// A request's way through the transport: begun, given up, or both at the same time.
final class InFlightRequest: Sendable {
  private enum State {
    /// Not handed over.
    case idle
    /// A thread is handing it over.
    case beginning
    /// With the transport.
    case begun(any HTTPExchange)
    /// Not wanted any more.
    case abandoned
  }

  private let state = Mutex(State.idle)

  /// Hands a request over, unless it was given up.
  ///
  /// - Parameter body: begins it; called under no lock.
  /// - Returns: whether it was handed over.
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

  /// Gives the request up.
  func abandon() {
    let exchange = state.withLock { state -> (any HTTPExchange)? in
      defer { state = .abandoned }
      guard case .begun(let exchange) = state else { return nil }
      return exchange
    }
    exchange?.cancel()
  }
}
