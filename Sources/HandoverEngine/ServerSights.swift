import HandoverCore
import HandoverScenario

/// What servers have seen, as far as somebody asks for more than their sums: over which path, at
/// which address, since when, and what they have read twice.
///
/// Nothing is counted for a run of which nobody asks it. Each number is kept for a host and for
/// all, for a path and for all, so that an expectation costs one look-up; what counts from an
/// instant on is what there is now without what there was then.
struct ServerSights {
  /// What servers have seen.
  struct Counts: BitwiseCopyable, Hashable {
    var received = 0
    var accepted = 0
    var twice = 0

    static func - (one: Counts, other: Counts) -> Counts {
      Counts(
        received: one.received - other.received, accepted: one.accepted - other.accepted,
        twice: one.twice - other.twice)
    }
  }

  /// What numbers are kept for; nil stands for all.
  struct Place: Hashable {
    var host: Int?
    var path: PathIndex?
    var address: Int?
  }

  /// Numbers of a place from an instant on.
  private struct Mark: Hashable {
    var since: Instant
    var place: Place
  }

  /// Where something is seen of a connection.
  struct Sighting {
    var host: Int
    var path: PathIndex?
    /// The address that it was made to, where its host has several.
    var address: Int?
  }

  private struct Request: Hashable {
    var host: Int
    var call: UInt32
  }

  /// Whether anything is counted.
  private(set) var isAsked = false
  /// The places whose numbers changed, in order; only where somebody watches for what never holds.
  private(set) var changes: ContiguousArray<Place> = []
  private var isWatched = false
  private var counts: [Place: Counts] = [:]  // lookup only
  /// What must be kept when its instant comes, the earliest first.
  private var marks: ContiguousArray<Mark> = []
  private var passed = 0
  private var before: [Mark: Counts] = [:]  // lookup only
  /// How often a server has read each request.
  private var readings: [Request: Int] = [:]  // lookup only

  /// Begins a run; what is asked stays.
  mutating func begin() {
    guard isAsked else { return }
    changes.empty()
    counts.removeAll(keepingCapacity: true)
    before.removeAll(keepingCapacity: true)
    readings.removeAll(keepingCapacity: true)
    passed = 0
  }

  /// Forgets what was asked.
  mutating func removeAll() {
    if isAsked { self = ServerSights() }
  }

  /// Whether an expectation asks for more than the sums of hosts.
  static func goesBeyondSums(_ wanted: ServerExpectation) -> Bool {
    wanted.twice != nil || wanted.path != nil || wanted.since != nil || wanted.address != nil
  }

  /// Counts what an expectation asks for, or must never see.
  mutating func ask(_ host: HostSelector, _ wanted: ServerExpectation, isNever: Bool) {
    guard Self.goesBeyondSums(wanted) else { return }
    isAsked = true
    if isNever { isWatched = true }
    guard let since = wanted.since else { return }
    for place in Self.places(host, wanted) { marks.append(Mark(since: since, place: place)) }
  }

  /// Everything is asked.
  mutating func sort() {
    if marks.count > 1 { marks.sort { $0.since < $1.since } }
  }

  // MARK: Looking up

  /// What has been seen of what an expectation asks for.
  func counts(_ host: HostSelector, _ wanted: ServerExpectation) -> Counts {
    let now = combined(host, wanted) { counts[$0] ?? Counts() }
    guard let since = wanted.since else { return now }
    // Nothing has been seen since, where nobody has come by there yet.
    return countsBefore(since, host, wanted).map { now - $0 } ?? Counts()
  }

  /// What had been seen of it when an instant came that was asked for; nil before.
  func countsBefore(
    _ since: Instant, _ host: HostSelector, _ wanted: ServerExpectation
  ) -> Counts? {
    guard before[Mark(since: since, place: Self.places(host, wanted)[0])] != nil else { return nil }
    return combined(host, wanted) { before[Mark(since: since, place: $0)] ?? Counts() }
  }

  /// Where the numbers of an expectation stand: what is received is counted for the host; last
  /// stand the connections, which may be those of one address.
  static func places(_ host: HostSelector, _ wanted: ServerExpectation) -> [Place] {
    var place = Place(path: wanted.path)
    if case .one(let host) = host { place.host = host }
    guard let address = wanted.address else { return [place] }
    return [place, Place(host: place.host, path: place.path, address: address)]
  }

  private func combined(
    _ host: HostSelector, _ wanted: ServerExpectation, _ look: (Place) -> Counts
  ) -> Counts {
    let places = Self.places(host, wanted)
    var counts = look(places[0])
    if places.count > 1 { counts.accepted = look(places[1]).accepted }
    return counts
  }

  // MARK: What is seen

  /// A connection has come to stand.
  mutating func accepted(_ sighting: Sighting, at now: Instant) {
    add(sighting, at: now) { $0.accepted += 1 }
  }

  /// A server has read so many messages.
  mutating func read(_ count: Int, _ sighting: Sighting, at now: Instant) {
    add(sighting, at: now) { $0.received += count }
  }

  /// A server has read a request.
  mutating func readRequest(of call: UInt32, _ sighting: Sighting, at now: Instant) {
    let request = Request(host: sighting.host, call: call)
    readings[request, default: 0] += 1
    let isSecond = readings[request] == 2
    add(sighting, at: now) {
      $0.received += 1
      if isSecond { $0.twice += 1 }
    }
  }

  private mutating func add(
    _ sighting: Sighting, at now: Instant, _ change: (inout Counts) -> Void
  ) {
    while passed < marks.count, marks[passed].since <= now {
      before[marks[passed]] = counts[marks[passed].place] ?? Counts()
      passed += 1
    }
    for host in [sighting.host, nil] {
      for path in sighting.path == nil ? [nil] : [sighting.path, nil] {
        for address in sighting.address == nil ? [nil] : [sighting.address, nil] {
          let place = Place(host: host, path: path, address: address)
          change(&counts[place, default: Counts()])
          if isWatched { changes.append(place) }
        }
      }
    }
  }
}
