import Foundation
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Arrival times over a network with a quality.
///
/// The times are computed by hand from the page "Quality in virtual time".
@Suite("The quality of a network")
struct QualityTests {
  static let home = NetworkTests.home

  static func quality(_ change: (inout LinkQuality) -> Void) -> LinkQuality {
    var quality = LinkQuality()
    change(&quality)
    return quality
  }

  static func becomes(_ change: (inout LinkQuality) -> Void) -> ScriptAction {
    .network(home, .quality(quality(change)), signal: nil)
  }

  static func slow(_ milliseconds: Int64) -> ScriptAction {
    becomes { $0.delay = .milliseconds(milliseconds) }
  }

  private static func story(_ change: (inout Script) -> Void = { _ in }) -> Story {
    NetworkTests.story(change)
  }

  /// Returns when servers read requests and messages, in microseconds.
  static func reads(_ played: Played) -> [Int64] {
    played.trace.records.compactMap {
      switch $0.body {
      case .world(.serverReadRequest), .world(.serverReadMessages): $0.at.microseconds
      default: nil
      }
    }
  }

  // MARK: Delay

  @Test(
    "At least one packet must be able to pass between two bursts",
    arguments: [
      (1, 500_000, false), (1, 500_001, true), (2, 666_666, false), (2, 666_667, true),
      (1_000, 999_000, false), (1_000, 999_001, true), (1, 1_000_000, false),
    ] as [(UInt32, UInt32, Bool)])
  func bursts(length: UInt32, loss: UInt32, areTooShort: Bool) {
    let quality = Self.quality {
      $0.burst = length
      $0.lossPerMillion = loss
    }
    #expect(quality.burstsAreTooShort == areTooShort)
  }

  @Test("A unary call takes two round trips and the time of its server")
  func unary() throws {
    let story = Self.story { $0.hosts[0].connect = .milliseconds(30) }
      .at(0, Self.slow(50)).call(at: 0, .unary, takes: .milliseconds(7))
    let played = try story.played()
    // 50 + 30 + 50 for the connection, 50 for the request, 7, and 50 for the answer.
    #expect(played.reads == [.init(180, 0)])
    #expect(played.end(of: 0) == .ok(237))
  }

  @Test("Each direction has its own delay, and keeps it when the other changes")
  func directions() throws {
    func one(_ direction: LinkDirection, _ milliseconds: Int64) -> ScriptAction {
      Self.becomes {
        $0.delay = .milliseconds(milliseconds)
        $0.direction = direction
      }
    }
    let story = Self.story().at(0, one(.up, 10)).at(0, one(.down, 100)).unary(at: 0)
    let played = try story.played()
    #expect(played.reads == [.init(120, 0)])
    #expect(played.end(of: 0) == .ok(220))
  }

  @Test("A quality affects no other network, and an empty quality ends it")
  func others() throws {
    let other = Self.story().at(
      0,
      .network(
        NetworkTests.lte,
        .quality(
          Self.quality {
            $0.delay = .seconds(1)
          }), signal: nil)
    ).unary(at: 0)
    #expect(try other.played().end(of: 0) == .ok(0))
    let over = Self.story().at(0, Self.slow(50)).at(1_000, Self.becomes { _ in }).unary(at: 1_000)
    #expect(try over.played().end(of: 0) == .ok(1_000))
  }

  @Test("Messages of a server come late, and those in flight keep their time and order")
  func messages() throws {
    let story = Self.story().call(every: .milliseconds(300)).at(250, Self.slow(400))
      .at(650, Self.becomes { _ in }).unary(at: 1_500)
    // Messages sent at 300 and 600 arrive at 700 and 1,000; the one of 900 does not arrive before
    // that.
    #expect(try story.played().deliveries.prefix(4) == [700, 1_000, 1_000, 1_200])
  }

  @Test("A close of the server, a refusal and a reset of the router take the delay too")
  func ends() throws {
    let base = Self.story().at(0, Self.slow(50)).call(.bidi, deadline: .seconds(9))
    let closed = try base.at(1_000, .server(0, .close)).at(1_020, .send(0, bytes: 1)).played()
    #expect(closed.end(of: 0) == .failed(1_050, .closed))
    #expect(closed.reads.map(\.milliseconds) == [150])
    let forgotten = try base.at(
      1_000,
      .network(
        Self.home, .nat(.forget, .reset, every: nil), signal: nil)
    ).at(2_000, .send(0, bytes: 1))
      .played()
    #expect(forgotten.end(of: 0) == .failed(2_100, .reset))
    let refused = try Self.story { $0.hosts[0].server = .refuse }.at(0, Self.slow(50))
      .call(failFast: true).played()
    #expect(refused.end(of: 0) == .failed(100, .refused))
  }

