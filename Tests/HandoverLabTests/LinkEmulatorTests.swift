import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("One direction of a medium")
struct LinkEmulatorLaneTests {
  private func lane(_ set: (inout LinkConditions) -> Void) -> LinkEmulatorLane {
    var lane = LinkEmulatorLane(generator: SeededGenerator(seed: 1))
    set(&lane.conditions)
    return lane
  }

  private func frame(_ number: UInt8, due: Int64) -> LinkEmulatorLane.Frame {
    LinkEmulatorLane.Frame(bytes: [number], port: 0, due: due)
  }

  @Test("Frames arrive immediately without conditions")
  func nothing() {
    var lane = lane { _ in }
    #expect(lane.fate(ofLength: 1_500, at: 7) == .arrived)
    #expect(lane.nextDue == nil)
  }

  @Test("A delay applies to each frame separately, and a rate to all frames together")
  func delayAndRate() {
    var lane = lane {
      $0.delay = .milliseconds(20)
      $0.bitsPerSecond = 8_000_000
    }
    // 1000 bytes take a millisecond at eight megabits per second.
    #expect(lane.fate(ofLength: 1_000, at: 0) == .waits(until: 21_000))
    lane.keep(frame(1, due: 21_000))
    #expect(lane.fate(ofLength: 1_000, at: 500) == .waits(until: 22_000))
    lane.keep(frame(2, due: 22_000))
    #expect(lane.nextDue == 21_000)
    #expect(lane.takeArrived(at: 20_999) == nil)
    #expect(lane.takeArrived(at: 21_500)?.bytes == [1])
    #expect(lane.takeArrived(at: 21_500) == nil)
  }

  @Test("No frame overtakes an earlier one")
  func order() {
    var lane = lane { $0.delay = .milliseconds(20) }
    lane.keep(frame(1, due: 20_000))
    lane.conditions.delay = .zero
    #expect(lane.fate(ofLength: 1, at: 100) == .waits(until: 20_000))
  }

  @Test("Held frames continue when the medium is open again, and blocked frames never do")
  func passage() {
    var lane = lane { $0.passage = .held }
    #expect(lane.fate(ofLength: 1, at: 5) == .waits(until: 5))
    lane.keep(frame(1, due: 5))
    #expect(lane.nextDue == nil)
    #expect(lane.takeArrived(at: 1_000) == nil)
    lane.conditions.passage = .closed
    #expect(lane.fate(ofLength: 1, at: 6) == .lost)
    lane.conditions.passage = .open
    #expect(lane.takeArrived(at: 1_000)?.bytes == [1])
  }

