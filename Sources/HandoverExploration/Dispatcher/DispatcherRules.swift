package import HandoverCore

/// An invariant from the article that a dispatcher violated.
package enum DispatcherViolation: Hashable, Sendable {
  /// More requests run than the endpoint has slots, or more long requests than the long limit.
  case aboveTotal
  case aboveLong
  /// A request waits or is frozen although a slot that it may take is free.
  case waitsDespiteFreeSlot
  /// A slot went to a request although one that arrived earlier may take it too.
  case outOfOrder
  /// A request was refused although the long limit was not reached.
  case refusedBelowLimit
  /// The outcome of a request differs from the prediction.
  case wrongPrediction
  /// A request ended twice, or the dispatcher ordered something for a request that had ended.
  case afterEnd
  /// The dispatcher reported the end of a request before it released the slot (U38).
  case reportedBeforeRelease
  /// A slot was released that no request held, or assigned to a request that already had one.
  case wrongSlot
  /// A request did not end although its user, its transport or its timeout ended it.
  case notEnded
  /// A request ended without a reason, or with another reason than the actual one.
  case endedWrongly
  /// The dispatcher lost a request, or kept one that has ended.
  case requestsDisagree
  /// A request still exists after its timeout or its deadline.
  case outlivesItsTime
  /// After every running request has finished, other requests never run.
  case starves

  /// The invariant of runs to which the violation belongs.
  package var rule: RuleIdentifier { .requestLimits }

  /// A description of the violation: one sentence without a full stop.
  package var sentence: String {
    switch self {
    case .aboveTotal: "more requests run than their endpoint has slots"
    case .aboveLong: "more long requests run than the long limit"
    case .waitsDespiteFreeSlot: "a request waits although a slot is free that it may use"
    case .outOfOrder: "a request starts before one that arrived earlier"
    case .refusedBelowLimit: "a request is refused below the long limit"
    case .wrongPrediction: "the result of a request differs from the prediction"
    case .afterEnd: "an effect names a request that has ended"
    case .reportedBeforeRelease: "a user receives an end before the slot is free"
    case .wrongSlot: "a slot is freed that no request held, or given to a request that has it"
    case .notEnded: "a request continues after its end"
    case .endedWrongly: "a request ends with a status that does not match its cause"
    case .requestsDisagree: "the dispatcher forgot a request, or keeps one that has ended"
    case .outlivesItsTime: "a request continues after its timeout or its deadline"
    case .starves: "a request never runs, although every other request has finished"
    }
  }
}

/// A model of the dispatcher according to the article: the requests and their phases.
///
/// The model decides nothing and shares no code with the state machine. It follows the effects of
/// the dispatcher and reports those that are wrong.
struct DispatcherModel: Hashable {
  enum Phase: UInt8, Hashable {
    case arriving, waiting, running, frozen, held, exempt, resting
  }

  struct Request: Hashable {
    var id: RequestID
    var endpoint: UInt32
    var shape: UInt8
    var phase = Phase.arriving
    /// Whether the request consists of short requests (polls).
    var polls = false
    var holdsSlot = false
    /// Whether the response headers have arrived.
    var hasResponse = false
    /// Units of time since the request arrived, and since its timeout started.
    var age: UInt8 = 0
    var charged: UInt8 = 0
    var isCharged = false
    /// The position in the order of arrival; each poll gets a new one.
    var arrival: UInt32
  }

  struct Endpoint: Hashable {
    var total: UInt32
    var hasBudget = false
  }

  let shapes: [DispatcherSetup.Shape]
  /// For each shape, the first shape that differs from it at most in its policy.
  ///
  /// The policy affects a request only until it has its slot.
  private let kinds: [UInt8]
  var limits: ConnectionLimits
  var endpoints: [Endpoint]
  /// The requests that have not ended, in the order of arrival.
  var requests: [Request] = []

  init(_ setup: DispatcherSetup) {
    shapes = setup.shapes
    kinds = shapes.map { shape in
      let first = setup.shapes.firstIndex {
        $0.kind == shape.kind && $0.timeout == shape.timeout && $0.deadline == shape.deadline
      }
      return UInt8(truncatingIfNeeded: first ?? 0)
    }
    limits = setup.limits
    endpoints = Array(repeating: Endpoint(total: setup.limits.total), count: setup.endpoints)
  }

  func shape(_ request: Request) -> DispatcherSetup.Shape { shapes[Int(request.shape)] }

  func isLong(_ request: Request) -> Bool { shape(request).kind == .long && !request.polls }

  /// Returns how many requests of an endpoint satisfy a predicate.
  func count(on endpoint: UInt32, where isMeant: (Request) -> Bool) -> Int {
    requests.count { $0.endpoint == endpoint && isMeant($0) }
  }

