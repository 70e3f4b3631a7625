import HandoverCore

/// What a call is opened with, and its links are made of.
///
/// Factories are the user's, so they are asked apart from the table of chains: by whoever opens the
/// call, or by the link whose request needs the next one (I4).
final class ChainPlan: Hashable, Sendable {
  let start: CallStart
  private let factories: [AnyFactory]
  /// What makes the transport's end, if it can (R6).
  let found: TransportRegistry.Found
  let creation: CallChains.Configuration.Creation
  let cancel: CallChains.Configuration.Cancel
  let tellsEveryWrite: Bool

  init(
    _ start: CallStart, _ factories: [any InterceptorFactory], _ found: TransportRegistry.Found,
    _ creation: CallChains.Configuration.Creation, _ cancel: CallChains.Configuration.Cancel,
    tellsEveryWrite: Bool
  ) {
    self.start = start
    self.factories = factories.map(AnyFactory.init)
    self.found = found
    self.creation = creation
    self.cancel = cancel
    self.tellsEveryWrite = tellsEveryWrite
  }

  static func == (left: ChainPlan, right: ChainPlan) -> Bool {
    left === right
      || (left.start == right.start && left.factories == right.factories
        && left.found == right.found && left.creation == right.creation
        && left.cancel == right.cancel && left.tellsEveryWrite == right.tellsEveryWrite)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(factories)
    hasher.combine(found)
    hasher.combine(creation)
    hasher.combine(cancel)
    hasher.combine(tellsEveryWrite)
  }

  /// Makes the links that what a link decided needs, in the order of its requests.
  ///
  /// - Parameters:
  ///   - outbox: what the link decided.
  ///   - factory: the place of the link's factory.
  ///   - hasNext: whether anything is behind the link.
  /// - Returns: the links, in the order of the requests that need them.
  func makeLinks(
    for outbox: ShortQueue<InterceptorManager.Outgoing>, of factory: Int, hasNext: Bool
  ) -> [MadeLinks] {
    var hasNext = hasNext
    var made: [MadeLinks] = []
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

  /// Makes the next link from the first factory that makes one, or all of them.
  func makeLinks(from position: Int) -> MadeLinks {
    switch creation {
    case .lazy: makeNext(from: position)
    case .eager: makeAll(from: position)
    }
  }

  private func makeNext(from first: Int) -> MadeLinks {
    var made = MadeLinks()
    for position in first..<factories.count {
      if make(at: position, into: &made) { return made }
    }
    made.reachesTransport = true
    return made
  }

  /// Makes every link, from last to first.
  private func makeAll(from first: Int) -> MadeLinks {
    var made = MadeLinks()
    for position in (first..<factories.count).reversed() { make(at: position, into: &made) }
    made.links.reverse()
    made.reachesTransport = true
    return made
  }

  @discardableResult
  private func make(at position: Int, into made: inout MadeLinks) -> Bool {
    let factory = factories[position].factory
    guard let interceptor = factory.makeInterceptor(for: start) else {
      made.skipped.append(factory.name)
      return false
    }
    made.links.append(
      MadeLinks.Made(
        interceptor: interceptor, name: factory.name, queues: factory.queues, factory: position,
        deadline: interceptor.nextDeadline))
    return true
  }
}

/// Where the links come from that are needed to carry out what another one decided.
struct LinkSupply {
  /// What was made while the link was at work; nil where factories are asked when it is needed.
  private var ahead: ArraySlice<MadeLinks>?
  private var hasAsked = false

  /// Asks factories when links are needed.
  init() {}

  /// Takes what was made ahead.
  init(_ ahead: [MadeLinks]) {
    self.ahead = ahead[...]
  }

  /// The links behind one; nil where nothing more can be made.
  mutating func next(_ plan: ChainPlan, behind factory: Int) -> MadeLinks? {
    guard ahead == nil else { return ahead?.popFirst() }
    guard !hasAsked else { return nil }
    hasAsked = true
    return plan.makeLinks(from: factory + 1)
  }

  /// The links behind one are given up: others can be made in their place.
  mutating func renew() {
    hasAsked = false
  }
}

/// Links that factories made and that are not yet part of their chain.
struct MadeLinks: Sendable {
  /// One of them, with what its factory and itself say of it.
  struct Made: Sendable {
    let interceptor: any Interceptor
    let name: String
    let queues: InterceptorQueues
    /// The place of its factory among those of the call.
    let factory: Int
    let deadline: Instant?
  }

  /// The factories that made none.
  var skipped: [String] = []
  var links: [Made] = []
  /// Whether nothing but the transport is behind them.
  var reachesTransport = false
}

/// A call whose first links are to be made.
public struct CallOpening: Sendable {
  let plan: ChainPlan
  /// Whether the links are made now: with the call that is the first one, where each is made when
  /// it is needed (I4), and none where all are made when the call starts (L17).
  private let isDue: Bool
  var made: MadeLinks?

  init(_ plan: ChainPlan, isDue: Bool) {
    self.plan = plan
    self.isDue = isDue
  }

  /// Asks the factories for the links that are made now; nothing of the chains is touched.
  public mutating func run() {
    if isDue { made = plan.makeLinks(from: 0) }
  }
}
