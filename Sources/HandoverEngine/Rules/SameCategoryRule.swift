import HandoverCore

/// Invariant 3: a callback of the current category is not reported and destroys nothing.
struct SameCategoryRule: Rule {
  static let identifier = RuleIdentifier.sameCategory
  static let moments: RunMoments = [
    .reachability, .notifications, .channelDestructions, .stepEnd,
  ]

  /// The number of channels destroyed since a callback of the current category, or `nil` if another
  /// event came later.
  private var destroyed: Int?

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    switch record.body {
    case .event(.reachability(let event)):
      if run.changesCategory(event) == false { destroyed = 0 }
    case .effect(.notify(let change)):
      guard destroyed != nil else { return }
      broken(
        &run, "a callback of the current category is not a change",
        "one from \(change.from) to \(change.to) was reported")
    case .effect(.channelDestroyed):
      if let destroyed { self.destroyed = destroyed + 1 }
    default: break
    }
  }

  mutating func stepIsOver(_ run: inout ObservedRun) {
    if let destroyed, destroyed > 0 {
      broken(&run, "a callback of the current category destroys nothing", "\(destroyed) destroyed")
    }
    destroyed = nil
  }
}
