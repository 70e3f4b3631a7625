import HandoverCore
import Testing

@testable import HandoverSimulation

/// Resets, ends and first packets, which take time too.
@Suite("Starts and ends over a network with a quality")
struct QualityEndTests {
  @Test("A reset is reported whenever it arrives, and its call ends", arguments: [0, 100])
  func reset(serverTakes: Int64) throws {
    for instant in stride(from: 10, through: 700, by: 10) as StrideThrough<Int64> {
      let story = NetworkTests.story { $0.hosts[0].connect = .milliseconds(serverTakes) }
        .at(0, QualityTests.slow(100)).call(at: 0, .unary, takes: .milliseconds(50))
        .at(instant, .transport(.one(0), .reset))
      let played = try story.played()
      #expect(played.end(of: 0) != nil, "\(instant) ms")
      // A client that is not connected yet is notified of a failed attempt.
      var isConnected = false
      for event in played.events {
        switch event.thing {
        case .pool(.connected): isConnected = true
        case .pool(.connectFailed): #expect(!isConnected, "\(instant) ms")
        case .pool(.connectionBroken): #expect(isConnected, "\(instant) ms")
        default: break
        }
      }
    }
  }

  @Test(
    "The end of a connection whose path is interrupted is reported when the path is back",
    arguments: [ScriptAction.server(0, .close), .server(0, .reset)])
  func endBehindStall(_ end: ScriptAction) throws {
    func uplink(_ isUp: Bool) -> ScriptAction {
      .network(NetworkTests.home, .uplink(isUp: isUp, lasts: nil, every: nil), signal: nil)
    }
    let story = NetworkTests.story().at(0, QualityTests.slow(50)).call()
      .at(1_000, uplink(false)).at(2_000, end).at(3_000, uplink(true))
    let ended = try #require(try story.played().end(of: 0))
    #expect(ended.milliseconds == 3_050)
    #expect(ended.thing.code == .unavailable)
  }

  @Test("An end that is lost for too long is reported when the loss decreases")
  func lostEnd() throws {
    let story = NetworkTests.story().at(0, QualityTests.slow(50)).call()
      .at(
        1_000,
        QualityTests.becomes {
          $0.lossPerMillion = 999_999
          $0.direction = .down
        }
      )
      .at(2_000, .server(0, .close)).at(5_000, QualityTests.slow(50))
    #expect(try story.played().end(of: 0)?.milliseconds == 5_050)
  }

  @Test(
    "A server that resets before its first answer fails the attempt, with the delay of its path")
  func resetBeforeSettings() throws {
    let story = NetworkTests.story().at(0, QualityTests.slow(50)).at(0, .server(0, .silent)).call()
      .at(1_000, .transport(.one(0), .reset)).at(1_000, .cancel(0))
    let received = try story.played().events.filter {
      switch $0.thing {
      case .pool(.connectFailed), .pool(.connectionBroken): true
      default: false
      }
    }
    #expect(
      received == [
        .init(1_050, .pool(.connectFailed(ConnectionID(index: 0, generation: 0), .reset)))
      ])
  }

  @Test("A connection whose first packet is lost for too long is made when the loss decreases")
  func firstPacket() throws {
    let story = NetworkTests.story().at(0, QualityTests.becomes { $0.lossPerMillion = 999_999 })
      .call(at: 10, .unary, takes: .zero).at(5_000, QualityTests.slow(50))
    let played = try story.played()
    #expect(played.instants { if case .connectionStalled = $0 { true } else { false } } == [10])
    #expect(played.end(of: 0) == .ok(5_200))
  }
}
