import HandoverCore

/// Rule 3: a callback of the category held destroys nothing.
struct SameCategoryRule: Rule {
  static let identifier = RuleIdentifier.sameCategory

  /// How many channels were destroyed since such a callback; nil where another thing came last.
  private var destroyed: Int?

  mutating func handle(_ event: ClientCore.Event, _ run: inout ObservedRun) {
    if run.changesCategory(event) == false { destroyed = 0 }
  }

  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {
    guard let destroyed, case .channelDestroyed = effect else { return }
    self.destroyed = destroyed + 1
  }

  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) {
    guard let destroyed else { return }
    if destroyed > 0 {
      broken(&run, "a callback of the category held destroys nothing", "\(destroyed) destroyed")
    }
    self.destroyed = nil
  }
}
