import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Tests when QUIC connections migrate, and when they do not.
///
/// The numbers are those of RFC 9000 and of the page about QUIC.
@Suite("QUIC in virtual time")
struct QUICTests {
  static let home = NetworkTests.home
  static let lte = NetworkTests.lte
  static let office = PathIndex(5)

  static func does(_ path: PathIndex, _ action: NetworkAction) -> ScriptAction {
    .network(path, action, signal: nil)
  }

  /// Returns a scenario with WiFi, the cellular network and another WiFi, and a host 50 ms away.
  static func story(lteIsUp: Bool = true, _ change: (inout Script) -> Void = { _ in }) -> Story {
    NetworkTests.story(lteIsUp: lteIsUp) {
      $0.paths.append("office")
      $0.networks.append(ScriptNetwork(office, .wifi))
      $0.hosts[0].connect = .milliseconds(50)
      change(&$0)
    }
  }

  /// Returns the path events of connections.
  static func ways(_ played: Played) -> [Played.At<PathEvent>] {
    played.facts.compactMap {
      if case .connectionPath(_, _, let event) = $0.thing {
        Played.At($0.milliseconds, event)
      } else {
        nil
      }
    }
  }

  private static let leaves: [(Int64, ScriptAction)] = [
    (2_000, does(home, .down(nil))), (2_000, does(lte, .makeDefault)),
  ]

  private static func leaving(
    _ seconds: Int64 = 5, _ change: (inout Script) -> Void = { _ in }
  ) -> Story {
    leaves.reduce(story(change).call(.unary, takes: .seconds(seconds))) { $0.at($1.0, $1.1) }
  }

  // MARK: Migration