  /// Returns how many long requests an endpoint may run.
  ///
  /// A budget of streams reserves the same number of slots for short requests as the connection
  /// limit does (U86).
  func longLimit(of endpoint: UInt32) -> Int {
    let one = endpoints[Int(endpoint)]
    guard one.hasBudget else { return Int(limits.long) }
    return max(0, Int(one.total) - Int(limits.reservedForShort))
  }

  /// Whether a request that waits or is frozen may take a slot now.
  func mayTakeSlot(_ request: Request) -> Bool {
    let endpoint = request.endpoint
    guard count(on: endpoint, where: \.holdsSlot) < Int(endpoints[Int(endpoint)].total) else {
      return false
    }
    guard isLong(request), request.phase != .frozen else { return true }
    return count(on: endpoint) { $0.holdsSlot && isLong($0) } < longLimit(of: endpoint)
  }

  mutating func arrive(_ id: RequestID, _ action: DispatcherAction) {
    requests.append(
      Request(
        id: id, endpoint: UInt32(action.subject), shape: action.detail, arrival: nextArrival()))
  }

  func nextArrival() -> UInt32 {
    (requests.map(\.arrival).max() ?? 0) + 1
  }

  func position(of id: RequestID) -> Int? { requests.firstIndex { $0.id == id } }

  /// Combines all state that affects the future behavior of the dispatcher, except the requests.
  func combine(into digest: inout StateDigest) {
    digest.combine(UInt64(limits.total) << 32 | UInt64(limits.long))
    for endpoint in endpoints {
      digest.combine(UInt64(endpoint.total) << 1 | (endpoint.hasBudget ? 1 : 0))
    }
  }

  /// Returns everything that affects the future of a request, in one word; the row is known to the
  /// dispatcher.
  ///
  /// If the request waits for a slot, the word contains its rank in the order of arrival and its
  /// shape. If it has a slot, only what may still end it matters.
  func word(of row: UInt32) -> UInt64 {
    guard let position = requests.firstIndex(where: { $0.id.index == row }) else { return .max }
    let request = requests[position]
    let shape = shape(request)
    let isBoundedByHeaders = (shape.kind == .long && !request.polls) || shape.kind == .exempt
    let charged = isBoundedByHeaders && request.hasResponse ? 0 : request.charged
    let flags: UInt64 =
      (request.polls ? 1 : 0) | (request.holdsSlot ? 2 : 0) | (request.hasResponse ? 4 : 0)
      | (request.isCharged ? 8 : 0)
    let kept =
      switch request.phase {
      case .running, .exempt, .resting: kinds[Int(request.shape)]
      case .arriving, .waiting, .frozen, .held: request.shape
      }
    return UInt64(request.phase.rawValue) << 48 | UInt64(kept) << 40 | flags << 32
      | UInt64(request.age) << 24 | UInt64(charged) << 16 | UInt64(rank(request)) << 8
  }

  /// Returns how many waiting requests arrived before a waiting request.
  private func rank(_ request: Request) -> Int {
    switch request.phase {
    case .waiting, .frozen, .held: break
    case .arriving, .running, .exempt, .resting: return 0
    }
    return requests.count { other in
      switch other.phase {
      case .waiting, .frozen, .held: other.arrival < request.arrival
      case .arriving, .running, .exempt, .resting: false
      }
    }
  }
}

/// Checks each step of a dispatcher against the article.
struct DispatcherRules {
  private var model: DispatcherModel
  private var violation: DispatcherViolation?
  private var action: DispatcherAction
  /// The request that the action of this step is about.
  private var meant: RequestID?

  /// Checks a step.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - id: The request that the action is about.
  ///   - prediction: The prediction for a request that arrived.
  ///   - model: The model before the step; on return, the model after it.
  ///   - dispatcher: The dispatcher after the step.
  ///   - log: The effects of the step.
  /// - Returns: The first violation, or `nil` if all invariants hold.
  static func check(
    _ action: DispatcherAction, _ id: RequestID?, predicted prediction: Admission?,
    _ model: inout DispatcherModel, _ dispatcher: EndpointDispatcher,
    _ log: borrowing EffectLog<DispatcherEffect>
  ) -> DispatcherViolation? {
    var rules = DispatcherRules(model: model, action: action, meant: id)
    rules.begin()
    for position in 0..<log.count { rules.handle(log[position]) }
    if action.kind == .arrives, let prediction, log.count > 0 {
      rules.check(prediction, log)
    }
    rules.finish(dispatcher)
    model = rules.model
    return rules.violation
  }

  private init(model: DispatcherModel, action: DispatcherAction, meant: RequestID?) {
    self.model = model
    self.action = action
    self.meant = meant
  }

