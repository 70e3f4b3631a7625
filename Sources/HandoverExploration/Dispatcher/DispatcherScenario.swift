package import HandoverCore
package import HandoverScenario

/// The counterexample of a dispatcher as a scenario file; callers run it before they show it.
///
/// A unit of the exploration is one second. A server answers at the time at which the exploration
/// finished the request. Events that no server can cause are omitted, such as a request that the
/// transport could not start.
package struct DispatcherScenario: Hashable, Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// The text of the file.
  package var text: String { scenario.text }

  /// Creates the scenario of a counterexample.
  package init(
    _ counterexample: DispatcherCounterexample, _ setup: DispatcherSetup, on profile: Profile
  ) {
    var path = DispatcherPath(setup)
    path.play(counterexample)
    if counterexample.violation == .waitsDespiteFreeSlot {
      path.expectRunning(after: counterexample)
    }
    scenario = path.scenario(counterexample.violation, profile)
  }
}

private struct DispatcherPath {
  private struct Request {
    var endpoint: Int
    var shape: DispatcherSetup.Shape
    var arrived: Instant
    var began: Instant?
    var responds: Interval?
    var takes: Interval?
    var cancelled: Instant?
  }

  private let setup: DispatcherSetup
  private var entries: [ScriptEntry] = []
  private var requests: [Request] = []
  private var positions: [RequestID: Int] = [:]  // lookup only
  private var hasBudget = false
  private var isOnWiFi = true

  /// The number of requests per endpoint that a correct dispatcher runs at the end, and the instant
  /// of the end.
  ///
  /// The array is empty if the violation does not concern a free slot.
  private var running: [Int] = []
  private var end = Instant.zero

  init(_ setup: DispatcherSetup) { self.setup = setup }

  /// Computes which requests a correct dispatcher runs at the end.
  ///
  /// A dispatcher without the injected bug behaves identically up to the last action, and then
  /// starts every request that may run.
  mutating func expectRunning(after counterexample: DispatcherCounterexample) {
    var right = setup
    right.defects = []
    var log = EffectLog<DispatcherEffect>()
    var state = DispatcherState(right)
    for action in counterexample.actions {
      _ = state.play(action, &log)
    }
    let model = state.model
    running = (0..<setup.endpoints).map {
      model.count(on: UInt32(truncatingIfNeeded: $0), where: \.holdsSlot)
    }
    end = state.now
  }

  mutating func play(_ counterexample: DispatcherCounterexample) {
    var log = EffectLog<DispatcherEffect>()
    var state = DispatcherState(setup)
    for action in counterexample.actions {
      let subject = Int(action.subject)
      let known = subject < state.model.requests.count ? state.model.requests[subject].id : nil
      if action.kind == .arrives { positions[state.dispatcher.nextRequestID] = requests.count }
      write(action, known.flatMap { positions[$0] }, state)
      _ = state.play(action, &log)
      for request in state.model.requests where request.holdsSlot || request.phase == .exempt {
        guard let position = positions[request.id] else { continue }
        requests[position].began = requests[position].began ?? state.now
      }
    }
  }

  // long: a flat switch with a few lines per action
  private mutating func write(
    _ action: DispatcherAction, _ request: Int?, _ state: DispatcherState
  ) {
    let (subject, now) = (Int(action.subject), state.now)
    func add(_ action: ScriptAction) { entries.append(ScriptEntry(at: now, action: action)) }
    func since(_ start: Instant?) -> Interval {
      Interval(microseconds: now.microseconds - (start ?? now).microseconds)
    }
    switch action.kind {
    case .arrives:
      add(.request(requests.count))
      requests.append(
        Request(endpoint: subject, shape: state.model.shapes[Int(action.detail)], arrived: now))
    case .finished, .pollAnswered:
      if let request { requests[request].takes = since(requests[request].began) }
    case .responded:
      if let request { requests[request].responds = since(requests[request].began) }
    case .failed:
      guard let request else { return }
      add(.server(requests[request].endpoint, .reset))
    case .cancelled:
      guard let request else { return }
      requests[request].cancelled = now
      add(.cancelRequest(request))
    case .connectionsLost:
      isOnWiFi.toggle()
      add(.flags(isOnWiFi ? .wifi : .cellular))
    case .budget:
      hasBudget = true
    case .longLimit:
      add(.dispatcher(0, .setLongLimit(UInt32(clamping: subject))))
    case .notStarted, .noBudget, .timePasses:
      break
    }
  }

  func scenario(_ violation: DispatcherViolation, _ profile: Profile) -> Scenario {
    var script = Script()
    script.hosts = (0..<setup.endpoints).map { endpoint in
      ScriptHost(
        written: "host-\(endpoint + 1).example:80",
        streams: hasBudget ? setup.limits.total + 1 : nil)
    }
    script.configuration.requests.limits = setup.limits
    script.configuration.until = .zero + .minutes(60)
    script.requests = requests.enumerated().map(scriptRequest)
    script.entries = ContiguousArray(entries)
    return Scenario(
      id: "explored/dispatcher-rule-\(violation.rule.rawValue)",
      title: "Invariant \(violation.rule.rawValue) is violated: \(violation.rule.sentence)",
      profile: profile,
      script: script, expectations: expectations)
  }

  /// The expectations that a correct dispatcher meets: cancelled requests end, and no request
  /// outlives its time.
  private var expectations: [Expectation] {
    running.enumerated().map { endpoint, count in
      var wanted = RequestsExpectation()
      wanted.running = count
      return Expectation(.requests(.one(endpoint), wanted), .at(end))
    } + ends
  }

  private var ends: [Expectation] {
    requests.indices.compactMap { index in
      let request = requests[index]
      let isBounded = request.shape.kind == .synchronous || request.shape.deadline != nil
      let latest =
        request.cancelled.map { $0 + .seconds(1) }
        ?? (isBounded ? request.arrived + .seconds(3) : nil)
      return latest.map { Expectation(.request(index, RequestExpectation()), .before($0)) }
    }
  }

  private func scriptRequest(_ index: Int, _ request: Request) -> ScriptRequest {
    let takes = request.takes ?? .seconds(30)
    let responds = request.responds.flatMap { $0 <= takes ? $0 : nil }
    return ScriptRequest(
      id: "request-\(index + 1)", host: request.endpoint, kind: request.shape.kind, takes: takes,
      responds: responds ?? (request.takes == nil ? .seconds(30) : .zero),
      timeout: DispatcherSetup.Shape.interval(request.shape.timeout),
      deadline: request.shape.deadline.map(DispatcherSetup.Shape.interval),
      policy: request.shape.policy)
  }
}
