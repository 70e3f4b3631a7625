import HandoverCore
import Testing

@testable import HandoverSimulation

/// Tests each keyword of a scenario for reachability callbacks.
@Suite("Faults of reachability callbacks")
struct MonitorFaultTests {
  static let monitored: [Profile] = [.socketsMonitor, .sockets2017]

  /// Returns when callbacks reached the client.
  func callbacks(_ played: Played) -> [Played.At<ReachabilityFlags>] {
    played.events.compactMap {
      guard case .reachability(.callback(let flags)) = $0.thing else { return nil }
      return .init($0.milliseconds, flags)
    }
  }

  static let lost = CategoryChange(from: .wifi, to: .noNetwork)

  @Test(
    "A callback arrives when the flags change, or after the configured latency",
    arguments: [0, 300])
  func latency(milliseconds: Int64) throws {
    let story = Story().with { $0.configuration.monitorLatency = .milliseconds(milliseconds) }
      .at(1_000, .flags(.none))
    let played = try story.played(on: .socketsMonitor)
    #expect(callbacks(played) == [.init(1_000 + milliseconds, .none)])
    #expect(played.notifications == [.init(1_000 + milliseconds, Self.lost)])
  }

  @Test("duplicate repeats the last callback, and the client is silent (M9)")
  func duplicate() throws {
    let played = try Story().at(1_000, .flags(.none)).at(2_000, .monitor(.duplicate, by: .zero))
      .played(on: .socketsMonitor)
    #expect(callbacks(played) == [.init(1_000, .none), .init(2_000, .none)])
    #expect(played.notifications.count == 1)
    #expect(played.faultsWithEffect == [.init(2_000, 1)])
  }

  @Test("duplicate without an earlier callback has no effect")
  func duplicateOfNothing() throws {
    let played = try Story().at(1_000, .monitor(.duplicate, by: .zero)).played(on: .socketsMonitor)
    #expect(callbacks(played).isEmpty && played.faultsWithEffect.isEmpty)
  }

  @Test("delay affects only the next callback, which is late")
  func delay() throws {
    let story = Story().with { $0.configuration.monitorLatency = .milliseconds(100) }
      .at(500, .monitor(.delay, by: .seconds(2))).at(1_000, .flags(.none))
      .at(5_000, .flags(.wifi))
    let played = try story.played(on: .socketsMonitor)
    #expect(callbacks(played) == [.init(3_100, .none), .init(5_100, .wifi)])
    #expect(played.faultsWithEffect == [.init(1_000, 0)])
  }

  @Test("miss affects only the next callback, which is lost")
  func miss() throws {
    let played = try Story().at(500, .monitor(.miss, by: .zero)).at(1_000, .flags(.none))
      .at(2_000, .flags(.cellular)).played(on: .socketsMonitor)
    #expect(callbacks(played) == [.init(2_000, .cellular)])
    #expect(played.notifications == [.init(2_000, CategoryChange(from: .wifi, to: .cellular))])
    #expect(played.instants { $0 == .callbackLost } == [1_000])
    #expect(played.faultsWithEffect == [.init(1_000, 0)])
  }

  @Test("overrun loses pending callbacks and reads the flags again")
  func overrun() throws {
    let story = Story().with { $0.configuration.monitorLatency = .seconds(1) }
      .at(1_000, .flags(.none)).at(1_200, .flags(.cellular))
      .at(1_500, .monitor(.overrun, by: .zero))
    let played = try story.played(on: .socketsMonitor)
    #expect(callbacks(played).isEmpty)
    #expect(played.notifications == [.init(1_500, CategoryChange(from: .wifi, to: .cellular))])
    #expect(played.faultsWithEffect == [.init(1_500, 2)])
    #expect(played.instants { $0 == .callbackLost } == [1_500])
  }

  @Test("overrun hides a round trip, and has no effect if nothing was pending")
  func overrunHidesARoundTrip() throws {
    let story = Story().with { $0.configuration.monitorLatency = .seconds(1) }
      .at(1_000, .flags(.none)).at(1_200, .flags(.wifi)).at(1_500, .monitor(.overrun, by: .zero))
      .at(5_000, .monitor(.overrun, by: .zero))
    let played = try story.played(on: .socketsMonitor)
    #expect(played.notifications.isEmpty)
    #expect(played.faultsWithEffect == [.init(1_500, 2)])
  }

  @Test("overrun has no effect if every callback has arrived")
  func overrunAfterwards() throws {
    let story = Story().with { $0.configuration.monitorLatency = .seconds(1) }
      .at(1_000, .flags(.cellular)).at(5_000, .monitor(.overrun, by: .zero))
    let played = try story.played(on: .socketsMonitor)
    #expect(played.notifications.map(\.thing.to) == [.cellular])
    #expect(played.faultsWithEffect.isEmpty)
    #expect(played.instants { $0 == .callbackLost } == [])
  }

  @Test("A failed initial read makes every first callback a change (M8)", arguments: monitored)
  func unreadable(profile: Profile) throws {
    let story = Story().with { $0.initial.monitorIsReadable = false }.at(1_000, .flags(.wifi))
    let played = try story.played(on: profile)
    #expect(played.notifications == [.init(1_000, CategoryChange(from: .unknown, to: .wifi))])
  }

  @Test(
    "Without a monitor no callback is sent, and faults have no effect (S10)",
    arguments: [
      Profile.sockets, .cfStream,
    ])
  func withoutAMonitor(profile: Profile) throws {
    var story = Story()
    for (index, word) in MonitorFault.allCases.enumerated() {
      story = story.at(Int64(index) * 1_000, .monitor(word, by: .seconds(1)))
        .at(Int64(index) * 1_000 + 500, .flags(index % 2 == 0 ? .none : .wifi))
    }
    let played = try story.played(on: profile)
    #expect(played.events.isEmpty && played.faultsWithEffect.isEmpty)
  }
}
