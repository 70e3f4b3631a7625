import HandoverCore
import Testing

@testable import HandoverSimulation

/// Connections to hosts with several addresses, as the page "How networks behave" documents them.
@Suite("Addresses of hosts")
struct AddressTests {
  private static func address(
    _ text: String, _ answer: AddressAnswer = .accept, connect: Int64? = nil
  ) throws -> ScriptAddress {
    ScriptAddress(
      try #require(AddressText(text)), connect: connect.map { .milliseconds($0) }, answer: answer)
  }

  private static let six = "2001:db8::7"
  private static let four = "192.0.2.7"

  /// Returns a scenario with a call over a network that carries both families, unless it is
  /// changed.
  private static func story(
    _ addresses: [ScriptAddress], _ change: (inout Script) -> Void = { _ in }
  ) -> Story {
    NetworkTests.story {
      $0.hosts[0].addresses = addresses
      $0.hosts[0].connect = .milliseconds(50)
      change(&$0)
    }
    .unary(at: 1_000)
  }

  private static func answered(_ played: Played) -> [Played.At<UInt32>] {
    played.facts.compactMap {
      guard case .addressAnswered(_, host: 0, let position) = $0.thing else { return nil }
      return Played.At($0.milliseconds, position)
    }
  }

  @Test("Addresses are tried in order, each after a refusal")
  func inOrder() throws {
    let played = try Self.story([
      Self.address(Self.six, .refuse, connect: 20), Self.address(Self.four),
    ]).played()
    #expect(Self.answered(played) == [Played.At(1_070, 1)])
    #expect(played.ends == [Played.At(1_070, .ok)])
  }

  @Test("If all addresses refuse, the attempt ends with the last refusal")
  func refused() throws {
    let played = try Self.story([
      Self.address(Self.six, .refuse, connect: 20), Self.address(Self.four, .refuse),
    ]).played()
    #expect(Self.answered(played) == [])
    #expect(played.ends == [Played.At(1_070, .unavailable)])
  }

  @Test("Addresses that do not answer last as long as the attempt", arguments: [nil, Int64(250)])
  func unanswered(delay: Int64?) throws {
    let played = try Self.story([Self.address(Self.six, .nothing)]) {
      $0.configuration.happyEyeballs = delay.map { .milliseconds($0) }
    }.played()
    #expect(played.ends == [Played.At(21_000, .unavailable)])
  }

  @Test("Addresses of a family that the network does not carry are not tried")
  func families() throws {
    let both = try [Self.address(Self.six, .nothing), Self.address(Self.four)]
    let played = try Self.story(both) { $0.networks[0].families = .ipv4 }.played()
    #expect(Self.answered(played) == [Played.At(1_050, 1)])
    let none = try Self.story([Self.address(Self.six)]) { $0.networks[0].families = .ipv4 }.played()
    #expect(none.ends == [Played.At(1_000, .unavailable)])
  }

  @Test("IPv4 addresses are translated if the network does that and the name has no IPv6 address")
  func translation() throws {
    func played(_ addresses: [ScriptAddress], written: String = "old.example:1") throws -> Played {
      try Self.story(addresses) {
        $0.hosts[0] = ScriptHost(written: written, connect: .milliseconds(50))
        $0.hosts[0].addresses = addresses
        $0.networks[0].families = .ipv6
        $0.networks[0].translates = true
      }.played()
    }
    let four = try Self.address(Self.four)
    #expect(try Self.answered(played([four])) == [Played.At(1_050, 0)])
    // IPv4 addresses do not help an IPv6 address that does not answer.
    let six = try Self.address(Self.six, .nothing)
    #expect(try played([six, four]).ends == [Played.At(21_000, .unavailable)])
    let literal = try played([four], written: "192.0.2.7:443")
    #expect(literal.ends == [Played.At(1_000, .unavailable)])
  }

  @Test("A name has the addresses that the name server of the network returns, in its order")
  func names() throws {
    let addresses = try [
      Self.address(Self.six), Self.address(Self.four), Self.address("192.0.2.9"),
    ]
    let played = try Self.story(addresses) {
      $0.networks[0].names = [NetworkNames(host: 0, addresses: [2, 0])]
    }.played()
    #expect(Self.answered(played) == [Played.At(1_050, 2)])
  }

  @Test("No address helps if the server refuses")
  func server() throws {
    let played = try Self.story([Self.address(Self.six), Self.address(Self.four)]) {
      $0.hosts[0].server = .refuse
    }.played()
    #expect(Self.answered(played) == [])
    // The second address refuses when it is tried, a round trip after the first refusal.
    #expect(played.ends == [Played.At(1_100, .unavailable)])
  }

  @Test("An address that becomes reachable again answers after the time of a connection")
  func reachableAgain() throws {
    let played = try Self.story([Self.address(Self.four)])
      .at(500, .address(0, position: 0, isReachable: false))
      .at(2_000, .address(0, position: 0, isReachable: true))
      .played()
    #expect(Self.answered(played) == [Played.At(2_050, 0)])
    #expect(played.ends == [Played.At(2_050, .ok)])
  }

  @Test("A race continues after a stall")
  func stall() throws {
    let addresses = try [Self.address(Self.six, .refuse, connect: 20), Self.address(Self.four)]
    let played = try Self.story(addresses)
      .at(1_010, .network(NetworkTests.home, .captive, signal: nil))
      .at(5_000, .network(NetworkTests.home, .validated, signal: nil))
      .played()
    #expect(Self.answered(played) == [Played.At(5_000, 1)])
  }

  @Test("After a stall, the current state of the server and the address decides the attempt")
  func stateAfterAStall() throws {
    let stalled = try Self.story([Self.address(Self.four)])
      .at(1_010, .network(NetworkTests.home, .captive, signal: nil))
    let validated = ScriptAction.network(NetworkTests.home, .validated, signal: nil)
    let accepts = stalled.with { $0.hosts[0].server = .refuse }
      .at(2_000, .server(0, .accept)).at(3_000, validated)
    #expect(try accepts.played().ends == [Played.At(3_000, .ok)])
    let refuses = stalled.at(2_000, .server(0, .refuse)).at(3_000, validated)
    #expect(try refuses.played().ends == [Played.At(3_000, .unavailable)])
    let unreachable = stalled.at(2_000, .address(0, position: 0, isReachable: false))
      .at(3_000, validated).at(5_000, .address(0, position: 0, isReachable: true))
    #expect(try unreachable.played().ends == [Played.At(5_050, .ok)])
  }

  @Test("An answer that is in transit from an address that becomes unreachable is lost")
  func answerInTransit() throws {
    var quality = LinkQuality()
    quality.delay = .seconds(1)
    let address = try Self.address(Self.four)
    // The first answer is sent at 2.05 s.
    let played = try NetworkTests.story {
      $0.hosts[0].addresses = [address]
      $0.hosts[0].connect = .milliseconds(50)
    }
    .at(500, .network(NetworkTests.home, .quality(quality), signal: nil)).unary(at: 1_000)
    .at(2_500, .address(0, position: 0, isReachable: false))
    .at(6_000, .address(0, position: 0, isReachable: true))
    .played()
    // The second answer is sent at 6.05 s, and the call takes two seconds more.
    #expect(Self.answered(played) == [Played.At(7_050, 0)])
    #expect(played.ends == [Played.At(9_050, .ok)])
  }

  @Test("Worlds with different addresses have different digests")
  func digests() throws {
    func world(_ answer: AddressAnswer) throws -> StateDigest {
      var world = World()
      let addresses = try [Self.address(Self.six, answer), Self.address(Self.four, answer)]
      world.open(Self.story(addresses).script, profile: .sockets)
      world.playEntries()
      world.advance(until: .milliseconds(1_010), inclusive: true)
      return world.digest()
    }
    #expect(try world(.accept) != world(.refuse))
  }

  @Test("Worlds whose servers refused at different times have different digests")
  func refusalDigests() throws {
    func world(_ milliseconds: Int64) throws -> StateDigest {
      var world = World()
      let address = try Self.address(Self.four)
      let story = NetworkTests.story { $0.hosts[0].addresses = [address] }
        .at(1_000, .server(0, .refuse)).at(milliseconds, .server(0, .accept))
      world.open(story.script, profile: .sockets)
      world.playEntries()
      world.advance(until: .milliseconds(3_000), inclusive: true)
      return world.digest()
    }
    #expect(try world(2_000) == world(2_000))
    #expect(try world(2_000) != world(2_001))
  }
}

@Suite("Lookups that fail or hang on one network")
struct NameFaultTests {
  private static func story(_ fault: DNSFault, change: (inout Script) -> Void = { _ in }) -> Story {
    NetworkTests.story {
      $0.networks[0].names = [NetworkNames(host: 0, fault: fault)]
      change(&$0)
    }
    .unary(at: 1_000)
  }

