import HandoverMachines

/// What the dispatcher knows of one endpoint, besides the lines in which its requests stand.
@usableFromInline
struct DispatcherEndpoint: Hashable, Sendable, BitwiseCopyable {
  /// Slots that long requests take.
  var heldByLong: UInt32 = 0
  /// How many requests may run at once: the budget, or the limit of connections.
  var total: UInt32
  /// Whether the total is the budget of streams of its HTTP/2 connection.
  var hasBudget = false
  /// When a request began to wait last, for a defective dispatcher (U80).
  var latestWait: Instant?
}
