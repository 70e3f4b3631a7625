import HandoverCore

/// The known bounds on the remaining times of a state's timers, as a difference-bound matrix.
///
/// The element (a, b) is the maximum by which the remaining time of `a` exceeds that of `b`. Timer
/// 0 is the present, with no time remaining. The matrix is closed: no bound can be tightened by the
/// others. Bounds are in microseconds, in a range of half an hour.
struct Zone: ~Copyable {
  /// The number of timers, including the present.
  private(set) var size = 1
  private(set) var bounds = Rows<Int32>(reserving: 256)

  init() {
    bounds.append(0)
  }

  /// Changes the number of timers; the caller then sets every bound.
  mutating func resize(_ size: Int) {
    if size == self.size { return }
    self.size = size
    bounds.fill(with: 0, count: size &* size)
  }

  subscript(a: Int, b: Int) -> Int32 {
    get { bounds[a &* size &+ b] }
    set { bounds[a &* size &+ b] = newValue }
  }

  /// Reads a stored matrix.
  mutating func read(_ stored: borrowing Rows<Int32>, at start: Int, size: Int) {
    self.size = size
    bounds.removeAll()
    bounds.append(stored, from: start, count: size &* size)
  }

  /// Sets this zone to the part of another zone in which a timer is due.
  ///
  /// - Returns: Whether that part is not empty, which means that the timer can fire first.
  mutating func assign(from other: borrowing Zone, whereDue timer: Int) -> Bool {
    guard other[0, timer] >= 0 else { return false }
    resize(other.size)
    for a in 0..<size {
      for b in 0..<size {
        self[a, b] = min(other[a, b], other[a, timer] &+ other[0, b])
      }
    }
    return true
  }

  /// Sets this zone to the bounds after a step, for the timers that exist then.
  ///
  /// - Parameters:
  ///   - other: The bounds at the instant of the step.
  ///   - timers: The origin of each timer after the step, without the present.
  mutating func assign(from other: borrowing Zone, after timers: borrowing Rows<TimerOrigin>) {
    resize(timers.count + 1)
    for a in 0..<size {
      let left = a == 0 ? TimerOrigin.present : timers[a &- 1]
      for b in 0..<size {
        let right = b == 0 ? TimerOrigin.present : timers[b &- 1]
        self[a, b] =
          a == b ? 0 : other[Int(left.source), Int(right.source)] &+ left.more &- right.more
      }
    }
    advanceTime()
  }

  /// Adds the states that time passes through until a timer is due; differences stay unchanged.
  private mutating func advanceTime() {
    for b in 1..<max(1, size) {
      var most: Int32 = 0
      for a in 1..<size { most = min(most, self[a, b]) }
      self[0, b] = most
    }
  }

  /// Whether a matrix contains another one.
  static func holds(
    _ outer: borrowing Rows<Int32>, at outerStart: Int, _ inner: borrowing Rows<Int32>,
    at innerStart: Int, size: Int
  ) -> Bool {
    for position in 0..<(size &* size)
    where inner[innerStart &+ position] > outer[outerStart &+ position] { return false }
    return true
  }
}

/// The origin of a timer in a step: its remaining time is that of an earlier timer plus an offset.
struct TimerOrigin: BitwiseCopyable, Hashable, Sendable {
  /// The position of the earlier timer, or 0 for the present.
  var source: Int32
  /// The offset in microseconds.
  var more: Int32

  static var present: TimerOrigin { TimerOrigin(source: 0, more: 0) }
}

/// A timer of a state that zones track.
struct ZoneTimer: BitwiseCopyable, Hashable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    case backoff
    case attempt
    case unused
  }

  var kind: Kind
  var host: Int
  var due: Instant

  /// Sets the due time of this timer in a state.
  func set(_ due: Instant, of seen: inout ClientSurvey) {
    switch kind {
    case .backoff: seen.hosts[host].notBefore = due
    case .attempt: seen.hosts[host].attemptDue = due
    case .unused: seen.hosts[host].unusedDue = due
    }
  }
}

/// The due times that identify timers during a step.
///
/// Each timer has a distinct due time, so far in the future that none comes near another. The due
/// time of a new timer therefore shows its origin: a fixed time from now, or the time of another
/// timer plus an offset.
enum ZoneClock {
  private static let bits: Int64 = 40

  /// Returns the due time of the timer at a position, counted from 1.
  static func due(_ position: Int) -> Instant {
    Instant(microseconds: CanonicalForm.present.microseconds + Int64(position) << bits)
  }

  /// Returns the origin that a due time encodes.
  static func origin(_ due: Instant) -> TimerOrigin {
    let left = due.microseconds - CanonicalForm.present.microseconds
    return TimerOrigin(
      source: Int32(clamping: left >> bits), more: Int32(clamping: left & (1 << bits - 1)))
  }

  /// Lists the timers of a client in the order that zones use.
  static func list(
    _ seen: borrowing ClientSurvey, at now: Instant, into timers: inout Rows<ZoneTimer>
  ) {
    timers.removeAll()
    for position in 0..<seen.hosts.count {
      let host = seen.hosts[position]
      guard host.exists else { continue }
      if host.notBefore > now {
        timers.append(ZoneTimer(kind: .backoff, host: position, due: host.notBefore))
      }
      if host.attemptDue != .never {
        timers.append(ZoneTimer(kind: .attempt, host: position, due: host.attemptDue))
      }
      if host.unusedDue != .never {
        timers.append(ZoneTimer(kind: .unused, host: position, due: host.unusedDue))
      }
    }
  }

  /// Gives each timer of a state its distinct due time.
  static func setAll(_ timers: borrowing Rows<ZoneTimer>, of seen: inout ClientSurvey) {
    for position in 0..<timers.count { timers[position].set(due(position + 1), of: &seen) }
  }
}
