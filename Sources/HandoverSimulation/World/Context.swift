import HandoverCore
import HandoverTrace

/// What every part of a world works with: the script, the clock, the device, what is still to
/// happen, and where it is recorded.
///
/// The parts never see one another unless they are handed in; this is what they share.
struct Context: ~Copyable {
  /// Only a network on its own adds to it while it runs.
  var script: Script
  var profile: Profile

  var now: Instant
  var steps: Int
  /// How many connections faults and moves of the device have looked at.
  ///
  /// They count a little, so that a run stays within its limits however many faults meet however
  /// many connections.
  var looks: Int
  var device: Device

  /// What will happen, and must happen before the run is over.
  var agenda: Agenda<ScheduledEvent>
  /// What happens again and again: the messages of endless streams.
  var periodic: Agenda<ScheduledEvent>
  /// In which order things happen at one instant, where that is not the usual one; nil where it is.
  var turns: InstantTurns?
  /// Whether the script asks for the usual order.
  private var isInUsualOrder: Bool
  /// The callbacks under way, where they do not always come before what the transports tell.
  var callbacks: Agenda<ScheduledEvent>
  /// When the idle threads of each pool are looked at, by the pool's index.
  var collections: Agenda<UInt32>
  /// Whether the fault at an index of the timeline has had an effect.
  var faultsWithEffect: ContiguousArray<Bool>
  /// What was recorded last, and is not in the trace yet: to add to a log costs a third of what it
  /// costs to add to an array that may be shared.
  private(set) var records: EffectLog<TraceRecord>
  private var writtenTrace: Trace

  init() {
    script = Script()
    profile = .sockets
    now = .zero
    steps = 0
    looks = 0
    device = Device(script.initial)
    agenda = Agenda()
    periodic = Agenda()
    callbacks = Agenda()
    collections = Agenda()
    turns = nil
    isInUsualOrder = true
    faultsWithEffect = []
    records = EffectLog(reserving: 32)
    writtenTrace = Trace()
  }

  /// A copy, with a trace that knows the same channels and has no records.
  init(copying other: borrowing Context) {
    script = other.script
    profile = other.profile
    now = other.now
    steps = other.steps
    looks = other.looks
    device = other.device
    agenda = other.agenda.clone()
    periodic = other.periodic.clone()
    callbacks = other.callbacks.clone()
    collections = other.collections.clone()
    turns = other.turns
    isInUsualOrder = other.isInUsualOrder
    faultsWithEffect = other.faultsWithEffect
    records = EffectLog(reserving: 0)
    writtenTrace = Trace()
  }

  /// Begins a run of a script; the room of the run before is used again.
  mutating func open(_ script: Script, _ profile: Profile) {
    self.script = script
    self.profile = profile
    isInUsualOrder = configuration.order.isUsual
    restart()
  }

  /// Begins the same run anew.
  mutating func restart() {
    now = .zero
    steps = 0
    looks = 0
    device = Device(script.initial)
    agenda.removeAll()
    periodic.removeAll()
    callbacks.removeAll()
    collections.removeAll()
    if isInUsualOrder {
      if turns != nil { turns = nil }
    } else {
      turns = InstantTurns(configuration.order, seed: configuration.seed)
    }
    faultsWithEffect.fill(false, count: script.entries.count)
  }

  /// The settings of the run.
  var configuration: RunConfiguration {
    @inline(__always) _read { yield script.configuration }
  }

  /// The steps and, as some more of them, the looks.
  var allSteps: Int { steps + looks / RunLimits.looksOfStep }

  /// Whether the run may go on; asked before each step, so that nothing is divided for it.
  var isWithinLimits: Bool {
    steps * RunLimits.looksOfStep + looks < RunLimits.maximumSteps * RunLimits.looksOfStep
      && records.holdsFewer(than: RunLimits.maximumRecords - writtenTrace.count)
  }

  /// The path that a new connection to a host takes; nil where there is none.
  @inline(__always)
  func route(to host: UInt32) -> PathIndex? {
    script.networks.isEmpty ? device.path : script.route(to: Int(host), on: device)
  }

  // MARK: Records

  @inline(__always)
  mutating func record(_ fact: WorldFact) { append(.world(fact)) }

  /// Says which connection it came over that a server reads next, where somebody asks: a call may
  /// have been sent on several.
  mutating func tellWay(_ connection: ConnectionID?) {
    guard script.configuration.tellsWays, let connection else { return }
    record(.cameOver(connection))
  }

  @inline(__always)
  mutating func append(_ body: TraceRecord.Body) {
    records.append(TraceRecord(at: now, body: body))
  }

  /// Everything recorded, in its order.
  var trace: Trace {
    mutating _read {
      writeRecords()
      yield writtenTrace
    }
    _modify {
      writeRecords()
      yield &writtenTrace
    }
  }

  /// What the records refer to beside themselves: the trace, without the latest of them.
  var references: Trace {
    @inline(__always) _read { yield writtenTrace }
  }

  private mutating func writeRecords() {
    guard !records.isEmpty else { return }
    writtenTrace.append(contentsOf: records)
    records.removeAll()
  }

  /// Hands out what was recorded since the last time, and forgets it.
  mutating func takeRecords(_ body: (borrowing EffectLog<TraceRecord>) -> Void) {
    if writtenTrace.count > 0 {
      writeRecords()
      for record in writtenTrace.records { records.append(record) }
      writtenTrace.removeRecords()
    }
    body(records)
    records.removeAll()
  }

  /// Schedules what happens in the turn of the transports.
  @inline(__always)
  @discardableResult
  mutating func schedule(
    _ event: ScheduledEvent, after delay: Interval = .zero
  ) -> Agenda<ScheduledEvent>.Handle {
    agenda.schedule(event, at: now + delay, .transport)
  }

  /// Schedules what reaches the monitor: on the agenda, or on one of its own where turns are not
  /// usual.
  mutating func scheduleCallback(_ event: ScheduledEvent, after delay: Interval) {
    if turns == nil {
      agenda.schedule(event, at: now + delay, .callback)
    } else {
      callbacks.schedule(event, at: now + delay, .callback)
    }
  }

  /// A fault had an effect; the first one is told.
  ///
  /// Mostly there is no fault.
  @inline(__always)
  mutating func markEffect(of cause: UInt32?) {
    if let cause { markEffect(ofFault: cause) }
  }

  private mutating func markEffect(ofFault cause: UInt32) {
    guard !faultsWithEffect[Int(cause)] else { return }
    faultsWithEffect[Int(cause)] = true
    record(.faultTookEffect(cause))
  }
}

/// How much one run may do.
enum RunLimits {
  /// How many steps a run may take before it is ended, and how many records it may make.
  static let maximumSteps = 2_000_000
  static let maximumRecords = 1_000_000
  /// How many looks at connections count as a step.
  static let looksOfStep = 48
}
