import HandoverInterceptors

/// The orders that chains gave to the client while the application was suspended, in order.
///
/// A held start gets its call identifier only when it reaches the client, because another start may
/// come first. If an attempt is canceled before that, none of its held orders is carried out.
struct HeldOrders {
  private var orders: [InterceptorDriver.GivenOrder] = []
  /// The number of held orders that will be carried out.
  private var count = 0
  /// The held orders of each attempt, and the attempts that were canceled before they started.
  private var attempts: [ChainAttempts.Attempt: HeldAttempt] = [:]  // lookup only
  private var cancelled: Set<ChainAttempts.Attempt> = []  // lookup only

  /// The number of held orders of an attempt, and whether the first of them is its start.
  private struct HeldAttempt {
    var count = 0
    var beginsWithStart: Bool
  }

  /// Whether no held order will be carried out.
  var isEmpty: Bool { count == 0 }

  /// Holds an order until the application runs again.
  mutating func append(_ given: InterceptorDriver.GivenOrder) {
    let attempt = ChainAttempts.Attempt(chain: given.chain, number: given.attempt)
    if case .cancel = given.order, let held = attempts[attempt], held.beginsWithStart {
      attempts[attempt] = nil
      count -= held.count
      cancelled.insert(attempt)
      return
    }
    var isStart = false
    if case .start = given.order { isStart = true }
    attempts[attempt, default: HeldAttempt(beginsWithStart: isStart)].count += 1
    orders.append(given)
    count += 1
  }

  /// Removes and returns the held orders, except those of canceled attempts.
  mutating func takeAll() -> [InterceptorDriver.GivenOrder] {
    guard !orders.isEmpty else { return [] }
    defer { self = HeldOrders() }
    return orders.filter {
      !cancelled.contains(ChainAttempts.Attempt(chain: $0.chain, number: $0.attempt))
    }
  }
}
