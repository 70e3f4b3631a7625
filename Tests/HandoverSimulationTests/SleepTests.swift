import HandoverCore
import Testing

@testable import HandoverSimulation

/// The device sleeps: the process is stopped, and the kernel acknowledges nothing.
@Suite("A device that sleeps")
struct SleepTests {
  private static let wake = ScriptAction.power(.wake(newAddress: false))

  @Test("When the device wakes, it receives missed data, and continues if it still has its address")
  func sameAddress() throws {
    let story = Story().call(.unary, takes: .seconds(3)).at(1_000, .power(.sleep))
      .at(9_000, Self.wake)
    let played = try story.played()
    #expect(played.end(of: 0) == .ok(9_000))
    #expect(played.instants { $0 == .deviceSlept } == [1_000])
    #expect(played.instants { $0 == .deviceWoke } == [9_000])
    #expect(played.events.filter { (1_001...8_999).contains($0.milliseconds) } == [])
  }

  @Test("With a new address connections are lost: TCP stalls (D8b), and CFStream is notified")
  func newAddress() throws {
    let story = Story().call(deadline: .seconds(20)).at(1_000, .power(.sleep))
      .at(9_000, .power(.wake(newAddress: true)))
    #expect(try story.played().end(of: 0) == .ended(20_000, .deadlineExceeded))
    #expect(try story.played(on: .cfStream).end(of: 0) == .failed(9_000, .aborted))
  }

  @Test("A sleeping device does not acknowledge, and a suspended process does")
  func unacknowledged() throws {
    func ends(_ away: ScriptAction, _ back: ScriptAction) throws -> [Int64] {
      let story = Story().call(.streaming, every: .seconds(1), deadline: .seconds(60))
        .at(1_500, away).at(4_500, back)
        .with { $0.configuration.until = .milliseconds(5_000) }
      let played = try story.played(until: 5_000)
      return played.instants { if case .connectionStalled = $0 { true } else { false } }
    }
    #expect(try ends(.power(.sleep), Self.wake) == [1_500])
    #expect(try ends(.app(.background), .app(.foreground)) == [])
  }

  /// The obstacle, and the client's action.
  ///
  /// Waiting data has bytes or none, and unacknowledged data waits or has arrived.
  private static let unanswered: [(NetworkAction, ScriptAction)] = [
    (.uplink(isUp: false, lasts: nil, every: nil), .send(0, bytes: 10)),
    (.uplink(isUp: false, lasts: nil, every: nil), .finish(0)),
    (.loss(.answers), .send(0, bytes: 10)),
  ]

  @Test(
    "The kernel's clocks stop in sleep, and continue if there is another obstacle",
    arguments: unanswered)
  func clocks(_ obstacle: NetworkAction, _ write: ScriptAction) throws {
    let story = NetworkTests.story().call(.bidi)
      .at(1_000, .network(NetworkTests.home, obstacle, signal: nil))
      .at(2_000, write).at(3_000, .power(.sleep)).at(60_000, Self.wake)
    // One of ten seconds has passed before the sleep.
    #expect(try story.played().end(of: 0) == .failed(69_000, .timedOut))
  }

  @Test("The clock continues through several sleeps, and is reset with the waiting data")
  func severalSleeps() throws {
    let stall = ScriptAction.transport(.all, .stall)
    let story = Story().call(.bidi).with { $0.configuration.tcpTimeout = .seconds(10) }
      .at(1_000, stall).at(2_000, .send(0, bytes: 10)).at(4_000, .power(.sleep))
      .at(20_000, Self.wake).at(23_000, .power(.sleep)).at(50_000, Self.wake)
    #expect(try story.played().end(of: 0) == .failed(55_000, .timedOut))
    let resumed = story.at(51_000, .transport(.all, .resume)).at(52_000, stall)
      .at(53_000, .send(0, bytes: 10))
    #expect(try resumed.played().end(of: 0) == .failed(63_000, .timedOut))
  }

  @Test("A connection attempt continues on waking")
  func attempts() throws {
    let story = Story(connect: .seconds(1)).unary(at: 500).at(1_000, .power(.sleep))
      .at(5_000, Self.wake)
    #expect(try story.played().end(of: 0) == .ok(5_000))
  }

  @Test("An attempt whose name is resolved during sleep does not connect before waking")
  func lookUp() throws {
    let story = Story().with { $0.hosts[0].names = .hang }.unary(at: 500)
      .at(1_000, .power(.sleep)).at(2_000, .names(0, .resolve)).at(5_000, Self.wake)
    #expect(try story.played().end(of: 0) == .ok(5_000))
  }

  @Test("The app returns to its earlier state")
  func application() throws {
    let story = Story().at(500, .app(.background)).at(1_000, .power(.sleep))
      .at(2_000, Self.wake).at(3_000, .app(.foreground))
    let played = try story.played()
    #expect(played.instants { $0 == .appMoved(.foreground) } == [3_000])
    let running = try Story().at(500, .app(.backgroundRunning)).at(1_000, .power(.sleep))
      .at(2_000, Self.wake).played()
    #expect(running.instants { $0 == .appMoved(.backgroundRunning) } == [500, 2_000])
  }

  @Test("A second sleep or wake has no effect")
  func twice() throws {
    let story = Story().at(500, Self.wake).at(1_000, .power(.sleep)).at(1_500, .power(.sleep))
      .at(2_000, Self.wake)
    let played = try story.played()
    #expect(played.instants { $0 == .deviceSlept } == [1_000])
    #expect(played.instants { $0 == .deviceWoke } == [2_000])
  }

  @Test("The monitor gets one callback on waking, with the current state")
  func callback() throws {
    let story = Story().at(1_000, .power(.sleep)).at(2_000, .flags(.none))
      .at(3_000, .flags(.cellular)).at(9_000, Self.wake)
    let reported = try story.played(on: .socketsMonitor).events.filter {
      if case .reachability(.callback) = $0.thing { true } else { false }
    }
    #expect(reported == [.init(9_000, .reachability(.callback(.cellular)))])
  }
}
