import HandoverCore
import Testing

@testable import HandoverSimulation

/// Tests each keyword of a scenario for transports.
@Suite("Faults of transports")
struct ConnectionFaultTests {
  @Test("stall keeps written data, and delivers it in order after resume")
  func stallBuffers() throws {
    let played = try Story().call(.bidi, takes: .zero).call(at: 100, .bidi)
      .at(1_000, .transport(.one(0), .stall))
      .at(2_000, .send(1, bytes: 10)).at(3_000, .send(0, bytes: 20)).at(3_500, .finish(0))
      .at(5_000, .transport(.one(0), .resume)).played()
    #expect(
      played.reads == [.init(0, 0), .init(100, 1), .init(5_000, 1), .init(5_000, 0)])
    #expect(played.end(of: 0) == .ok(5_000))
    #expect(played.end(of: 1) == nil)
  }

  @Test("stall keeps the server's data, and resume delivers it in order")
  func stallHoldsAnswers() throws {
    let played = try Story().call(takes: .seconds(6), every: .seconds(1))
      .at(1_500, .transport(.all, .stall)).at(4_500, .transport(.all, .resume)).played()
    #expect(played.deliveries == [1_000, 4_500, 4_500, 4_500, 5_000, 6_000])
    #expect(played.end(of: 0) == .ok(6_000))
    let ended = try Story().call(takes: .seconds(4), every: .seconds(1))
      .at(1_500, .transport(.all, .stall)).at(4_500, .transport(.all, .resume)).played()
    #expect(ended.deliveries == [1_000, 4_500, 4_500, 4_500])
    #expect(ended.end(of: 0) == .ok(4_500))
  }

  @Test("TCP times out after a fixed time from the first unacknowledged byte")
  func timesOutFromTheFirstByte() throws {
    let played = try Story().call(.bidi).at(1_000, .transport(.all, .stall))
      .at(2_000, .send(0, bytes: 1)).at(3_000, .send(0, bytes: 1)).played()
    #expect(played.end(of: 0) == .failed(12_000, .timedOut))
  }

  @Test("A stalled connection without unacknowledged data never times out")
  func neverTimesOutIdle() throws {
    let played = try Story().call().at(1_000, .transport(.all, .stall)).played()
    #expect(played.end(of: 0) == nil)
    #expect(played.events.allSatisfy { $0.milliseconds <= 1_000 })
  }

  @Test("resume ends the wait for an acknowledgment, and the next stall restarts it")
  func resumeStopsTheTimeout() throws {
    let story = Story().call(.bidi).at(1_000, .transport(.all, .stall))
      .at(2_000, .send(0, bytes: 1)).at(3_000, .transport(.all, .resume))
    #expect(try story.played().end(of: 0) == nil)
    let again = story.at(4_000, .transport(.all, .stall)).at(5_000, .send(0, bytes: 1))
    #expect(try again.played().end(of: 0) == .failed(15_000, .timedOut))
  }

  @Test("The reset of an ended call counts like any other byte")
  func resetIsUnacknowledged() throws {
    let played = try Story().call(deadline: .seconds(5)).call(at: 100)
      .at(1_000, .transport(.all, .stall)).played()
    #expect(played.end(of: 0) == .ended(5_000, .deadlineExceeded))
    #expect(played.end(of: 1) == .failed(15_000, .timedOut))
  }

  @Test("A new call joins the stalled connection, and hangs too (D8)")
  func newCallsHangToo() throws {
    let played = try Story().call().at(1_000, .transport(.all, .stall))
      .unary(at: 2_000, deadline: .seconds(3)).played()
    #expect(played.attempts == [0])
    #expect(played.end(of: 1) == .ended(5_000, .deadlineExceeded))
  }

  @Test("A full send buffer is reported once for each stall")
  func fullBufferIsReportedOnce() throws {
    let story = Story().with { $0.configuration.sendBuffer = 100 }.call(.bidi)
      .at(1_000, .transport(.all, .stall))
      .at(1_100, .send(0, bytes: 100)).at(1_200, .send(0, bytes: 1)).at(1_300, .send(0, bytes: 60))
      .at(2_000, .transport(.all, .resume)).at(3_000, .transport(.all, .stall))
      .at(3_100, .send(0, bytes: 60)).at(3_200, .send(0, bytes: 60))
    let full = try story.played().instants {
      if case .sendBufferFull = $0 { true } else { false }
    }
    #expect(full == [1_200, 3_200])
  }

  @Test("stall-acked loses written data, and data of the server, permanently")
  func stallAckedLoses() throws {
    let played = try Story().call(.bidi, every: .seconds(1))
      .at(1_500, .transport(.all, .stallAcked)).at(2_000, .send(0, bytes: 10))
      .at(20_000, .transport(.all, .resume)).at(20_500, .send(0, bytes: 10))
      .at(21_500, .cancel(0)).played()
    #expect(played.reads == [.init(0, 0), .init(20_500, 0)])
    #expect(played.deliveries == [1_000, 20_000, 21_000])
    #expect(played.end(of: 0) == .ended(21_500, .cancelled))
  }

  @Test("Data that waits while the device is away, and is discarded on its return, is reported")
  func waitingWritesAreDiscarded() throws {
    func story(_ word: ConnectionFault) -> Story {
      Story().call(.bidi).at(1_000, .flags(.cellular)).at(1_500, .transport(.all, word))
        .at(1_600, .send(0, bytes: 10)).at(1_700, .send(0, bytes: 10)).at(2_000, .flags(.wifi))
    }
    let discarded = try story(.stallAcked).played(on: .linuxSockets)
    let reported = discarded.facts.filter {
      if case .writesDiscarded(_, count: 2) = $0.thing { true } else { false }
    }
    #expect(reported.map(\.milliseconds) == [2_000])
    #expect(discarded.reads == [.init(0, 0)])
    let held = try story(.resume).played(on: .linuxSockets)
    #expect(!held.facts.contains { if case .writesDiscarded = $0.thing { true } else { false } })
    #expect(held.reads.count > 1)
  }

  @Test(
    "blackhole-connect leaves new attempts without an answer, until resume",
    arguments: [
      (nil, .failed(21_000, .connectTimedOut)), (3_000, .ok(3_000)),
    ] as [(Int64?, Played.At<CallEnd>)])
  func blackhole(resumed: Int64?, end: Played.At<CallEnd>) throws {
    var story = Story().call(host: 1).at(500, .transport(.all, .blackholeConnect)).unary(at: 1_000)
    if let resumed { story = story.at(resumed, .transport(.all, .resume)) }
    let played = try story.played()
    #expect(played.end(of: 1) == end)
    #expect(played.end(of: 0) == nil, "a connection that is open is left alone")
  }

  @Test(
    "The other keywords end open connections, each with its reason",
    arguments: [
      (ConnectionFault.reset, ConnectionFailure.reset), (.fin, .closed), (.halfClose, .closed),
      (.kill, .aborted),
    ])
  func connectionsEnd(word: ConnectionFault, failure: ConnectionFailure) throws {
    let story = Story().call().call(host: 1).at(1_000, .transport(.one(0), word)).unary(at: 2_000)
    let played = try story.played()
    #expect(played.end(of: 0) == .failed(1_000, failure))
    #expect(played.end(of: 1) == nil)
    #expect(played.end(of: 2) == .ok(2_000))
    #expect(played.attempts == [0, 0, 2_000])
  }

  @Test(
    "An end by the far side waits in a stall, and one by the device's kernel does not",
    arguments: [
      (ConnectionFault.reset, Played.At<CallEnd>.failed(5_000, .reset)),
      (.fin, .failed(5_000, .closed)), (.halfClose, .failed(5_000, .closed)),
      (.kill, .failed(2_000, .aborted)),
    ])
  func endsInAStall(word: ConnectionFault, end: Played.At<CallEnd>) throws {
    let played = try Story().call().at(1_000, .transport(.all, .stall))
      .at(2_000, .transport(.all, word)).at(5_000, .transport(.all, .resume)).played()
    #expect(played.end(of: 0) == end)
  }

  @Test("An attempt in progress when its path is left stalls, and continues on return (D8a)")
  func attemptsStall() throws {
    let played = try Story(flags: .cellular, connect: .seconds(1)).unary(at: 0)
      .at(500, .flags(.wifi)).at(3_000, .flags(.cellular)).played()
    #expect(played.end(of: 0) == .ok(3_000))
  }

  @Test("Without a path an attempt fails immediately, and the next waits for the backoff (D5)")
  func withoutAPath() throws {
    let story = Story(flags: .none).unary(at: 0).unary(at: 200).at(5_000, .flags(.wifi))
    let played = try story.played()
    #expect(played.end(of: 0) == .failed(0, .networkUnreachable))
    #expect(played.end(of: 1) == .failed(1_000, .networkUnreachable))
    #expect(played.attempts == [0, 1_000])
  }
}
