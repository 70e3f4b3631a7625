import HandoverCore

@testable import HandoverSimulation

extension World {
  /// Runs all entries of the opened script, each at its time.
  mutating func playEntries() {
    for entry in context.script.entries.indices {
      advance(until: context.script.entries[entry].at, inclusive: false)
      play(entry)
    }
  }
}