  @Test("A failing lookup fails immediately")
  func fails() throws {
    #expect(try Self.story(.fail).played().ends == [Played.At(1_000, .unavailable)])
  }

  @Test("A hanging lookup waits, and is repeated over another network")
  func hangs() throws {
    #expect(try Self.story(.hang).played().ends == [Played.At(21_000, .unavailable)])
    let played = try Self.story(.hang)
      .at(5_000, .network(NetworkTests.lte, .makeDefault, signal: nil)).played()
    #expect(played.ends == [Played.At(5_000, .ok)])
    // Without a default route no name server is queried.
    let gone = try Self.story(.hang)
      .at(5_000, .network(NetworkTests.home, .down(nil), signal: nil)).played()
    #expect(gone.ends == [Played.At(21_000, .unavailable)])
  }

  @Test("Lookup faults of the host and of the network are independent")
  func both() throws {
    let story = Self.story(.hang) { $0.hosts[0].names = .hang }
    let resolved = try story.at(3_000, .names(0, .resolve)).played()
    #expect(resolved.ends == [Played.At(21_000, .unavailable)])
    let moved = try story.at(5_000, .network(NetworkTests.lte, .makeDefault, signal: nil)).played()
    #expect(moved.ends == [Played.At(21_000, .unavailable)])
    let both = try story.at(3_000, .names(0, .resolve))
      .at(5_000, .network(NetworkTests.lte, .makeDefault, signal: nil)).played()
    #expect(both.ends == [Played.At(5_000, .ok)])
  }
}

@Suite("Lookups that take time")
struct LookupTimeTests {
  /// Returns a scenario with a call at 1 s.
  ///
  /// Lookups take 2 s on WiFi and 100 ms on the cellular network.
  private static func story(_ change: (inout Script) -> Void = { _ in }) -> Story {
    NetworkTests.story {
      $0.networks[0].lookup.ipv4 = .milliseconds(20)
      $0.networks[0].lookup.ipv6 = .seconds(2)
      $0.networks[1].lookup.ipv4 = .milliseconds(100)
      $0.hosts[0].connect = .milliseconds(50)
      change(&$0)
    }
    .unary(at: 1_000)
  }

