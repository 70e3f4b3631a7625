public import HandoverCore

/// The mapping between calls of the channel pool and attempts of chains.
///
/// The transport end of a chain implements the call logic on the pool. This type is the only place
/// that converts its orders into events for the pool.
public struct ChainAttempts: Hashable, Sendable {
  /// An attempt of a chain.
  public struct Attempt: Hashable, Sendable {
    /// The chain.
    public var chain: ChainID
    /// The number of the attempt.
    public var number: UInt32

    /// Creates the name of an attempt.
    public init(chain: ChainID, number: UInt32) {
      self.chain = chain
      self.number = number
    }
  }

  private struct Row: Hashable {
    var call: CallID
    var attempt: Attempt
  }

  /// The rows, indexed by the rows of the calls.
  private var rows: [Row?] = []
  /// The calls that carry attempts of each chain; at most one, unless interceptors violate the
  /// rules.
  private var calls: [[CallID]] = []

  /// Creates an empty mapping.
  public init() {}

  /// Records that a call of the pool carries an attempt.
  public mutating func begin(_ call: CallID, for chain: ChainID, attempt: UInt32) {
    while rows.count <= call.index { rows.append(nil) }
    rows[Int(call.index)] = Row(call: call, attempt: Attempt(chain: chain, number: attempt))
    while calls.count <= chain.index { calls.append([]) }
    calls[Int(chain.index)].append(call)
  }

  /// Returns the attempt that a call carries, or `nil` if the call carries none or has ended.
  public func attempt(carriedBy call: CallID) -> Attempt? {
    guard call.index < rows.count, let row = rows[Int(call.index)], row.call == call else {
      return nil
    }
    return row.attempt
  }

  /// Returns the call that carries an attempt, or `nil` if no call carries it anymore.
  public func call(carrying chain: ChainID, attempt: UInt32) -> CallID? {
    guard chain.index < calls.count else { return nil }
    let wanted = Attempt(chain: chain, number: attempt)
    return calls[Int(chain.index)].first { self.attempt(carriedBy: $0) == wanted }
  }

  /// Removes a call that has ended, together with its attempt.
  public mutating func end(_ call: CallID) {
    guard let attempt = attempt(carriedBy: call) else { return }
    calls[Int(attempt.chain.index)].removeAll { $0 == call }
    rows[Int(call.index)] = nil
  }

  /// Returns the event for the pool that corresponds to an order for a started attempt.
  ///
  /// - Returns: the event, or `nil` if the attempt is over or the pool does not need the order.
  public func fact(
    for order: TransportOrder, of chain: ChainID, attempt: UInt32
  ) -> ChannelPool.Event? {
    guard let call = call(carrying: chain, attempt: attempt) else { return nil }
    switch order {
    case .send(let bytes): return .messageQueued(call, bytes: UInt32(clamping: bytes.count))
    case .finish: return .requestFinished(call)
    case .cancel: return .callCancelled(call)
    case .start, .readMessage: return nil
    }
  }
}
