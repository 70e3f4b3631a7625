@testable import HandoverCore

/// Generates random events, sends them to the dispatcher and the model, and compares the two after
/// each event.
struct DispatcherPlayer: ~Copyable {
  private static let endpointCount = 2
  private static let keys = (0..<endpointCount).compactMap {
    EndpointKey(host: "host\($0).example", port: 80)
  }
  private var generator: SeededGenerator
  private var machine: EndpointDispatcher
  private var model: NaiveDispatcher
  private var log = EffectLog<DispatcherEffect>()
  private var now = Instant.zero
  /// The last requests, including ended ones, because events may come late.
  private var known: [RequestID] = [request(0)]
  private var watch = DispatcherWatch(endpointCount: endpointCount)
  private var reported: [(event: EndpointDispatcher.Event, at: Instant)] = []
  private let configuration: DispatcherConfiguration

  init(_ seed: SeededGenerator, defect: DispatcherDefect? = nil) throws {
    generator = seed
    let total = UInt32(generator.next(upToAndIncluding: 3) + 1)
    let long = UInt32(generator.next(upToAndIncluding: UInt64(total)))
    configuration = DispatcherConfiguration(
      limits: try ConnectionLimits(total: total, long: long),
      policy: Self.drawPolicy(&generator),
      chargesWaiting: generator.next(upToAndIncluding: 3) == 0,
      defects: DispatcherDefects(defect.map { [$0] } ?? []))
    machine = EndpointDispatcher(configuration)
    model = NaiveDispatcher(configuration, endpoints: Self.endpointCount)
    for key in Self.keys { _ = machine.register(key) }
  }

  /// The events so far, formatted for the report of a failure.
  var story: String {
    "\(configuration)\n"
      + reported.map { "\($0.at.text) \($0.event)" }.joined(separator: "\n")
  }

  mutating func play(upTo steps: UInt64) throws {
    for _ in 0...generator.next(upToAndIncluding: steps - 1) {
      passTime()
      try send(draw())
      if generator.next(upToAndIncluding: 7) == 0 { try compare() }
    }
    try compare()
  }

  /// Lets everything end, with room for all requests, and checks that nothing is left.
  mutating func drain() throws {
    for index in 0..<Self.endpointCount {
      try send(.streamBudgetWithdrawn(EndpointID(index: UInt32(index))))
    }
    try send(.limitsChanged(model.limits.settingLong(model.limits.total)))
    var bound = model.requests.count * 4 + 4
    while !model.requests.isEmpty {
      guard bound > 0 else { throw Refusal("something never ends") }
      bound -= 1
      if let request = model.requests.first(where: \.isWithTransport) {
        try send(.finished(request.id))
      } else {
        now = max(now, model.nextDeadline ?? now)
        try send(.timeElapsed)
      }
    }
    guard machine.nextDeadline == nil, machine.unfinishedCount == 0, watch.open.isEmpty else {
      throw Refusal("something is left behind")
    }
    guard machine.rowCount <= watch.mostOpen else { throw Refusal("a row is never used again") }
  }

  // MARK: Sending and comparing

  private mutating func send(_ event: EndpointDispatcher.Event) throws {
    reported.append((event, now))
    var predicted: Admission?
    if case .requestArrived(let id, let endpoint, let settings) = event {
      try watch.arrive(id)
      remember(id)
      predicted = machine.prediction(for: settings.kind, on: endpoint, policy: settings.policy)
    }
    log.removeAll()
    machine.step(event, at: now, into: &log)
    let expected = model.step(event, at: now)
    let effects = log.elements
    guard effects == expected else { throw Refusal("gave \(effects), expected \(expected)") }
    for effect in effects { try watch.see(effect, in: machine) }
    try watch.check(predicted, against: effects)
  }

