/// Predicts a QUIC connection and the calls on it, from the page QUIC and from RFC 9000 alone.
///
/// Instants are in milliseconds. There are two networks, each with an uplink, and one host that
/// takes the same time over both. One connection is made at the start over the first network.
struct QUICOracle {
  /// The events of a timeline.
  enum Entry: Hashable {
    case up(Int)
    case makeDefault(Int)
    case down(Int)
    case uplink(Int, Bool)
    /// The router gives the flows a new port.
    case rebind(Int)
    /// The process is stopped, or runs again.
    case process(runs: Bool)
    /// A call whose answer takes the given time.
    case call(takes: Int)
  }

  struct Call: Hashable {
    /// When its server ends the call, or `nil` if the request has not arrived.
    var isAnsweredAt: Int?
    /// Whether the answer has arrived and a stopped process has not read it.
    var isUnread = false
    /// The time at which the client is notified of the answer.
    var endsAt: Int?
  }

  /// The validation of a path.
  private struct Validation {
    var path: Int
    var challenges = 0
    var timer = 0
    var answers: [Int] = []
  }

  let connect: Int
  let idle: Int
  let limit: Int

  private(set) var calls: [Call] = []
  /// The migrations of the connection: instants and networks.
  private(set) var migrations: [[Int]] = []
  /// When the connection timed out, and when the client was notified.
  private(set) var diedAt: Int?
  private(set) var reportedAt: Int?

  private var identifiers: Int
  private var isUp = [true, true]
  private var hasUplink = [true, true]
  private var defaultPath: Int? = 0
  private var path = 0
  private var addressIsKnown = true
  private var addressAnswersAt: Int?
  private var challengeIsUnread = false
  private var runs = true
  private var hasUnread = false
  private var validation: Validation?
  private var idleSince: Int
  private var hasSent = false
  private var now: Int

  init(connect: Int, idle: Int, limit: Int, identifiers: Int) {
    self.connect = connect
    self.idle = idle
    self.limit = limit
    self.identifiers = identifiers
    idleSince = connect
    now = connect
  }

  private var isOpen: Bool { diedAt == nil }
  private var sends: Bool { isUp[path] && hasUplink[path] }
  private var receives: Bool { sends && addressIsKnown }

  // MARK: Entries

  mutating func play(_ entry: Entry, at instant: Int) {
    advance(to: instant, inclusive: false)
    now = instant
    var hasAnother = false
    switch entry {
    case .up(let one): isUp[one] = true
    case .makeDefault(let one):
      isUp[one] = true
      hasAnother = defaultPath != one
      defaultPath = one
    case .down(let one):
      isUp[one] = false
      if defaultPath == one { defaultPath = nil }
    case .uplink(let one, let isPresent): hasUplink[one] = isPresent
    case .rebind(let one):
      if one == path, isOpen {
        addressIsKnown = false
        addressAnswersAt = nil
        challengeIsUnread = false
      }
    case .process(let isRunning):
      isRunning ? resume() : stop()
    case .call(let takes):
      calls.append(Call())
      durations.append(takes)
      // A sent packet counts even if it is lost.
      if isOpen, !hasSent {
        hasSent = true
        idleSince = now
      }
    }
    guard isOpen else { return }
    switch entry {
    case .makeDefault: if hasAnother { follow() }
    case .down(let one): if one == path || one == validation?.path { follow() }
    case .process(let isRunning): if isRunning { follow() }
    case .up, .uplink, .rebind, .call: break
    }
    flow()
  }

  private var durations: [Int] = []

  /// Handles a stop: a stopped process validates nothing, and the identifier can be used again.
  private mutating func stop() {
    runs = false
    guard isOpen, validation != nil else { return }
    validation = nil
    identifiers += 1
  }

  /// Handles a resume: the process reads what has arrived, and answers the server's challenge.
  private mutating func resume() {
    runs = true
    for index in calls.indices where calls[index].isUnread {
      calls[index].isUnread = false
      calls[index].endsAt = now
    }
    guard isOpen else {
      reportedAt = reportedAt ?? now
      return
    }
    if hasUnread { received() }
    if challengeIsUnread { addressAnswersAt = now + connect }
    hasUnread = false
    challengeIsUnread = false
  }

  /// Starts a migration if the connection is not on the default network.
  private mutating func follow() {
    guard runs else { return }
    if let one = validation {
      if one.path == defaultPath { return }
      validation = nil
      if receives { identifiers += 1 }
    }
    guard let target = defaultPath, target != path else { return }
    guard identifiers > 0, migrations.count(where: { $0[1] == target }) < limit else { return }
    identifiers -= 1
    validation = Validation(path: target)
    challenge()
  }

  private mutating func challenge() {
    guard var one = validation else { return }
    one.challenges += 1
    // A PATH_CHALLENGE must be acknowledged, so it restarts the timeout (RFC 9000, 10.1).
    if !hasSent { idleSince = now }
    hasSent = true
    // The first probe timeout is a second; the next is twice as long.
    one.timer = now + (one.challenges == 1 ? 1_000 : 2_000)
    if isUp[one.path], hasUplink[one.path] { one.answers.append(now + connect) }
    validation = one
  }

  private mutating func received() {
    guard runs else {
      hasUnread = true
      return
    }
    hasSent = false
    idleSince = now
  }

  /// Delivers everything that can pass now.
  private mutating func flow() {
    for index in calls.indices where calls[index].isAnsweredAt == nil && sends && runs {
      calls[index].isAnsweredAt = now + durations[index]
      if receives { received() }
      if !addressIsKnown, addressAnswersAt == nil { addressAnswersAt = now + connect }
    }
    for index in calls.indices where calls[index].endsAt == nil && receives {
      guard let at = calls[index].isAnsweredAt, at <= now, !calls[index].isUnread else { continue }
      if runs { calls[index].endsAt = now } else { calls[index].isUnread = true }
      received()
    }
  }

  // MARK: Time

  private var nextInstant: Int? {
    guard isOpen else { return nil }
    var instants = [idleSince + idle]
    if let at = addressAnswersAt { instants.append(at) }
    if let one = validation { instants += one.answers + [one.timer] }
    for call in calls where call.endsAt == nil && !call.isUnread {
      if let at = call.isAnsweredAt, at > now { instants.append(at) }
    }
    return instants.min()
  }

  mutating func advance(to limit: Int, inclusive: Bool) {
    while let next = nextInstant, inclusive ? next <= limit : next < limit {
      now = max(now, next)
      happen()
    }
  }

  private mutating func happen() {
    if let at = addressAnswersAt, at <= now {
      addressAnswersAt = nil
      if !runs {
        challengeIsUnread = true
      } else if sends {
        addressIsKnown = true
        received()
      }
    }
    if var one = validation {
      let isAnswered = one.answers.contains { $0 <= now } && isUp[one.path] && hasUplink[one.path]
      one.answers.removeAll { $0 <= now }
      validation = one
      if isAnswered {
        migrate(to: one.path)
      } else if one.timer <= now, one.challenges == 2 {
        validation = nil
        if receives { identifiers += 1 }
      } else if one.timer <= now {
        challenge()
      }
    }
    flow()
    if idleSince + idle <= now {
      diedAt = now
      if runs { reportedAt = now }
    }
  }

  private mutating func migrate(to target: Int) {
    validation = nil
    path = target
    identifiers += 1
    addressIsKnown = true
    addressAnswersAt = nil
    challengeIsUnread = false
    migrations.append([now, target])
    received()
  }
}
