import HandoverCore
import HandoverTry

@testable import HandoverExploration

/// A model of the client `storms-after-wake` of Fixtures/Search.
///
/// If the client is stopped for long while it waits for its next attempt, it no longer waits
/// between attempts until one succeeds. The shortest timeline that shows this has four or five
/// changes, in which one outage begins and ends during another one.
struct StormingClient {
  private enum State {
    case carrying, silent, waiting, connecting
  }

  /// The number of attempts from which on the search reports the client.
  static let limit = 40

  /// Times in milliseconds.
  private static let step: Int64 = 10
  private static let round: Int64 = 30
  private static let readTimeout: Int64 = 1_500
  /// The timeout of two addresses, one after the other.
  private static let connectTimeout: Int64 = 2_000
  private static let lookupTimeout: Int64 = 10_000
  private static let longestBackoff: Int64 = 2_000
  private static let firstBackoff: Int64 = 200
  /// The time for which the client is observed after the last change.
  private static let watch: Int64 = 8_000

  private var now: Int64 = 0
  private var state = State.carrying
  private var since: Int64 = 0
  private var until = Int64.max
  private var backoff = Self.firstBackoff
  private var wasLost = false
  private var isStopped = false
  private var hasNetwork = true
  private var refuses = false
  private var isSilent = false
  private var namesFail = false
  private var namesHang = false
  private var attempts = 0

  /// Returns the result of a timeline, and the number of attempts.
  static func run(_ timeline: SearchTimeline) -> (result: SearchResult, attempts: Int) {
    var client = StormingClient()
    var phases: [ConnectionPhase] = []
    var at: Int64 = 0
    for entry in timeline.entries {
      at += entry.gap.microseconds / 1_000
      client.advance(to: at)
      phases.append(client.phase)
      client.apply(entry.change)
    }
    client.advance(to: at + watch)
    let outcome: TryOutcome =
      !client.wasLost ? .unharmed : client.state == .carrying ? .recovers : .late
    return (SearchResult(phases: phases, outcome: outcome), client.attempts)
  }

  private var phase: ConnectionPhase {
    switch state {
    case .carrying: .carrying
    case .silent: .silent
    case .waiting: .none
    case .connecting: .connecting
    }
  }

  // MARK: The network

  private mutating func apply(_ change: SearchChange) {
    switch change {
    case .suspended, .asleep: isStopped = true
    case .resumed, .awake, .awakeElsewhere:
      isStopped = false
      if change == .awakeElsewhere { silence() }
    case .killed, .reset, .ended:
      guard state == .carrying || state == .silent else { return }
      wasLost = true
      wait()
    case .stalled, .newAddress, .natForgets: silence()
    case .refusing: refuses = true
    case .serving: (refuses, isSilent) = (false, false)
    case .silent, .unanswered, .captive: isSilent = true
    case .uplinkDown, .losesAnswers:
      isSilent = true
      silence()
    case .answered, .uplinkUp, .losesNothing, .validated: isSilent = false
    case .namesFail: namesFail = true
    case .namesHang: namesHang = true
    case .namesResolve: (namesFail, namesHang) = (false, false)
    case .noNetwork, .down, .wifi, .cellular, .hotspot:
      hasNetwork = change != .noNetwork && change != .down
      silence()
    case .up, .shortOutage, .slow, .lossy: break
    }
  }

  private mutating func silence() {
    guard state == .carrying else { return }
    wasLost = true
    enter(.silent, for: Self.readTimeout)
  }

  // MARK: The client

  private mutating func advance(to end: Int64) {
    while now < end {
      now += Self.step
      if !isStopped, now >= until { leave() }
    }
  }

  private mutating func enter(_ state: State, for time: Int64) {
    (self.state, since, until) = (state, now, now + time)
  }

  private mutating func wait() { enter(.waiting, for: max(backoff, Self.round)) }

  /// Leaves a state whose time is over.
  private mutating func leave() {
    guard state == .waiting else { return wait() }
    let waited = now - since
    backoff = min(Self.longestBackoff, 2 * backoff)
    if waited > backoff + 100 { backoff = 0 }
    connect()
  }

  private mutating func connect() {
    // The verdict counts a lookup without a route as an attempt, and both addresses of a name.
    guard hasNetwork else {
      attempts += 1
      return wait()
    }
    if namesFail { return wait() }
    if namesHang { return enter(.connecting, for: Self.lookupTimeout) }
    attempts += refuses || isSilent ? 2 : 1
    if refuses { return wait() }
    if isSilent { return enter(.connecting, for: Self.connectTimeout) }
    backoff = Self.firstBackoff
    (state, until) = (.carrying, .max)
  }
}
