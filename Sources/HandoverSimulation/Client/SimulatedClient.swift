import HandoverCore

/// The client of a world, with one part for calls and one for requests.
///
/// The world passes every fact to the client and reads its deadline. Only this type knows which
/// part handles a fact. The orders of calls are returned to the world, which also passes them to
/// interceptors and to transports in other processes. Requests have neither, so that their part
/// carries out its own orders.
///
/// The parts are stored properties instead of the cases of an enum. Swift changes the payload of a
/// case only by moving it, and moving the client at each step would slow down every run.
struct SimulatedClient: ~Copyable {
  /// A fact for the part that carries out its own orders.
  enum Fact {
    /// The user makes a request of the script.
    case requestMade(Int)
    /// The user cancels a request of the script.
    case requestCancelled(Int)
    /// The user asks a question of the script about a hypothetical request.
    case asked(Int)
    case dispatcherCommanded(pool: Int, DispatcherCommand)
    /// The application runs again after it was suspended.
    case resumed
    case timeElapsed
    /// The user closes the client.
    case closed
  }

  /// The part that makes calls; it receives no calls if the profile makes requests.
  var calls: CallClient
  /// The part that makes requests, or `nil` if the profile makes calls.
  private(set) var requests: RequestHost?
  /// Whether there is a part for requests; checked at every step without accessing the part.
  private var makesRequests: Bool
  /// The next deadline of the requests, or `never` if there is none.
  private var requestDeadline: Instant
  private let dispatcherDefects: DispatcherDefects

  init(calls: consuming CallClient, dispatcherDefects: DispatcherDefects) {
    self.calls = calls
    self.dispatcherDefects = dispatcherDefects
    requests = nil
    makesRequests = false
    requestDeadline = .never
  }

  /// Creates a copy without pending orders.
  init(copying other: borrowing SimulatedClient) {
    calls = CallClient(copying: other.calls)
    dispatcherDefects = other.dispatcherDefects
    requests = other.requests
    makesRequests = other.makesRequests
    requestDeadline = other.requestDeadline
  }

  /// Begins a run.
  ///
  /// If the run is a repetition of the previous one, with the same script and profile, no lookup is
  /// needed.
  mutating func open(
    isRepetition: Bool, _ network: inout Network, _ context: inout Context
  ) {
    if isRepetition {
      calls.restartPrepared()
    } else {
      calls.prepare(context.script, context.profile)
    }
    if makesRequests { requests = nil }
    requestDeadline = .never
    makesRequests = context.profile.client.work == .requests
    guard makesRequests else { return }
    requests = RequestHost(
      context.script, context.profile.client, defects: dispatcherDefects)
    requests?.work(&network, &context)
    refreshRequestDeadline()
  }

  // MARK: Facts

  /// Handles a fact that does not concern calls.
  mutating func handle(_ fact: Fact, _ network: inout Network, _ context: inout Context) {
    guard makesRequests else { return }
    requests?.handle(fact, &network, &context)
    refreshRequestDeadline()
  }

  /// Handles a fact of the network that the world does not deliver as an event of calls.
  ///
  /// - Returns: the event that the world delivers, or `nil` if there is none.
  @inline(__always)
  mutating func event(
    for fact: NetworkFact, _ network: inout Network, _ context: inout Context
  ) -> ChannelPool.Event? {
    guard makesRequests else { return ChannelPool.Event(fact) }
    requests?.receive(fact, &network, &context)
    refreshRequestDeadline()
    return nil
  }

  private mutating func refreshRequestDeadline() {
    requestDeadline = requests?.deadline ?? .never
  }

  // MARK: Deadlines

  /// The next deadline, or `never` if there is none.
  var deadline: Instant { min(calls.deadline, requestDeadline) }

  /// Returns the next deadline of a request that matters, or the limit if there is none before it.
  ///
  /// The deadlines of calls matter independently of the network, and ``CallClient`` returns them.
  func nextForegroundOfRequests(
    before limit: Instant, _ network: borrowing Network, _ context: borrowing Context
  ) -> Instant {
    guard requestDeadline < limit, context.device.app.runs else { return limit }
    return max(
      context.now, requests?.nextForeground(before: limit, network, context) ?? limit)
  }

  // MARK: Inspection

  /// Adds the state of the requests to a digest.
  func combineRequests(into digest: inout StateDigest, _ context: borrowing Context) {
    guard makesRequests else { return }
    requests?.combine(into: &digest)
    context.collections.forEach { pool, due, _ in
      digest.combine(pool)
      digest.combine(due)
    }
  }

  /// Returns descriptions of everything that remains after the client was closed.
  func leaks() -> [String] {
    var leaks: [String] = []
    if let deadline = calls.nextDeadline {
      leaks.append("a timer due at \(deadline.microseconds) us remains")
    }
    return leaks + (requests?.leaks() ?? [])
  }
}
