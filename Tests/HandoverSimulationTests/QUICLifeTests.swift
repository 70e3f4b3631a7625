import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

/// The lifetime of QUIC connections with routers, sleep and faults.
@Suite("The life of a QUIC connection")
struct QUICLifeTests {
  private static let home = QUICTests.home

  private static func story(_ change: (inout Script) -> Void = { _ in }) -> Story {
    QUICTests.story(change)
  }

  private static func does(_ action: NetworkAction) -> ScriptAction {
    QUICTests.does(home, action)
  }

  private static let dies = does(.uplink(isUp: false, lasts: nil, every: nil))

  // MARK: The idle timeout

  @Test("The idle timeout counts from the last received packet", arguments: [5, 30, 60] as [Int64])
  func idle(seconds: Int64) throws {
    let story = Self.story { $0.configuration.quic.idleTimeout = .seconds(seconds) }
      .call(every: .milliseconds(300)).at(2_000, Self.dies)
    let played = try story.played(on: .quic)
    #expect(played.end(of: 0) == .failed(1_850 + seconds * 1_000, .timedOut))
  }

  @Test(
    "Only the first packet sent after that restarts the idle timeout too (RFC 9000, 10.1)"
  )
  func sentAfter() throws {
    let story = Self.story().call(.bidi).at(2_000, Self.dies)
      .at(10_000, .send(0, bytes: 1)).at(20_000, .send(0, bytes: 1))
    #expect(try story.played(on: .quic).end(of: 0) == .failed(40_000, .timedOut))
  }

  @Test("A quiet call on a good network ends too, unless pings are sent")
  func quiet() throws {
    let story = Self.story().call(.unary, takes: .seconds(40))
    #expect(try story.played(on: .quic).end(of: 0) == .failed(30_050, .timedOut))
    let pinged = story.with {
      $0.configuration.keepalive = KeepaliveConfiguration(time: .seconds(15))
    }
    #expect(try pinged.played(on: .quic).end(of: 0) == .ok(40_050))
  }

  @Test("A connection without calls does not keep a run going, and the next call makes another one")
  func unused() throws {
    let story = Self.story().call(.unary, takes: .zero)
    #expect(QUICTests.ways(try story.played(on: .quic)) == [])
    let played = try story.call(at: 60_000, .unary, takes: .zero).played(on: .quic)
    #expect(QUICTests.ways(played) == [.init(30_050, .idleTimedOut)])
    #expect(played.attempts == [0, 60_000])
    #expect(played.end(of: 1) == .ok(60_050))
  }

  @Test("TCP's timeout does not apply")
  func noTCP() throws {
    let story = Self.story().call(.bidi).at(2_000, Self.dies).at(3_000, .send(0, bytes: 1))
    #expect(try story.played(on: .linuxSockets).end(of: 0) == .failed(13_000, .timedOut))
    #expect(try story.played(on: .quic).end(of: 0) == .failed(33_000, .timedOut))
  }

  // MARK: Routers

