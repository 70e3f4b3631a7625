import HandoverCore
import HandoverScenario

/// What must never be seen of channels, connections, servers, the monitor and requests.
///
/// Expectations that look at the same things differ only in what they expect to see. So what is
/// seen is put together once for all of them, and looked up: an instant costs as much as there are
/// things to look at, however many expectations there are.
struct NeverWatch {
  /// Expectations that look at the same.
  private struct Group {
    /// What is looked at; the values stand for nothing.
    var shape: Expectation.Subject
    /// The places of the expectations, by what they expect to see.
    var places: [Expectation.Subject: [Int]]  // lookup only
    /// What was seen last; nothing new comes of the same.
    var last: Expectation.Subject?
  }

  private var groups: [Group] = []
  private var groupOfShape: [Expectation.Subject: Int] = [:]  // lookup only
  /// The places of all expectations, and of those that held.
  private var watched: [Int] = []
  private var taken: Set<Int> = []  // lookup only

  var isEmpty: Bool { groups.isEmpty }

  mutating func removeAll() {
    guard !isEmpty else { return }
    groups = []
    groupOfShape = [:]
    watched = []
    taken = []
  }

  /// The expectations that never held so far, by their places.
  var remaining: [Int] { watched.filter { !taken.contains($0) } }

  /// Whether it can watch for a subject: for one whose parts all have a value at any time.
  static func watches(_ subject: Expectation.Subject) -> Bool {
    switch subject {
    case .channels, .connections, .server, .monitor, .requests: true
    case .call, .interceptor, .chain, .request, .ask: false
    }
  }

  /// Adds the expectation at a place.
  mutating func add(_ place: Int, _ subject: Expectation.Subject) {
    watched.append(place)
    let shape = Self.shape(subject)
    if let group = groupOfShape[shape] {
      groups[group].places[subject, default: []].append(place)
    } else {
      groupOfShape[shape] = groups.count
      groups.append(Group(shape: shape, places: [subject: [place]]))
    }
  }

  /// Takes out the expectations that hold now.
  ///
  /// - Returns: their places, the last first.
  mutating func takeThoseThatHold(_ state: RunState) -> [Int] {
    var held: [Int] = []
    for place in groups.indices {
      let seen = Self.seen(groups[place].shape, state)
      guard groups[place].last != seen else { continue }
      groups[place].last = seen
      if let seen, let found = groups[place].places.removeValue(forKey: seen) { held += found }
    }
    taken.formUnion(held)
    return held.sorted(by: >)
  }

  /// The subject with nothing said of the values that it expects.
  private static func shape(_ subject: Expectation.Subject) -> Expectation.Subject {
    switch subject {
    case .channels(let host, let alive, let destroyed, let state):
      .channels(
        host, alive: zero(alive), destroyed: zero(destroyed), state: state.map { _ in .idle })
    case .connections(let host, let attempts, let open, let path):
      // Paths are few, and whether all are on one is asked of each.
      .connections(host, attempts: zero(attempts), open: zero(open), path: path)
    case .server(let host, let received): .server(host, received: zero(received))
    case .monitor(let notifications): .monitor(notifications: zero(notifications))
    case .requests(let host, let wanted): .requests(host, wanted.replacing(.zeros))
    case .call, .interceptor, .chain, .request, .ask: subject
    }
  }

  private static func zero(_ value: Int?) -> Int? { value.map { _ in 0 } }

  /// What is seen of the things that a shape looks at; nil where something has no value.
  private static func seen(
    _ shape: Expectation.Subject, _ state: RunState
  ) -> Expectation.Subject? {
    switch shape {
    case .channels(let host, let alive, let destroyed, let wanted):
      let common = wanted.flatMap { _ in state.commonState(of: host) }
      guard wanted == nil || common != nil else { return nil }
      return .channels(
        host, alive: alive.map { _ in state.sum(host, \.alive) },
        destroyed: destroyed.map { _ in state.sum(host, \.destroyed) }, state: common)
    case .connections(let host, let attempts, let open, let path):
      if let path, !state.allConnections(of: host, areOn: path) { return nil }
      return .connections(
        host, attempts: attempts.map { _ in state.sum(host, \.attempts) },
        open: open.map { _ in state.sum(host, \.open) }, path: path)
    case .server(let host, let received):
      return .server(host, received: received.map { _ in state.sum(host, \.received) })
    case .monitor(let notifications):
      return .monitor(notifications: notifications.map { _ in state.notifications })
    case .requests(let host, let wanted):
      return .requests(host, wanted.replacing(state.requests.numbers(of: host)))
    case .call, .interceptor, .chain, .request, .ask:
      return nil
    }
  }
}

extension RequestsExpectation {
  /// The same things with other numbers.
  fileprivate func replacing(_ numbers: RequestsExpectation) -> RequestsExpectation {
    var replaced = self
    if running != nil { replaced.running = numbers.running }
    if waiting != nil { replaced.waiting = numbers.waiting }
    if frozen != nil { replaced.frozen = numbers.frozen }
    if ended != nil { replaced.ended = numbers.ended }
    if open != nil { replaced.open = numbers.open }
    if opened != nil { replaced.opened = numbers.opened }
    if most != nil { replaced.most = numbers.most }
    if limitReached != nil { replaced.limitReached = numbers.limitReached }
    if threads != nil { replaced.threads = numbers.threads }
    if idleThreads != nil { replaced.idleThreads = numbers.idleThreads }
    if threadsMade != nil { replaced.threadsMade = numbers.threadsMade }
    if mostThreads != nil { replaced.mostThreads = numbers.mostThreads }
    return replaced
  }

  /// A value for each number.
  fileprivate static let zeros: RequestsExpectation = {
    var zeros = RequestsExpectation()
    (zeros.running, zeros.waiting, zeros.frozen, zeros.ended) = (0, 0, 0, 0)
    (zeros.open, zeros.opened, zeros.most, zeros.limitReached) = (0, 0, 0, 0)
    (zeros.threads, zeros.idleThreads, zeros.threadsMade, zeros.mostThreads) = (0, 0, 0, 0)
    return zeros
  }()
}
