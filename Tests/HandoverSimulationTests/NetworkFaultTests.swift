import HandoverCore
import Testing

@testable import HandoverSimulation

/// The parts behind a network: its router, its uplink, and one-way loss.
@Suite("Routers, uplinks and directions")
struct NetworkFaultTests {
  private static let home = NetworkTests.home

  private static func story(_ change: (inout Script) -> Void = { _ in }) -> Story {
    NetworkTests.story(change)
  }

  private static func does(_ action: NetworkAction) -> ScriptAction {
    .network(home, action, signal: nil)
  }

  private func events(_ played: Played, _ event: NetworkEvent) -> [Int64] {
    played.instants { $0 == .networkChanged(Self.home, event) }
  }

  // MARK: Address translation

  @Test(
    "A write on a forgotten flow fails only if the router resets unknown flows",
    arguments: [NATChange.forget, .rebindPort, .rebindAddress])
  func forgotten(word: NATChange) throws {
    func played(_ answer: UnknownFlows) throws -> Played {
      try Self.story().call(.bidi, deadline: .seconds(8))
        .at(1_000, Self.does(.nat(word, answer, every: nil)))
        .at(2_000, .send(0, bytes: 10)).played()
    }
    let reset = try played(.reset)
    #expect(reset.end(of: 0) == .failed(2_000, .reset))
    #expect(reset.faultsWithEffect == [.init(1_000, 1)])
    #expect(reset.reads.map(\.milliseconds) == [0])
    let dropped = try played(.drop)
    #expect(dropped.end(of: 0) == .ended(8_000, .deadlineExceeded))
    #expect(dropped.reads.map(\.milliseconds) == [0])
  }

  @Test("TCP times out on dropped packets, and a call that only receives waits forever")
  func givesUp() throws {
    let listening = Self.story().call(every: .milliseconds(500))
      .at(1_200, Self.does(.nat(.forget, .drop, every: nil)))
    let played = try listening.played()
    #expect(played.deliveries == [500, 1_000])
    #expect(played.end(of: 0) == nil)
    let writing = try listening.call(at: 2_000, .unary, takes: .zero).played()
    #expect(writing.end(of: 1) == .failed(12_000, .timedOut))
  }

  @Test("Attempts in progress and later flows get through")
  func laterFlows() throws {
    let story = Self.story { $0.hosts[0].connect = .milliseconds(100) }
      .unary(at: 950).at(1_000, Self.does(.nat(.forget, .drop, every: nil)))
      .unary(at: 2_000, host: 1)
    let played = try story.played()
    #expect(played.end(of: 0) == .ok(1_050))
    #expect(played.end(of: 1) == .ok(2_000))
    #expect(played.faultsWithEffect == [])
  }

  @Test("A periodic forget does not keep a run going, and the next entry stops it")
  func periodic() throws {
    let again = Self.does(.nat(.forget, .reset, every: .seconds(3)))
    let story = Self.story().at(1_000, again).unary(at: 8_000)
    #expect(events(try story.played(), .flowsForgotten) == [1_000, 4_000, 7_000])
    let stopped = story.at(8_500, Self.does(.nat(.forget, .reset, every: nil))).unary(at: 20_000)
    #expect(events(try stopped.played(), .flowsForgotten) == [1_000, 4_000, 7_000, 8_500])
  }

  @Test("A roam with the same address loses nothing, and a new router loses everything")
  func roams() throws {
    func end(_ word: RoamChange, _ answer: UnknownFlows, on profile: Profile = .sockets) throws
      -> Played.At<CallEnd>?
    {
      let story = Self.story().call(.bidi, takes: .zero, deadline: .seconds(8))
        .at(1_000, Self.does(.roam(word, answer)))
        .at(2_000, .send(0, bytes: 10)).at(3_000, .finish(0))
      return try story.played(on: profile).end(of: 0)
    }
    #expect(try end(.sameAddress, .drop) == .ok(3_000))
    #expect(try end(.newRouter, .reset) == .failed(2_000, .reset))
    #expect(try end(.newRouter, .drop) == .ended(8_000, .deadlineExceeded))
    #expect(try end(.newAddress, .drop) == .failed(1_000, .aborted))
    #expect(try end(.newAddress, .drop, on: .linuxSockets) == .ended(8_000, .deadlineExceeded))
  }

  @Test("No callback reports any of these faults")
  func untold() throws {
    let story = Self.story().at(1_000, Self.does(.roam(.newAddress, .drop)))
      .at(2_000, Self.does(.uplink(isUp: false, lasts: .seconds(1), every: nil)))
      .at(4_000, Self.does(.loss(.answers)))
    let reported = try story.played(on: .socketsMonitor).events.filter {
      if case .reachability(.callback) = $0.thing { true } else { false }
    }
    #expect(reported == [])
  }

  // MARK: Uplinks

  @Test("Without its uplink nothing passes on existing or new connections, and afterward it does")
  func uplink() throws {
    let story = Self.story().call(.unary, takes: .seconds(3))
      .at(1_000, Self.does(.uplink(isUp: false, lasts: nil, every: nil))).unary(at: 2_000, host: 1)
      .at(6_000, Self.does(.uplink(isUp: true, lasts: nil, every: nil)))
    let played = try story.played()
    #expect(played.end(of: 0) == .ok(6_000))
    #expect(played.end(of: 1) == .ok(6_000))
    #expect(played.faultsWithEffect == [.init(1_000, 1)])
  }

