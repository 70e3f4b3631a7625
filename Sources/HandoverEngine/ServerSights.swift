import HandoverCore
import HandoverScenario

/// Server values that go beyond the totals: per network, per address, since a time, and requests
/// read twice.
///
/// Nothing is counted unless an expectation of the run needs it. Each count is kept per host and
/// for all hosts, and per network and for all networks, so that an expectation needs one lookup.
/// The count since an instant is the current count minus the count at that instant.
struct ServerSights {
  /// The counts of a server.
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

  /// The key of a count; a `nil` part means all.
  struct Place: Hashable {
    var host: Int?
    var path: PathIndex?
    var address: Int?
  }

  /// A key together with the instant from which an expectation counts.
  private struct Mark: Hashable {
    var since: Instant
    var position: Place
  }

  /// The host, network and address of an observed event.
  struct Sighting {
    var host: Int
    var path: PathIndex?
    /// The address of the connection if its host has several addresses.
    var address: Int?
  }

  private struct Request: Hashable {
    var host: Int
    var call: UInt32
  }

  /// Whether anything is counted.
  private(set) var isAsked = false
  /// The keys whose counts changed, in order; recorded only if an expectation must never hold.
  private(set) var changes: ContiguousArray<Place> = []
  private var isWatched = false
  private var counts: [Place: Counts] = [:]  // lookup only
  /// The marks whose counts must be saved when their instant comes, earliest first.
  private var marks: ContiguousArray<Mark> = []
  private var passed = 0
  private var before: [Mark: Counts] = [:]  // lookup only
  /// The number of times that a server has read each request.
  private var readings: [Request: Int] = [:]  // lookup only

  /// Resets the counts for a new run; keeps the keys that expectations need.
  mutating func begin() {
    guard isAsked else { return }
    changes.empty()
    counts.removeAll(keepingCapacity: true)
    before.removeAll(keepingCapacity: true)
    readings.removeAll(keepingCapacity: true)
    passed = 0
  }

  /// Removes the keys that expectations need.
  mutating func removeAll() {
    if isAsked { self = ServerSights() }
  }

  /// Returns whether an expectation needs more than the totals of hosts.
  static func needsMoreThanTotals(_ wanted: ServerExpectation) -> Bool {
    wanted.twice != nil || wanted.path != nil || wanted.since != nil || wanted.address != nil
  }

  /// Starts counting the values that an expectation needs.
  mutating func ask(_ host: HostSelector, _ wanted: ServerExpectation, isNever: Bool) {
    guard Self.needsMoreThanTotals(wanted) else { return }
    isAsked = true
    if isNever { isWatched = true }
    guard let since = wanted.since else { return }
    for position in Self.positions(host, wanted) {
      marks.append(Mark(since: since, position: position))
    }
  }

  /// Sorts the marks after all expectations were added.
  mutating func sort() {
    if marks.count > 1 { marks.sort { $0.since < $1.since } }
  }

  // MARK: Lookup

  /// Returns the counts that an expectation refers to.
  func counts(_ host: HostSelector, _ wanted: ServerExpectation) -> Counts {
    let now = combined(host, wanted) { counts[$0] ?? Counts() }
    guard let since = wanted.since else { return now }
    // If the instant has not come yet, nothing has been counted since then.
    return countsBefore(since, host, wanted).map { now - $0 } ?? Counts()
  }

  /// Returns the counts at an instant that an expectation names, or `nil` before that instant.
  func countsBefore(
    _ since: Instant, _ host: HostSelector, _ wanted: ServerExpectation
  ) -> Counts? {
    guard before[Mark(since: since, position: Self.positions(host, wanted)[0])] != nil else {
      return nil
    }
    return combined(host, wanted) { before[Mark(since: since, position: $0)] ?? Counts() }
  }

  /// Returns the keys of an expectation's counts.
  ///
  /// Received messages are counted for the host. The last key is for connections, which may be
  /// limited to one address.
  static func positions(_ host: HostSelector, _ wanted: ServerExpectation) -> [Place] {
    var position = Place(path: wanted.path)
    if case .one(let host) = host { position.host = host }
    guard let address = wanted.address else { return [position] }
    return [position, Place(host: position.host, path: position.path, address: address)]
  }

  private func combined(
    _ host: HostSelector, _ wanted: ServerExpectation, _ look: (Place) -> Counts
  ) -> Counts {
    let positions = Self.positions(host, wanted)
    var counts = look(positions[0])
    if positions.count > 1 { counts.accepted = look(positions[1]).accepted }
    return counts
  }

  // MARK: Observed events

  /// Counts an established connection.
  mutating func accepted(_ sighting: Sighting, at now: Instant) {
    add(sighting, at: now) { $0.accepted += 1 }
  }

  /// Counts messages that a server has read.
  mutating func read(_ count: Int, _ sighting: Sighting, at now: Instant) {
    add(sighting, at: now) { $0.received += count }
  }

  /// Counts a request that a server has read.
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
      before[marks[passed]] = counts[marks[passed].position] ?? Counts()
      passed += 1
    }
    for host in [sighting.host, nil] {
      for path in sighting.path == nil ? [nil] : [sighting.path, nil] {
        for address in sighting.address == nil ? [nil] : [sighting.address, nil] {
          let position = Place(host: host, path: path, address: address)
          change(&counts[position, default: Counts()])
          if isWatched { changes.append(position) }
        }
      }
    }
  }
}
