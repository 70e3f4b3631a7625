public import HandoverCore
public import HandoverTrace

/// A world of the built-in client that is played entry by entry and keeps no trace; the benchmarks
/// measure with it what a search through many runs will do.
@_spi(Measuring)
public struct MeasuredWorld: ~Copyable {
  private var world: World

  /// Makes a world before its first run.
  public init() {
    world = World()
  }

  private init(_ world: consuming World) {
    self.world = world
  }

  /// Begins a run of a script; the room of the run before is used again.
  public mutating func open(_ script: Script, profile: Profile) {
    world.context.trace.removeAll()
    world.open(script, profile: profile)
  }

  /// Lets time pass up to an entry of the timeline, and plays it.
  public mutating func play(_ entry: Int) {
    world.advance(until: world.context.script.entries[entry].at, inclusive: false)
    world.play(entry)
  }

  /// Lets time pass until nothing is left to wait for, and closes the client.
  ///
  /// - Parameter limit: the instant at which the run is over at the latest.
  public mutating func finish(through limit: Instant) {
    world.runUntilIdle(through: limit)
    world.context.record(.runEnded(.quiet))
    world.close(at: world.context.now)
  }

  /// What the records refer to beside themselves.
  public var references: Trace {
    _read { yield world.context.references }
  }

  /// Hands out what was recorded since the last time, and forgets it.
  public mutating func takeRecords(_ body: (borrowing EffectLog<TraceRecord>) -> Void) {
    world.context.takeRecords(body)
  }

  /// Another world that goes on as this one does.
  ///
  /// - Precondition: nobody but this process has a part in the run.
  public func fork() -> MeasuredWorld {
    guard let fork = world.fork() else { preconditionFailure("the built-in world can be forked") }
    return MeasuredWorld(fork)
  }

  /// Half of the digest of the world's state.
  public func digest() -> UInt64 { world.digest().low }
}