  private mutating func broke(_ violation: DispatcherViolation) {
    if self.violation == nil { self.violation = violation }
  }

  private mutating func begin() {
    switch action.kind {
    case .arrives:
      if let meant { model.arrive(meant, action) }
    case .responded:
      if let meant, let position = model.position(of: meant) {
        model.requests[position].hasResponse = true
      }
    case .budget:
      model.endpoints[Int(action.subject)] = DispatcherModel.Endpoint(
        total: UInt32(action.detail), hasBudget: true)
    case .noBudget:
      model.endpoints[Int(action.subject)] = DispatcherModel.Endpoint(total: model.limits.total)
    case .longLimit:
      if let limits = try? model.limits.settingLong(UInt32(action.subject)) {
        model.limits = limits
      }
    case .timePasses:
      for position in model.requests.indices {
        // The counters stop at the deadline and the timeout, to keep the state space finite.
        let shape = model.shape(model.requests[position])
        if Int(model.requests[position].age) < shape.deadline ?? 0 {
          model.requests[position].age += 1
        }
        guard model.requests[position].isCharged,
          Int(model.requests[position].charged) < shape.timeout
        else { continue }
        model.requests[position].charged += 1
      }
    case .pollAnswered, .finished, .failed, .notStarted, .cancelled, .connectionsLost:
      break
    }
  }

  // MARK: Effects

  // long: a flat switch with a few lines per effect
  private mutating func handle(_ effect: DispatcherEffect) {
    switch effect {
    case .start(let id), .startPoll(let id):
      guard let position = position(of: id) else { return }
      if model.shape(model.requests[position]).kind == .exempt {
        model.requests[position].phase = .exempt
        charge(position)
      } else {
        takeSlot(position)
      }
    case .thaw(let id):
      guard let position = position(of: id) else { return }
      if model.requests[position].phase != .frozen, model.requests[position].phase != .held {
        broke(.wrongSlot)
      }
      takeSlot(position)
    case .freeze(let id):
      guard let position = position(of: id) else { return }
      model.requests[position].phase = .frozen
    case .hold(let id):
      guard let position = position(of: id) else { return }
      model.requests[position].phase = .held
      charge(position)
    case .wait(let id, _):
      guard let position = position(of: id) else { return }
      if model.requests[position].phase == .resting {
        model.requests[position].arrival = model.nextArrival()
      }
      model.requests[position].phase = .waiting
      if model.shape(model.requests[position]).kind == .synchronous { charge(position) }
    case .limitReached(let id, _):
      guard let position = position(of: id) else { return }
      if !isAtLongLimit(excluding: position) { broke(.refusedBelowLimit) }
    case .refuse(let id, _):
      guard let position = position(of: id) else { return }
      if !isAtLongLimit(excluding: position) { broke(.refusedBelowLimit) }
      model.requests.remove(at: position)
    case .replaceByPolls(let id, _):
      guard let position = position(of: id) else { return }
      model.requests[position].polls = true
    case .abandon(let id):
      guard let position = position(of: id) else { return }
      switch model.requests[position].phase {
      case .running, .frozen, .exempt: break
      case .arriving, .waiting, .held, .resting: broke(.wrongSlot)
      }
    case .slotReleased(let id):
      guard let position = position(of: id) else { return }
      if !model.requests[position].holdsSlot { broke(.wrongSlot) }
      model.requests[position].holdsSlot = false
      // A stream that consists of short requests rests between them.
      if action.kind == .pollAnswered { rest(position) }
    case .notify(let id, let end):
      guard let position = position(of: id) else { return }
      if model.requests[position].holdsSlot { broke(.reportedBeforeRelease) }
      check(end, of: position)
      model.requests.remove(at: position)
    }
  }

  private mutating func position(of id: RequestID) -> Int? {
    let position = model.position(of: id)
    if position == nil { broke(.afterEnd) }
    return position
  }

  private mutating func charge(_ position: Int) {
    model.requests[position].isCharged = true
  }

  private mutating func rest(_ position: Int) {
    model.requests[position].phase = .resting
    model.requests[position].isCharged = false
    model.requests[position].charged = 0
  }

  /// Gives a slot to a request, and checks that one is free and no earlier request may take it.
  private mutating func takeSlot(_ position: Int) {
    let request = model.requests[position]
    if request.holdsSlot { broke(.wrongSlot) }
    if !model.mayTakeSlot(request) {
      let takesSpare = model.shape(request).policy == .takeSpare
      let running = model.count(on: request.endpoint, where: \.holdsSlot)
      if running >= Int(model.endpoints[Int(request.endpoint)].total) {
        broke(.aboveTotal)
      } else if !takesSpare {
        broke(.aboveLong)
      }
    }
    for other in model.requests
    where other.endpoint == request.endpoint && other.id != request.id
      && other.arrival < request.arrival
    {
      let waits = other.phase == .waiting || other.phase == .held
      // iOS first serves the requests for which it already holds a connection.
      if waits, request.phase != .frozen, model.mayTakeSlot(other) { broke(.outOfOrder) }
    }
    model.requests[position].phase = .running
    model.requests[position].holdsSlot = true
    // If iOS froze the request, its timeout belongs to iOS.
    if request.phase != .frozen { charge(position) }
  }

