import HandoverCore
import HandoverTrace

/// How the requests of a run stand, and the platform's connections, as the records tell it.
struct RequestView {
  private let script: Script
  private var requests: [Row]
  private var connections: [Connection] = []
  private var goneConnections = 0
  private var threads: [ThreadRow] = []
  private var goneThreads = 0
  /// What waits for a slot, in the order of its coming.
  private var waiting: [Int] = []
  /// What the user or a dispatcher changed, in the order of time.
  private var changes: [String] = []

  private struct Row {
    var phase = Phase.notMade
    /// Whether it is handed over without a slot, past the long limit.
    var ignoresLimit = false
    /// Whether a dispatcher admitted it, and its slots are known.
    var isDispatched = false
    var holdsSlot = false
    /// Whether it is a stream that is made of short requests.
    var isPolling = false
    var connection: UInt32?
    var thread: UInt32?
  }

  /// A thread that runs requests, by its number in the pool of an endpoint.
  fileprivate struct ThreadRow {
    var number: UInt32
    var host: UInt32
    var pool: UInt32
    var isIdle = false
  }

  private enum Phase: Hashable {
    case notMade
    case waiting
    case running
    case frozen
    /// Between two of the short requests that a stream is made of.
    case resting
    case ended(String)

    var isOver: Bool {
      if case .ended = self { return true }
      return false
    }
  }

  private struct Connection {
    var id: UInt32
    var host: Int
    var path: PathIndex?
  }

  /// Makes the view of a run in which nothing has happened.
  init(_ script: Script) {
    self.script = script
    requests = Array(repeating: Row(), count: script.requests.count)
  }

  // MARK: Records

  mutating func take(_ fact: RequestFact, at now: Instant) {
    if let request = fact.request {
      // A trace may name requests that its first line does not.
      guard request < requests.count else { return }
      take(fact, of: Int(request), at: now)
      return
    }
    switch fact {
    case .connectionOpened(let id, let host, _, let path):
      connections.append(Connection(id: id, host: Int(host), path: path))
    case .connectionClosed(let id), .connectionLost(let id):
      connections.removeAll { $0.id == id }
      goneConnections += 1
    case .thread(let change, let number, let host, let pool):
      take(change, of: ThreadRow(number: number, host: host, pool: pool))
    case .longLimitChanged(let pool, let long):
      changes.append("\(dispatcher(pool)): long limit \(long) since \(now.text)")
    case .dispatcherClosed(let pool):
      changes.append("\(dispatcher(pool)): closed since \(now.text)")
    case .answered, .heldSlot, .arrived, .limitReached, .waits, .handedOver, .froze, .thawed,
      .carried, .responded, .received, .pollAnswered, .slotReleased, .ended, .runsOn:
      break
    }
  }

  private mutating func take(_ change: ThreadChange, of thread: ThreadRow) {
    if change == .made { threads.append(thread) }
    guard let place = threads.firstIndex(where: { $0.isSame(as: thread) }) else { return }
    switch change {
    case .made: break
    case .rests: threads[place].isIdle = true
    case .collected, .ended:
      threads.remove(at: place)
      goneThreads += 1
    }
  }

  private mutating func take(_ number: UInt32, thatRuns request: Int) {
    requests[request].thread = number
    for place in threads.indices where runs(threads[place], request) {
      threads[place].isIdle = false
    }
  }

  /// Whether a thread is the one that took a request last.
  private func runs(_ thread: ThreadRow, _ request: Int) -> Bool {
    let wanted = script.requests[request]
    return requests[request].thread == thread.number && wanted.pool == thread.pool
      && thread.host < script.hosts.count
      && script.hosts[wanted.host].endpointKey() == script.hosts[Int(thread.host)].endpointKey()
  }

  private mutating func take(_ fact: RequestFact, of request: Int, at now: Instant) {
    switch fact {
    case .arrived(_, let admission): arrived(request, admission, at: now)
    case .waits: wait(request)
    case .handedOver:
      waiting.removeAll { $0 == request }
      requests[request].phase = .running
      requests[request].holdsSlot = !requests[request].ignoresLimit
    case .froze: requests[request].phase = .frozen
    case .thawed: requests[request].holdsSlot = true
    case .runsOn(_, let thread): take(thread, thatRuns: request)
    case .carried(_, let connection):
      requests[request].phase = .running
      requests[request].connection = connection
    case .pollAnswered:
      requests[request].phase = .resting
      requests[request].connection = nil
    case .slotReleased: requests[request].holdsSlot = false
    case .ended(_, let end): self.end(request, RequestOutcome(end), end.errorCode, at: now)
    case .heldSlot, .limitReached, .responded, .received, .answered, .connectionOpened,
      .connectionClosed, .connectionLost, .longLimitChanged, .dispatcherClosed, .thread:
      break
    }
  }

  private mutating func arrived(_ request: Int, _ admission: Admission?, at now: Instant) {
    requests[request].phase = .running
    requests[request].isDispatched = admission != nil && script.requests[request].kind != .exempt
    switch admission {
    case .startsNow, nil: break
    case .freezes: requests[request].ignoresLimit = true
    case .waits: wait(request)
    case .polls(let position):
      requests[request].isPolling = true
      if position > 0 { wait(request) }
    case .refused(let refusal): end(request, .refused, refusal.errorCode, at: now)
    }
  }

