import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTry
import Testing

@testable import HandoverExploration

/// A simulated program under search, whose results are a function of the timeline.
private struct SimulatedSearch {
  var course: SearchCourse
  var draws: [SearchCourse.Draw] = []

  init(seed: UInt64, lag: Int = 8) {
    course = SearchCourse(seed: seed, lag: lag)
  }

  static func result(_ timeline: SearchTimeline) -> SearchResult {
    let phases = timeline.entries.map { entry in
      entry.gap < .milliseconds(400) ? ConnectionPhase.connecting : .carrying
    }
    let isLate = timeline.entries.contains { $0.change == .namesHang }
    return SearchResult(phases: phases, outcome: isLate ? .late : .recovers)
  }

  /// Draws timelines, and records results in groups, each group in reverse order.
  mutating func run(_ count: Int, group: Int = 1) {
    var waiting: [SearchCourse.Draw] = []
    func record(_ course: inout SearchCourse) {
      for draw in waiting.reversed() {
        course.record(Self.result(draw.timeline), ofDraw: draw.number)
      }
      waiting = []
    }
    while draws.count < count {
      if let draw = course.next() {
        draws.append(draw)
        waiting.append(draw)
        if waiting.count == group { record(&course) }
      } else {
        record(&course)
      }
    }
  }

  static func draws(seed: UInt64, _ count: Int, lag: Int = 8, group: Int = 1) -> [SearchTimeline] {
    var search = SimulatedSearch(seed: seed, lag: lag)
    search.run(count, group: group)
    return search.draws.map(\.timeline)
  }
}