  /// Compares the state that effects reveal only later.
  private mutating func compare() throws {
    for index in 0..<Self.endpointCount {
      let endpoint = EndpointID(index: UInt32(index))
      let (usage, expected) = (machine.usage(of: endpoint), model.usage(index))
      guard usage == expected else { throw Refusal("has \(usage), expected \(expected)") }
      let frozen = machine.requests.line(.frozen, on: UInt32(index)).count
      try watch.checkWaiting(usage, frozenByPlatform: frozen)
      guard machine.holders(of: endpoint) == model.holders(index) else {
        throw Refusal("others hold the slots")
      }
    }
    guard machine.nextDeadline == model.nextDeadline else { throw Refusal("another deadline") }
    guard machine.unfinishedCount == model.requests.count else { throw Refusal("another count") }
    let id = drawKnown()
    guard machine.position(of: id) == model.position(of: id) else {
      throw Refusal("another position of \(id)")
    }
  }

  private mutating func remember(_ id: RequestID) {
    known.append(id)
    if known.count > 10 { known.removeFirst() }
  }

  // MARK: Random choices

  /// Advances the time: not at all, slightly, or past some deadlines; in fixed steps, so that some
  /// coincide.
  private mutating func passTime() {
    switch generator.next(upToAndIncluding: 9) {
    case 0: now = max(now, model.nextDeadline ?? now)
    case 1: now = now + .milliseconds(500 * Int64(generator.next(upToAndIncluding: 6)))
    default: break
    }
  }

  private mutating func drawKnown() -> RequestID {
    known[Int(generator.next(upToAndIncluding: UInt64(known.count - 1)))]
  }

  private mutating func draw() throws -> EndpointDispatcher.Event {
    let endpoint = EndpointID(index: UInt32(generator.next(upToAndIncluding: 1)))
    switch generator.next(upToAndIncluding: 31) {
    case 0...12:
      return .requestArrived(machine.nextRequestID, endpoint, drawSettings())
    case 13...16:
      return .finished(drawKnown())
    case 17:
      return .failed(drawKnown(), code: -1001)
    case 18:
      return .notStarted(drawKnown())
    case 19, 20:
      return .responded(drawKnown())
    case 21, 22:
      return .pollAnswered(drawKnown())
    case 23...25:
      return .cancelled(drawKnown())
    case 26:
      return .connectionsLost(endpoint)
    case 27:
      let total = UInt64(model.limits.total)
      return .limitsChanged(
        try model.limits.settingLong(UInt32(generator.next(upToAndIncluding: total))))
    case 28:
      return .streamBudgetAnnounced(
        endpoint, streams: UInt32(generator.next(upToAndIncluding: 6)))
    case 29:
      return .streamBudgetWithdrawn(endpoint)
    case 30 where generator.next(upToAndIncluding: 9) == 0:
      return .closed
    default:
      return .timeElapsed
    }
  }

  private mutating func drawSettings() -> RequestSettings {
    let kinds: [RequestKind] = [.short, .short, .short, .synchronous, .long, .long, .long, .exempt]
    let timeouts: [Interval] = [.seconds(2), .seconds(2), .seconds(5), .zero, .seconds(-1)]
    var settings = RequestSettings(kinds[Int(generator.next(upToAndIncluding: 7))])
    settings.timeout = timeouts[Int(generator.next(upToAndIncluding: 4))]
    if generator.next(upToAndIncluding: 4) == 0 {
      settings.deadline = now + .milliseconds(500 * Int64(generator.next(upToAndIncluding: 8)))
    }
    if generator.next(upToAndIncluding: 4) == 0 { settings.policy = Self.drawPolicy(&generator) }
    return settings
  }

  private static func drawPolicy(_ generator: inout SeededGenerator) -> LongLimitPolicy {
    let policies: [LongLimitPolicy] = [
      .throw, .fail, .enqueue, .ignore, .takeSpare, .poll(every: .seconds(1)),
    ]
    return policies[Int(generator.next(upToAndIncluding: 5))]
  }
}