  @Test("A frame that is dropped because the buffer is full takes no time from later ones")
  func noRoom() {
    var lane = lane { $0.bitsPerSecond = 8_000_000 }
    for number in 0..<LinkEmulatorLane.maximumFrameCount {
      guard case .waits(let due) = lane.fate(ofLength: 1_000, at: 0) else {
        Issue.record("frame \(number) does not wait")
        return
      }
      lane.keep(frame(UInt8(truncatingIfNeeded: number), due: due))
    }
    for _ in 0..<1_000 { #expect(lane.fate(ofLength: 1_000, at: 0) == .lost) }
    while lane.takeArrived(at: 2_000_000) != nil {}
    // The last waiting frame was through after 4,096 ms: a millisecond for each frame that waited.
    while lane.takeArrived(at: 4_096_000) != nil {}
    #expect(lane.fate(ofLength: 1_000, at: 4_096_000) == .waits(until: 4_097_000))
  }

  @Test("The configured share of frames is lost, the same ones with the same seed")
  func loss() {
    var lane = lane { $0.lossPerMillion = 200_000 }
    var other = lane
    let fates = (0..<10_000).map { _ in lane.fate(ofLength: 1, at: 0) }
    #expect((1_800...2_200).contains(fates.count { $0 == .lost }))
    #expect(fates == (0..<10_000).map { _ in other.fate(ofLength: 1, at: 0) })
  }

  @Test(
    "Losses come in bursts of the configured length, at the same rate as without bursts",
    arguments: [(UInt32(50_000), UInt32(1)), (50_000, 3), (200_000, 5), (10_000, 20)])
  func bursts(_ loss: UInt32, _ burst: UInt32) {
    var lane = lane {
      $0.lossPerMillion = loss
      $0.quality.burst = burst
    }
    let count = 400_000
    let isLost = (0..<count).map { _ in lane.fate(ofLength: 1, at: 0) == .lost }
    let losses = isLost.count { $0 }
    let begins = isLost.indices.count { isLost[$0] && ($0 == 0 || !isLost[$0 - 1]) }
    let share = Double(losses) / Double(count) * 1_000_000
    #expect(abs(share - Double(loss)) < Double(loss) * 0.1)
    #expect(abs(Double(losses) / Double(begins) - Double(burst)) < Double(burst) * 0.1)
  }

  @Test("The configured share of frames is late and overtaken")
  func reordering() {
    var lane = lane {
      $0.quality.reorderPerMillion = 100_000
      $0.quality.reorderBy = .milliseconds(5)
    }
    var (order, lateCount): ([UInt8], Int) = ([], 0)
    for position in 0..<200 {
      let now = Int64(position) * 1_000
      while let frame = lane.takeArrived(at: now) { order.append(frame.bytes[0]) }
      switch lane.fate(ofLength: 1, at: now) {
      case .arrived: order.append(UInt8(position))
      case .isLate(let due):
        #expect(due == now + 5_000)
        lateCount += 1
        lane.keepReordered(frame(UInt8(position), due: due))
      case .lost, .waits: Issue.record("frame \(position)")
      }
    }
    while let frame = lane.takeArrived(at: 1_000_000) { order.append(frame.bytes[0]) }
    #expect((8...35).contains(lateCount))
    #expect(order.sorted() == (0..<200).map { UInt8($0) } && order != order.sorted())
    #expect(lane.nextDue == nil)
  }

  @Test("A recording lets bytes pass at its times, and restarts at its end")
  func recording() throws {
    var lane = lane { _ in }
    var conditions = LinkConditions()
    conditions.quality.trace = try LinkTrace(name: "t", bytes: Array("5\n5\n20\n".utf8))
    lane.set(conditions, at: 1_000)
    // A recording counts 1,504 bytes for a frame of 1,514 bytes.
    let fates = (0..<5).map { _ in
      let fate = lane.fate(ofLength: 1_514, at: 1_000)
      if case .waits(let due) = fate { lane.keep(frame(0, due: due)) }
      return fate
    }
    #expect(fates == [6_000, 6_000, 21_000, 26_000, 26_000].map { .waits(until: $0) })
  }

  @Test("The buffer is limited in frames and in bytes")
  func bounds() {
    var lane = lane { $0.passage = .held }
    for number in 0..<LinkEmulatorLane.maximumFrameCount {
      #expect(lane.fate(ofLength: 1, at: 0) != .lost)
      lane.keep(frame(UInt8(truncatingIfNeeded: number), due: 0))
    }
    #expect(lane.fate(ofLength: 1, at: 0) == .lost)
    lane.conditions.passage = .open
    var taken = 0
    while lane.takeArrived(at: 0) != nil { taken += 1 }
    #expect(taken == LinkEmulatorLane.maximumFrameCount)
    #expect(lane.fate(ofLength: LinkEmulatorLane.maximumByteCount, at: 0) == .arrived)
    lane.conditions.passage = .held
    #expect(lane.fate(ofLength: LinkEmulatorLane.maximumByteCount + 1, at: 0) == .lost)
  }
}

@Suite("The duration of connections")
struct HandshakesTests {
  private static let address = IPAddress(203, 0, 113, 1)

