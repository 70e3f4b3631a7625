import HandoverCore
import HandoverEngine

/// The state of a run's requests and of the platform's connections, as text.
struct RequestView {
  let script: Script
  let states: RequestStates

  private var requests: [RequestStates.Request] { states.requests }

  /// Returns the permanent change that a fact makes to a dispatcher, or `nil` if there is none.
  static func change(_ fact: RequestFact, _ script: Script) -> String? {
    func dispatcher(_ pool: UInt32) -> String {
      pool < script.pools.count
        ? "dispatcher \(VisibleText.of(script.pools[Int(pool)]))" : "dispatcher \(pool)"
    }
    return switch fact {
    case .longLimitChanged(let pool, let long): "\(dispatcher(pool)): long limit \(long)"
    case .dispatcherClosed(let pool): "\(dispatcher(pool)): closed"
    case .answered, .heldSlot, .arrived, .limitReached, .waits, .handedOver, .froze, .thawed,
      .connectionOpened, .connectionClosed, .connectionLost, .carried, .retried, .responded,
      .received,
      .pollAnswered, .slotReleased, .ended, .thread, .runsOn:
      nil
    }
  }

  /// Returns the state as tables, with at most `maximumOver` of the requests that ended last.
  func text(maximumOver: Int, width: Int?) -> String {
    connectionText(width) + "\n" + threadText(width) + requestText(maximumOver, width)
  }

  private func connectionText(_ width: Int?) -> String {
    var table = TextTable("connection", "host", "path", "carries")
    for (index, connection) in states.connections.enumerated() where connection.isOpen {
      let id = UInt32(truncatingIfNeeded: index)
      let carried = requests.indices.filter { requests[$0].connection == id }
      let names = carried.map { script.requests[$0].id }.joined(separator: ", ")
      table.add(
        name(id), script.hosts[connection.host].written, connection.path.map(name) ?? "none",
        names.isEmpty ? "-" : names)
    }
    let closed = states.connections.count { !$0.isOpen }
    let gone = closed > 0 ? " (\(closed) gone)" : ""
    return table.isEmpty
      ? "no connections\(gone)\n" : "connections\(gone)\n" + table.text(width: width)
  }

  /// Returns a table of the threads, or an empty string if the run has none.
  private func threadText(_ width: Int?) -> String {
    let threads = states.threads.names.filter { states.threads.phase(of: $0) != .gone }
    let endedCount = states.threads.names.count - threads.count
    guard !states.threads.names.isEmpty else { return "" }
    var table = TextTable("thread", "host", "pool", "runs")
    for thread in threads {
      let running = requests.indices.first { index in
        requests[index].isInSlot
          && requests[index].thread.map { states.thread(of: index, $0) } == thread
      }
      let words = running.map { script.requests[$0].id } ?? "-"
      table.add(
        "\(thread.number)", script.hosts[thread.host].written,
        VisibleText.of(script.pools[thread.pool]),
        states.threads.phase(of: thread) == .idle ? "idle" : words)
    }
    let gone = endedCount > 0 ? " (\(endedCount) gone)" : ""
    return (table.isEmpty ? "no threads\(gone)\n" : "threads\(gone)\n" + table.text(width: width))
      + "\n"
  }

  private func requestText(_ maximumOver: Int, _ width: Int?) -> String {
    let made = requests.indices.filter { requests[$0].phase != .notMade }
    let hidden = made.filter { requests[$0].phase == .ended }.dropLast(maximumOver)
    var table = TextTable("request", "kind", "host", "phase", "slot", "connection")
    for index in made where !hidden.contains(index) {
      let (row, wanted) = (requests[index], script.requests[index])
      table.add(
        wanted.id, wanted.kind.name, script.hosts[wanted.host].written, phase(of: index),
        row.admission != nil && wanted.kind != .exempt && row.isInSlot ? "held" : "-",
        row.connection.map(name) ?? "-")
    }
    var text = table.isEmpty ? "no requests\n" : "requests\n" + table.text(width: width)
    if !hidden.isEmpty { text += "  and \(hidden.count) that ended before\n" }
    let rest = requests.count - made.count
    if rest > 0 { text += "  \(counted(rest, "request")) not made yet\n" }
    return text
  }

  private func phase(of request: Int) -> String {
    let row = requests[request]
    switch row.phase {
    case .notMade: return "not made"
    case .waiting: return "waiting, place \(position(of: request))"
    case .running: return "running"
    case .frozen: return "frozen"
    case .resting: return "resting between polls"
    case .ended:
      let code = row.code.map { " (\($0))" } ?? ""
      return "ended \(row.outcome?.rawValue ?? "") at \(row.endedAt.exactText)\(code)"
    }
  }

  /// Returns the position of a waiting request in its queue, counted from 1.
  private func position(of request: Int) -> Int {
    requests.indices.count {
      requests[$0].phase == .waiting && requests[$0].wait < requests[request].wait
        && isInLine($0, of: request)
    } + 1
  }

  /// Returns whether two waiting requests are in the same queue: that of long or of other requests.
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
}