  /// Whether the other admitted long requests that have not ended, including queued ones, reach the
  /// limit.
  private func isAtLongLimit(excluding position: Int) -> Bool {
    let request = model.requests[position]
    let long = model.count(on: request.endpoint) { other in
      other.id != request.id && model.isLong(other)
    }
    return long >= model.longLimit(of: request.endpoint)
  }

  private mutating func check(_ end: RequestEnd, of position: Int) {
    let request = model.requests[position]
    let isMeant = request.id == meant
    let isRight =
      switch end {
      case .finished: action.kind == .finished && isMeant
      case .failed(let code):
        action.kind == .failed && isMeant
          || code == RequestErrorCode.timedOut && request.phase == .held
            && action.kind == .timePasses
      case .notStarted: action.kind == .notStarted && isMeant
      case .connectionLost:
        action.kind == .connectionsLost && request.endpoint == UInt32(action.subject)
          && (request.phase == .running || request.phase == .exempt)
      case .timedOut: action.kind == .timePasses && request.phase != .waiting
      case .queueTimeout: action.kind == .timePasses && request.phase == .waiting
      case .deadlineExceeded:
        action.kind == .timePasses && model.shape(request).deadline != nil
      case .cancelled: action.kind == .cancelled && isMeant
      case .closed: false
      }
    if !isRight { broke(.endedWrongly) }
  }

  private mutating func check(
    _ prediction: Admission, _ log: borrowing EffectLog<DispatcherEffect>
  ) {
    var seen = Set<Int>()  // lookup only
    var rank: UInt32 = 0
    for position in 0..<log.count {
      switch log[position] {
      case .start(let id) where id == meant: seen.insert(0)
      case .wait(let id, let position) where id == meant:
        seen.insert(1)
        rank = position
      case .refuse(let id, _) where id == meant: seen.insert(2)
      case .freeze(let id) where id == meant, .hold(let id) where id == meant: seen.insert(3)
      case .replaceByPolls(let id, _) where id == meant: seen.insert(4)
      default: break
      }
    }
    let isRight =
      switch prediction {
      case .startsNow: seen.contains(0)
      case .waits(let predicted): seen.contains(1) && rank == predicted
      case .refused: seen.contains(2)
      case .freezes: seen.contains(3)
      case .polls: seen.contains(4)
      }
    if !isRight { broke(.wrongPrediction) }
  }

  // MARK: After the step

  private mutating func finish(_ dispatcher: EndpointDispatcher) {
    switch action.kind {
    case .finished, .failed, .notStarted, .cancelled:
      if let meant, model.position(of: meant) != nil { broke(.notEnded) }
    case .arrives, .responded, .pollAnswered, .connectionsLost, .budget, .noBudget, .longLimit,
      .timePasses:
      break
    }
    if dispatcher.unfinishedCount != model.requests.count { broke(.requestsDisagree) }
    for request in model.requests { check(request, dispatcher) }
    for index in model.endpoints.indices {
      let endpoint = UInt32(truncatingIfNeeded: index)
      let usage = dispatcher.usage(of: EndpointID(index: endpoint))
      if Int(usage.running) != model.count(on: endpoint, where: \.holdsSlot)
        || Int(usage.waitingShort + usage.waitingLong)
          != model.count(on: endpoint, where: { $0.phase == .waiting })
      {
        broke(.requestsDisagree)
      }
    }
  }

  private mutating func check(_ request: DispatcherModel.Request, _ dispatcher: EndpointDispatcher)
  {
    let shape = model.shape(request)
    switch request.phase {
    case .waiting, .held, .frozen:
      if model.mayTakeSlot(request) { broke(.waitsDespiteFreeSlot) }
    case .arriving:
      broke(.requestsDisagree)
    case .running, .exempt, .resting:
      break
    }
    if dispatcher.phase(of: request.id) == nil { broke(.requestsDisagree) }
    if let deadline = shape.deadline, Int(request.age) >= deadline { broke(.outlivesItsTime) }
    let isBoundedByHeaders = (shape.kind == .long && !request.polls) || shape.kind == .exempt
    if shape.timeout > 0, request.isCharged, Int(request.charged) >= shape.timeout,
      !(isBoundedByHeaders && request.hasResponse)
    {
      broke(.outlivesItsTime)
    }
  }
}