  /// Returns a frame with a virtio header, as the link emulator receives them.
  private func frame(
    to address: IPAddress = Self.address, flags: UInt8 = 0x02, kind: UInt8 = 6,
    options: Int = 0, type: UInt8 = 0
  ) -> [UInt8] {
    var packet: [UInt8] = [0x45 + UInt8(options), 0, 0, 40, 0, 0, 0, 0, 64, kind, 0, 0]
    packet += [192, 168, 1, 2] + address.bytes + [UInt8](repeating: 0, count: options * 4)
    packet[3] += UInt8(options * 4)
    packet += [UInt8](repeating: 0, count: 12) + [0x50, flags] + [UInt8](repeating: 0, count: 6)
    return [UInt8](repeating: 0, count: 10 + 12) + [8, type] + packet
  }

  private func delay(of frame: [UInt8]) -> Int64? {
    var handshakes = Handshakes()
    handshakes.delay(.milliseconds(30), to: Endpoint(address: Self.address, port: 0))
    guard case .isLate(let delay) = handshakes.fate(of: frame[...]) else { return nil }
    return delay
  }

  @Test("The first packet to a host is distinguished from all others")
  func first() {
    #expect(delay(of: frame()) == 30_000)
    #expect(delay(of: frame(options: 3)) == 30_000)
    // ECN is offered with two more flags.
    #expect(delay(of: frame(flags: 0xC2)) == 30_000)
    for other in [
      frame(flags: 0x12), frame(flags: 0x10), frame(flags: 0x04), frame(kind: 17),
      frame(type: 6), frame(to: IPAddress(203, 0, 113, 2)), Array(frame().prefix(50)), [],
    ] {
      #expect(delay(of: other) == nil)
    }
    #expect(Handshakes().fate(of: frame()[...]) == nil)
  }

  @Test("Each port of an address has its own delay, even if the IPv4 address was translated")
  func ports() throws {
    let address = try #require(IPAddress("2001:db8:13::1"))
    var frame = TestFrame(isIPv6: true, flags: 0x02)
    var handshakes = Handshakes()
    handshakes.silence(Endpoint(address: address, port: 443))
    handshakes.delay(.milliseconds(30), to: Endpoint(address: address, port: 444))
    #expect(handshakes.fate(of: frame.bytes[...]) == .vanishes)
    frame.to.port = 444
    #expect(handshakes.fate(of: frame.bytes[...]) == .isLate(30_000))
    frame.to.port = 445
    #expect(handshakes.fate(of: frame.bytes[...]) == nil)
    let far = IPAddress(192, 0, 2, 7)
    var other = Handshakes()
    other.silence(Endpoint(address: far, port: 443))
    var bytes = TestFrame(isIPv6: true, flags: 0x02).bytes
    let layout = try #require(FrameLayout(bytes[...]))
    bytes.replaceSubrange(
      layout.destination..<layout.destination + 16, with: far.translated.bytes)
    #expect(other.fate(of: bytes[...]) == .vanishes)
  }
}

@Suite("The link emulator of a lab", .enabled(if: namespacesAreMissing == nil))
struct LinkEmulatorTests {
  /// Returns how long an echo takes, in milliseconds.
  private func echo(_ pair: (device: LiveSocket, server: LiveSocket)) throws -> Int64 {
    let start = monotonicMicroseconds()
    #expect(pair.device.write("ping") == nil)
    #expect(try pair.server.read() == .text("ping"))
    #expect(pair.server.write("pong") == nil)
    #expect(try pair.device.read() == .text("pong"))
    return (monotonicMicroseconds() - start) / 1_000
  }

  private func conditions(_ set: (inout LinkConditions) -> Void) -> LinkConditions {
    var conditions = LinkConditions()
    set(&conditions)
    return conditions
  }

  @Test("An echo takes two delays")
  func delay() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    _ = try echo(pair)
    fixture.lab.setConditions(conditions { $0.delay = .milliseconds(60) }, of: .wifi)
    // A busy machine slows down some echoes, but a doubled delay would slow down all of them.
    try expectSometime("an echo with two delays") {
      let time = try echo(pair)
      #expect(time >= 120)
      return time < 240
    }
    // The other medium has no delay.
    try fixture.flags([.reachable, .isWWAN])
    let other = try fixture.connect(to: 1)
    try expectSometime("an echo without a delay") { try echo(other) < 120 }
  }

