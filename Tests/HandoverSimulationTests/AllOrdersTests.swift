import HandoverCore
import Testing

@testable import HandoverSimulation

/// Every order of the events that are due at one instant.
@Suite("All orders at one instant")
struct AllOrdersTests {
  /// A scenario in which WiFi replaces a cellular network at the instant of a call's answer and
  /// deadline.
  private static let story = Story(flags: .cellular)
    .call(at: 0, .unary, takes: .seconds(1), deadline: .seconds(1))
    .at(1_000, .flags(.wifi)).at(1_000, .transport(.all, .reset))

  /// Records how and when calls ended.
  private struct Ends: RunObserver {
    var ends: [String] = []

    mutating func handle(_ record: TraceRecord) {
      guard case .effect(.endCall(_, let end)) = record.body else { return }
      ends.append("\(record.at.microseconds) \(end.code) \(end.text)")
    }
  }

  private static func all(_ script: Script, maximumWorlds: Int = 1_000) -> AllOrders<Ends>.Result {
    AllOrders(observer: Ends(), maximumWorlds: maximumWorlds)
      .run(script, on: .socketsMonitor, until: .milliseconds(5_000))
  }

  private static func drawn(_ script: Script, seed: UInt64) -> Ends {
    var script = script
    script.configuration.order.isRandom = true
    script.configuration.seed = seed
    var world = World()
    var trace = Trace()
    _ = world.recording(&trace) { world in
      world.open(script, profile: .socketsMonitor)
      world.playEntries()
      world.advance(until: .milliseconds(5_000), inclusive: true)
    }
    var ends = Ends()
    for record in trace.records { ends.handle(record) }
    return ends
  }

  @Test("The exhaustive search and random orders find the same ends")
  func asDrawn() {
    let result = Self.all(Self.story.script)
    #expect(result.isComplete)
    #expect(result.met > 0)
    let drawn = Set((0..<200).map { Self.drawn(Self.story.script, seed: $0) })
    #expect(result.ends == drawn)
    #expect(result.ends.count == 3)
  }

  @Test("Without simultaneous events there is one order")
  func one() {
    let script = Story().call(at: 0, .unary, takes: .seconds(1)).at(2_000, .flags(.none)).script
    let result = Self.all(script)
    #expect(result.ends.count == 1)
    #expect(result.isComplete)
  }

  @Test("The search ends at its limit of worlds, and reports it")
  func bounded() {
    let result = Self.all(Self.story.script, maximumWorlds: 3)
    #expect(!result.isComplete)
    #expect(result.worlds == 3)
  }
}
