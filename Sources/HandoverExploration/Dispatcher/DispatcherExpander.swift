import HandoverCore

/// Finds the successors of dispatchers, and checks for each new one that its requests can end.
///
/// A state is stored as the actions that lead to it, because a dispatcher cannot be restored in
/// another way. Neighboring states of one depth share most of these actions, so that the expander
/// replays only a few.
final class DispatcherExpander: Expander {
  typealias Violation = DispatcherViolation

  /// A record without quantities: nothing in a dispatcher grows, because its requests are bounded.
  struct Growth: GrowthRecord {
    var sizes: [Int] = []

    init() {}

    mutating func merge(_ other: Growth) {}
  }

  private let setup: DispatcherSetup
  private var log = EffectLog<DispatcherEffect>(reserving: 64)
  /// The actions that were replayed last, with the state before each of them and after the last.
  private var path: ContiguousArray<ActionCode> = []
  private var states: ContiguousArray<DispatcherState>

  init(_ setup: DispatcherSetup) {
    self.setup = setup
    states = [DispatcherState(setup)]
  }

  func begin(into box: ExpansionBatch<DispatcherExpander>) {
    box.found.add(
      formFrom: 0, digest(states[0]), from: .max, by: DispatcherAction(.timePasses).code)
    note(states[0].heal(&log), from: .max, by: DispatcherAction(.timePasses), in: box)
  }

  func expand(
    _ segment: FrontierSegment, _ filter: SeenFilter, into box: ExpansionBatch<DispatcherExpander>
  ) {
    var cursor = FrontierSegment.Cursor()
    while let form = cursor.next(in: segment) {
      go(along: segment.bytes, from: form.start, count: form.length)
      let base = states[states.count - 1]
      for action in actions(in: base) {
        box.found.transitions += 1
        var state = base
        if let violation = state.play(action, &log) {
          box.violations.append(
            BrokenRule(after: box.found, parent: form.number, action.code, violation))
          continue
        }
        let start = box.found.forms.count
        box.found.forms.append(segment.bytes, from: form.start, count: form.length)
        box.found.forms.append([action.code.kind, action.code.first, action.code.second])
        box.found.add(formFrom: start, digest(state), from: form.number, by: action.code)
        guard box.found.keepsLast(filter) else { continue }
        note(state.heal(&log), from: form.number, by: action, in: box)
      }
    }
  }

  /// Replays the actions that lead to a state.
  private func go(along bytes: borrowing FormBytes, from start: Int, count length: Int) {
    let count = length / ActionCode.size
    var shared = 0
    while shared < min(count, path.count),
      path[shared] == ActionCode(bytes, at: start + shared * ActionCode.size)
    { shared += 1 }
    path.removeSubrange(shared...)
    states.removeSubrange((shared + 1)...)
    for position in shared..<count {
      let code = ActionCode(bytes, at: start + position * ActionCode.size)
      var state = states[position]
      if let action = DispatcherAction(code) { _ = state.play(action, &log) }
      path.append(code)
      states.append(state)
    }
  }

  private func note(
    _ violation: DispatcherViolation?, from parent: UInt32, by action: DispatcherAction,
    in box: ExpansionBatch<DispatcherExpander>
  ) {
    guard let violation else { return }
    box.violations.append(
      BrokenRule(after: box.found, concernsSuccessor: true, parent: parent, action.code, violation))
  }

  /// Returns every action that is possible next.
  func actions(in state: DispatcherState) -> [DispatcherAction] {
    var actions: [DispatcherAction] = []
    let requests = state.model.requests
    if requests.count < setup.requests {
      for endpoint in 0..<setup.endpoints {
        for shape in state.model.shapes.indices {
          actions.append(DispatcherAction(.arrives, endpoint, shape))
        }
      }
    }
    for (position, request) in requests.enumerated() {
      switch request.phase {
      case .running, .exempt, .frozen:
        for kind in [DispatcherAction.Kind.finished, .failed, .notStarted] {
          actions.append(DispatcherAction(kind, position))
        }
        if !request.hasResponse, !request.polls {
          actions.append(DispatcherAction(.responded, position))
        }
        if request.polls, request.phase == .running {
          actions.append(DispatcherAction(.pollAnswered, position))
        }
      case .arriving, .waiting, .held, .resting:
        break
      }
      actions.append(DispatcherAction(.cancelled, position))
    }
    if setup.isFull {
      for endpoint in 0..<setup.endpoints {
        actions.append(DispatcherAction(.connectionsLost, endpoint))
        let hasBudget = state.model.endpoints[endpoint].hasBudget
        actions.append(
          hasBudget
            ? DispatcherAction(.noBudget, endpoint)
            : DispatcherAction(.budget, endpoint, Int(setup.limits.total) + 1))
      }
      let long = state.model.limits.long
      actions.append(
        DispatcherAction(.longLimit, long == setup.limits.long ? 0 : Int(setup.limits.long)))
    }
    if state.dispatcher.nextDeadline != nil { actions.append(DispatcherAction(.timePasses)) }
    return actions
  }