  @Test(
    "A server recognizes a connection at a new address, and challenges that address",
    arguments: [NATChange.forget, .rebindPort, .rebindAddress], [UnknownFlows.drop, .reset])
  func rebound(word: NATChange, answer: UnknownFlows) throws {
    let story = Self.story().call(.bidi, takes: .zero)
      .at(1_000, Self.does(.nat(word, answer, every: nil)))
      .at(2_000, .send(0, bytes: 10)).at(2_010, .finish(0))
    for profile in [Profile.quic, .quicStays] {
      let played = try story.played(on: profile)
      #expect(
        QUICTests.ways(played).prefix(2) == [
          .init(2_000, .addressChallenged), .init(2_050, .addressValidated),
        ])
      #expect(played.end(of: 0) == .ok(2_050))
      #expect(played.faultsWithEffect.map(\.milliseconds) == [1_000])
    }
  }

  @Test("A client that only receives is not found again")
  func listens() throws {
    let story = Self.story().call(every: .seconds(1))
      .at(2_500, Self.does(.nat(.rebindPort, .reset, every: nil)))
    let played = try story.played(on: .quic)
    #expect(played.deliveries == [1_050, 2_050])
    #expect(played.end(of: 0) == .failed(32_050, .timedOut))
  }

  @Test("A new port during address validation restarts the validation")
  func twice() throws {
    let rebinds = Self.does(.nat(.rebindPort, .reset, every: nil))
    let story = Self.story().call(.bidi, takes: .zero).at(1_000, rebinds)
      .at(2_000, .send(0, bytes: 10)).at(2_030, rebinds).at(3_000, .finish(0))
    let played = try story.played(on: .quic)
    #expect(
      QUICTests.ways(played).prefix(3) == [
        .init(2_000, .addressChallenged), .init(3_000, .addressChallenged),
        .init(3_050, .addressValidated),
      ])
    #expect(played.end(of: 0) == .ok(3_050))
  }

  @Test("A new address of the device is a new path for a socket that follows it")
  func newAddress() throws {
    let story = Self.story().call(.unary, takes: .seconds(5))
      .at(2_000, Self.does(.roam(.newAddress, .drop)))
    let played = try story.played(on: .quic)
    #expect(played.end(of: 0) == .ok(5_050))
    #expect(QUICTests.ways(played).first { $0.thing == .migrated }?.milliseconds == 2_050)
    #expect(try story.played(on: .quicStays).end(of: 0) == .failed(30_050, .timedOut))
  }

  // MARK: Suspension

  @Test("A stopped process migrates when it continues, unless that is too late")
  func stopped() throws {
    func played(until back: Int64) throws -> Played {
      try Self.story().call(.unary, takes: .seconds(5)).at(1_000, .app(.background))
        .at(2_000, Self.does(.down(nil))).at(2_000, QUICTests.does(QUICTests.lte, .makeDefault))
        .at(back, .app(.foreground)).played(on: .quic)
    }
    let inTime = try played(until: 10_000)
    #expect(inTime.end(of: 0) == .ok(10_050))
    #expect(QUICTests.ways(inTime).first == .init(10_000, .challenged))
    #expect(try played(until: 40_000).end(of: 0) == .failed(40_000, .timedOut))
  }

  @Test("A process that is stopped during validation restarts it, with the same identifier")
  func stoppedInBetween() throws {
    let story = Self.story().call(.unary, takes: .seconds(5)).at(2_000, Self.does(.down(nil)))
      .at(2_000, QUICTests.does(QUICTests.lte, .makeDefault)).at(2_020, .app(.background))
      .at(4_000, .app(.foreground))
    let played = try story.played(on: .quic)
    #expect(QUICTests.ways(played).first { $0.thing == .migrated }?.milliseconds == 4_050)
    #expect(played.end(of: 0) == .ok(5_050))
  }

  @Test("A device that wakes with a new address migrates then")
  func wakes() throws {
    let story = Self.story().call(.unary, takes: .seconds(5)).at(2_000, .power(.sleep))
      .at(20_000, .power(.wake(newAddress: true)))
    #expect(try story.played(on: .quic).end(of: 0) == .ok(20_050))
    #expect(try story.played(on: .quicStays).end(of: 0) == .failed(30_050, .timedOut))
  }

  // MARK: Faults

  @Test("No middlebox can acknowledge QUIC packets, so stall-acked equals stall")
  func acknowledges() throws {
    let story = Self.story().call(.bidi, takes: .zero).at(1_000, .transport(.all, .stallAcked))
      .at(2_000, .send(0, bytes: 10)).at(3_000, .finish(0)).at(4_000, .transport(.all, .resume))
    let played = try story.played(on: .quic)
    #expect(played.reads.map(\.milliseconds) == [50, 4_000])
    #expect(played.end(of: 0) == .ok(4_000))
  }

  @Test("An external transport without QUIC is unsupported, with one message")
  func elsewhere() throws {
    let session = try SimulatedBackend(over: LoneTransports()).makeSession()
    var trace = Trace()
    let error = #expect(throws: BackendError.self) {
      try session.open(Story().script, profile: .quic, into: &trace)
    }
    #expect(error?.code == .unsupported)
  }
}

/// The simulated transport, presented as one in another process.
private struct LoneTransports: RemoteTransportFactory {
  var description: BackendDescription {
    BackendDescription(name: "lone", time: .virtual, capabilities: .all)
  }

  func obstacle(_ script: Script, _ profile: Profile) -> String? { nil }

  func makeTransport() throws(BackendError) -> any RemoteTransport { SimulatedTransport() }
}
