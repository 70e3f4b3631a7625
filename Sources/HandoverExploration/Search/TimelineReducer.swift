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

  /// Returns shorter timelines to try next.
  ///
  /// Their lengths are spread evenly. A long one fails most likely, so that each step makes
  /// progress, and a short one saves the most steps if it fails.
  ///
  /// - Parameter count: The maximum number of timelines.
  /// - Returns: The timelines, the shortest first; empty if none is left.
  package func candidates(atMost count: Int) -> [SearchTimeline] {
    let all = allCandidates
    guard all.count > count else { return all }
    return (0..<count).map { all[$0 * (all.count - 1) / max(1, count - 1)] }
  }

  private var allCandidates: [SearchTimeline] {
    for simpler in [withoutEntries, withLosses] {
      let found = simpler.filter {
        $0.entries.count < best.entries.count && !$0.entries.isEmpty && !tried.contains($0)
      }
      if !found.isEmpty { return Self.inOrder(found) }
    }
    return Self.inOrder(
      withShorterGaps.filter { !tried.contains($0) && Self.isShorter($0, best) })
  }

  /// Returns different timelines, the shortest first.
  private static func inOrder(_ timelines: [SearchTimeline]) -> [SearchTimeline] {
    var different: [SearchTimeline] = []
    for one in timelines where !different.contains(one) { different.append(one) }
    return different.sorted(by: isShorter)
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
        // Some failures need the time that the removed entries took. If these were the first ones,
        // it passes after the entry that is the first one now.
        var slow = rest
        if start > 0 {
          slow[start].gap = removed.reduce(slow[start].gap) { $0 + $1.gap }
        } else if rest.count > 1 {
          slow[1].gap = removed.dropFirst().reduce(rest[0].gap + rest[1].gap) { $0 + $1.gap }
        }
        return [changed(rest), changed(slow)]
      }
    }
  }

  /// The timelines in which one entry replaces two: a loss of the connections, such as for the end
  /// and the return of a network, or the end of the network, such as for servers that refuse and a
  /// loss of the connections.
  private var withLosses: [SearchTimeline] {
    let entries = best.entries
    let outage = best.hasSeveralNetworks ? SearchChange.down : .noNetwork
    return entries.indices.dropLast().flatMap { start in
      [SearchChange.reset, .stalled, outage].map { loss in
        var rest = entries
        let second = rest.remove(at: start + 1)
        rest[start].change = loss
        // The time between the two entries passes after the loss.
        if start + 1 < rest.count { rest[start + 1].gap = rest[start + 1].gap + second.gap }
        // A program without a network makes attempts less often than one whose server refuses.
        if loss == outage { rest[rest.count - 1].gap = rest[rest.count - 1].gap + .seconds(1) }
        return changed(rest)
      }
    }
  }

  /// The timelines in which one gap is shorter, and the one that begins immediately.
  private var withShorterGaps: [SearchTimeline] {
    best.entries.indices.flatMap { position in
      (position == 0 ? [.zero] : Self.gaps).compactMap { gap in
        guard gap < best.entries[position].gap else { return nil }
        var entries = best.entries
        entries[position].gap = gap
        return changed(entries)
      }
    }
  }

  private func changed(_ entries: [SearchTimeline.Entry]) -> SearchTimeline {
    SearchTimeline(hasSeveralNetworks: best.hasSeveralNetworks, entries)
  }
}