  @Test("A call survives the change to another network")
  func survives() throws {
    let played = try Self.leaving().played(on: .quic)
    #expect(played.end(of: 0) == .ok(5_050))
    #expect(played.attempts == [0])
    #expect(
      Self.ways(played).prefix(3) == [
        .init(2_000, .challenged), .init(2_050, .validated), .init(2_050, .migrated),
      ])
  }

  @Test("Data that was lost in the meantime is sent again")
  func sendsAgain() throws {
    let story = Self.story(lteIsUp: false).call(.bidi, takes: .zero)
      .at(2_000, Self.does(Self.home, .down(nil))).at(3_000, .send(0, bytes: 10))
      .at(4_000, .finish(0)).at(6_000, Self.does(Self.lte, .makeDefault))
    let played = try story.played(on: .quic)
    #expect(played.reads.map(\.milliseconds) == [50, 6_050])
    #expect(played.end(of: 0) == .ok(6_050))
  }

  @Test("A socket that does not migrate dies of its idle timeout, however its network is lost")
  func stays() throws {
    for ending in [nil, .silent, .reset] as [NetworkEnding?] {
      let story = Self.story().call(.unary, takes: .seconds(5))
        .at(2_000, Self.does(Self.lte, .makeDefault))
        .at(3_000, Self.does(Self.home, .down(ending)))
      #expect(try story.played(on: .quicStays).end(of: 0) == .failed(30_050, .timedOut))
      #expect(try story.played(on: .quic).end(of: 0) == .ok(5_050))
    }
  }

  @Test("TCP does not migrate, and has no path events")
  func staysTCP() throws {
    for profile in [Profile.sockets, .cfStream, .linuxSockets] {
      #expect(Self.ways(try Self.leaving().played(on: profile)) == [])
    }
  }

  struct Obstacle: CustomTestStringConvertible {
    var event: PathEvent
    var change: @Sendable (inout QUICConfiguration) -> Void

    var testDescription: String { event.rawValue }
  }

  static let obstacles = [
    Obstacle(event: .migrationRefused) { $0.migration = .refused },
    Obstacle(event: .connectionIDsUsedUp) { $0.connectionIDs = 0 },
    Obstacle(event: .migrationLimitReached) { $0.maximumMigrations = 0 },
  ]

  @Test(
    "A connection that may not migrate stays, and dies of its idle timeout", arguments: obstacles)
  func mayNot(obstacle: Obstacle) throws {
    let played = try Self.leaving { obstacle.change(&$0.configuration.quic) }.played(on: .quic)
    #expect(Self.ways(played) == [.init(2_000, obstacle.event), .init(30_050, .idleTimedOut)])
    #expect(played.end(of: 0) == .failed(30_050, .timedOut))
  }

  @Test("Each network has its own maximum number of migrations", arguments: 1...3)
  func limit(most: Int) throws {
    var story = Self.story { $0.configuration.quic.maximumMigrations = most }
      .call(.unary, takes: .seconds(15))
    for round in 0..<5 as Range<Int64> {
      story = story.at(1_000 + round * 2_000, Self.does(Self.lte, .makeDefault))
        .at(2_000 + round * 2_000, Self.does(Self.home, .makeDefault))
    }
    let ways = Self.ways(try story.played(on: .quic)).map(\.thing)
    #expect(ways.count { $0 == .migrated } == 2 * most)
    #expect(ways.count { $0 == .migrationLimitReached } == 5 - most)
  }

  // MARK: Validation

  /// Durations of `connect`, and after how long a validation is given up.
  ///
  /// The limit is three times the larger of the first probe timeout, 1 s, and the round trip on the
  /// new path plus 25 ms (RFC 9000, 8.2.4).
  static let timeouts: [(Int64, Int64)] = [
    (0, 3_000), (50, 3_000), (975, 3_000), (976, 3_003), (2_000, 6_075),
  ]

  @Test(
    "A validation without an answer is given up after three probe timeouts", arguments: timeouts)
  func givesUp(connect: Int64, after: Int64) throws {
    let story = Self.story { $0.hosts[0].connect = .milliseconds(connect) }
      .call(.unary, takes: .seconds(15))
      .at(3_000, Self.does(Self.lte, .uplink(isUp: false, lasts: nil, every: nil)))
      .at(4_000, Self.does(Self.lte, .makeDefault))
    let played = try story.played(on: .quic)
    let (secondChallenge, end) = (4_000 + after / 3, 4_000 + after)
    #expect(
      Self.ways(played).prefix(3) == [
        .init(4_000, .challenged), .init(secondChallenge, .challenged),
        .init(end, .validationFailed),
      ])
    #expect(played.end(of: 0) == .ok(15_000 + connect))
    #expect(played.faultsWithEffect.map(\.milliseconds) == [4_000])
  }

  @Test("The second challenge is answered if the first one was lost")
  func secondChallenge() throws {
    let story = Self.leaving()
      .with { $0.entries[1].action = Self.does(Self.lte, .loss(.answers)) }
      .at(2_000, Self.does(Self.lte, .makeDefault))
      .at(2_500, Self.does(Self.lte, .loss(.none)))
    let ways = Self.ways(
      try story.with { $0.entries.sort { $0.at < $1.at } }.played(on: .quic))
    #expect(ways.first { $0.thing == .migrated }?.milliseconds == 3_050)
  }

  @Test("A silent server answers no challenge")
  func silent() throws {
    let story = Self.story().call(.unary, takes: .seconds(5)).at(1_000, .server(0, .silent))
      .at(2_000, Self.does(Self.lte, .makeDefault))
    let ways = Self.ways(try story.played(on: .quic)).map(\.thing)
    #expect(ways == [.challenged, .challenged, .validationFailed, .idleTimedOut])
  }

  @Test("A return before the answer abandons the validation")
  func abandoned() throws {
    let story = Self.story().call(.unary, takes: .seconds(5))
      .at(2_000, Self.does(Self.lte, .makeDefault)).at(2_030, Self.does(Self.home, .makeDefault))
    let played = try story.played(on: .quic)
    #expect(
      Self.ways(played).prefix(2) == [
        .init(2_000, .challenged), .init(2_030, .validationAbandoned),
      ])
    #expect(Self.ways(played).count { $0.thing == .migrated } == 0)
    #expect(played.end(of: 0) == .ok(5_050))
  }

  @Test("A validation takes the round trip of the network's quality")
  func slowPath() throws {
    var quality = LinkQuality()
    quality.delay = .milliseconds(100)
    let story = Self.story().call(.unary, takes: .seconds(5))
      .at(1_000, Self.does(Self.lte, .quality(quality)))
      .at(2_000, Self.does(Self.lte, .makeDefault))
    let migrated = Self.ways(try story.played(on: .quic)).first { $0.thing == .migrated }
    #expect(migrated?.milliseconds == 2_250)
  }

  @Test("A challenge is repeated after the longer of a second and the round trip")
  func challengesAgain() throws {
    var quality = LinkQuality()
    quality.delay = .seconds(2)
    for (isSlow, again) in [(false, 3_000), (true, 6_075)] as [(Bool, Int64)] {
      var story = Self.story().call(.unary, takes: .seconds(9))
      if isSlow { story = story.at(1_000, Self.does(Self.home, .quality(quality))) }
      let played = try story.at(1_000, Self.does(Self.lte, .loss(.requests)))
        .at(2_000, Self.does(Self.lte, .makeDefault)).played(on: .quic)
      let challenges = Self.ways(played).filter { $0.thing == .challenged }
      #expect(challenges.prefix(2).map(\.milliseconds) == [2_000, again])
    }
  }

  @Test("A client that migrates to a path that becomes lossy stalls there")
  func migratesOntoLoss() throws {
    let story = Self.story().call(.bidi, takes: .zero)
      .at(2_000, Self.does(Self.lte, .makeDefault)).at(2_020, Self.does(Self.lte, .loss(.requests)))
      .at(3_000, .send(0, bytes: 10)).at(6_000, Self.does(Self.lte, .loss(.none)))
      .at(7_000, .finish(0))
    let played = try story.played(on: .quic)
    #expect(Self.ways(played).contains(.init(2_050, .migrated)))
    let nextRead = try #require(played.reads.map(\.milliseconds).first { $0 > 2_050 })
    #expect(nextRead >= 6_000)
  }

  @Test("A path that passes no packet of 1,228 bytes is never validated")
  func narrowPath() throws {
    for (mtu, event) in [(1_227, PathEvent.validationFailed), (1_228, .migrated)] {
      var quality = LinkQuality()
      quality.mtu = UInt16(mtu)
      let story = Self.story().call(.unary, takes: .seconds(8))
        .at(1_000, Self.does(Self.lte, .quality(quality)))
        .at(2_000, Self.does(Self.lte, .makeDefault))
      #expect(Self.ways(try story.played(on: .quic)).contains { $0.thing == event })
    }
  }
}
