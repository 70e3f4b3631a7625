import HandoverCore

/// The state of a network, independent of the connections on it.
struct PathState: Hashable, Sendable {
  /// The stall causes of every connection on the network, including later ones.
  var obstacles: StallCauses = []
  /// The entries that caused the current state of the uplink and the current loss.
  var uplinkCause: UInt32?
  var lossCause: UInt32?
  /// The scheduled end of the network while it lingers.
  var linger: Agenda<ScheduledEvent>.Handle?
  /// The scheduled recovery of the uplink.
  var uplinkReturns: Agenda<ScheduledEvent>.Handle?
  /// The next failure of the uplink, and the next loss of the router's flow state.
  ///
  /// Both are periodic.
  var uplinkLeaves: Agenda<ScheduledEvent>.Handle?
  var forgets: Agenda<ScheduledEvent>.Handle?
}

/// The states of the networks of a script, by path.
///
/// Empty if the script has no networks and no qualities.
struct PathStates: Hashable, Sendable {
  private(set) var rows: ContiguousArray<PathState> = []

  /// Begins a run of a script.
  mutating func open(_ script: Script) {
    let isUsed = !script.networks.isEmpty || !script.qualities.isEmpty
    rows.fill(PathState(), count: isUsed ? script.paths.count : 0)
  }

  subscript(path: PathIndex) -> PathState {
    get { rows[Int(path.index)] }
    _modify { yield &rows[Int(path.index)] }
  }
}