  @Test("An entry without connections has no effect until a connection is affected")
  func laterEffect() throws {
    let story = Self.story().at(1_000, Self.does(.uplink(isUp: false, lasts: nil, every: nil)))
    #expect(try story.played().faultsWithEffect == [])
    let met = try story.unary(at: 2_000, deadline: .seconds(1)).played()
    #expect(met.faultsWithEffect == [.init(2_000, 0)])
  }

  @Test("The uplink is down for a part of each period, starting with its entry")
  func periods() throws {
    let flapping = Self.does(.uplink(isUp: false, lasts: .seconds(2), every: .seconds(5)))
    let story = Self.story().at(1_000, flapping).unary(at: 7_000).unary(at: 8_500, host: 1)
    let played = try story.played()
    #expect(events(played, .uplinkDown) == [1_000, 6_000])
    #expect(events(played, .uplinkUp) == [3_000, 8_000])
    #expect(played.end(of: 0) == .ok(8_000))
    #expect(played.end(of: 1) == .ok(8_500))
  }

  @Test("A run waits for the return of the uplink, but not for its next loss")
  func endOfRun() throws {
    let flapping = Self.does(.uplink(isUp: false, lasts: .seconds(2), every: .seconds(5)))
    let story = Self.story().call(.unary, takes: .seconds(1)).at(500, flapping)
    let played = try story.played()
    #expect(played.end(of: 0) == .ok(2_500))
    #expect(events(played, .uplinkDown) == [500])
  }

  @Test("Another entry about the uplink ends the periods")
  func endOfTurns() throws {
    let flapping = Self.does(.uplink(isUp: false, lasts: .seconds(2), every: .seconds(5)))
    let up = Self.does(.uplink(isUp: true, lasts: nil, every: nil))
    let played = try Self.story().at(1_000, flapping).at(2_000, up).unary(at: 30_000).played()
    #expect(events(played, .uplinkDown) == [1_000])
    #expect(events(played, .uplinkUp) == [2_000])
  }

  // MARK: Directions

  @Test("If requests are lost, answers arrive, and written data arrives later")
  func requestsLost() throws {
    let story = Self.story().call(.streaming, every: .milliseconds(400), deadline: .seconds(20))
      .at(1_000, Self.does(.loss(.requests))).unary(at: 1_500).at(4_100, Self.does(.loss(.none)))
    let played = try story.with { $0.configuration.until = .milliseconds(4_200) }.played()
    #expect(played.deliveries.filter { $0 > 1_000 && $0 < 4_000 }.count == 7)
    #expect(played.reads == [.init(0, 0), .init(4_100, 1)])
    #expect(played.end(of: 1) == .ok(4_100))
  }

  @Test("If answers are lost, requests arrive, and the answer comes later")
  func answersLost() throws {
    let story = Self.story().call(.streaming, every: .milliseconds(400), deadline: .seconds(20))
      .at(1_000, Self.does(.loss(.answers))).unary(at: 1_500).at(4_100, Self.does(.loss(.none)))
    let played = try story.played()
    #expect(played.deliveries.filter { $0 > 1_000 && $0 < 4_100 } == [])
    #expect(played.reads == [.init(0, 0), .init(1_500, 1)])
    #expect(played.end(of: 1) == .ok(4_100))
  }

  @Test("In either direction TCP misses its acknowledgment, and times out")
  func noAcknowledgement() throws {
    for word in [DirectionalLoss.requests, .answers] {
      let story = Self.story().call(deadline: .seconds(60))
        .at(1_000, Self.does(.loss(word))).unary(at: 2_000)
      let played = try story.played()
      #expect(played.end(of: 1) == .failed(12_000, .timedOut), "\(word)")
    }
  }

  @Test("In either direction a ping gets no answer")
  func noPong() throws {
    for word in [DirectionalLoss.requests, .answers] {
      let story = Self.story {
        $0.configuration.keepalive = KeepaliveConfiguration(
          time: .seconds(2), timeout: .seconds(1))
      }
      .call(deadline: .seconds(60)).at(1_000, Self.does(.loss(word)))
      #expect(try story.played().end(of: 0)?.milliseconds == 3_000, "\(word)")
    }
  }

  @Test("A loss in either direction prevents connections until both directions work")
  func handshakes() throws {
    for word in [DirectionalLoss.requests, .answers] {
      let story = Self.story().at(1_000, Self.does(.loss(word))).unary(at: 2_000)
        .at(3_000, Self.does(.loss(.none)))
      #expect(try story.played().end(of: 0) == .ok(3_000), "\(word)")
    }
  }

  @Test("Data that one obstacle does not block passes when the other obstacle ends")
  func twoObstacles() throws {
    let story = Self.story().call(.streaming, deadline: .seconds(60))
      .at(1_000, Self.does(.loss(.answers)))
      .at(1_000, Self.does(.uplink(isUp: false, lasts: .seconds(2), every: nil)))
      .unary(at: 2_000).at(5_000, Self.does(.loss(.none)))
    let played = try story.played()
    #expect(played.reads == [.init(0, 0), .init(3_000, 1)])
    #expect(played.end(of: 1) == .ok(5_000))
  }

  @Test("A close of the server arrives only if answers do")
  func close() throws {
    func end(_ word: DirectionalLoss) throws -> Played.At<CallEnd>? {
      try Self.story().call(deadline: .seconds(9)).at(1_000, Self.does(.loss(word)))
        .at(2_000, .server(0, .close)).played().end(of: 0)
    }
    #expect(try end(.requests) == .failed(2_000, .closed))
    #expect(try end(.answers) == .ended(9_000, .deadlineExceeded))
  }
}
