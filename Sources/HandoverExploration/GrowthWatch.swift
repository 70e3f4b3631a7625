import HandoverCore

/// The maximum, over the visited states, of each quantity that might grow without bound.
struct GrowthWatch {
  var calls = 0
  var connections = 0
  var queued = 0
  var lateSends = 0
  var mean = Interval.zero

  mutating func observe(_ state: borrowing ClientSurvey) {
    calls = max(calls, state.callsInUse)
    connections = max(connections, state.connectionsInUse)
    for position in 0..<state.calls.count {
      queued = max(queued, Int(state.calls[position].queuedMessages))
    }
    for host in 0..<state.hosts.count {
      mean = max(mean, state.hosts[host].mean)
      lateSends = max(lateSends, state.hosts[host].lateSends)
    }
  }

  /// Merges the maxima of another value.
  mutating func merge(_ other: GrowthWatch) {
    calls = max(calls, other.calls)
    connections = max(connections, other.connections)
    queued = max(queued, other.queued)
    lateSends = max(lateSends, other.lateSends)
    mean = max(mean, other.mean)
  }

  /// Whether a quantity exceeds its bound so far that the state space is considered infinite.
  func isEndless(_ setup: ExplorationSetup) -> Bool {
    beyond(setup).contains { $0.size >= 2 * $0.bound + 16 }
  }

  /// Returns the quantities that exceed the bounds of a setup.
  func beyond(_ setup: ExplorationSetup) -> [Growth] {
    var grown: [Growth] = []
    func check(_ name: String, _ size: Int, _ bound: Int) {
      if size > bound { grown.append(Growth(name: name, size: size, bound: bound)) }
    }
    check("calls", calls, setup.calls)
    // Each host has one current connection; every other connection drains for a call.
    check("connections", connections, setup.hosts + setup.calls)
    check("messages that wait for a connection", queued, 0)
    check("calls that will be sent after their end", lateSends, 0)
    check(
      "seconds of backoff", Int(mean.microseconds / 1_000_000),
      Int(setup.configuration.backoff.maximum.microseconds / 1_000_000))
    return grown
  }
}
