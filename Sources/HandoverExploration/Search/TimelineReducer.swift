import HandoverCore

/// Reduces a timeline that shows a failure to a shorter one that shows it too.
///
/// The reducer proposes timelines, and its owner runs several of them at the same time.
package struct TimelineReducer: Sendable {
  /// The shortest timeline that shows the failure so far.
  package private(set) var best: SearchTimeline
  private var tried: Set<SearchTimeline>  // lookup only

  /// Creates a reducer for a timeline that shows a failure.
  package init(_ timeline: SearchTimeline) {
    best = timeline
    tried = [timeline]
  }

  /// The gaps that are tried instead of a longer one.
  private static let gaps: [Interval] = [.milliseconds(100), .milliseconds(500), .seconds(1)]

  /// Returns the shorter timelines to try next, the shortest first; empty if none is left.
  ///
  /// Half of them are the longest ones, which fail most likely, so that each step makes progress.
  package func candidates(atMost count: Int) -> [SearchTimeline] {
    let all = allCandidates
    guard all.count > count else { return all }
    return all.prefix(count - count / 2) + all.suffix(count / 2)
  }

  private var allCandidates: [SearchTimeline] {
    var found: [SearchTimeline] = []
    for timeline in withoutEntries
    where timeline.entries.count < best.entries.count && !tried.contains(timeline)
      && !timeline.entries.isEmpty && !found.contains(timeline)
    {
      found.append(timeline)
    }
    if found.isEmpty {
      found = withShorterGaps.filter { !tried.contains($0) && Self.isShorter($0, best) }
    }
    return found.sorted(by: Self.isShorter)
  }

  /// Records which of some candidates show the failure.
  package mutating func record(_ results: [(timeline: SearchTimeline, shows: Bool)]) {
    for result in results {
      tried.insert(result.timeline)
      if result.shows, Self.isShorter(result.timeline, best) { best = result.timeline }
    }
  }

  private static func isShorter(_ left: SearchTimeline, _ right: SearchTimeline) -> Bool {
    (left.entries.count, left.duration) < (right.entries.count, right.duration)
  }

  /// The timelines without a sequence of entries.
  private var withoutEntries: [SearchTimeline] {
    let entries = best.entries
    return (1..<max(2, entries.count)).flatMap { length in
      (0...(entries.count - length)).flatMap { start in
        var rest = entries
        let removed = entries[start..<start + length]
        rest.removeSubrange(start..<start + length)
        guard start < rest.count else { return [changed(rest)] }
        // Some failures need the time that the removed entries took.
        var slow = rest
        slow[start].gap = removed.reduce(slow[start].gap) { $0 + $1.gap }
        return [changed(rest), changed(slow)]
      }
    }
  }

  /// The timelines in which one gap is shorter, and the one that begins immediately.
  private var withShorterGaps: [SearchTimeline] {
    best.entries.indices.flatMap { place in
      (place == 0 ? [.zero] : Self.gaps).compactMap { gap in
        guard gap < best.entries[place].gap else { return nil }
        var entries = best.entries
        entries[place].gap = gap
        return changed(entries)
      }
    }
  }

  private func changed(_ entries: [SearchTimeline.Entry]) -> SearchTimeline {
    SearchTimeline(hasSeveralNetworks: best.hasSeveralNetworks, entries)
  }
}
