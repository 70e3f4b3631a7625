import HandoverCore

/// Performs actions in a zone of a state, and computes the violation or the resulting zone.
struct ZoneStepper: ~Copyable {
  enum Outcome {
    /// Another timer is always due before the action's timer.
    case impossible
    case broken(Violation)
    /// The action led to the finder's resulting state, with the zone in `after`.
    case led
  }

  let finder: Fixed<SuccessorFinder>
  private let witness: Fixed<TimerWitness>
  /// The timers of the state, in the order that zones use.
  private(set) var timers = Rows<ZoneTimer>()
  private var timersAfter = Rows<ZoneTimer>()
  private var origins = Rows<TimerOrigin>()
  /// The zone of the state.
  var zone = Zone()
  /// The part of the zone in which the action's timer is due.
  private var instant = Zone()
  /// The zone after the last action.
  private(set) var after = Zone()

  init(_ setup: ExplorationSetup) {
    finder = Fixed(SuccessorFinder(setup))
    witness = Fixed(TimerWitness(setup))
  }

  /// Reads the form of a state; the caller then sets `zone`.
  mutating func read(_ bytes: borrowing FormBytes, at start: Int) {
    finder.value.read(bytes, at: start)
    ZoneClock.list(finder.value.base.value, at: CanonicalForm.present, into: &timers)
    ZoneClock.setAll(timers, of: &finder.value.base.value)
    finder.value.restoreBase()
  }

  /// Performs an action in the zone.
  mutating func happen(_ action: ClientAction) -> Outcome {
    let timer = position(of: action)
    if timer > 0, !instant.assign(from: zone, whereDue: timer) { return .impossible }
    if let violation = finder.value.happen(action) { return .broken(violation) }
    let violation =
      timer > 0
      ? witness.value.check(action, &finder.value, timers, instant, timer)
      : witness.value.check(action, &finder.value, timers, zone, timer)
    if let violation { return .broken(violation) }
    ZoneClock.list(finder.value.after.value, at: CanonicalForm.present, into: &timersAfter)
    origins.removeAll()
    for position in 0..<timersAfter.count {
      origins.append(ZoneClock.origin(timersAfter[position].due))
    }
    if timer > 0 {
      after.assign(from: instant, after: origins)
    } else {
      after.assign(from: zone, after: origins)
    }
    return .led
  }

  // The following members are mutating to avoid copies, as those of the finder are.

  /// The number of possible actions.
  var actionCount: Int { mutating get { finder.value.actionCount } }

  /// Returns a possible action by its index.
  mutating func action(_ index: Int) -> ClientAction { finder.value.action(index) }

  /// Appends the form of the resulting state.
  mutating func writeForm(into bytes: inout FormBytes) { finder.value.writeForm(into: &bytes) }

  /// Returns the mean delay of a host in the resulting state.
  mutating func meanAfter(of host: Int) -> Interval { finder.value.meanAfter(of: host) }

  /// The number of timers of the state.
  var timerCount: Int { mutating get { timers.count } }

  /// Appends the bounds of the resulting zone.
  ///
  /// - Returns: The number of timers of the zone, including the present.
  mutating func appendZone(to bounds: inout Rows<Int32>) -> Int {
    bounds.append(after.bounds, from: 0, count: after.size &* after.size)
    return after.size
  }

  /// Returns the position of the timer that an action waits for, or 0 if it waits for none.
  private func position(of action: ClientAction) -> Int {
    let kind: ZoneTimer.Kind
    switch action.kind {
    case .backoffOver: kind = .backoff
    case .attemptExpired: kind = .attempt
    case .unusedExpired: kind = .unused
    default: return 0
    }
    for position in 0..<timers.count
    where timers[position].kind == kind && timers[position].host == Int(action.host) {
      return position + 1
    }
    return 0
  }
}