  /// Returns a digest that distinguishes states with different future behavior.
  func digest(_ state: DispatcherState) -> StateDigest {
    var digest = StateDigest(at: state.now)
    state.model.combine(into: &digest)
    state.dispatcher.combineUnnamedState(
      into: &digest, leavesOutStarts: setup.defects != DispatcherDefects([.missedWakeUp])
    ) { state.model.word(of: $0) }
    return digest
  }
}

/// A dispatcher, the model that it must match, and the time.
struct DispatcherState {
  var dispatcher: EndpointDispatcher
  var model: DispatcherModel
  var now = Instant.zero

  /// Creates the initial state.
  init(_ setup: DispatcherSetup) {
    dispatcher = setup.makeDispatcher()
    model = DispatcherModel(setup)
  }

  /// Performs an action and checks the invariants.
  mutating func play(
    _ action: DispatcherAction, _ log: inout EffectLog<DispatcherEffect>
  ) -> DispatcherViolation? {
    let subject = Int(action.subject)
    let endpoint = EndpointID(index: UInt32(action.subject))
    var id: RequestID?
    var prediction: Admission?
    log.removeAll()
    let event: EndpointDispatcher.Event
    switch action.kind {
    case .arrives:
      let request = dispatcher.nextRequestID
      id = request
      let shape = model.shapes[Int(action.detail)]
      prediction = dispatcher.prediction(for: shape.kind, on: endpoint, policy: shape.policy)
      event = .requestArrived(request, endpoint, shape.settings(at: now))
    case .responded, .pollAnswered, .finished, .failed, .notStarted, .cancelled:
      let request = model.requests[subject].id
      id = request
      event = Self.event(action.kind, request)
    case .connectionsLost: event = .connectionsLost(endpoint)
    case .budget: event = .streamBudgetAnnounced(endpoint, streams: UInt32(action.detail))
    case .noBudget: event = .streamBudgetWithdrawn(endpoint)
    case .longLimit:
      guard let limits = try? model.limits.settingLong(UInt32(action.subject)) else {
        return nil
      }
      event = .limitsChanged(limits)
    case .timePasses:
      now = now + DispatcherSetup.unit
      event = .timeElapsed
    }
    dispatcher.step(event, at: now, into: &log)
    return DispatcherRules.check(
      action, id, predicted: prediction, &model, dispatcher, log)
  }

  private static func event(
    _ kind: DispatcherAction.Kind, _ request: RequestID
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

  /// Finishes the running requests in the order of their arrival until none is left.
  ///
  /// - Returns: The violation if a request cannot end, or `nil`.
  func heal(_ log: inout EffectLog<DispatcherEffect>) -> DispatcherViolation? {
    var state = self
    for _ in 0..<4 * (state.model.requests.count + 1) {
      guard !state.model.requests.isEmpty else { return nil }
      let position = state.model.requests.firstIndex {
        $0.phase == .running || $0.phase == .exempt
      }
      // Only the user ends a stream that consists of short requests, or a request that iOS froze.
      let others = state.model.requests.firstIndex {
        $0.phase == .resting || $0.phase == .frozen
      }
      let action: DispatcherAction
      if let position {
        action = DispatcherAction(.finished, position)
      } else if let others {
        action = DispatcherAction(.cancelled, others)
      } else if state.model.limits.long == 0 {
        // The limit allows no long request to run, so the user cancels those that wait.
        action = DispatcherAction(.cancelled, 0)
      } else {
        return .starves
      }
      // The exploration finds other violations when it tries the same action separately.
      if state.play(action, &log) != nil { return nil }
    }
    return .starves
  }
}

extension DispatcherAction {
  var code: ActionCode { ActionCode(kind: kind.rawValue, first: subject, second: detail) }

  /// Creates the stored action, or `nil` if the code denotes none.
  init?(_ code: ActionCode) {
    guard let kind = Kind(rawValue: code.kind) else { return nil }
    self.init(kind, Int(code.first), Int(code.second))
  }
}

extension ActionCode {
  /// The number of bytes of an action in a form.
  fileprivate static let size = 3

  fileprivate init(_ bytes: borrowing FormBytes, at position: Int) {
    self.init(kind: bytes[position], first: bytes[position + 1], second: bytes[position + 2])
  }
}