@Suite("A search for timelines")
struct SearchTests {
  @Test("Each drawn timeline is a valid scenario that a lab can run, and ends with a network")
  func validity() throws {
    for seed in 1...5 {
      for timeline in SimulatedSearch.draws(seed: UInt64(seed), 400) {
        let scenario = timeline.scenario(id: "search/1-2", title: timeline.phrase)
        let reading = ScenarioReader.read(file: "search", bytes: [UInt8](scenario.text.utf8))
        let read = try #require(
          reading.scenario, "\(reading.diagnostics.map(\.message)) \(scenario.text)")
        #expect(read.script == scenario.script, "\(scenario.text)")
        _ = try LivePlan(read.script)
        #expect(timeline.entries.count <= SearchTimeline.maximumCount)
        #expect(timeline.duration <= SearchTimeline.longest)
        var device = SearchDevice(hasSeveralNetworks: timeline.hasSeveralNetworks)
        for entry in timeline.entries {
          #expect(device.isPossible(entry.change), "\(timeline.phrase)")
          _ = device.apply(entry.change)
        }
        #expect(device.restoration == nil, "\(timeline.phrase)")
      }
    }
  }

  @Test("Each drawn timeline is a valid scenario with calls, which start while the client runs")
  func calls() throws {
    for timeline in SimulatedSearch.draws(seed: 1, 400) {
      let scenario = timeline.scenario(withCallsOn: .sockets, id: "search/1-2", title: "search")
      let reading = ScenarioReader.read(file: "search", bytes: [UInt8](scenario.text.utf8))
      let read = try #require(
        reading.scenario, "\(reading.diagnostics.map(\.message)) \(scenario.text)")
      #expect(read.script == scenario.script, "\(scenario.text)")
      #expect(read.script.calls.count > 2, "the last call starts after the last change")
      #expect(read.profiles == [.sockets])
    }
  }

  @Test("A hang is the worst failure, and ends the drawing; other failures leave half of the time")
  func severity() {
    let severities = SearchSeverity.allCases
    #expect(severities == [.exceedsLimit, .late, .givesUp, .hangs])
    for (index, severity) in severities.enumerated() {
      #expect(severity.isWorse(than: nil) && !severity.isWorse(than: severity))
      #expect(severities[..<index].allSatisfy { severity.isWorse(than: $0) })
    }
    func drawing(_ worst: SearchSeverity?) -> Interval {
      SearchSeverity.drawingTime(of: .minutes(10), after: worst)
    }
    #expect(drawing(nil) == .minutes(10) && drawing(.hangs) == .zero)
    #expect(severities.dropLast().allSatisfy { drawing($0) == .minutes(5) })
  }

  @Test("The draws depend on the seed and the results, and not on the order of the results")
  func reproducibility() {
    let draws = SimulatedSearch.draws(seed: 7, 300)
    for group in [1, 3, 8] {
      #expect(SimulatedSearch.draws(seed: 7, 300, group: group) == draws)
    }
    #expect(SimulatedSearch.draws(seed: 8, 300) != draws)
  }

  @Test("A draw waits for the result of the draw that is as many before it as the lag")
  func lag() throws {
    var course = SearchCourse(seed: 1, lag: 3)
    let draws = (0..<3).compactMap { _ in course.next() }
    #expect(draws.map(\.number) == [0, 1, 2])
    #expect(course.next() == nil)
    for number in [2, 1] {
      course.record(SimulatedSearch.result(draws[number].timeline), ofDraw: number)
    }
    #expect(course.next() == nil)
    course.record(SimulatedSearch.result(draws[0].timeline), ofDraw: 0)
    #expect(course.next()?.number == 3)
  }

  @Test("Only a timeline with a new combination is kept, and results of unknown draws are ignored")
  func keeping() {
    var course = SearchCourse(seed: 1, lag: 1)
    for _ in 0..<2 {
      guard let draw = course.next() else { return }
      course.record(SearchResult(phases: [], outcome: .recovers), ofDraw: draw.number)
      course.record(SearchResult(phases: [.open], outcome: .hangs), ofDraw: draw.number)
      course.record(SearchResult(phases: [.open], outcome: .hangs), ofDraw: -1)
      course.record(SearchResult(phases: [.open], outcome: .hangs), ofDraw: 99)
    }
    #expect(course.keptCount == 0 && course.combinations.isEmpty)
    var search = SimulatedSearch(seed: 1)
    search.run(400)
    let course2 = search.course
    #expect(course2.keptCount > 20 && course2.keptCount < 400)
    #expect(course2.coverage.reduce(0) { $0 + $1.count } == course2.combinations.count)
    #expect(course2.coverage.first { $0.phase == .silent }?.count == 0)
  }

  @Test("Kept timelines change what is drawn later")
  func feedback() {
    let draws = SimulatedSearch.draws(seed: 3, 100)
    var course = SearchCourse(seed: 3, lag: 8)
    var others: [SearchTimeline] = []
    while others.count < 100, let draw = course.next() {
      others.append(draw.timeline)
      course.record(SearchResult(phases: [], outcome: .inconclusive), ofDraw: draw.number)
    }
    #expect(others.prefix(8) == draws.prefix(8))
    #expect(others != draws)
  }

  @Test("Each change is drawn, on devices with one network and with several")
  func variety() {
    let timelines = (1...5).flatMap { SimulatedSearch.draws(seed: UInt64($0), 300) }
    let drawn = Set(timelines.flatMap { $0.entries.map(\.change) })
    // A network comes up only if a timeline took all networks down, which is rare.
    #expect(SearchChange.allCases.filter { !drawn.contains($0) && $0 != .up } == [])
    #expect(Set(timelines.map(\.hasSeveralNetworks)) == [true, false])
    #expect(Set(timelines).count > 1_200)
  }

  @Test("An outage during another outage is drawn often enough to be found in 150 timelines")
  func nesting() {
    let found = (1...20).count { seed in
      var course = SearchCourse(seed: UInt64(seed), lag: 16)
      var waiting: [(number: Int, result: SearchResult)] = []
      while course.drawCount < 150 {
        guard let draw = course.next() else {
          for one in waiting { course.record(one.result, ofDraw: one.number) }
          waiting = []
          continue
        }
        let (result, attempts) = StormingClient.run(draw.timeline)
        if attempts > StormingClient.limit { return true }
        waiting.append((draw.number, result))
      }
      return false
    }
    #expect(found >= 10, "\(found) of 20 seeds")
  }

  @Test("Changes without effect are left out, and what a program needs is restored")
  func restoration() {
    func changes(_ changes: SearchChange..., several: Bool = false) -> [SearchChange] {
      SearchTimeline(
        hasSeveralNetworks: several, changes.map { .init(.milliseconds(200), $0) }
      ).entries.map(\.change)
    }
    #expect(changes(.wifi, .awake, .uplinkUp) == [])
    #expect(changes(.noNetwork, .noNetwork) == [.noNetwork, .wifi])
    #expect(changes(.asleep, .cellular, .namesFail) == [.asleep, .cellular, .awake])
    #expect(changes(.refusing, .namesHang) == [.refusing, .namesHang, .serving, .namesResolve])
    #expect(changes(.down, several: true) == [.down, .cellular])
    #expect(changes(.captive, .down, several: true) == [.captive, .validated])
    #expect(changes(.noNetwork, several: true) == [])
    #expect(changes(.natForgets, .hotspot, .natForgets, several: true) == [.natForgets, .hotspot])
    #expect(changes(.cellular, .newAddress, several: true) == [.cellular])
    #expect(
      changes(.down, .cellular, .down, .hotspot, .down, several: true)
        == [.down, .cellular, .down, .hotspot, .down, .up, .wifi])
  }

  @Test("A timeline is reduced to the shortest one that shows the failure")
  func reduction() {
    func fails(_ timeline: SearchTimeline) -> Bool {
      // Two losses of the network, of which the second follows quickly.
      let changes = timeline.entries.map(\.change)
      let losses = timeline.entries.indices.filter { changes[$0] == .noNetwork }
      guard losses.count >= 2 else { return false }
      return timeline.entries[losses[1]].gap <= .milliseconds(700)
    }
    let entries: [SearchTimeline.Entry] = [
      .init(.seconds(1), .asleep), .init(.seconds(1), .awakeElsewhere),
      .init(.seconds(2), .noNetwork), .init(.seconds(3), .wifi),
      .init(.milliseconds(300), .noNetwork), .init(.milliseconds(500), .hotspot),
      .init(.seconds(1), .namesFail), .init(.seconds(1), .namesResolve),
    ]
    var reducer = TimelineReducer(SearchTimeline(hasSeveralNetworks: false, entries))
    var tried: [SearchTimeline] = []
    while true {
      let candidates = reducer.candidates(atMost: 4)
      if candidates.isEmpty { break }
      for one in candidates { #expect(!tried.contains(one), "\(one.phrase)") }
      tried += candidates
      reducer.record(candidates.map { ($0, fails($0)) })
    }
    #expect(reducer.best.entries.count == 4, "\(reducer.best.phrase)")
    #expect(reducer.best.phrase.hasPrefix("no network; 100 ms later "), "\(reducer.best.phrase)")
    #expect(fails(reducer.best))
    #expect(tried.count < 100)
  }

  /// Returns the shortest timeline on one network that fails, reduced by as many candidates at a
  /// time as given.
  private static func reduced(
    _ entries: [SearchTimeline.Entry], atMost count: Int, _ fails: (SearchTimeline) -> Bool
  ) -> SearchTimeline {
    var reducer = TimelineReducer(SearchTimeline(hasSeveralNetworks: false, entries))
    while true {
      let candidates = reducer.candidates(atMost: count)
      if candidates.isEmpty { return reducer.best }
      reducer.record(candidates.map { ($0, fails($0)) })
    }
  }

  @Test("An entry that only takes time is replaced by a longer gap")
  func time() {
    func fails(_ timeline: SearchTimeline) -> Bool {
      timeline.entries.last.map { $0.change == .serving && $0.gap >= .seconds(1) } ?? false
    }
    let entries: [SearchTimeline.Entry] = [
      .init(.zero, .refusing), .init(.seconds(2), .hotspot), .init(.seconds(1), .serving),
    ]
    let best = Self.reduced(entries, atMost: 2, fails)
    #expect(best.phrase == "the servers refuse connections; 1 s later the servers answer")
  }

  @Test("The time after the first entry still passes if that entry is removed")
  func timeAtTheBeginning() {
    func fails(_ timeline: SearchTimeline) -> Bool {
      // The device sleeps at least 1.5 s after the first loss.
      let entries = timeline.entries
      guard let asleep = entries.firstIndex(where: { $0.change == .asleep }), asleep > 0 else {
        return false
      }
      return entries[1...asleep].reduce(.zero) { $0 + $1.gap } >= .milliseconds(1_500)
    }
    let entries: [SearchTimeline.Entry] = [
      .init(.zero, .stalled), .init(.seconds(1), .killed), .init(.milliseconds(500), .asleep),
    ]
    let best = Self.reduced(entries, atMost: 8, fails)
    #expect(best.entries.map(\.change).dropFirst() == [.asleep, .awake])
    #expect(fails(best), "\(best.phrase)")
  }

  @Test("The time of a restoration that has become impossible still passes")
  func skippedTime() {
    let last: [SearchTimeline.Entry] = [
      .init(.zero, .noNetwork), .init(.seconds(3), .serving),
    ]
    #expect(
      SearchTimeline(hasSeveralNetworks: false, last).phrase == "no network; 3 s later WiFi")
    let entries: [SearchTimeline.Entry] = [
      .init(.zero, .refusing), .init(.seconds(1), .namesResolve), .init(.seconds(2), .serving),
    ]
    let timeline = SearchTimeline(hasSeveralNetworks: false, entries)
    #expect(timeline.phrase == "the servers refuse connections; 3 s later the servers answer")
  }

  @Test("One loss of the connections replaces the end and the return of a network")
  func losses() {
    func fails(_ timeline: SearchTimeline) -> Bool {
      // Two losses of the connections, the second of which follows after 1 s.
      let losses = timeline.entries.indices.filter {
        [.noNetwork, .reset].contains(timeline.entries[$0].change)
      }
      guard losses.count == 2 else { return false }
      return timeline.entries[losses[0] + 1...losses[1]].reduce(.zero) { $0 + $1.gap }
        >= .seconds(1)
    }
    let entries: [SearchTimeline.Entry] = [
      .init(.zero, .noNetwork), .init(.milliseconds(500), .wifi),
      .init(.milliseconds(500), .noNetwork), .init(.seconds(1), .wifi),
    ]
    let best = Self.reduced(entries, atMost: 8, fails)
    #expect(
      best.phrase == "the servers reset the connections; 1 s later the servers reset the "
        + "connections")
  }

  @Test("The end of the network replaces servers that refuse, and the loss of the connections")
  func outage() {
    func fails(_ timeline: SearchTimeline) -> Bool {
      // The device sleeps while the program has no connection, and wakes some time before it can
      // have one.
      let changes = timeline.entries.map(\.change)
      guard let asleep = changes.firstIndex(of: .asleep),
        let awake = changes.firstIndex(of: .awake), awake + 1 < changes.count
      else { return false }
      let isWithout =
        changes[..<asleep] == [.noNetwork]
        || changes[..<asleep].contains(.refusing) && changes[..<asleep].contains(.reset)
      return isWithout
        && timeline.entries[awake + 1].gap
          >= (changes[0] == .noNetwork ? .seconds(1) : .milliseconds(500))
    }
    let entries: [SearchTimeline.Entry] = [
      .init(.zero, .refusing), .init(.milliseconds(50), .reset), .init(.seconds(1), .asleep),
      .init(.seconds(3), .awake), .init(.milliseconds(500), .serving),
    ]
    let best = Self.reduced(entries, atMost: 8, fails)
    #expect(best.entries.map(\.change) == [.noNetwork, .asleep, .awake, .wifi])
  }

  @Test("The kinds of changes contain each change once")
  func kinds() {
    let changes = SearchChange.kinds.flatMap(\.self)
    #expect(changes.count == SearchChange.allCases.count)
    #expect(Set(changes) == Set(SearchChange.allCases))
  }

  @Test("The lengths of a few candidates are spread evenly")
  func batches() {
    let entries: [SearchTimeline.Entry] = [
      .init(.zero, .ended), .init(.seconds(1), .reset), .init(.seconds(1), .killed),
      .init(.seconds(1), .stalled),
    ]
    let reducer = TimelineReducer(SearchTimeline(hasSeveralNetworks: false, entries))
    let lengths = reducer.candidates(atMost: 4).map(\.entries.count)
    #expect(lengths == [1, 2, 3, 3])
    #expect(reducer.candidates(atMost: 1).count == 1)
  }
}
