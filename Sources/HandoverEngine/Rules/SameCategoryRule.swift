import HandoverCore

/// Invariant 3: a callback of the current category is not reported and destroys nothing.
struct SameCategoryRule: Rule {
  static let identifier = RuleIdentifier.sameCategory

  /// The number of channels destroyed since such a callback, or `nil` if another event was the
  /// latest.
  private var destroyed: Int?

  @inline(__always)
  mutating func handle(_ event: ConnectivityMonitor.Event, _ run: inout ObservedRun) {
    if run.changesCategory(event) == false { destroyed = 0 }
  }

  mutating func notified(_ change: CategoryChange, _ run: inout ObservedRun) {
    guard destroyed != nil else { return }
    broken(
      &run, "a callback of the current category is not a change",
      "one from \(change.from) to \(change.to) was reported")
  }

  @inline(__always)
  mutating func channelDestroyed(_ channel: ChannelID, _ run: inout ObservedRun) {
    if let destroyed { self.destroyed = destroyed + 1 }
  }

  @inline(__always)
  var isOpen: Bool { destroyed != nil }

  mutating func stepIsOver(_ run: inout ObservedRun) {
    if let destroyed, destroyed > 0 {
      broken(&run, "a callback of the current category destroys nothing", "\(destroyed) destroyed")
    }
    destroyed = nil
  }
}