  private static let toCellular = ScriptAction.network(NetworkTests.lte, .makeDefault, signal: nil)

  @Test("A lookup waits for the answers of both families")
  func both() throws {
    #expect(try Self.story().played().ends == [Played.At(3_050, .ok)])
    let slowIPv4 = try Self.story { $0.networks[0].lookup.ipv4 = .seconds(5) }.played()
    #expect(slowIPv4.ends == [Played.At(6_050, .ok)])
  }

  @Test("An address literal needs no lookup")
  func literal() throws {
    let story = Self.story { $0.hosts[0] = ScriptHost(written: "192.0.2.7:443") }
    #expect(try story.played().ends == [Played.At(1_000, .ok)])
  }

  @Test("The lookup is repeated over another network, and takes the time of that network")
  func moves() throws {
    let played = try Self.story().at(1_500, Self.toCellular).played()
    #expect(played.ends == [Played.At(1_650, .ok)])
    let back = try Self.story().at(1_500, Self.toCellular)
      .at(1_550, .network(NetworkTests.home, .makeDefault, signal: nil)).played()
    #expect(back.ends == [Played.At(3_600, .ok)])
  }

  @Test("A fault during the lookup takes effect, and the lookup is repeated after it")
  func faults() throws {
    let failed = try Self.story().at(1_500, .names(0, .fail)).played()
    #expect(failed.ends == [Played.At(1_500, .unavailable)])
    let hanging = try Self.story().at(1_500, .names(0, .hang)).at(4_000, .names(0, .resolve))
      .played()
    #expect(hanging.ends == [Played.At(6_050, .ok)])
    #expect(hanging.faultsWithEffect.map(\.thing) == [1, 2])
  }

  @Test("Without a network the answer leads nowhere")
  func gone() throws {
    let played = try Self.story()
      .at(1_500, .network(NetworkTests.home, .down(nil), signal: nil))
      .at(1_500, .network(NetworkTests.lte, .down(nil), signal: nil)).played()
    #expect(played.ends == [Played.At(3_000, .unavailable)])
  }

  @Test("A lookup that sleep interrupts is repeated after waking")
  func sleep() throws {
    let played = try Self.story().at(1_500, .power(.sleep))
      .at(10_000, .power(.wake(newAddress: false))).played()
    #expect(played.ends == [Played.At(12_050, .ok)])
  }

  @Test("Worlds with a pending lookup fork, and differ in their digest")
  func digest() throws {
    func world(_ milliseconds: Int64) -> StateDigest {
      var world = World()
      let story = Self.story { $0.networks[0].lookup.ipv6 = .milliseconds(milliseconds) }
      world.open(story.script, profile: .sockets)
      world.playEntries()
      world.advance(until: .milliseconds(1_010), inclusive: true)
      return world.digest()
    }
    #expect(world(2_000) == world(2_000))
    #expect(world(2_000) != world(2_001))
  }
}

extension Played {
  /// The ends of calls, with their times.
  fileprivate var ends: [At<StatusCode>] {
    effects.compactMap {
      guard case .endCall(_, let end) = $0.thing else { return nil }
      return At($0.milliseconds, end.code)
    }
  }
}
