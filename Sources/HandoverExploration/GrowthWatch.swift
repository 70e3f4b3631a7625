import HandoverMachines

/// The largest of what a state has of each thing that might grow for ever.
struct GrowthWatch {
  var calls = 0
  var connections = 0
  var queued = 0
  var lateSends = 0
  var mean = Interval.zero

  mutating func see(_ state: borrowing ClientSurvey) {
    calls = max(calls, state.callsInUse)
    connections = max(connections, state.connectionsInUse)
    for place in 0..<state.calls.count {
      queued = max(queued, Int(state.calls[place].queuedMessages))
    }
    for host in 0..<state.hosts.count {
      mean = max(mean, state.hosts[host].mean)
      lateSends = max(lateSends, state.hosts[host].lateSends)
    }
  }

  /// Takes in what another one has seen.
  mutating func see(_ other: GrowthWatch) {
    calls = max(calls, other.calls)
    connections = max(connections, other.connections)
    queued = max(queued, other.queued)
    lateSends = max(lateSends, other.lateSends)
    mean = max(mean, other.mean)
  }

  /// Whether something has grown so far beyond what a setup allows that nobody waits for its end.
  func isEndless(_ setup: ExplorationSetup) -> Bool {
    beyond(setup).contains { $0.size >= 2 * $0.bound + 16 }
  }

  /// What has grown beyond the bounds of a setup.
  func beyond(_ setup: ExplorationSetup) -> [Growth] {
    var grown: [Growth] = []
    func look(_ name: String, _ size: Int, _ bound: Int) {
      if size > bound { grown.append(Growth(name: name, size: size, bound: bound)) }
    }
    look("calls", calls, setup.calls)
    // Each host has one of its own, and each other one drains for a call.
    look("connections", connections, setup.hosts + setup.calls)
    look("messages that wait for a connection", queued, 0)
    look("calls that are still to be sent after their end", lateSends, 0)
    look(
      "seconds of backoff", Int(mean.microseconds / 1_000_000),
      Int(setup.configuration.backoff.maximum.microseconds / 1_000_000))
    return grown
  }
}
