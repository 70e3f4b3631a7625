import HandoverCore
import Testing

@testable import HandoverSimulation

/// Entries that change the addresses of a name, as the page "How networks behave" documents them.
@Suite("Addresses of a name that change with time")
struct AnswerChangeTests {
  /// The first, second and third address of the host; each accepts after 50 ms.
  private static let addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]

  private static func story(_ change: (inout Script) -> Void = { _ in }) -> Story {
    NetworkTests.story {
      $0.hosts[0].addresses = addresses.compactMap(AddressText.init).map { ScriptAddress($0) }
      $0.hosts[0].connect = .milliseconds(50)
      change(&$0)
    }
  }

  private static func answer(_ addresses: Int...) -> ScriptAction {
    .answer(0, addresses: addresses)
  }

  private static let toCellular = ScriptAction.network(NetworkTests.lte, .makeDefault, signal: nil)

  /// Returns the indices of the connected addresses, with the times of their connections.
  private static func answered(_ played: Played) -> [Played.At<UInt32>] {
    played.facts.compactMap {
      guard case .addressAnswered(_, host: 0, let position) = $0.thing else { return nil }
      return Played.At($0.milliseconds, position)
    }
  }

  @Test("A lookup returns the addresses of the last entry, in their order")
  func order() throws {
    let played = try Self.story().at(200, Self.answer(1)).at(500, Self.answer(2, 0)).unary(
      at: 1_000
    )
    .played()
    #expect(Self.answered(played) == [Played.At(1_050, 2)])
    // The first entry was replaced before any lookup.
    #expect(played.faultsWithEffect == [.init(1_000, 1)])
  }

  @Test("A connection continues, and only the next lookup returns the new address")
  func connection() throws {
    let story = Self.story().unary(at: 1_000).at(2_000, Self.answer(1)).unary(at: 3_000)
    let played = try story.played()
    #expect(Self.answered(played) == [Played.At(1_050, 0)])
    #expect(played.faultsWithEffect.isEmpty)
    let next = try story.at(4_000, .disconnect(.all)).unary(at: 5_000).played()
    #expect(Self.answered(next) == [Played.At(1_050, 0), Played.At(5_050, 1)])
    #expect(next.faultsWithEffect == [.init(5_000, 1)])
  }

  @Test("An attempt keeps the addresses of its lookup, even if its server changes its state")
  func attempt() throws {
    let story = Self.story().unary(at: 1_000).at(1_010, Self.answer(1))
    #expect(try Self.answered(story.played()) == [Played.At(1_050, 0)])
    let again = story.at(1_020, .server(0, .refuse)).at(1_030, .server(0, .accept))
    #expect(try Self.answered(again.played()) == [Played.At(1_050, 0)])
  }

  @Test("A lookup that takes time returns the addresses at its beginning, and is new after a move")
  func slowLookup() throws {
    let story = Self.story { $0.networks[0].lookup.ipv4 = .seconds(2) }
      .unary(at: 1_000).at(2_000, Self.answer(1))
    #expect(try Self.answered(story.played()) == [Played.At(3_050, 0)])
    #expect(try Self.answered(story.at(2_500, Self.toCellular).played()) == [Played.At(2_550, 1)])
  }

  @Test("A lookup that hangs is repeated, and returns the addresses at that time")
  func hanging() throws {
    let played = try Self.story().at(500, .names(0, .hang)).unary(at: 1_000)
      .at(2_000, Self.answer(1)).at(3_000, .names(0, .resolve)).played()
    #expect(Self.answered(played) == [Played.At(3_050, 1)])
  }

  @Test("Lookups that fail and resolve again return the changed addresses")
  func independent() throws {
    let played = try Self.story().at(200, Self.answer(1)).at(300, .names(0, .fail))
      .at(400, .names(0, .resolve)).unary(at: 1_000).played()
    #expect(Self.answered(played) == [Played.At(1_050, 1)])
  }

  @Test("A network whose name server has addresses of its own keeps them")
  func ownAnswer() throws {
    let story = Self.story { $0.networks[0].names = [NetworkNames(host: 0, addresses: [2])] }
      .at(500, Self.answer(1)).unary(at: 1_000)
    let played = try story.played()
    #expect(Self.answered(played) == [Played.At(1_050, 2)])
    #expect(played.faultsWithEffect.isEmpty)
    let moved = try story.at(2_000, Self.toCellular).at(2_000, .disconnect(.all)).unary(at: 3_000)
      .played()
    #expect(Self.answered(moved) == [Played.At(1_050, 2), Played.At(3_050, 1)])
    #expect(moved.faultsWithEffect == [.init(3_000, 0)])
  }

  @Test("On a network that translates, the new addresses decide whether a name has IPv6")
  func translation() throws {
    let six = try ScriptAddress(#require(AddressText("2001:db8::7")))
    func story(_ addresses: Int...) -> Story {
      Self.story {
        $0.hosts[0].addresses.append(six)
        ($0.networks[0].families, $0.networks[0].translates) = (.ipv6, true)
      }
      .at(500, .answer(0, addresses: addresses)).unary(at: 1_000)
    }
    #expect(try Self.answered(story(1, 3).played()) == [Played.At(1_050, 3)])
    #expect(try Self.answered(story(1).played()) == [Played.At(1_050, 1)])
  }

  @Test("An entry that changes nothing has no effect")
  func unchanged() throws {
    let same = try Self.story().at(500, Self.answer(0, 1, 2)).unary(at: 1_000).played()
    #expect(same.faultsWithEffect.isEmpty)
    let twice = try Self.story().at(500, Self.answer(1)).at(600, Self.answer(1)).unary(at: 1_000)
      .played()
    #expect(twice.faultsWithEffect == [.init(1_000, 0)])
  }
}
