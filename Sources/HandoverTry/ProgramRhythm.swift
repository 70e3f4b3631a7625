public import HandoverCore

/// The times at which application data arrives on some connections without a network change.
///
/// All times are relative to the program's first application data.
struct StreamRhythm: Hashable, Sendable {
  /// The times at which application data arrived.
  var payload: [Interval]
  /// The times at which the program sent new bytes.
  var sent: [Interval]
  /// The longest time without application data after the first arrival.
  var longestGap: Interval
  /// The number of connections that the program released without being forced to.
  var releasedCount: Int
  /// The longest lifetime of these connections.
  var longestLife: Interval
  /// The length of the observation.
  var span: Interval

  /// The time before its end during which a program may begin to release its connections.
  private static let closingTime = Interval.milliseconds(500)

  init(_ connections: [SeenConnection], since first: Instant, until end: Instant) {
    let instants = connections.flatMap(\.payload).sorted()
    payload = instants.map { $0.since(first) }
    sent = connections.flatMap(\.sent).sorted().map { $0.since(first) }
    longestGap = ProgramRhythm.longestGap(of: instants, from: instants.first ?? end, to: end)
    // A connection that the program releases when it ends is no evidence of its usual behavior.
    let lives = connections.compactMap { connection in
      connection.released.flatMap {
        end.since($0) > Self.closingTime ? $0.since(connection.opened) : nil
      }
    }
    releasedCount = lives.count
    longestLife = lives.max() ?? .zero
    span = end.since(min(first, end))
  }

  /// Merges another run: the result has the fewest arrivals and the widest limits.
  mutating func merge(_ other: StreamRhythm) {
    if other.payload.count < payload.count { (payload, sent) = (other.payload, other.sent) }
    longestGap = max(longestGap, other.longestGap)
    releasedCount = max(releasedCount, other.releasedCount)
    longestLife = max(longestLife, other.longestLife)
    span = min(span, other.span)
  }

  /// Whether application data arrives often enough for a rhythm.
  var isKnown: Bool { payload.count >= TryJudge.leastPayloads }

  /// Returns whether application data arrives after a time.
  func hasPayload(after time: Interval) -> Bool { payload.last.map { $0 > time } ?? false }

  /// Returns whether data of either direction is transferred after a time.
  func carries(after time: Interval) -> Bool {
    hasPayload(after: time) || sent.last.map { $0 > time } ?? false
  }

  /// Returns the number of arrivals of application data between two times.
  func count(from start: Interval, to end: Interval) -> Int {
    payload.count { $0 >= start && $0 < end }
  }
}

/// The rhythm of a program without a network change.
public struct ProgramRhythm: Hashable, Sendable {
  /// The number of arrivals of application data.
  public var payloadCount: Int { whole.payload.count }
  /// The longest time without application data after the first arrival.
  public var longestGap: Interval { whole.longestGap }
  /// The number of connections that the program released without being forced to.
  public var releasedCount: Int { whole.releasedCount }
  /// How the program ended without a network change, or `nil` if it did not end.
  public var programEnd: ProgramEnd?
  /// The total time for which the machine was paused.
  public var pausedTime: Interval
  /// The messages that the program lost or received several times.
  private(set) var messages: MessageCounts
  /// Whether the program queries name servers after its start.
  private(set) var asksRegularly: Bool
  /// The time from the program's first application data to its end.
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

  /// Creates the rhythm from an observation without a network change.
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
    asksRegularly = observation.lookups.contains { $0.at > first + TryJudge.slack }
    messages = observation.messageCounts { !$0.payload.isEmpty }
    programEnd = observation.programEnd
    endsAfter = programEnd?.at.since(first)
    pausedTime = observation.pausedTime(from: first)
  }

  /// Creates the combined rhythm of several observations without a network change.
  ///
  /// Returns `nil` if there are no observations.
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
      pausedTime = max(pausedTime, other.pausedTime)
      messages.merge(other.messages)
      asksRegularly = asksRegularly || other.asksRegularly
      if programEnd == nil { (programEnd, endsAfter) = (other.programEnd, other.endsAfter) }
    }
  }

  /// Returns the rhythm of a server's connections, or `nil` if the program did not use the server.
  func stream(of endpoint: ServerEndpoint) -> StreamRhythm? {
    endpoints.first { $0.endpoint == endpoint }?.stream
  }

  /// Returns the longest time between consecutive instants, including both ends of the span.
  static func longestGap(of instants: [Instant], from start: Instant, to end: Instant) -> Interval {
    let within = instants.filter { $0 >= start && $0 <= end }
    return zip([start] + within, within + [end]).map { $1.since($0) }.max() ?? .zero
  }
}
