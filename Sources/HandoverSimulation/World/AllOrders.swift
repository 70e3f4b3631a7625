import HandoverCore
import HandoverTrace

/// Who watches a run, record by record; what it remembers tells worlds apart.
protocol RunObserver: Hashable {
  /// Takes the next record.
  mutating func handle(_ record: TraceRecord)
}

/// Plays a script in every order of what is due at one instant.
///
/// Where several things are due, the world is forked for each. Of worlds that have come to one
/// digest before the same entry, and whose observers remember the same, one goes on.
struct AllOrders<Observer: RunObserver> {
  /// What came of it.
  struct Result {
    /// What observers remember at the ends of their runs.
    var ends: Set<Observer> = []  // lookup only
    /// How many worlds were looked at, and how many more had been met before.
    var worlds = 0
    var met = 0
    /// Whether every order was tried.
    var isComplete = true
  }

  /// Who watches each run from its beginning.
  let observer: Observer
  /// How many worlds are looked at, at most.
  var maximumWorlds = 100_000

  /// Plays a script.
  ///
  /// - Parameters:
  ///   - script: what is played; its own order of what is due counts for nothing.
  ///   - profile: the contract it is played on.
  ///   - end: the instant at which runs are over.
  /// - Returns: what came of it.
  func run(_ script: Script, on profile: Profile, until end: Instant) -> Result {
    var script = script
    // Any order that is not the usual one keeps callbacks apart.
    script.configuration.order.isDrawn = true
    var walk = Walk(maximumWorlds: maximumWorlds, end: end)
    var world = World()
    var observer = observer
    Self.watch(&world, &observer) { $0.open(script, profile: profile) }
    walk.explore(world, observer, before: 0)
    return walk.result
  }

  /// Lets a world do something before the eyes of an observer.
  private static func watch(
    _ world: inout World, _ observer: inout Observer, _ work: (inout World) -> Void
  ) {
    var trace = Trace()
    _ = world.recording(&trace, work)
    for record in trace.records { observer.handle(record) }
  }

  /// A world, by its digest, and the entry it comes to next.
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
      guard let choices, next.mayGoOn else {
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
