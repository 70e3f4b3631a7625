import HandoverCore

/// An observer of a run, which receives every record.
///
/// Its state is part of a world's identity.
protocol RunObserver: Hashable {
  /// Processes the next record.
  mutating func handle(_ record: TraceRecord)
}

/// Runs a script in every order of the events that are due at the same instant.
///
/// If several events are due, the world is forked for each of them. If worlds reach the same digest
/// and the same observer state before the same entry, only one of them continues.
struct AllOrders<Observer: RunObserver> {
  /// The result of all runs.
  struct Result {
    /// The states of the observers at the ends of their runs.
    var ends: Set<Observer> = []  // lookup only
    /// The number of expanded worlds.
    var worlds = 0
    /// The number of worlds that had been reached before, so that they were not expanded.
    var met = 0
    /// Whether every order was tried.
    var isComplete = true
  }

  /// The observer at the start of each run.
  let observer: Observer
  /// The maximum number of expanded worlds.
  var maximumWorlds = 100_000

  /// Runs a script in every order.
  ///
  /// - Parameters:
  ///   - script: the script to run. Its configured order is ignored.
  ///   - profile: the profile to run it on.
  ///   - end: the instant at which runs end.
  /// - Returns: the result of all runs.
  func run(_ script: Script, on profile: Profile, until end: Instant) -> Result {
    var script = script
    // Every order except the usual one keeps callbacks on a separate agenda.
    script.configuration.order.isRandom = true
    var walk = Walk(maximumWorlds: maximumWorlds, end: end)
    var world = World()
    var observer = observer
    Self.watch(&world, &observer) { $0.open(script, profile: profile) }
    walk.explore(world, observer, before: 0)
    return walk.result
  }

  /// Runs some work of a world and passes its records to an observer.
  private static func watch(
    _ world: inout World, _ observer: inout Observer, _ work: (inout World) -> Void
  ) {
    var trace = Trace()
    _ = world.recording(&trace, work)
    for record in trace.records { observer.handle(record) }
  }

  /// A world, identified by its digest, with its next entry.
  private struct Position: Hashable {
    var digest: StateDigest
    var entry: Int
    var now: Instant
    var observer: Observer
  }

  private struct Walk {
    let maximumWorlds: Int
    let end: Instant
    var result = Result()
    private var known: Set<Position> = []  // lookup only

    init(maximumWorlds: Int, end: Instant) {
      self.maximumWorlds = maximumWorlds
      self.end = end
    }

    mutating func explore(
      _ world: borrowing World, _ observer: Observer, before entry: Int
    ) {
      guard result.worlds < maximumWorlds else {
        result.isComplete = false
        return
      }
      let position = Position(
        digest: world.digest(), entry: entry, now: world.context.now, observer: observer)
      guard known.insert(position).inserted else {
        result.met += 1
        return
      }
      result.worlds += 1
      let entries = world.context.script.entries
      let isLast = entry == entries.count
      guard var next = world.fork() else { return }
      let choices = next.choices(until: isLast ? end : entries[entry].at, inclusive: isLast)
      guard let choices, next.canContinue else {
        if isLast {
          result.ends.insert(observer)
        } else {
          go(on: world, observer, before: entry + 1) { $0.play(entry) }
        }
        return
      }
      for kind in choices.kinds {
        if kind == .entries {
          go(on: world, observer, before: entry + 1) { $0.play(entry) }
        } else {
          go(on: world, observer, before: entry) { $0.dispatch(kind, at: choices.instant) }
        }
      }
    }

    private mutating func go(
      on world: borrowing World, _ observer: Observer, before entry: Int,
      _ work: (inout World) -> Void
    ) {
      guard var branch = world.fork() else { return }
      var observer = observer
      AllOrders.watch(&branch, &observer, work)
      explore(branch, observer, before: entry)
    }
  }
}
