import HandoverDispatcher
package import HandoverMachines

/// A rule of the article that a dispatcher broke.
package enum DispatcherBreach: Hashable, Sendable {
  /// More requests run than the endpoint has slots, or more long ones than it has for those.
  case aboveTotal
  case aboveLong
  /// A request waits, or is frozen, beside a slot that it may take.
  case waitsBesideFreeSlot
  /// A slot went to a request that arrived after one that may take it too.
  case outOfOrder
  /// A request was refused below the long limit.
  case refusedBelowLimit
  /// What was predicted did not come.
  case wrongPrediction
  /// A request ended that had ended, or something was ordered of it afterwards.
  case afterEnd
  /// The user was told of an end before the slot was free (U38).
  case toldBeforeRelease
  /// A slot was freed that nobody held, or handed to one who had it.
  case wrongSlot
  /// A request did not end although its user, its transport or its time ended it.
  case notEnded
  /// A request ended although nothing ended it, or otherwise than by what did.
  case endedWrongly
  /// The dispatcher forgot a request, or keeps one that has ended.
  case requestsDisagree
  /// A request is still there after its time-out, or its deadline.
  case outlivesItsTime
  /// With every running request finished, others never run.
  case starves

  /// The rule of every run that it is about.
  package var rule: RuleIdentifier { .requestLimits }

  /// What was seen, in one sentence without a full stop.
  package var sentence: String {
    switch self {
    case .aboveTotal: "more requests run than their endpoint has slots"
    case .aboveLong: "more long requests run than the long limit"
    case .waitsBesideFreeSlot: "a request waits beside a free slot that it may take"
    case .outOfOrder: "a request starts before one that arrived earlier"
    case .refusedBelowLimit: "a request is refused below the long limit"
    case .wrongPrediction: "what becomes of a request is not what was predicted"
    case .afterEnd: "something is ordered of a request that has ended"
    case .toldBeforeRelease: "a user is told of an end before the slot is free"
    case .wrongSlot: "a slot is freed that nobody held, or given to one who has it"
    case .notEnded: "a request goes on that was ended"
    case .endedWrongly: "a request ends otherwise than by what happened"
    case .requestsDisagree: "the dispatcher forgot a request, or keeps one that has ended"
    case .outlivesItsTime: "a request outlives its time-out or its deadline"
    case .starves: "with every other request finished, one never runs"
    }
  }
}

/// A dispatcher as the article has it: which requests are there, and where they stand.
///
/// It decides nothing and shares nothing with the machine; it follows the orders, and says which
/// are wrong.
struct DispatcherModel: Hashable {
  enum Phase: UInt8, Hashable {
    case arriving, waiting, running, frozen, held, exempt, resting
  }

  struct Request: Hashable {
    var id: RequestID
    var endpoint: UInt32
    var shape: UInt8
    var phase = Phase.arriving
    /// Whether it is made of short requests.
    var polls = false
    var holdsSlot = false
    /// Whether its headers came.
    var hasResponse = false
    /// Units of time since it arrived, and since its time-out began.
    var age: UInt8 = 0
    var charged: UInt8 = 0
    var isCharged = false
    /// Where it stands in the order of arrival; a poll arrives anew.
    var arrival: UInt32
  }

  struct Endpoint: Hashable {
    var total: UInt32
    var hasBudget = false
  }

  let shapes: [DispatcherSetup.Shape]
  /// For each shape the first that differs from it in nothing but its policy, which only matters
  /// until a request has its slot.
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

  /// How many requests of an endpoint are so.
  func count(on endpoint: UInt32, where isMeant: (Request) -> Bool) -> Int {
    requests.count { $0.endpoint == endpoint && isMeant($0) }
  }