  private mutating func wait(_ request: Int) {
    requests[request].phase = .waiting
    requests[request].connection = nil
    waiting.append(request)
  }

  private mutating func end(
    _ request: Int, _ outcome: RequestOutcome, _ code: Int32?, at now: Instant
  ) {
    waiting.removeAll { $0 == request }
    let number = code.map { " (\($0))" } ?? ""
    requests[request].phase = .ended("ended \(outcome.rawValue) at \(now.text)\(number)")
    requests[request].holdsSlot = false
    requests[request].connection = nil
  }

  // MARK: Words

  /// The state as two small tables; of the requests that are over so many are shown, the last ones.
  func text(maximumOver: Int) -> String {
    changes.map { $0 + "\n" }.joined() + (changes.isEmpty ? "" : "\n") + connectionText + "\n"
      + threadText + requestText(maximumOver)
  }

  private var connectionText: String {
    var table = TextTable("connection", "host", "path", "carries")
    for connection in connections {
      let carried = requests.indices.filter { requests[$0].connection == connection.id }
      let names = carried.map { script.requests[$0].id }.joined(separator: ", ")
      table.add(
        name(connection.id), host(connection.host), connection.path.map(name) ?? "none",
        names.isEmpty ? "-" : names)
    }
    let gone = goneConnections > 0 ? " (\(goneConnections) gone)" : ""
    return table.isEmpty ? "no connections\(gone)\n" : "connections\(gone)\n" + table.text
  }

  /// The threads as a table, where the run has any.
  private var threadText: String {
    guard !threads.isEmpty || goneThreads > 0 else { return "" }
    var table = TextTable("thread", "host", "pool", "runs")
    for thread in threads {
      let running = requests.indices.first { requests[$0].holdsSlot && runs(thread, $0) }
      let words = running.map { script.requests[$0].id } ?? "-"
      table.add(
        "\(thread.number)", host(Int(thread.host)), pool(thread.pool),
        thread.isIdle ? "idle" : words)
    }
    let gone = goneThreads > 0 ? " (\(goneThreads) gone)" : ""
    return (table.isEmpty ? "no threads\(gone)\n" : "threads\(gone)\n" + table.text) + "\n"
  }

  private func pool(_ place: UInt32) -> String {
    place < script.pools.count ? VisibleText.of(script.pools[Int(place)]) : "\(place)"
  }

  private func requestText(_ maximumOver: Int) -> String {
    let made = requests.indices.filter { requests[$0].phase != .notMade }
    let hidden = made.filter { requests[$0].phase.isOver }.dropLast(maximumOver)
    var table = TextTable("request", "kind", "host", "phase", "slot", "connection")
    for place in made where !hidden.contains(place) {
      let (row, wanted) = (requests[place], script.requests[place])
      table.add(
        wanted.id, wanted.kind.name, host(wanted.host), phase(of: place),
        row.isDispatched && row.holdsSlot ? "held" : "-", row.connection.map(name) ?? "-")
    }
    var text = table.isEmpty ? "no requests\n" : "requests\n" + table.text
    if !hidden.isEmpty { text += "  and \(hidden.count) that ended before\n" }
    let rest = requests.count - made.count
    if rest > 0 { text += "  \(VisibleText.counted(rest, "request")) not made yet\n" }
    return text
  }

  private func phase(of request: Int) -> String {
    switch requests[request].phase {
    case .notMade: "not made"
    case .waiting: "waiting, place \(position(of: request))"
    case .running: "running"
    case .frozen: "frozen"
    case .resting: "resting between polls"
    case .ended(let words): words
    }
  }

  /// The place of a waiting request in its line, counted from 1.
  private func position(of request: Int) -> Int {
    waiting.prefix { $0 != request }.count { isInLine($0, of: request) } + 1
  }

  /// Whether two waiting requests stand in one line: that of the long ones, or of all others.
  private func isInLine(_ one: Int, of other: Int) -> Bool {
    guard isInLongLine(one) == isInLongLine(other) else { return false }
    let (one, other) = (script.requests[one], script.requests[other])
    return one.pool == other.pool
      && script.hosts[one.host].endpointKey() == script.hosts[other.host].endpointKey()
  }

  private func isInLongLine(_ request: Int) -> Bool {
    script.requests[request].kind == .long && !requests[request].isPolling
  }

  private func name(_ path: PathIndex) -> String { script.visibleName(of: path) }

  private func name(_ connection: UInt32) -> String { "#\(UInt64(connection) + 1)" }

  private func host(_ place: Int) -> String {
    place < script.hosts.count ? script.hosts[place].written : "-"
  }

  private func dispatcher(_ pool: UInt32) -> String {
    pool < script.pools.count
      ? "dispatcher \(VisibleText.of(script.pools[Int(pool)]))" : "dispatcher \(pool)"
  }
}

extension RequestView.ThreadRow {
  /// Whether it is the thread of another one's number and pool.
  fileprivate func isSame(as other: Self) -> Bool {
    number == other.number && host == other.host && pool == other.pool
  }
}
