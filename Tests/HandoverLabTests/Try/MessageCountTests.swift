import HandoverCore
import Testing

@testable import HandoverTry

@Suite("Lost and repeated messages")
struct MessageCountTests {
  private static let device = FlowEnd(address: FlowStory.device, port: 40_000)
  private static let wifi = FlowEnd(address: FlowStory.wifi, port: 40_001)

  /// A stream with messages of 20 bytes: two on the first connection, and more on a second one.
  private struct Story {
    var stream = StreamStory()
    var log = MessageLog()
    var topic = 0

    init() {
      topic = log.addTopic() ?? -1
      stream.story.open(0)
    }

    /// Adds a connection, on which the given messages are sent one after the other.
    mutating func send(
      _ numbers: [Int], to device: FlowEnd = device, after: Int? = nil
    ) {
      guard let position = log.open(FlowEnds(local: device, remote: FlowStory.server)) else {
        return
      }
      log.subscribe(to: topic, after: after, on: position)
      for (index, number) in numbers.enumerated() {
        log.add(number, of: topic, endingAt: 20 * (index + 1), on: position)
      }
    }

    /// Acknowledges a number of bytes on the first or on another connection.
    mutating func acknowledge(_ count: UInt32, on device: FlowEnd = device, at: Int64 = 5_000) {
      stream.story.down(
        at - 1, port: device.port, to: device.address, sequence: 501, Int(count))
      stream.story.up(
        at, port: device.port, from: device.address, sequence: 111, acknowledgement: 501 + count)
    }

    /// The observation at the end, when the stream has reached a message.
    func observation(last: Int = 0) -> TryObservation {
      var (observation, log) = (stream.observation, log)
      log.setLast(last, of: topic)
      observation.messages = log
      return observation
    }

    func counts(last: Int = 0) -> MessageCounts {
      observation(last: last).messageCounts { $0.payload.contains { $0 > FlowStory.at(5_000) } }
    }
  }

  @Test("Messages that the kernel did not acknowledge are lost, up to the last one of the stream")
  func held() {
    var story = Story()
    story.send([1, 2, 3])
    #expect(story.counts() == MessageCounts(lost: 2, duplicates: 0, subscriptions: 1))
    #expect(story.counts(last: 9).lost == 8)
    story.acknowledge(59)
    #expect(story.counts().lost == 1)
    story.acknowledge(60)
    #expect(story.counts().lost == 0)
  }

  @Test("The last messages on a connection that works after the change are on their way")
  func onTheWay() {
    for (at, lost) in [(4_000, 2), (6_000, 0)] as [(Int64, Int)] {
      var story = Story()
      story.send([1, 2, 3])
      story.acknowledge(40, at: at)
      #expect(story.counts(last: 4).lost == lost)
    }
  }

  @Test("A packet that is captured just after the change does not revive a dead connection")
  func late() {
    var still = Story()
    still.stream.moved = nil
    still.send([1])
    still.stream.drip(200, 35_000)
    var story = Story()
    story.send(Array(1...20))
    story.stream.servers.open(0)
    story.stream.owe(6_000)
    for count in 1...10 { story.acknowledge(UInt32(20 * count), at: 500 * Int64(count) + 2) }
    let usual = still.observation()
    #expect(usual.messageCounts { _ in true }.lost == 0)
    let seen = story.observation(last: 150)
    let verdict = TryJudge(ProgramRhythm(usual)).verdict(on: seen, story.stream.traits)
    #expect(verdict.outcome == .hangs && verdict.messages.lost == 140)
  }

  @Test("A dead connection expects nothing that a connection that works still delivers")
  func leftOpen() {
    var story = Story()
    story.send([1, 2])
    story.acknowledge(20, at: 4_000)
    story.stream.story.open(7_000, port: 40_001, from: FlowStory.wifi)
    story.send([4, 5], to: Self.wifi)
    story.acknowledge(20, on: Self.wifi, at: 8_000)
    #expect(story.counts(last: 6) == MessageCounts(lost: 2, duplicates: 0, subscriptions: 2))
  }

  @Test("A gap between two subscriptions is lost, and what arrives on both is received again")
  func gaps() {
    var story = Story()
    story.send([1, 2, 3])
    story.stream.story.up(6_000, sequence: 111, flags: 0x11, acknowledgement: 521)
    story.stream.story.open(7_000, port: 40_001, from: FlowStory.wifi)
    var gap = story
    gap.send([5, 6], to: Self.wifi)
    gap.acknowledge(40, on: Self.wifi, at: 8_000)
    #expect(gap.counts() == MessageCounts(lost: 3, duplicates: 0, subscriptions: 2))
    story.send([1, 2, 3], to: Self.wifi)
    story.acknowledge(60, on: Self.wifi, at: 8_000)
    #expect(story.counts() == MessageCounts(lost: 0, duplicates: 1, subscriptions: 2))
  }

