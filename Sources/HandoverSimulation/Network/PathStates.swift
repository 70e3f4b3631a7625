import HandoverBackend
import HandoverCore

/// The state of a network, independent of the connections on it.
struct PathState: Hashable, Sendable {
  /// The stall causes of every connection on the network, including later ones.
  var obstacles: StallCauses = []
  /// The entries that caused the current state of the uplink and the current loss.
  var uplinkCause: UInt32?
  var lossCause: UInt32?
}

/// The states of the networks of a script, by path.
///
/// Empty if the script has no networks and no qualities.
struct PathStates: Hashable, Sendable {
  /// A scheduled change of a network.
  private struct Scheduled: Hashable, Sendable {
    var change: DeviceTimeline.ScheduledChange
    var handle: Agenda<ScheduledEvent>.Handle
  }

  private(set) var rows: ContiguousArray<PathState> = []
  private var scheduled: ContiguousArray<Scheduled> = []

  /// Begins a run of a script.
  mutating func open(_ script: Script) {
    let isUsed = !script.networks.isEmpty || !script.qualities.isEmpty
    rows.fill(PathState(), count: isUsed ? script.paths.count : 0)
    scheduled.removeAll(keepingCapacity: true)
  }

  /// Adds a scheduled change.
  mutating func add(
    _ change: DeviceTimeline.ScheduledChange, _ handle: Agenda<ScheduledEvent>.Handle
  ) {
    scheduled.append(Scheduled(change: change, handle: handle))
  }

  /// Removes a scheduled change, and returns its handle, or `nil` if it is not scheduled.
  mutating func remove(_ change: DeviceTimeline.ScheduledChange) -> Agenda<ScheduledEvent>.Handle? {
    scheduled.firstIndex { $0.change == change }.map { scheduled.remove(at: $0).handle }
  }

  /// The networks whose uplink or router changes without an entry.
  var changing: PathSet {
    scheduled.reduce(into: []) {
      if $1.change.kind != .lingerEnds { $0.formUnion(PathSet($1.change.path)) }
    }
  }

  subscript(path: PathIndex) -> PathState {
    get { rows[Int(path.index)] }
    _modify { yield &rows[Int(path.index)] }
  }
}