  /// Of a budget of streams as many are kept for short ones as of the limit of connections (U86).
  func longLimit(of endpoint: UInt32) -> Int {
    let one = endpoints[Int(endpoint)]
    guard one.hasBudget else { return Int(limits.long) }
    return max(0, Int(one.total) - Int(limits.keptForShort))
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

  mutating func arrive(_ id: RequestID, _ act: DispatcherAct) {
    requests.append(
      Request(
        id: id, endpoint: UInt32(act.subject), shape: act.detail, arrival: nextArrival()))
  }

  func nextArrival() -> UInt32 {
    (requests.map(\.arrival).max() ?? 0) + 1
  }

  func place(of id: RequestID) -> Int? { requests.firstIndex { $0.id == id } }

  /// Takes in what decides how the dispatcher may go on, but for its requests.
  func combine(into digest: inout StateDigest) {
    digest.combine(UInt64(limits.total) << 32 | UInt64(limits.long))
    for endpoint in endpoints {
      digest.combine(UInt64(endpoint.total) << 1 | (endpoint.hasBudget ? 1 : 0))
    }
  }

  /// What decides how a request may go on, in one word; the dispatcher has its row.
  ///
  /// Who waits for a slot is known by its place in the order of arrival and by what it arrived as;
  /// of one that has its slot only what may still end it is left.
  func word(of row: UInt32) -> UInt64 {
    guard let place = requests.firstIndex(where: { $0.id.index == row }) else { return .max }
    let request = requests[place]
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

  /// How many of those that wait arrived before one that does.
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

/// Holds each step of a dispatcher against the article.
struct DispatcherRules {
  private var model: DispatcherModel
  private var breach: DispatcherBreach?
  private var act: DispatcherAct
  /// What ended whom in this step.
  private var meant: RequestID?

  /// Checks a step.
  ///
  /// - Parameters:
  ///   - act: what happened.
  ///   - id: the request that it is about.
  ///   - prediction: what was predicted of one that arrived.
  ///   - model: what was known before, and is known now.
  ///   - dispatcher: the dispatcher after it.
  ///   - log: what it ordered.
  /// - Returns: the first rule that was broken.
  static func check(
    _ act: DispatcherAct, _ id: RequestID?, predicted prediction: Admission?,
    _ model: inout DispatcherModel, _ dispatcher: EndpointDispatcher,
    _ log: borrowing EffectLog<DispatcherEffect>
  ) -> DispatcherBreach? {
    var rules = DispatcherRules(model: model, act: act, meant: id)
    rules.begin()
    for place in 0..<log.count { rules.handle(log[place]) }
    if act.kind == .arrives, let prediction, log.count > 0 {
      rules.check(prediction, log)
    }
    rules.finish(dispatcher)
    model = rules.model
    return rules.breach
  }

  private init(model: DispatcherModel, act: DispatcherAct, meant: RequestID?) {
    self.model = model
    self.act = act
    self.meant = meant
  }

  private mutating func broke(_ breach: DispatcherBreach) {
    if self.breach == nil { self.breach = breach }
  }

  private mutating func begin() {
    switch act.kind {
    case .arrives:
      if let meant { model.arrive(meant, act) }
    case .responded:
      if let meant, let place = model.place(of: meant) {
        model.requests[place].hasResponse = true
      }
    case .budget:
      model.endpoints[Int(act.subject)] = DispatcherModel.Endpoint(
        total: UInt32(act.detail), hasBudget: true)
    case .noBudget:
      model.endpoints[Int(act.subject)] = DispatcherModel.Endpoint(total: model.limits.total)
    case .longLimit:
      if let limits = try? model.limits.settingLong(UInt32(act.subject)) { model.limits = limits }
    case .timePasses:
      for place in model.requests.indices {
        // No more is counted than what bounds it.
        let shape = model.shape(model.requests[place])
        if Int(model.requests[place].age) < shape.deadline ?? 0 { model.requests[place].age += 1 }
        guard model.requests[place].isCharged, Int(model.requests[place].charged) < shape.timeout
        else { continue }
        model.requests[place].charged += 1
      }
    case .pollAnswered, .finished, .failed, .notStarted, .cancelled, .connectionsLost:
      break
    }
  }

  // MARK: Orders

  // long: a flat switch, a few lines for each order
  private mutating func handle(_ effect: DispatcherEffect) {
    switch effect {
    case .start(let id), .startPoll(let id):
      guard let place = place(of: id) else { return }
      if model.shape(model.requests[place]).kind == .exempt {
        model.requests[place].phase = .exempt
        charge(place)
      } else {
        takeSlot(place)
      }
    case .thaw(let id):
      guard let place = place(of: id) else { return }
      if model.requests[place].phase != .frozen, model.requests[place].phase != .held {
        broke(.wrongSlot)
      }
      takeSlot(place)
    case .freeze(let id):
      guard let place = place(of: id) else { return }
      model.requests[place].phase = .frozen
    case .hold(let id):
      guard let place = place(of: id) else { return }
      model.requests[place].phase = .held
      charge(place)
    case .wait(let id, _):
      guard let place = place(of: id) else { return }
      if model.requests[place].phase == .resting {
        model.requests[place].arrival = model.nextArrival()
      }
      model.requests[place].phase = .waiting
      if model.shape(model.requests[place]).kind == .synchronous { charge(place) }
    case .limitReached(let id, _):
      guard let place = place(of: id) else { return }
      if !isAtLongLimit(beside: place) { broke(.refusedBelowLimit) }
    case .refuse(let id, _):
      guard let place = place(of: id) else { return }
      if !isAtLongLimit(beside: place) { broke(.refusedBelowLimit) }
      model.requests.remove(at: place)
    case .becomePolls(let id, _):
      guard let place = place(of: id) else { return }
      model.requests[place].polls = true
    case .abandon(let id):
      guard let place = place(of: id) else { return }
      switch model.requests[place].phase {
      case .running, .frozen, .exempt: break
      case .arriving, .waiting, .held, .resting: broke(.wrongSlot)
      }
    case .slotReleased(let id):
      guard let place = place(of: id) else { return }
      if !model.requests[place].holdsSlot { broke(.wrongSlot) }
      model.requests[place].holdsSlot = false
      // A stream that is made of short requests rests between them.
      if act.kind == .pollAnswered { rest(place) }
    case .tell(let id, let end):
      guard let place = place(of: id) else { return }
      if model.requests[place].holdsSlot { broke(.toldBeforeRelease) }
      check(end, of: place)
      model.requests.remove(at: place)
    }
  }

  private mutating func place(of id: RequestID) -> Int? {
    let place = model.place(of: id)
    if place == nil { broke(.afterEnd) }
    return place
  }

  private mutating func charge(_ place: Int) {
    model.requests[place].isCharged = true
  }

  private mutating func rest(_ place: Int) {
    model.requests[place].phase = .resting
    model.requests[place].isCharged = false
    model.requests[place].charged = 0
  }

  /// A request gets a slot: there is one, and nobody who may take it arrived before.
  private mutating func takeSlot(_ place: Int) {
    let request = model.requests[place]
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
      // The platform gives a connection to those first that it has already.
      if waits, request.phase != .frozen, model.mayTakeSlot(other) { broke(.outOfOrder) }
    }
    model.requests[place].phase = .running
    model.requests[place].holdsSlot = true
    // The time-out of one that the platform froze is the platform's.
    if request.phase != .frozen { charge(place) }
  }

  /// The long requests beside one that were admitted and have not ended, those in line included.
  private func isAtLongLimit(beside place: Int) -> Bool {
    let request = model.requests[place]
    let long = model.count(on: request.endpoint) { other in
      other.id != request.id && model.isLong(other)
    }
    return long >= model.longLimit(of: request.endpoint)
  }

  private mutating func check(_ end: RequestEnd, of place: Int) {
    let request = model.requests[place]
    let isMeant = request.id == meant
    let isRight =
      switch end {
      case .finished: act.kind == .finished && isMeant
      case .failed(let code):
        act.kind == .failed && isMeant
          || code == RequestErrorCode.timedOut && request.phase == .held && act.kind == .timePasses
      case .notStarted: act.kind == .notStarted && isMeant
      case .connectionLost:
        act.kind == .connectionsLost && request.endpoint == UInt32(act.subject)
          && (request.phase == .running || request.phase == .exempt)
      case .timedOut: act.kind == .timePasses && request.phase != .waiting
      case .queueTimeout: act.kind == .timePasses && request.phase == .waiting
      case .deadlineExceeded:
        act.kind == .timePasses && model.shape(request).deadline != nil
      case .cancelled: act.kind == .cancelled && isMeant
      case .closed: false
      }
    if !isRight { broke(.endedWrongly) }
  }

  private mutating func check(
    _ prediction: Admission, _ log: borrowing EffectLog<DispatcherEffect>
  ) {
    var seen = Set<Int>()  // lookup only
    var position: UInt32 = 0
    for place in 0..<log.count {
      switch log[place] {
      case .start(let id) where id == meant: seen.insert(0)
      case .wait(let id, let place) where id == meant:
        seen.insert(1)
        position = place
      case .refuse(let id, _) where id == meant: seen.insert(2)
      case .freeze(let id) where id == meant, .hold(let id) where id == meant: seen.insert(3)
      case .becomePolls(let id, _) where id == meant: seen.insert(4)
      default: break
      }
    }
    let isRight =
      switch prediction {
      case .startsNow: seen.contains(0)
      case .waits(let predicted): seen.contains(1) && position == predicted
      case .refused: seen.contains(2)
      case .freezes: seen.contains(3)
      case .polls: seen.contains(4)
      }
    if !isRight { broke(.wrongPrediction) }
  }

  // MARK: Afterwards

  private mutating func finish(_ dispatcher: EndpointDispatcher) {
    switch act.kind {
    case .finished, .failed, .notStarted, .cancelled:
      if let meant, model.place(of: meant) != nil { broke(.notEnded) }
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
      if model.mayTakeSlot(request) { broke(.waitsBesideFreeSlot) }
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
