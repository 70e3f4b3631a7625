import HandoverCore

/// The parts from which a call's interceptors are created.
///
/// Factories belong to the user, so they run outside of the table of chains. The code that opens
/// the call uses them, or the interceptor whose request needs the next one (I4).
final class ChainPlan: Hashable, Sendable {
  let start: CallStart
  private let factories: [AnyFactory]
  /// The factory of the transport end, which may be unable to create one (R6).
  let found: TransportRegistry.Match
  let creation: CallChains.Configuration.Creation
  let cancel: CallChains.Configuration.Cancel
  let reportsEveryWrite: Bool

  init(
    _ start: CallStart, _ factories: [any InterceptorFactory], _ found: TransportRegistry.Match,
    _ creation: CallChains.Configuration.Creation, _ cancel: CallChains.Configuration.Cancel,
    reportsEveryWrite: Bool
  ) {
    self.start = start
    self.factories = factories.map(AnyFactory.init)
    self.found = found
    self.creation = creation
    self.cancel = cancel
    self.reportsEveryWrite = reportsEveryWrite
  }

  static func == (left: ChainPlan, right: ChainPlan) -> Bool {
    left === right
      || (left.start == right.start && left.factories == right.factories
        && left.found == right.found && left.creation == right.creation
        && left.cancel == right.cancel && left.reportsEveryWrite == right.reportsEveryWrite)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(factories)
    hasher.combine(found)
    hasher.combine(creation)
    hasher.combine(cancel)
    hasher.combine(reportsEveryWrite)
  }

  /// Creates the interceptors that the decisions of an interceptor require.
  ///
  /// - Parameters:
  ///   - outbox: the decisions.
  ///   - factory: the index of the interceptor's factory.
  ///   - hasNext: whether anything follows the interceptor.
  /// - Returns: the interceptors, in the order of the decisions that require them.
  func makeLinks(
    for outbox: ShortQueue<InterceptorManager.Outgoing>, of factory: Int, hasNext: Bool
  ) -> [CreatedLinks] {
    var hasNext = hasNext
    var made: [CreatedLinks] = []
    for decision in outbox {
      switch decision {
      case .request where !hasNext: hasNext = true
      case .renewNext:
        hasNext = creation == .eager
        guard hasNext else { continue }
      case .request, .response, .shutDown, .ask, .note, .finding: continue
      }
      made.append(makeLinks(from: factory + 1))
    }
    return made
  }

  /// Creates the next interceptor from the first factory that returns one, or all interceptors.
  func makeLinks(from position: Int) -> CreatedLinks {
    switch creation {
    case .lazy: makeNext(from: position)
    case .eager: makeAll(from: position)
    }
  }

  private func makeNext(from first: Int) -> CreatedLinks {
    var made = CreatedLinks()
    for position in first..<factories.count {
      if make(at: position, into: &made) { return made }
    }
    made.reachesTransport = true
    return made
  }

  /// Creates all interceptors, from last to first.
  private func makeAll(from first: Int) -> CreatedLinks {
    var made = CreatedLinks()
    for position in (first..<factories.count).reversed() { make(at: position, into: &made) }
    made.links.reverse()
    made.reachesTransport = true
    return made
  }

  @discardableResult
  private func make(at position: Int, into made: inout CreatedLinks) -> Bool {
    let factory = factories[position].factory
    guard let interceptor = factory.makeInterceptor(for: start) else {
      made.skipped.append(factory.name)
      return false
    }
    made.links.append(
      CreatedLinks.Made(
        interceptor: interceptor, name: factory.name, queues: factory.queues, factory: position,
        deadline: interceptor.nextDeadline))
    return true
  }
}

/// The source of the interceptors that are needed to carry out the decisions of another one.
struct LinkProvider {
  /// The interceptors created during the work, or `nil` if factories are used on demand.
  private var ahead: ArraySlice<CreatedLinks>?
  private var hasAsked = false

  /// Creates a provider that calls factories on demand.
  init() {}

  /// Creates a provider that returns interceptors from a finished list.
  init(_ ahead: [CreatedLinks]) {
    self.ahead = ahead[...]
  }

  /// Returns the interceptors after another one, or `nil` if no more can be created.
  mutating func next(_ plan: ChainPlan, behind factory: Int) -> CreatedLinks? {
    guard ahead == nil else { return ahead?.popFirst() }
    guard !hasAsked else { return nil }
    hasAsked = true
    return plan.makeLinks(from: factory + 1)
  }

  /// Allows new interceptors to be created in place of discarded ones.
  mutating func renew() {
    hasAsked = false
  }
}

/// Interceptors that factories have created and that are not yet part of their chain.
struct CreatedLinks: Sendable {
  /// One created interceptor, with the properties of its factory and its first deadline.
  struct Made: Sendable {
    let interceptor: any Interceptor
    let name: String
    let queues: InterceptorQueues
    /// The index of its factory among those of the call.
    let factory: Int
    let deadline: Instant?
  }

  /// The names of the factories that created no interceptor.
  var skipped: [String] = []
  var links: [Made] = []
  /// Whether only the transport follows the interceptors.
  var reachesTransport = false
}

/// A call whose first interceptors are to be created.
public struct CallOpening: Sendable {
  let plan: ChainPlan
  /// Whether interceptors are created now.
  ///
  /// With lazy creation the first interceptor is created with the call (I4). With eager creation
  /// all interceptors are created when the call starts (L17).
  private let isDue: Bool
  var made: CreatedLinks?

  init(_ plan: ChainPlan, isDue: Bool) {
    self.plan = plan
    self.isDue = isDue
  }

  /// Calls the factories for the interceptors that are due; does not access any chain.
  public mutating func run() {
    if isDue { made = plan.makeLinks(from: 0) }
  }
}
