import HandoverCore
import Testing

@testable import HandoverTry

@Suite("Outages of a timeline")
struct TimelineOutageTests {
  private static let cellular = FlowStory.device
  private static let wifi = FlowStory.wifi

  private static func change(
    _ at: Int64, _ addresses: [HostAddress], begins: Bool = true, losses: [NetworkChange.Loss] = []
  ) -> NetworkChange {
    NetworkChange(
      began: FlowStory.at(at), ended: FlowStory.at(at + 10), beginsOutage: begins,
      addresses: addresses, losses: losses)
  }

  private static func loss(before: Int64) -> NetworkChange.Loss {
    .init(address: FlowStory.server.address, before: FlowStory.at(before))
  }

  /// A program that received a stream over cellular until 5 s.
  private static var story: StreamStory {
    var story = StreamStory()
    story.moved = nil
    story.stream(0, 5_000)
    return story
  }

  @Test("An outage lasts from the change to the first data on a working path")
  func recovers() {
    var story = Self.story
    // This data arrives on the old path, and shows nothing about the new one.
    story.drip(5_200, 5_400)
    story.stream(8_000, 9_000, port: 40_001, at: Self.wifi)
    let outages = story.observation.outages(at: [Self.change(5_000, [Self.wifi])])
    #expect(outages.count == 1)
    #expect(outages.first?.since == FlowStory.at(5_000))
    #expect(outages.first?.recovers == .milliseconds(3_003))
    #expect(outages.first?.attempts == 1)
    #expect(outages.first?.unknownLengthReason == nil)
  }

  @Test("An outage without data lasts until the end of the watch")
  func lasts() {
    let outages = Self.story.observation.outages(at: [Self.change(5_000, [Self.wifi])])
    #expect(outages.map(\.recovers) == [nil])
    #expect(outages.map(\.watched) == [.milliseconds(29_990)])
    #expect(outages.map(\.unknownLengthReason) == [nil])
  }

  @Test("A loss at every host affects earlier connections only, and may leave UDP flows")
  func losses() {
    var story = Self.story
    story.stream(5_200, 6_000)
    story.stream(8_000, 9_000, port: 40_001)
    let loss = NetworkChange.Loss(before: FlowStory.at(5_000))
    let change = Self.change(5_000, [Self.cellular], losses: [loss])
    let outages = story.observation.outages(at: [change])
    #expect(outages.map(\.recovers) == [.milliseconds(3_003)])
    for keepsDatagrams in [true, false] {
      let loss = NetworkChange.Loss(before: FlowStory.at(5_000), keepsDatagrams: keepsDatagrams)
      for (transport, isAffected) in [(Flow.Transport.tcp, true), (.udp, !keepsDatagrams)] {
        let ends = FlowStory.ends(at: Self.cellular)
        let old = Flow(transport, ends, opened: FlowStory.at(4_999))
        #expect(loss.affects(old) == isAffected)
        let new = Flow(transport, ends, opened: FlowStory.at(5_000))
        #expect(!loss.affects(new))
      }
    }
  }

  @Test("Changes without data in between form one outage, from the first change")
  func together() {
    var story = Self.story
    story.stream(12_000, 14_000, port: 40_001, at: Self.wifi)
    let changes = [
      Self.change(5_000, []), Self.change(7_000, [Self.cellular]), Self.change(9_000, [Self.wifi]),
    ]
    let outages = story.observation.outages(at: changes)
    #expect(outages.map(\.since) == [FlowStory.at(5_000)])
    #expect(outages.map(\.recovers) == [.milliseconds(7_003)])
  }

  @Test("Changes with data in between form two outages, each with its own attempts")
  func apart() {
    var story = Self.story
    story.stream(6_000, 9_000, port: 40_001, at: Self.wifi)
    story.story.open(11_000, port: 40_002)
    story.story.open(12_000, port: 40_003)
    let changes = [Self.change(5_000, [Self.wifi]), Self.change(10_000, [Self.cellular])]
    let outages = story.observation.outages(at: changes)
    #expect(outages.map(\.recovers) == [.milliseconds(1_003), .milliseconds(1_003)])
    #expect(outages.map(\.attempts) == [1, 2])
  }

  @Test("There is no outage if the connection continues over an interface that stays up")
  func staysUp() {
    var story = Self.story
    story.drip(5_200, 9_000)
    let outages = story.observation.outages(
      at: [Self.change(5_000, [Self.wifi, Self.cellular])])
    #expect(outages.map(\.recovers) == [.milliseconds(200)])
    #expect(outages.map(\.attempts) == [0])
  }

  @Test("If the old connections stall, the outage ends with a new one, or when they continue")
  func stalled() {
    var story = Self.story
    story.drip(5_200, 5_400)
    story.drip(20_000, 21_000)
    let stall = Self.change(5_000, [Self.cellular], losses: [Self.loss(before: 5_000)])
    let resume = Self.change(15_000, [Self.cellular], begins: false)
    #expect(story.observation.outages(at: [stall]).map(\.recovers) == [nil])
    #expect(
      story.observation.outages(at: [stall, resume]).map(\.recovers) == [.milliseconds(15_000)])
    story.stream(7_000, 7_400, port: 40_001)
    #expect(
      story.observation.outages(at: [stall, resume]).map(\.recovers) == [.milliseconds(2_003)])
  }

  @Test(
    "An outage neither starts when the device falls asleep nor ends while the process is stopped")
  func asleep() {
    var story = Self.story
    story.drip(5_200, 12_000)
    let sleep = Self.change(5_000, [], begins: false)
    let wake = Self.change(9_000, [Self.cellular], begins: false)
    #expect(story.observation.outages(at: [sleep, wake]).isEmpty)
    let outages = story.observation.outages(at: [sleep, Self.change(6_000, []), wake])
    #expect(outages.map(\.recovers) == [.milliseconds(3_200)])
  }

  @Test("An outage counts from the change after which new connections work permanently")
  func unusable() {
    var story = Self.story
    story.stream(16_000, 17_000, port: 40_001, at: Self.wifi)
    let lost = Self.change(5_000, [])
    let cellular = Self.change(8_000, [Self.cellular])
    let outages = story.observation.outages(
      at: [lost, cellular, Self.change(9_000, []), Self.change(14_000, [Self.wifi])])
    #expect(outages.map(\.recovers) == [.milliseconds(11_003)])
    #expect(outages.map(\.delay) == [.milliseconds(1_993)])
    let moves = story.observation.outages(at: [cellular, Self.change(14_000, [Self.wifi])])
    #expect(moves.map(\.unusable) == [.milliseconds(10)])
  }

  @Test("An outage is undecidable without earlier data, or without a network until the end")
  func doubts() {
    var silent = StreamStory()
    silent.moved = nil
    #expect(
      silent.observation.outages(at: [Self.change(5_000, [Self.wifi])]).map(\.unknownLengthReason)
        == [.silentBefore])
    #expect(
      Self.story.observation.outages(at: [Self.change(5_000, [])]).map(\.unknownLengthReason) == [
        .noNetwork
      ])
  }

  @Test("A program that ended before has no outage, and one that ends during it is reported")
  func ends() {
    var story = Self.story
    story.programEnd = (4_000, "status 0")
    #expect(story.observation.outages(at: [Self.change(5_000, [Self.wifi])]).isEmpty)
    story.programEnd = (7_000, "status 7")
    let outages = story.observation.outages(at: [Self.change(5_000, [Self.wifi])])
    #expect(outages.map { $0.programEnd?.phrase } == ["status 7"])
  }
}