  @Test("A ping whose answer is later than its timeout ends a healthy connection")
  func pings() throws {
    func end(_ delay: Int64) throws -> Played.At<CallEnd>? {
      try Self.story {
        $0.configuration.keepalive = KeepaliveConfiguration(
          time: .seconds(2), timeout: .milliseconds(500))
      }
      .at(0, Self.slow(delay)).call(deadline: .seconds(9)).played().end(of: 0)
    }
    #expect(try end(249) == .ended(9_000, .deadlineExceeded))
    // Connected after 520 ms; a ping at 2,520, and 500 ms later no answer has arrived.
    #expect(try end(260)?.thing.code == .unavailable)
    #expect(try end(260)?.milliseconds == 3_020)
  }

  // MARK: From the start

  @Test(
    "A script without networks has paths of a medium that depends on the flags of their first use")
  func media() throws {
    let story = Story().with { $0.paths.append("train") }
      .at(1_000, .flags(.cellular, path: PathIndex(3))).at(2_000, .flags(.wifi))
      .at(3_000, .path(Story.hotspot))
    #expect(story.script.paths(overCellular: false) == [Script.wifiPath, Story.hotspot])
    #expect(story.script.paths(overCellular: true) == [Script.cellularPath, PathIndex(3)])
    #expect(Self.story().script.paths(overCellular: true) == [NetworkTests.lte])
  }

  @Test("A path has its quality from the start, even if nothing passes at all")
  func fromTheBeginning() throws {
    func end(_ change: (inout LinkQuality) -> Void) throws -> Played.At<CallEnd>? {
      try Story().with { $0.qualities = [PathQuality(Script.wifiPath, Self.quality(change))] }
        .unary(at: 1_000, deadline: .seconds(9)).played().end(of: 0)
    }
    #expect(try end { $0.delay = .milliseconds(50) } == .ok(1_200))
    #expect(try end { $0.lossPerMillion = 1_000_000 } == .ended(10_000, .deadlineExceeded))
  }

  // MARK: Rate

  @Test("Data takes its time at the rate, and waits for earlier data")
  func rate() throws {
    let story = Self.story()
      .at(
        0,
        Self.becomes {
          $0.delay = .milliseconds(50)
          $0.bitsPerSecond = 1_000_000
        }
      )
      .call(.bidi, deadline: .seconds(9))
      .at(1_000, .send(0, bytes: 10_000)).at(1_000, .send(0, bytes: 100))
    // The first packet and its answer have 54 bytes; the request has 154.
    let request: Int64 = 2 * (432 + 50_000) + 1_232 + 50_000
    // 10,014 bytes take seven packets, and 114 take one.
    let long: Int64 = (10_014 + 7 * 54) * 8
    let short: Int64 = (114 + 54) * 8
    let first = 1_050_000 + long
    #expect(Self.reads(try story.played()) == [request, first, first + short])
  }

  @Test("Connections share the rate")
  func shared() throws {
    let story = Self.story()
      .at(
        0,
        Self.becomes {
          $0.bitsPerSecond = 8_000
          $0.direction = .up
        }
      )
      .unary(at: 0).unary(at: 0, host: 1)
    // A millisecond for each byte: 54 and 54 for the first packets, then the requests and their
    // ends.
    let reads = Self.reads(try story.played())
    let both: [Int64] = [54 + 54 + 154, 54 + 54 + 154 + 63 + 154]
    #expect(reads == both.map { $0 * 1_000 })
  }

