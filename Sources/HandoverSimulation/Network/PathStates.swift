import HandoverCore

/// What stands on the way of a network, whatever connections there are on it.
struct PathState: Hashable, Sendable {
  /// What every connection on it meets, those that are made later too.
  var obstacles: StallCauses = []
  /// The entries that made the uplink, and the loss, what they are.
  var uplinkCause: UInt32?
  var lossCause: UInt32?
  /// The end of its linger, where it is about to go.
  var linger: Agenda<ScheduledEvent>.Handle?
  /// When its uplink returns of itself.
  var uplinkReturns: Agenda<ScheduledEvent>.Handle?
  /// When it goes again, and when its router forgets again; both are periodic.
  var uplinkLeaves: Agenda<ScheduledEvent>.Handle?
  var forgets: Agenda<ScheduledEvent>.Handle?
}

/// The states of the networks of a script, by their paths; empty where it has none, and no path
/// has a quality.
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
