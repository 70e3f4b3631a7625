public import HandoverCore

/// A world of the built-in client that runs entry by entry and keeps no trace.
///
/// The benchmarks use it to measure what a search through many runs does.
@_spi(Measuring)
public struct MeasuredWorld: ~Copyable {
  private var world: World

  /// Creates a world that has not run yet.
  public init() {
    world = World()
  }

  private init(_ world: consuming World) {
    self.world = world
  }

  /// Begins a run of a script, and reuses the memory of the previous run.
  public mutating func open(_ script: Script, profile: Profile) {
    world.context.trace.removeAll()
    world.open(script, profile: profile)
  }

  /// Advances the time to an entry of the timeline, and runs the entry.
  public mutating func play(_ entry: Int) {
    world.advance(until: world.context.script.entries[entry].at, inclusive: false)
    world.play(entry)
  }

  /// Advances the time until no event is left, and closes the client.
  ///
  /// - Parameter limit: the latest instant at which the run ends.
  public mutating func finish(through limit: Instant) {
    world.runUntilIdle(through: limit)
    world.context.record(.runEnded(.quiet))
    world.close(at: world.context.now)
  }

  /// The records since the last call of ``takeRecords(_:)``, and the data to which records refer.
  public var trace: Trace {
    _read { yield world.context.trace }
  }

  /// Passes to `body` all records since the last call of this function, and removes them.
  public mutating func takeRecords(_ body: (ContiguousArray<TraceRecord>) -> Void) {
    body(world.context.trace.records)
    world.context.trace.removeRecords()
  }

  /// Returns an independent world in the same state.
  ///
  /// - Precondition: the client and the transport run in this process.
  public func fork() -> MeasuredWorld {
    guard let fork = world.fork() else {
      preconditionFailure("the built-in world cannot be forked")
    }
    return MeasuredWorld(fork)
  }

  /// Returns half of the digest of the world's state.
  public func digest() -> UInt64 { world.digest().low }
}
