public import HandoverMachines

/// How application data comes over some connections while nothing happens to the network.
///
/// Times count from the program's first application data.
struct StreamRhythm: Hashable, Sendable {
  /// When application data came.
  var payload: [Interval]
  /// When the program sent new bytes.
  var sent: [Interval]
  /// The longest time without application data, from the first on.
  var longestGap: Interval
  /// The number of connections that the program released by itself.
  var releasedCount: Int
  /// The longest life of these connections.
  var longestLife: Interval
  /// How long the program was watched.
  var span: Interval

  /// How long before its end a program may begin to release its connections.
  private static let farewell = Interval.milliseconds(500)

  init(_ connections: [SeenConnection], since first: Instant, until end: Instant) {
    let instants = connections.flatMap(\.payload).sorted()
    payload = instants.map { $0.since(first) }
    sent = connections.flatMap(\.sent).sorted().map { $0.since(first) }
    longestGap = ProgramRhythm.longestGap(of: instants, from: instants.first ?? end, to: end)
    // A connection that the program releases as it ends is no habit.
    let lives = connections.compactMap { connection in
      connection.released.flatMap {
        end.since($0) > Self.farewell ? $0.since(connection.opened) : nil
      }
    }
    releasedCount = lives.count
    longestLife = lives.max() ?? .zero
    span = end.since(min(first, end))
  }

  /// Adds another run: the fewest data, and the widest limits.
  mutating func merge(_ other: StreamRhythm) {
    if other.payload.count < payload.count { (payload, sent) = (other.payload, other.sent) }
    longestGap = max(longestGap, other.longestGap)
    releasedCount = max(releasedCount, other.releasedCount)
    longestLife = max(longestLife, other.longestLife)
    span = min(span, other.span)
  }

  /// Whether enough application data comes to know the rhythm.
  var isKnown: Bool { payload.count >= TryJudge.leastPayloads }

  /// Whether application data comes later than a time.
  func hasPayload(after time: Interval) -> Bool { payload.last.map { $0 > time } ?? false }

  /// Whether data of either direction comes later than a time.
  func carries(after time: Interval) -> Bool {
    hasPayload(after: time) || sent.last.map { $0 > time } ?? false
  }

  /// How often application data comes from one time to another.
  func count(from start: Interval, to end: Interval) -> Int {
    payload.count { $0 >= start && $0 < end }
  }
}

/// The rhythm of a program while nothing happens to the network.
public struct ProgramRhythm: Hashable, Sendable {
  /// How often application data came.
  public var payloadCount: Int { whole.payload.count }
  /// The longest time without application data, from the first on.
  public var longestGap: Interval { whole.longestGap }
  /// The number of connections that the program released by itself.
  public var releasedCount: Int { whole.releasedCount }
  /// How the program ended by itself; nil if it did not.
  public var programEnd: ProgramEnd?
  /// The time in which the machine stood still.
  public var stoodStill: Interval
  /// How long after its first application data the program ended.
  var endsAfter: Interval?
  /// The rhythm of all connections together.
  private(set) var whole: StreamRhythm
  /// The rhythm of each server's connections, in the order in which they were opened.
  private var endpoints: [EndpointRhythm]

  /// The rhythm of one server's connections.
  private struct EndpointRhythm: Hashable {
    var endpoint: ServerEndpoint
    var stream: StreamRhythm
  }

  /// The rhythm that an observation without a move shows.
  public init(_ observation: TryObservation) {
    let connections = observation.connections
    let end = observation.lastLife
    let first = connections.flatMap(\.payload).min() ?? .zero
    whole = StreamRhythm(connections, since: first, until: end)
    endpoints = []
    for endpoint in connections.map(\.endpoint)
    where !endpoints.contains(where: { $0.endpoint == endpoint }) {
      let own = connections.filter { $0.endpoint == endpoint }
      endpoints.append(
        EndpointRhythm(
          endpoint: endpoint, stream: StreamRhythm(own, since: first, until: end)))
    }
    programEnd = observation.programEnd
    endsAfter = programEnd?.at.since(first)
    stoodStill = observation.stoodStill(from: first)
  }

  /// The rhythm that several observations without a move show together; nil if there are none.
  public init?(_ observations: [TryObservation]) {
    guard let first = observations.first else { return nil }
    self.init(first)
    for other in observations.dropFirst().map(ProgramRhythm.init) {
      whole.merge(other.whole)
      for index in endpoints.indices {
        if let stream = other.stream(of: endpoints[index].endpoint) {
          endpoints[index].stream.merge(stream)
        }
      }
      stoodStill = max(stoodStill, other.stoodStill)
      if programEnd == nil { (programEnd, endsAfter) = (other.programEnd, other.endsAfter) }
    }
  }

  /// The rhythm of a server's connections; nil if the program did not use it.
  func stream(of endpoint: ServerEndpoint) -> StreamRhythm? {
    endpoints.first { $0.endpoint == endpoint }?.stream
  }

  /// The longest time between two of some instants, both ends of a span included.
  static func longestGap(of instants: [Instant], from start: Instant, to end: Instant) -> Interval {
    let within = instants.filter { $0 >= start && $0 <= end }
    return zip([start] + within, within + [end]).map { $1.since($0) }.max() ?? .zero
  }
}
