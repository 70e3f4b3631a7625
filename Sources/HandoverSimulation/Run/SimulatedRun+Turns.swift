import HandoverCore
import HandoverTrace

/// Whose turn it is at one instant, where that is not in the usual order.
struct InstantTurns: Hashable, Sendable {
  /// The place of each kind, in the usual order of the kinds.
  private let ranks: [Int]
  /// Draws the turns; nil where they go by rank.
  private var lot: SeededGenerator?

  /// The turns of a run; nil where they are the usual ones.
  init?(_ configuration: RunConfiguration) {
    let order = configuration.order
    guard !order.isUsual else { return nil }
    ranks = InstantOrder.Kind.allCases.map { order.kinds.firstIndex(of: $0) ?? 0 }
    // A label of its own, so that no draw of the client moves.
    lot =
      order.isDrawn
      ? SeededGenerator(seed: configuration.seed).forked(label: 0x696E_7374_616E_74) : nil
  }

  /// The kind whose turn it is among those that are due, given in their usual order.
  mutating func next(among due: [InstantOrder.Kind]) -> InstantOrder.Kind? {
    guard due.count > 1 else { return due.first }
    if let draw = lot?.next(upToAndIncluding: UInt64(due.count - 1)) { return due[Int(draw)] }
    let kinds = InstantOrder.Kind.allCases
    return due.min { rank(of: $0, in: kinds) < rank(of: $1, in: kinds) }
  }

  private func rank(of kind: InstantOrder.Kind, in kinds: [InstantOrder.Kind]) -> Int {
    ranks[kinds.firstIndex(of: kind) ?? 0]
  }
}

// Runs whose order at one instant the scenario has chosen.
extension SimulatedRun {
  /// Puts what reaches the monitor on the agenda, or on one of its own where turns are not usual.
  mutating func scheduleCallback(_ item: Happening, at instant: Instant) {
    if turns == nil {
      agenda.schedule(item, at: instant, .callback)
    } else {
      callbacks.schedule(item, at: instant, .callback)
    }
  }

  /// Lets time pass as far as a limit; where that is the instant of an entry and not included, the
  /// entry takes its turn among what is due with it.
  mutating func advanceInTurns(until limit: Instant, inclusive: Bool) {
    while isWithinLimits, failure == nil {
      let next = upcoming()
      let callback = callbacks.nextInstant ?? .never
      let transport = min(next.happening, next.message)
      let instant = min(callback, transport, next.deadline)
      guard instant <= limit, instant != .never else { return }
      var due: [InstantOrder.Kind] = []
      if instant == limit, !inclusive { due.append(.entries) }
      if callback == instant { due.append(.callbacks) }
      if transport == instant { due.append(.transport) }
      if next.deadline == instant { due.append(.deadlines) }
      guard let kind = turns?.next(among: due), kind != .entries else { return }
      steps += 1
      if hasChains, instant > now { settleCalls() }
      take(kind, next, at: instant)
    }
  }

  private mutating func take(_ kind: InstantOrder.Kind, _ next: Upcoming, at instant: Instant) {
    switch kind {
    case .entries: break
    case .deadlines: fireDeadlines(at: instant)
    case .transport: takeHappening(next)
    case .callbacks:
      now = max(now, instant)
      if let item = callbacks.popFirst() { happen(item) }
      if hasChains { workChains() }
    }
  }

  /// When a callback is due that is not lost; `never` where none is.
  mutating func nextCallback() -> Instant {
    while let item = callbacks.first, isStale(item) { callbacks.dropFirst() }
    return callbacks.nextInstant ?? .never
  }
}
