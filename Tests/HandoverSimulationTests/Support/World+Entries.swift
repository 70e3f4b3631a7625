import HandoverCore

@testable import HandoverSimulation

extension World {
  /// Plays all entries of the script that was opened, each when its time has come.
  mutating func playEntries() {
    for entry in context.script.entries.indices {
      advance(until: context.script.entries[entry].at, inclusive: false)
      play(entry)
    }
  }
}
