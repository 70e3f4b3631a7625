package import HandoverCore
package import HandoverScenario
import HandoverTry

/// A random timeline of network changes, after which a new connection works.
package struct SearchTimeline: Hashable, Sendable {
  /// A change, with the time since the preceding one.
  package struct Entry: Hashable, Sendable {
    /// The time since the preceding entry, or since the start of the timeline.
    package var gap: Interval
    /// The change.
    package var change: SearchChange

    /// Creates an entry.
    package init(_ gap: Interval, _ change: SearchChange) {
      self.gap = gap
      self.change = change
    }
  }

  /// The maximum number of entries.
  package static let maximumCount = 12
  /// The maximum time from the start to the last entry.
  package static let longest = Interval.seconds(15)
  /// The minimum time before the first change that only restores what a program needs.
  private static let restoring = Interval.milliseconds(500)
  /// The gap of an entry for which no time is left.
  private static let shortest = Interval.milliseconds(50)

  /// Whether the device has several networks that are up at the same time.
  package let hasSeveralNetworks: Bool
  /// The changes, in order.
  package let entries: [Entry]

  /// Creates a timeline from the possible ones among some changes.
  ///
  /// Changes without effect are left out. Changes that restore what a program needs are appended.
  package init(hasSeveralNetworks: Bool, _ wanted: [Entry]) {
    var device = SearchDevice(hasSeveralNetworks: hasSeveralNetworks)
    var entries: [Entry] = []
    var time = Instant.zero
    let end = Instant.zero + Self.longest
    func append(_ entry: Entry) {
      var entry = entry
      if time + entry.gap > end { entry.gap = min(Self.shortest, end.since(time)) }
      time = time + entry.gap
      entries.append(entry)
    }
    // The time before a change that is left out still passes, because later changes may need it.
    var pause = Interval.zero
    for entry in wanted {
      pause = pause + entry.gap
      guard device.isPossible(entry.change) else { continue }
      var next = device
      _ = next.apply(entry.change)
      guard entries.count + 1 + next.restorationCount <= Self.maximumCount else { continue }
      device = next
      append(Entry(pause, entry.change))
      pause = .zero
    }
    var gap = max(Self.restoring, pause)
    while let change = device.restoration {
      _ = device.apply(change)
      append(Entry(gap, change))
      gap = .zero
    }
    self.hasSeveralNetworks = hasSeveralNetworks
    self.entries = entries
  }

  /// The time from the start to the last entry.
  package var duration: Interval { entries.reduce(.zero) { $0 + $1.gap } }

  /// A description for people, such as `no network; 500 ms later WiFi`.
  package var phrase: String {
    entries.enumerated().map { index, entry in
      index == 0 || entry.gap == .zero
        ? entry.change.phrase : "\(entry.gap.readable) later \(entry.change.phrase)"
    }.joined(separator: "; ")
  }

  /// Returns the timeline as a scenario.
  package func scenario(id: String, title: String) -> Scenario {
    var script = Script()
    script.name = id
    // A file declares a path by using it.
    let usesAll = hasSeveralNetworks || entries.contains { $0.change == .hotspot }
    script.paths = SearchDevice.networks.prefix(usesAll ? 3 : 2).map(\.name)
    // Entries about servers and names require a host; they apply to all hosts of a program.
    script.hosts = [ScriptHost(written: "any.example:443")]
    if hasSeveralNetworks {
      script.networks = SearchDevice.networks.enumerated().map { index, network in
        ScriptNetwork(PathIndex(UInt8(index)), network.kind)
      }
      script.initial.networksUp = [PathIndex(0), PathIndex(1), PathIndex(2)].reduce(into: []) {
        $0.formUnion(PathSet($1))
      }
      script.initial.path = PathIndex(0)
    }
    var device = SearchDevice(hasSeveralNetworks: hasSeveralNetworks)
    var at = Instant.zero
    for entry in entries {
      at = at + entry.gap
      script.entries.append(ScriptEntry(at: at, action: device.apply(entry.change)))
    }
    return Scenario(
      file: id, id: id, title: title, sources: [], profiles: Profile.all, script: script,
      expectations: [], entryPositions: [])
  }
}
