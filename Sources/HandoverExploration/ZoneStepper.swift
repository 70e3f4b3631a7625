import HandoverMachines

/// Lets acts happen in a zone of a state: whether they can, what breaks, and the zone that comes
/// out.
struct ZoneStepper: ~Copyable {
  enum Outcome {
    /// Another timer is always due before the act's.
    case impossible
    case broken(Breach)
    /// To the zone that stands in `after`, of the finder's state.
    case led
  }

  let finder: Fixed<SuccessorFinder>
  private let witness: Fixed<TimerWitness>
  /// The timers of the state, in the order of zones.
  private(set) var timers = Rows<ZoneTimer>()
  private var timersAfter = Rows<ZoneTimer>()
  private var origins = Rows<TimerOrigin>()
  /// What is known of them.
  var zone = Zone()
  /// What is known of them when an act's timer is due.
  private var instant = Zone()
  /// What is known after the act that happened last.
  private(set) var after = Zone()

  init(_ setup: ExplorationSetup) {
    finder = Fixed(SuccessorFinder(setup))
    witness = Fixed(TimerWitness(setup))
  }

  /// Reads the form of a state; its zone is whoever calls to give.
  mutating func read(_ bytes: borrowing FormBytes, at start: Int) {
    finder.value.read(bytes, at: start)
    ZoneClock.list(finder.value.base.value, at: CanonicalForm.present, into: &timers)
    ZoneClock.setAll(timers, of: &finder.value.base.value)
    finder.value.settle()
  }

  /// Lets an act happen in the zone.
  mutating func happen(_ act: Act) -> Outcome {
    let timer = place(of: act)
    if timer > 0, !instant.become(zone, whereDue: timer) { return .impossible }
    if let breach = finder.value.happen(act) { return .broken(breach) }
    let breach =
      timer > 0
      ? witness.value.check(act, &finder.value, timers, instant, timer)
      : witness.value.check(act, &finder.value, timers, zone, timer)
    if let breach { return .broken(breach) }
    ZoneClock.list(finder.value.after.value, at: CanonicalForm.present, into: &timersAfter)
    origins.removeAll()
    for place in 0..<timersAfter.count {
      origins.append(ZoneClock.origin(timersAfter[place].due))
    }
    if timer > 0 {
      after.become(instant, after: origins)
    } else {
      after.become(zone, after: origins)
    }
    return .led
  }

  // Lent to be changed, as those of the finder are.

  /// How many acts can happen.
  var actCount: Int { mutating get { finder.value.actCount } }

  /// One of them.
  mutating func act(_ index: Int) -> Act { finder.value.act(index) }

  /// Appends the form of the state that came out.
  mutating func writeForm(into bytes: inout FormBytes) { finder.value.writeForm(into: &bytes) }

  /// The mean delay of a host in it.
  mutating func meanAfter(of host: Int) -> Interval { finder.value.meanAfter(of: host) }

  /// How many timers the state has.
  var timerCount: Int { mutating get { timers.count } }

  /// Appends the bounds of the zone that came out.
  ///
  /// - Returns: how many timers it has, the present included.
  mutating func appendZone(to bounds: inout Rows<Int32>) -> Int {
    bounds.append(after.bounds, from: 0, count: after.size &* after.size)
    return after.size
  }

  /// The place of the timer that an act waits for; 0 for an act that may happen at any time.
  private func place(of act: Act) -> Int {
    let kind: ZoneTimer.Kind
    switch act.kind {
    case .backoffOver: kind = .backoff
    case .attemptExpired: kind = .attempt
    case .unusedExpired: kind = .unused
    default: return 0
    }
    for place in 0..<timers.count
    where timers[place].kind == kind && timers[place].host == Int(act.host) {
      return place + 1
    }
    return 0
  }
}