  @Test("A recording lets one full packet pass at each of its times, repeatedly")
  func recording() throws {
    let trace = try LinkTrace(name: "t", bytes: Array("40\n100\n".utf8))
    let story = Self.story().call(.bidi, deadline: .seconds(9))
      .at(1_000, Self.becomes { $0.trace = trace })
      // Two full packets, and one byte that fits in the rest.
      .at(1_010, .send(0, bytes: 2 * 1_460 - 14)).at(1_110, .send(0, bytes: 1))
      .at(1_150, .send(0, bytes: 1_460 - 14)).at(1_150, .send(0, bytes: 1))
    #expect(
      Self.reads(try story.played()).dropFirst() == [
        1_100_000, 1_140_000, 1_200_000, 1_240_000,
      ])
  }

  @Test(
    "Over the bundled traces everything arrives in order",
    arguments: ["train.trace", "wifi-leaving-home.trace"])
  func shipped(name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/Traces/\(name)")
    let trace = try LinkTrace(name: name, bytes: Array(Data(contentsOf: file)))
    var story = Self.story().at(
      0,
      Self.becomes {
        $0.delay = .milliseconds(20)
        $0.trace = trace
      }
    ).call(.bidi)
    for index in 0..<300 {
      story = story.at(1_000 + Int64(index) * 200, .send(0, bytes: 100 * (index % 40)))
    }
    let reads = Self.reads(try story.played(until: 4_000_000))
    #expect(reads.count == 301)
    #expect(reads == reads.sorted())
  }

  // MARK: Losses

  @Test(
    "A lost packet comes a round trip and 200 ms later, and each further loss doubles the delay")
  func losses() throws {
    var met: Set<Int64> = []  // lookup only
    for seed in 1...60 as ClosedRange<UInt64> {
      let story = Self.story {
        $0.configuration.seed = seed
        $0.configuration.tcpTimeout = .minutes(15)
      }
      .call(.bidi)
      .at(
        1_000,
        Self.becomes {
          $0.delay = .milliseconds(50)
          $0.lossPerMillion = 400_000
        }
      )
      .at(2_000, .send(0, bytes: 1))
      let reads = Self.reads(try story.played()).dropFirst()
      let late = try #require(reads.first) - 2_050_000
      // 300 ms, then 600, 1,200 and so on.
      let expected: [Int64] = (0..<9).map { ((1 << $0) - 1) * 300_000 }
      #expect(expected.contains(late), "seed \(seed)")
      met.insert(late)
    }
    #expect(met.count >= 3)
  }

  @Test("The same seed loses the same packets, and another seed loses others")
  func seeds() throws {
    func reads(_ seed: UInt64) throws -> [Int64] {
      var story = Self.story { $0.configuration.seed = seed }.call(.bidi)
        .at(100, Self.becomes { $0.lossPerMillion = 300_000 })
      for index in 0..<40 { story = story.at(1_000 + Int64(index) * 20_000, .send(0, bytes: 1)) }
      return Self.reads(try story.played(until: 2_000_000))
    }
    #expect(try reads(1) == reads(1))
    #expect(try reads(1) != reads(2))
  }

  @Test("At total loss nothing connects and TCP times out, until the network improves")
  func allLost() throws {
    let lost = Self.becomes { $0.lossPerMillion = 1_000_000 }
    let given = try Self.story().call(.bidi, deadline: .seconds(60)).at(1_000, lost)
      .at(2_000, .send(0, bytes: 1)).played()
    #expect(given.end(of: 0) == .failed(12_000, .timedOut))
    let waits = Self.story().at(0, lost).unary(at: 0).at(4_000, Self.slow(10))
    #expect(try waits.played().end(of: 0) == .ok(4_040))
  }

  // MARK: MTU

  @Test("A packet that is too long is sent again once if ICMP reports it, and stalls if not")
  func tooLong() throws {
    func story(_ signal: MTUSignal) -> Story {
      Self.story().at(
        0,
        Self.becomes {
          $0.delay = .milliseconds(50)
          $0.mtu = 1_000
          $0.mtuSignal = signal
        }
      )
      .call(.bidi, deadline: .seconds(60))
      .at(1_000, .send(0, bytes: 900)).at(2_000, .send(0, bytes: 5_000))
      .at(3_000, .send(0, bytes: 5_000)).at(4_000, .send(0, bytes: 1))
    }
    let reported = try story(.icmp).played()
    #expect(reported.reads.dropFirst().map(\.milliseconds) == [1_050, 2_150, 3_050, 4_050])
    let untold = try story(.none).played()
    #expect(untold.reads.dropFirst().map(\.milliseconds) == [1_050])
    #expect(untold.end(of: 0) == .failed(12_000, .timedOut))
    #expect(untold.instants { if case .connectionStalled = $0 { true } else { false } } == [2_000])
  }

  // MARK: Interruptions

  @Test("Data in flight when its network is lost is sent again when it is back")
  func interrupted() throws {
    let story = Self.story().at(0, Self.slow(100)).call(.bidi, deadline: .seconds(9))
      .at(1_000, .send(0, bytes: 1))
      .at(1_050, .network(Self.home, .down(.silent), signal: nil))
      .at(1_060, .network(Self.home, .up, signal: nil))
      .at(2_000, .send(0, bytes: 1))
    #expect(try story.played(on: .linuxSockets).reads.map(\.milliseconds) == [300, 1_160, 2_100])
  }

  @Test("An answer in flight waits for the end of a stall, and then takes its delay again")
  func answerInterrupted() throws {
    let story = Self.story().at(0, Self.slow(100)).call(at: 0, .unary, takes: .seconds(1))
      .at(1_350, .transport(.all, .stall)).at(5_000, .transport(.all, .resume))
    #expect(try story.played().end(of: 0) == .ok(5_100))
  }

  @Test("Data that is acknowledged and discarded is lost, and so is data in flight")
  func discarded() throws {
    let story = Self.story().at(0, Self.slow(100)).call(.bidi, deadline: .seconds(9))
      .at(1_000, .send(0, bytes: 1)).at(1_050, .transport(.all, .stallAcked))
      .at(3_000, .transport(.all, .resume))
    let played = try story.played()
    #expect(played.reads.map(\.milliseconds) == [300])
    #expect(played.instants { if case .writesDiscarded = $0 { true } else { false } } == [1_050])
  }

  @Test("A link that flaps at 5 Hz makes a connection only if a round trip fits into a period")
  func flaps() throws {
    func end(_ delay: Int64) throws -> Played.At<CallEnd>? {
      try Self.story().at(0, Self.slow(delay))
        .at(
          0,
          .network(
            Self.home, .uplink(isUp: false, lasts: .milliseconds(100), every: .milliseconds(200)),
            signal: nil)
        )
        .unary(at: 10, deadline: .seconds(9)).played().end(of: 0)
    }
    #expect(try end(20) == .ok(180))
    let never = try end(60)
    #expect(never == .ended(9_010, .deadlineExceeded))
  }
}
