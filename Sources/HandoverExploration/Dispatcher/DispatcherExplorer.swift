import HandoverDispatcher
import HandoverMachines

/// A shortest way to a rule that a dispatcher broke.
package struct DispatcherCounterexample: Hashable, Sendable {
  /// What happened, in order; the last act broke the rule.
  package var acts: [DispatcherAct]
  /// What was broken.
  package var breach: DispatcherBreach
}

/// What came of the exploration of a dispatcher.
package enum DispatcherVerdict: Hashable, Sendable {
  /// Every state that can be reached was seen, the rules hold in all of them, and from each every
  /// request ends.
  case closed
  /// A rule is broken: a shortest sequence.
  case broken(DispatcherCounterexample)
  /// It was stopped, and what it has seen keeps the rules: that proves nothing.
  case stopped(ExplorationVerdict.Stop)
}

/// Walks the whole state space of a dispatcher, breadth first, before a platform that may do
/// anything with what it has.
///
/// Time is in small fixed constants: time-outs of two units, deadlines and pauses of one. It passes
/// unit by unit, so that everything between two units is one instant in any order.
package struct DispatcherExplorer: ~Copyable {
  struct State {
    var dispatcher: EndpointDispatcher
    var model: DispatcherModel
    var now: Instant
  }

  private let setup: DispatcherSetup
  private let shapes: [DispatcherSetup.Shape]
  private let visited = VisitedStates()
  private var parents: ContiguousArray<UInt32> = []
  private var ways: ContiguousArray<DispatcherAct> = []
  private var level: [(state: State, number: UInt32)] = []
  private var next: [(state: State, number: UInt32)] = []
  private var place = 0
  private var log = EffectLog<DispatcherEffect>(reserving: 64)
  private var found: DispatcherCounterexample?
  /// How far it has come.
  package private(set) var figures = ExplorationFigures()

  /// Makes an exploration that has seen nothing.
  package init(_ setup: DispatcherSetup) {
    self.setup = setup
    shapes = setup.shapes
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// Once it was stopped, it goes on where it was.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - goesOn: is asked every few thousand transitions whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> DispatcherVerdict {
    if parents.isEmpty { begin() }
    while !level.isEmpty {
      if let depth = limits.depth, figures.depth >= depth { return .stopped(.depth) }
      while place < level.count {
        expand(level[place].state, level[place].number)
        place += 1
        if let found { return .broken(found) }
        if figures.states > limits.states { return .stopped(.states) }
        if place & 255 == 0, !goesOn(figures) { return .stopped(.fromOutside) }
      }
      guard !next.isEmpty else { break }
      level = next
      next = []
      place = 0
      figures.depth += 1
      figures.frontier = level.count
      figures.widest = max(figures.widest, figures.frontier)
      if !goesOn(figures) { return .stopped(.fromOutside) }
    }
    return .closed
  }

  private mutating func begin() {
    let state = State(
      dispatcher: setup.makeDispatcher(), model: DispatcherModel(setup), now: .zero)
    remember(state, from: .max, by: DispatcherAct(.timePasses))
    swap(&level, &next)
    figures.frontier = level.count
    figures.widest = level.count
  }

  private mutating func expand(_ base: borrowing State, _ number: UInt32) {
    for act in acts(in: base) {
      figures.transitions += 1
      var state = State(dispatcher: base.dispatcher, model: base.model, now: base.now)
      if let breach = Self.play(act, &state, shapes, &log) {
        note(number, act, breach)
      } else {
        remember(state, from: number, by: act)
      }
      if found != nil { return }
    }
  }

  // MARK: Acts

  /// Everything that may happen next.
  func acts(in state: borrowing State) -> [DispatcherAct] {
    var acts: [DispatcherAct] = []
    let requests = state.model.requests
    if requests.count < setup.requests {
      for endpoint in 0..<setup.endpoints {
        for shape in shapes.indices { acts.append(DispatcherAct(.arrives, endpoint, shape)) }
      }
    }
    for (place, request) in requests.enumerated() {
      switch request.phase {
      case .running, .exempt, .frozen:
        for kind in [DispatcherAct.Kind.finished, .failed, .notStarted] {
          acts.append(DispatcherAct(kind, place))
        }
        if !request.hasResponse, !request.polls { acts.append(DispatcherAct(.responded, place)) }
        if request.polls, request.phase == .running {
          acts.append(DispatcherAct(.pollAnswered, place))
        }
      case .arriving, .waiting, .held, .resting:
        break
      }
      acts.append(DispatcherAct(.cancelled, place))
    }
    if setup.isFull {
      for endpoint in 0..<setup.endpoints {
        acts.append(DispatcherAct(.connectionsLost, endpoint))
        let hasBudget = state.model.endpoints[endpoint].hasBudget
        acts.append(
          hasBudget
            ? DispatcherAct(.noBudget, endpoint)
            : DispatcherAct(.budget, endpoint, Int(setup.limits.total) + 1))
      }
      let long = state.model.limits.long
      acts.append(DispatcherAct(.longLimit, long == setup.limits.long ? 0 : Int(setup.limits.long)))
    }
    if state.dispatcher.nextDeadline != nil { acts.append(DispatcherAct(.timePasses)) }
    return acts
  }

  /// Lets an act happen, and checks it.
  static func play(
    _ act: DispatcherAct, _ state: inout State, _ shapes: [DispatcherSetup.Shape],
    _ log: inout EffectLog<DispatcherEffect>
  ) -> DispatcherBreach? {
    let subject = Int(act.subject)
    let endpoint = EndpointID(index: UInt32(act.subject))
    var id: RequestID?
    var prediction: Admission?
    log.removeAll()
    let event: EndpointDispatcher.Event
    switch act.kind {
    case .arrives:
      let request = state.dispatcher.nextRequestID
      id = request
      let shape = shapes[Int(act.detail)]
      prediction = state.dispatcher.prediction(for: shape.kind, on: endpoint, policy: shape.policy)
      event = .requestArrived(request, endpoint, shape.settings(at: state.now))
    case .responded, .pollAnswered, .finished, .failed, .notStarted, .cancelled:
      let request = state.model.requests[subject].id
      id = request
      event = Self.event(act.kind, request)
    case .connectionsLost: event = .connectionsLost(endpoint)
    case .budget: event = .streamBudgetAnnounced(endpoint, streams: UInt32(act.detail))
    case .noBudget: event = .streamBudgetWithdrawn(endpoint)
    case .longLimit:
      guard let limits = try? state.model.limits.settingLong(UInt32(act.subject)) else {
        return nil
      }
      event = .limitsChanged(limits)
    case .timePasses:
      state.now = state.now + DispatcherSetup.unit
      event = .timeElapsed
    }
    state.dispatcher.step(event, at: state.now, into: &log)
    return DispatcherRules.check(
      act, id, predicted: prediction, &state.model, state.dispatcher, log)
  }

  private static func event(
    _ kind: DispatcherAct.Kind, _ request: RequestID
  ) -> EndpointDispatcher.Event {
    switch kind {
    case .responded: .responded(request)
    case .pollAnswered: .pollAnswered(request)
    case .failed: .failed(request, code: -1_004)
    case .notStarted: .notStarted(request)
    case .cancelled: .cancelled(request)
    default: .finished(request)
    }
  }

  // MARK: States

  /// What tells states apart that go on differently.
  func digest(_ state: borrowing State) -> StateDigest {
    var digest = StateDigest(at: state.now)
    state.model.combine(into: &digest)
    state.dispatcher.combineNameless(
      into: &digest, leavesOutStarts: setup.defects != DispatcherDefects([.missedWakeUp])
    ) { state.model.word(of: $0) }
    return digest
  }

  private mutating func remember(
    _ state: State, from parent: UInt32, by act: DispatcherAct
  ) {
    guard visited.insert(digest(state)) else { return }
    figures.states += 1
    let number = UInt32(truncatingIfNeeded: parents.count)
    parents.append(parent)
    ways.append(act)
    if let breach = Self.heal(state, shapes, &log) { note(parent, act, breach) }
    next.append((state, number))
  }

  /// Lets every request that runs be finished, first come first, until none is left.
  ///
  /// - Returns: what keeps one from ending.
  private static func heal(
    _ state: State, _ shapes: [DispatcherSetup.Shape], _ log: inout EffectLog<DispatcherEffect>
  ) -> DispatcherBreach? {
    var state = state
    for _ in 0..<4 * (state.model.requests.count + 1) {
      guard !state.model.requests.isEmpty else { return nil }
      let place = state.model.requests.firstIndex {
        $0.phase == .running || $0.phase == .exempt
      }
      // A stream that is made of short requests, or frozen at the platform, ends by its user.
      let others = state.model.requests.firstIndex {
        $0.phase == .resting || $0.phase == .frozen
      }
      let act: DispatcherAct
      if let place {
        act = DispatcherAct(.finished, place)
      } else if let others {
        act = DispatcherAct(.cancelled, others)
      } else if state.model.limits.long == 0 {
        // No long request may run; who waits all the same is withdrawn.
        act = DispatcherAct(.cancelled, 0)
      } else {
        return .starves
      }
      // Whatever else that breaks is found as an act of its own.
      if play(act, &state, shapes, &log) != nil { return nil }
    }
    return .starves
  }

  private mutating func note(
    _ state: UInt32, _ last: DispatcherAct, _ breach: DispatcherBreach
  ) {
    var acts = [last]
    var state = state
    while state != .max, parents[Int(state)] != .max {
      acts.append(ways[Int(state)])
      state = parents[Int(state)]
    }
    found = found ?? DispatcherCounterexample(acts: acts.reversed(), breach: breach)
  }
}
