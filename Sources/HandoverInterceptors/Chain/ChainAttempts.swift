public import HandoverCore

/// Which call of the channel pool carries which attempt of a chain.
///
/// The transport's end of a chain owns the call logic on the pool: this is the one place that turns
/// its orders into facts for the pool.
public struct ChainAttempts: Hashable, Sendable {
  /// An attempt of a chain.
  public struct Attempt: Hashable, Sendable {
    /// The chain.
    public var chain: ChainID
    /// Which attempt.
    public var number: UInt32

    /// Names an attempt.
    public init(chain: ChainID, number: UInt32) {
      self.chain = chain
      self.number = number
    }
  }

  private struct Row: Hashable {
    var call: CallID
    var attempt: Attempt
  }

  /// By the places of the calls.
  private var rows: [Row?] = []
  /// The calls that carry attempts of each chain; one, as long as links keep the rules.
  private var calls: [[CallID]] = []

  /// Makes an empty table.
  public init() {}

  /// A call of the pool begins to carry an attempt.
  public mutating func begin(_ call: CallID, for chain: ChainID, attempt: UInt32) {
    while rows.count <= call.index { rows.append(nil) }
    rows[Int(call.index)] = Row(call: call, attempt: Attempt(chain: chain, number: attempt))
    while calls.count <= chain.index { calls.append([]) }
    calls[Int(chain.index)].append(call)
  }

  /// The attempt that a call carries; nil where it carries none, or it has ended.
  public func attempt(carriedBy call: CallID) -> Attempt? {
    guard call.index < rows.count, let row = rows[Int(call.index)], row.call == call else {
      return nil
    }
    return row.attempt
  }

  /// The call that carries an attempt; nil where none does any more.
  public func call(carrying chain: ChainID, attempt: UInt32) -> CallID? {
    guard chain.index < calls.count else { return nil }
    let wanted = Attempt(chain: chain, number: attempt)
    return calls[Int(chain.index)].first { self.attempt(carriedBy: $0) == wanted }
  }

  /// A call has ended, and with it its attempt.
  public mutating func end(_ call: CallID) {
    guard let attempt = attempt(carriedBy: call) else { return }
    calls[Int(attempt.chain.index)].removeAll { $0 == call }
    rows[Int(call.index)] = nil
  }

  /// What the pool is told where a chain orders something of an attempt that has begun.
  ///
  /// - Returns: the fact; nil where the attempt is over, or the pool need not know.
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
