import HandoverBackend
import HandoverCore

/// The state that all parts of a world share: the script, the clock, the device, the scheduled
/// events and the trace.
///
/// The parts have no references to each other. They are passed as arguments if needed.
struct Context: ~Copyable {
  /// The script.
  ///
  /// Only a network without a client adds to it during a run.
  var script: Script
  var profile: Profile

  var now: Instant
  var steps: Int
  /// The number of connections that faults and network changes have examined.
  ///
  /// Each examination counts as a fraction of a step. Therefore a run stays within its limits even
  /// if many faults examine many connections.
  var looks: Int
  /// The device and its networks, which decide what entries about them mean.
  var timeline: DeviceTimeline

  /// The events that must happen before the run ends.
  var agenda: Agenda<ScheduledEvent>
  /// The periodic events, such as the messages of endless streams.
  var periodic: Agenda<ScheduledEvent>
  /// The order of events within an instant, or `nil` if the order is the usual one.
  var turns: TieBreaker?
  /// Whether the script uses the usual order.
  private var isInUsualOrder: Bool
  /// The callbacks in transit, if they do not always precede the reports of the transports.
  var callbacks: Agenda<ScheduledEvent>
  /// The scheduled collections of idle threads, by the index of their pool.
  var collections: Agenda<UInt32>
  /// Whether the fault at each index of the timeline has had an effect.
  var faultsWithEffect: ContiguousArray<Bool>
  /// The records, in order.
  var trace: Trace

  init() {
    script = Script()
    profile = .sockets
    now = .zero
    steps = 0
    looks = 0
    timeline = DeviceTimeline(script)
    agenda = Agenda()
    periodic = Agenda()
    callbacks = Agenda()
    collections = Agenda()
    turns = nil
    isInUsualOrder = true
    faultsWithEffect = []
    trace = Trace()
  }

  /// Creates a copy whose trace is empty.
  init(copying other: borrowing Context) {
    script = other.script
    profile = other.profile
    now = other.now
    steps = other.steps
    looks = other.looks
    timeline = other.timeline
    agenda = other.agenda.clone()
    periodic = other.periodic.clone()
    callbacks = other.callbacks.clone()
    collections = other.collections.clone()
    turns = other.turns
    isInUsualOrder = other.isInUsualOrder
    faultsWithEffect = other.faultsWithEffect
    trace = Trace()
  }

  /// Begins a run of a script, and reuses the memory of the previous run.
  mutating func open(_ script: Script, _ profile: Profile) {
    self.script = script
    self.profile = profile
    isInUsualOrder = configuration.order.isDefault
    restart()
  }

  /// Restarts the same run.
  mutating func restart() {
    now = .zero
    steps = 0
    looks = 0
    timeline = DeviceTimeline(script)
    agenda.removeAll()
    periodic.removeAll()
    callbacks.removeAll()
    collections.removeAll()
    if isInUsualOrder {
      if turns != nil { turns = nil }
    } else {
      turns = TieBreaker(configuration.order, seed: configuration.seed)
    }
    faultsWithEffect.fill(false, count: script.entries.count)
  }

  /// The state of the device.
  var device: Device {
    @inline(__always) _read { yield timeline.device }
    @inline(__always) _modify { yield &timeline.device }
  }

  /// The settings of the run.
  var configuration: RunConfiguration {
    _read { yield script.configuration }
  }

  /// The number of steps, plus the steps that correspond to the examined connections.
  var allSteps: Int { steps + looks / RunLimits.checksPerStep }

  /// Whether the run is within its limits.
  ///
  /// Checked before each step, so it avoids a division.
  var isWithinLimits: Bool {
    steps * RunLimits.checksPerStep + looks < RunLimits.maximumSteps * RunLimits.checksPerStep
      && trace.count < RunLimits.maximumRecords
  }

  /// Returns the path that a new connection to a host takes, or `nil` if there is none.
  func route(to host: UInt32) -> PathIndex? {
    script.networks.isEmpty ? device.path : script.route(to: Int(host), on: device)
  }

  // MARK: Records

  mutating func record(_ fact: WorldFact) { append(.world(fact)) }

  /// Records which connection carried the data that a server reads next, if the script requests it.
  ///
  /// A call may have been sent on several connections.
  mutating func recordConnection(_ connection: ConnectionID?) {
    guard script.configuration.recordsConnections, let connection else { return }
    record(.cameOver(connection))
  }

  mutating func append(_ body: TraceRecord.Body) {
    trace.append(body, at: now)
  }

  /// Schedules an event in the transport phase.
  @discardableResult
  mutating func schedule(
    _ event: ScheduledEvent, after delay: Interval = .zero
  ) -> Agenda<ScheduledEvent>.Handle {
    agenda.schedule(event, at: now + delay, .transport)
  }

  /// Schedules a callback on the agenda or, if the order is not the usual one, on the separate
  /// agenda for callbacks.
  mutating func scheduleCallback(_ event: ScheduledEvent, after delay: Interval) {
    if turns == nil {
      agenda.schedule(event, at: now + delay, .callback)
    } else {
      callbacks.schedule(event, at: now + delay, .callback)
    }
  }

  /// Records that a fault had an effect.
  ///
  /// Only the first effect is recorded.
  ///
  /// In most calls there is no fault.
  mutating func markEffect(of cause: UInt32?) {
    if let cause { markEffect(ofFault: cause) }
  }

  private mutating func markEffect(ofFault cause: UInt32) {
    guard !faultsWithEffect[Int(cause)] else { return }
    faultsWithEffect[Int(cause)] = true
    record(.faultTookEffect(cause))
  }
}

/// The limits of a run.
enum RunLimits {
  /// The maximum number of steps of a run.
  static let maximumSteps = 2_000_000
  /// The maximum number of records of a run.
  static let maximumRecords = 1_000_000
  /// The number of examined connections that count as one step.
  static let checksPerStep = 48
}
