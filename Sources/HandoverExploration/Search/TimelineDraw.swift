import HandoverCore

/// The random choice of timelines, which depends only on its inputs.
struct TimelineDraw {
  private var generator: SeededGenerator

  /// Creates the choice of one timeline.
  init(seed: UInt64, number: Int) {
    generator = SeededGenerator(seed: seed).forked(label: UInt64(number))
  }

  /// The gaps between changes, in milliseconds; frequent ones are repeated.
  private static let gaps: [Int64] = [
    50, 100, 200, 300, 500, 500, 1_000, 1_000, 1_500, 2_000, 3_000,
  ]

  /// Returns a new timeline, or one that differs a little from a kept timeline.
  mutating func timeline(_ kept: [SearchTimeline]) -> SearchTimeline {
    guard !kept.isEmpty, !isChosen(one: 2) else { return newTimeline() }
    // Later ones reached combinations that are harder to reach.
    let position = max(below(kept.count), below(kept.count))
    return changed(kept[position], kept)
  }

  private mutating func below(_ count: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(count - 1)))
  }

  private mutating func isChosen(one count: Int) -> Bool { below(count) == 0 }

  private mutating func gap() -> Interval { .milliseconds(Self.gaps[below(Self.gaps.count)]) }

  // MARK: New timelines

  private mutating func newTimeline() -> SearchTimeline {
    while true {
      let hasSeveralNetworks = isChosen(one: 2)
      var entries: [SearchTimeline.Entry] = []
      for _ in 0...below(8) { entries += motif(hasSeveralNetworks, after: entries) }
      // Bugs that count their occasions need a repetition.
      if isChosen(one: 3) { entries += entries }
      if let first = entries.indices.first { entries[first].gap = .zero }
      var device = SearchDevice(hasSeveralNetworks: hasSeveralNetworks, after: entries)
      entries += restoration(of: &device, downTo: 0)
      let timeline = SearchTimeline(hasSeveralNetworks: hasSeveralNetworks, entries)
      if !timeline.entries.isEmpty { return timeline }
    }
  }

  /// Returns a possible change, often with changes during it and with its restoration.
  ///
  /// Only as much is restored as the motif took, because some bugs need one outage during another.
  private mutating func motif(
    _ hasSeveralNetworks: Bool, after entries: [SearchTimeline.Entry]
  ) -> [SearchTimeline.Entry] {
    var device = SearchDevice(hasSeveralNetworks: hasSeveralNetworks, after: entries)
    let missing = device.restorationCount
    var motif = change(of: &device, among: SearchChange.kinds)
    // A program with a connection meets an obstacle to new connections only if it loses its own.
    if motif.contains(where: { SearchChange.obstacles.contains($0.change) }), isChosen(one: 2) {
      motif += change(of: &device, among: [SearchChange.losses])
    }
    while device.restorationCount > missing, isChosen(one: 2) {
      motif += change(of: &device, among: SearchChange.kinds)
    }
    return isChosen(one: 3) ? motif : motif + restoration(of: &device, downTo: missing)
  }

  /// Returns a possible change of some kinds, each of which is equally likely, or nothing if no
  /// change is possible.
  private mutating func change(
    of device: inout SearchDevice, among kinds: [[SearchChange]]
  ) -> [SearchTimeline.Entry] {
    let kinds = kinds.map { $0.filter(device.isPossible) }.filter { !$0.isEmpty }
    guard !kinds.isEmpty else { return [] }
    let possible = kinds[below(kinds.count)]
    let change = possible[below(possible.count)]
    _ = device.apply(change)
    return [.init(gap(), change)]
  }

  /// Returns restorations after which a device lacks only `count` things.
  ///
  /// About half of the restorations follow the preceding one immediately.
  private mutating func restoration(
    of device: inout SearchDevice, downTo count: Int
  ) -> [SearchTimeline.Entry] {
    var entries: [SearchTimeline.Entry] = []
    while device.restorationCount > count, let change = device.restoration {
      entries.append(.init(entries.isEmpty || isChosen(one: 2) ? gap() : .zero, change))
      _ = device.apply(change)
    }
    return entries
  }

  // MARK: Kept timelines

  private mutating func changed(
    _ timeline: SearchTimeline, _ kept: [SearchTimeline]
  ) -> SearchTimeline {
    var entries = timeline.entries
    for _ in 0...below(2) {
      let position = below(entries.count)
      switch below(6) {
      case 0: entries[position].gap = gap()
      case 1 where entries.count > 1: entries.remove(at: position)
      case 2: entries += entries[position...]
      case 3:
        let other = kept[below(kept.count)]
        if other.hasSeveralNetworks == timeline.hasSeveralNetworks { entries += other.entries }
      default:
        let end = below(entries.count + 1)
        entries.insert(
          contentsOf: motif(timeline.hasSeveralNetworks, after: Array(entries[..<end])), at: end)
      }
    }
    let result = SearchTimeline(hasSeveralNetworks: timeline.hasSeveralNetworks, entries)
    return result.entries.isEmpty || result == timeline ? newTimeline() : result
  }
}
