import HandoverMachines

/// What is known of the times that are left of a state's timers: bounds of their differences.
///
/// A matrix of difference bounds: place (a, b) is the most that the time left of `a` may exceed
/// that of `b`; timer 0 is the present, with none left. It is kept closed: no bound follows from
/// others that is tighter. In microseconds, which suffice for half an hour.
struct Zone: ~Copyable {
  /// How many timers there are, the present included.
  private(set) var size = 1
  private(set) var bounds = Rows<Int32>(reserving: 256)

  init() {
    bounds.append(0)
  }

  /// Becomes a zone of so many timers; each bound is for whoever calls to set.
  mutating func resize(_ size: Int) {
    if size == self.size { return }
    self.size = size
    bounds.fill(with: 0, count: size &* size)
  }

  subscript(a: Int, b: Int) -> Int32 {
    @inline(__always) get { bounds[a &* size &+ b] }
    @inline(__always) set { bounds[a &* size &+ b] = newValue }
  }

  /// Takes a matrix up.
  mutating func read(_ stored: borrowing Rows<Int32>, at start: Int, size: Int) {
    self.size = size
    bounds.removeAll()
    bounds.append(stored, from: start, count: size &* size)
  }

  /// Becomes that part of another zone in which a timer is due.
  ///
  /// - Returns: whether there is such a part: whether the timer can be the first to fall due.
  mutating func become(_ other: borrowing Zone, whereDue timer: Int) -> Bool {
    guard other[0, timer] >= 0 else { return false }
    resize(other.size)
    for a in 0..<size {
      for b in 0..<size {
        self[a, b] = min(other[a, b], other[a, timer] &+ other[0, b])
      }
    }
    return true
  }

  /// Becomes what is known after a step of the timers that there are then.
  ///
  /// - Parameters:
  ///   - other: what was known at the instant of the step.
  ///   - timers: what has become of them, without the present.
  mutating func become(_ other: borrowing Zone, after timers: borrowing Rows<TimerOrigin>) {
    resize(timers.count + 1)
    for a in 0..<size {
      let left = a == 0 ? TimerOrigin.present : timers[a &- 1]
      for b in 0..<size {
        let right = b == 0 ? TimerOrigin.present : timers[b &- 1]
        self[a, b] =
          a == b ? 0 : other[Int(left.source), Int(right.source)] &+ left.more &- right.more
      }
    }
    letTimePass()
  }

  /// Adds what comes about when time passes until a timer is due: differences stay.
  private mutating func letTimePass() {
    for b in 1..<max(1, size) {
      var most: Int32 = 0
      for a in 1..<size { most = min(most, self[a, b]) }
      self[0, b] = most
    }
  }

  /// Whether a matrix holds all of another one.
  @inline(__always)
  static func holds(
    _ outer: borrowing Rows<Int32>, at outerStart: Int, _ inner: borrowing Rows<Int32>,
    at innerStart: Int, size: Int
  ) -> Bool {
    for place in 0..<(size &* size)
    where inner[innerStart &+ place] > outer[outerStart &+ place] { return false }
    return true
  }
}

/// Where a timer comes from in a step: its time left is that of an older one and so much more.
struct TimerOrigin: BitwiseCopyable, Hashable, Sendable {
  /// The place of the older one; 0 for the present.
  var source: Int32
  /// In microseconds.
  var more: Int32

  static var present: TimerOrigin { TimerOrigin(source: 0, more: 0) }
}

/// A timer of a state, as zones know it.
struct ZoneTimer: BitwiseCopyable, Hashable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    case backoff
    case attempt
    case unused
  }

  var kind: Kind
  var host: Int
  var due: Instant

  /// Gives the timer of a state its due time.
  func set(_ due: Instant, of seen: inout ClientSurvey) {
    switch kind {
    case .backoff: seen.hosts[host].notBefore = due
    case .attempt: seen.hosts[host].attemptDue = due
    case .unused: seen.hosts[host].unusedDue = due
    }
  }
}

/// How timers are told apart in the course of a step.
///
/// Each has a due time of its own so far ahead that none comes near another's, so that what a
/// client arms is known for what it is: so long from now, or as long as another timer.
enum ZoneClock {
  private static let bits: Int64 = 40

  /// When the timer at a place falls due; places are counted from 1.
  static func due(_ place: Int) -> Instant {
    Instant(microseconds: CanonicalForm.present.microseconds + Int64(place) << bits)
  }

  /// Where a due time comes from.
  static func origin(_ due: Instant) -> TimerOrigin {
    let left = due.microseconds - CanonicalForm.present.microseconds
    return TimerOrigin(
      source: Int32(clamping: left >> bits), more: Int32(clamping: left & (1 << bits - 1)))
  }

  /// Lists the timers of a client in the order of zones.
  static func list(
    _ seen: borrowing ClientSurvey, at now: Instant, into timers: inout Rows<ZoneTimer>
  ) {
    timers.removeAll()
    for place in 0..<seen.hosts.count {
      let host = seen.hosts[place]
      guard host.exists else { continue }
      if host.notBefore > now {
        timers.append(ZoneTimer(kind: .backoff, host: place, due: host.notBefore))
      }
      if host.attemptDue != .never {
        timers.append(ZoneTimer(kind: .attempt, host: place, due: host.attemptDue))
      }
      if host.unusedDue != .never {
        timers.append(ZoneTimer(kind: .unused, host: place, due: host.unusedDue))
      }
    }
  }

  /// Gives each timer of a state a due time of its own.
  static func setAll(_ timers: borrowing Rows<ZoneTimer>, of seen: inout ClientSurvey) {
    for place in 0..<timers.count { timers[place].set(due(place + 1), of: &seen) }
  }
}
