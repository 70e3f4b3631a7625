/// The state of one endpoint, except for the lines of its requests.
@usableFromInline
struct DispatcherEndpoint: Hashable, Sendable, BitwiseCopyable {
  /// The number of slots that long requests hold.
  var heldByLong: UInt32 = 0
  /// The maximum number of concurrent requests: the stream budget or the connection limit.
  var total: UInt32
  /// Whether `total` is the stream budget of the endpoint's HTTP/2 connection.
  var hasBudget = false
  /// The time at which a request last started to wait; used by a dispatcher with defect U80.
  var latestWait: Instant?
}