  @Test("Nothing arrives while frames are held, and everything arrives afterward")
  func held() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    _ = try echo(pair)
    fixture.lab.setConditions(conditions { $0.passage = .held }, of: .wifi)
    #expect(pair.device.write("late") == nil)
    #expect(try pair.server.read(within: 400) == .nothing)
    fixture.lab.setConditions(LinkConditions(), of: .wifi)
    #expect(try pair.server.read() == .text("late"))
  }

  @Test("The kernel repeats lost data")
  func lost() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    _ = try echo(pair)
    fixture.lab.setConditions(conditions { $0.lossPerMillion = 1_000_000 }, of: .wifi)
    #expect(pair.device.write("again") == nil)
    #expect(try pair.server.read(within: 400) == .nothing)
    fixture.lab.setConditions(LinkConditions(), of: .wifi)
    #expect(try pair.server.read() == .text("again"))
  }

  /// Returns how many bytes of a text arrive, until nothing has arrived for some milliseconds.
  private func pour(
    _ count: Int, through pair: (device: LiveSocket, server: LiveSocket),
    untilSilentFor silence: Int64 = Int64(LiveSocket.patience) * 1_000
  ) throws -> Int {
    #expect(pair.device.write(String(repeating: "x", count: count)) == nil)
    var received = 0
    while received < count, case .text(let text) = try pair.server.read(within: silence) {
      received += text.utf8.count
    }
    return received
  }

  @Test(
    "A packet that is too long is reported to the sender, or vanishes",
    arguments: IPAddress.Family.allCases, [MTUSignal.icmp, .none])
  func mtu(_ family: IPAddress.Family, _ signal: MTUSignal) throws {
    let fixture = try LabFixture(family: family)
    let pair = try fixture.connect()
    _ = try echo(pair)
    fixture.lab.setConditions(
      conditions {
        $0.quality.mtu = 1_300
        $0.quality.mtuSignal = signal
      }, of: .wifi)
    _ = try echo(pair)
    // The other direction follows; in that direction the router informs the server.
    for ends in [pair, (device: pair.server, server: pair.device)] {
      if signal == .icmp {
        #expect(try pour(50_000, through: ends) == 50_000)
      } else {
        #expect(try pour(50_000, through: ends, untilSilentFor: 1_500) == 0)
      }
    }
  }

  @Test("Data arrives complete with late frames, bursts and a recording")
  func disorder() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    var conditions = LinkConditions()
    conditions.quality.lossPerMillion = 20_000
    conditions.quality.burst = 2
    conditions.quality.reorderPerMillion = 50_000
    conditions.quality.reorderBy = .milliseconds(2)
    conditions.quality.trace = try LinkTrace(
      name: "t", bytes: Array((1...10).map { "\($0)\n" }.joined().utf8))
    fixture.lab.setConditions(conditions, of: .wifi)
    #expect(try pour(50_000, through: pair) == 50_000)
  }

  @Test("Conditions of one direction do not affect the other")
  func direction() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    _ = try echo(pair)
    fixture.lab.setConditions(
      conditions {
        $0.delay = .milliseconds(80)
        $0.quality.direction = .up
      }, of: .wifi)
    try expectSometime("an echo with one delay") {
      let time = try echo(pair)
      #expect(time >= 80)
      return time < 160
    }
  }

  @Test("A rate limits the throughput")
  func rate() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    _ = try echo(pair)
    fixture.lab.setConditions(conditions { $0.bitsPerSecond = 1_000_000 }, of: .wifi)
    // 50,000 bytes take 400 ms at one megabit per second.
    let start = monotonicMicroseconds()
    #expect(pair.device.write(String(repeating: "x", count: 50_000)) == nil)
    var received = 0
    while received < 50_000, case .text(let text) = try pair.server.read() {
      received += text.utf8.count
    }
    #expect(received == 50_000)
    #expect(monotonicMicroseconds() - start > 300_000)
  }
}
