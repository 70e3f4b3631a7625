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
    counts.removeAll(keepingCapacity: true)
    before.removeAll(keepingCapacity: true)
    readings.removeAll(keepingCapacity: true)
    passed = 0
  }

  /// Forgets what was asked.
  mutating func removeAll() {
    if isAsked { self = ServerSights() }
  }

  /// Counts what an expectation asks for, where that is more than the sums of hosts.
  mutating func ask(_ host: HostSelector, _ wanted: ServerExpectation) {
    guard
      wanted.twice != nil || wanted.path != nil || wanted.since != nil || wanted.address != nil
    else { return }
    isAsked = true
    if let since = wanted.since { marks.append(Mark(since: since, place: place(host, wanted))) }
  }

  /// Everything is asked.
  mutating func sort() {
    guard marks.count > 1 else { return }
    marks.sort { $0.since < $1.since }
  }

  /// What has been seen of what an expectation asks for.
  func counts(_ host: HostSelector, _ wanted: ServerExpectation) -> Counts {
    let place = place(host, wanted)
    guard let since = wanted.since else { return counts[place] ?? Counts() }
    // Nothing has been seen since, where nobody has come by there yet.
    guard let former = before[Mark(since: since, place: place)] else { return Counts() }
    return (counts[place] ?? Counts()) - former
  }

  private func place(_ host: HostSelector, _ wanted: ServerExpectation) -> Place {
    var place = Place(path: wanted.path, address: wanted.address)
    if case .one(let host) = host { place.host = host }
    return place
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
          change(&counts[Place(host: host, path: path, address: address), default: Counts()])
        }
      }
    }
  }
}