  @Test("A message after the number that the program names was not received before")
  func resumed() {
    var story = Story()
    story.send([1, 2, 3])
    story.acknowledge(60)
    story.stream.story.up(6_000, sequence: 111, flags: 0x11, acknowledgement: 561)
    story.stream.story.open(7_000, port: 40_001, from: FlowStory.wifi)
    var honest = story
    honest.send([3, 4], to: Self.wifi, after: 2)
    honest.acknowledge(40, on: Self.wifi, at: 8_000)
    #expect(honest.counts() == MessageCounts(lost: 0, duplicates: 0, subscriptions: 2))
    story.send([3, 4], to: Self.wifi)
    story.acknowledge(40, on: Self.wifi, at: 8_000)
    #expect(story.counts() == MessageCounts(lost: 0, duplicates: 1, subscriptions: 2))
  }

  @Test("What the kernel acknowledges after the release of a connection is not received")
  func released() {
    var story = Story()
    story.send([1, 2])
    story.stream.story.up(4_000, sequence: 111, flags: 0x11, acknowledgement: 521)
    story.acknowledge(40, at: 4_500)
    // The program ended its only subscription, so it does not miss the second message.
    #expect(story.counts() == MessageCounts(lost: 0, duplicates: 0, subscriptions: 1))
    story.stream.story.open(7_000, port: 40_001, from: FlowStory.wifi)
    story.send([3], to: Self.wifi)
    #expect(story.counts().lost == 1)
  }

  @Test("Bytes that the program did not read are not received")
  func unread() {
    var story = Story()
    story.send([1, 2])
    story.acknowledge(40)
    story.stream.held = [HeldSocket(ends: FlowStory.ends(), options: SocketOptions(), unread: 1)]
    #expect(story.counts().lost == 1)
  }

  @Test("A relay's messages count on the connection with the device")
  func relayed() {
    var log = MessageLog()
    let topic = log.addTopic() ?? -1
    let source = FlowEnds(
      local: FlowEnd(address: 0x7F00_0001, port: 50_000), remote: FlowStory.server)
    let near = log.open(FlowStory.ends()) ?? -1
    let far = log.open(source) ?? -1
    // A relay may use the same local port for connections to several servers.
    var other = source
    other.remote.port += 1
    _ = log.open(other)
    for number in 1...3 { log.add(number, of: topic, endingAt: 10 * number, on: far) }
    log.subscribe(to: topic, after: 4, on: far)
    log.relay(from: source, upTo: 25, to: near, at: 90)
    #expect(log.connections[near].messages.map(\.end) == [90, 90])
    #expect(log.connections[near].subscriptions == [.init(topic: topic, after: 4)])
    #expect(log.connections[far].messages.map(\.number) == [3])
  }

  @Test("A log that is full, or without numbered messages, gives no counts")
  func unknown() {
    var story = Story()
    story.send([1])
    for number in 0..<MessageLog.maximumCount {
      story.log.add(number, of: story.topic, endingAt: 0, on: 0)
    }
    #expect(story.log.isFull && story.log.connections[0].messages.count < MessageLog.maximumCount)
    #expect(story.log.open(FlowStory.ends()) == nil)
    #expect(story.counts() == MessageCounts())
    #expect(StreamStory().observation.messageCounts { _ in true } == MessageCounts())
  }

  @Test("Printed numbers take precedence, and any integers can be compared")
  func printed() {
    func counts(_ numbers: [Int]) -> MessageCounts {
      var observation = StreamStory().observation
      observation.printed = numbers
      return observation.messageCounts { _ in true }
    }
    #expect(counts([4, 5, 8, 5, 5]) == MessageCounts(lost: 2, duplicates: 2))
    #expect(counts([.min, .max]).lost == .max)
    #expect(counts([7]) == MessageCounts(lost: 0, duplicates: 0))
    #expect(counts([]) == MessageCounts())
  }

  @Test("Counts that the program also has without a change are left out, and notes name the rest")
  func comparison() {
    let usual = MessageCounts(lost: 0, duplicates: 3, subscriptions: 1)
    let counts = MessageCounts(lost: 2, duplicates: 9, subscriptions: 2)
    #expect(counts.comparable(with: usual) == MessageCounts(lost: 2, subscriptions: 2))
    #expect(counts.comparable(with: MessageCounts()) == MessageCounts(subscriptions: 2))
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(14_000, 35_000)
    story.evidence = { $0.printed = [1, 2, 5, 5] }
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 35_000)
    still.evidence = { $0.printed = [1, 2] }
    let verdict = story.verdict(ProgramRhythm(still.observation))
    #expect(verdict.evidence.hasSuffix("; 2 messages lost; 1 message received again"))
  }
}
