import HandoverInterceptors

/// Orders of chains for the client, from while the application did not run, in order.
///
/// A start among them gets its call's identifier when it reaches the client: another one may come
/// before it. One that is cancelled before that is never carried out, nor is anything of its
/// attempt.
struct HeldOrders {
  private var orders: [InterceptorDriver.GivenOrder] = []
  /// How many of them will be carried out.
  private var count = 0
  /// What is held of each attempt, and the attempts that were cancelled before their starts.
  private var attempts: [ChainAttempts.Attempt: HeldAttempt] = [:]  // lookup only
  private var cancelled: Set<ChainAttempts.Attempt> = []  // lookup only

  /// How many orders of an attempt are held, and whether its start is the first of them.
  private struct HeldAttempt {
    var count = 0
    var beginsWithStart: Bool
  }

  /// Whether none is held that will be carried out.
  var isEmpty: Bool { count == 0 }

  /// An order waits for the application to run.
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

  /// The orders, but for those of attempts that were cancelled; none is held then.
  mutating func takeAll() -> [InterceptorDriver.GivenOrder] {
    guard !orders.isEmpty else { return [] }
    defer { self = HeldOrders() }
    return orders.filter {
      !cancelled.contains(ChainAttempts.Attempt(chain: $0.chain, number: $0.attempt))
    }
  }
}
