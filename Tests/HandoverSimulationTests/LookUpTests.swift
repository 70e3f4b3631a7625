import HandoverCore
import Testing

/// A name lookup has no socket: only the end of its channel or a timeout ends it.
@Suite("A lookup during a network change")
struct LookUpTests {
  private static let profiles: [Profile] = [.sockets, .cfStream, .linuxSockets]

  /// Returns a scenario whose name lookup starts on WiFi, with an entry at 1 s and the answer at 2
  /// s.
  private static func story(_ move: ScriptAction) -> Story {
    Story(connect: .milliseconds(50)).with { $0.hosts[0].names = .hang }
      .unary(at: 0).at(1_000, move).at(2_000, .names(0, .resolve))
  }

  @Test(
    "The lookup continues, and the attempt connects on the current network", arguments: profiles)
  func shouldContinue(profile: Profile) throws {
    let cellular = try Self.story(.flags(.cellular)).played(on: profile)
    #expect(cellular.end(of: 0) == .ok(2_050))
    #expect(cellular.moves == [Script.cellularPath])
    let hotspot = try Self.story(.path(Story.hotspot)).played(on: profile)
    #expect(hotspot.end(of: 0) == .ok(2_050))
    #expect(hotspot.moves == [Story.hotspot])
  }

  @Test("The lookup continues in the background too", arguments: profiles)
  func inBackground(profile: Profile) throws {
    let story = Story(connect: .milliseconds(50)).with { $0.hosts[0].names = .hang }
      .unary(at: 0).at(500, .app(.background)).at(1_000, .path(Story.hotspot))
      .at(2_000, .names(0, .resolve)).at(3_000, .app(.foreground))
    #expect(try story.played(on: profile).end(of: 0) == .ok(3_000))
  }

  @Test("A device that is back on its path causes no event", arguments: profiles)
  func isBack(profile: Profile) throws {
    let story = Story(connect: .milliseconds(50)).with { $0.hosts[0].names = .hang }
      .unary(at: 0).at(1_000, .flags(.cellular)).at(1_500, .flags(.wifi))
      .at(2_000, .names(0, .resolve))
    let played = try story.played(on: profile)
    #expect(played.end(of: 0) == .ok(2_050))
    #expect(played.moves == [])
  }

  @Test("A lookup that completes without a network gives a failed attempt", arguments: profiles)
  func withoutNetwork(profile: Profile) throws {
    let played = try Self.story(.flags(.none)).played(on: profile)
    #expect(played.end(of: 0) == .failed(2_000, .networkUnreachable))
  }

  @Test("The lookup is abandoned with its channel if a monitor sees a different category")
  func withMonitor() throws {
    let played = try Self.story(.flags(.cellular)).played(on: .socketsMonitor)
    #expect(played.end(of: 0) == .ended(1_000, .connectivityLost))
    #expect(played.moves == [])
  }

  @Test("After the lookup the attempt belongs to its path")
  func attemptIsOnAPath() throws {
    let story = Story(connect: .milliseconds(50)).unary(at: 0).at(20, .flags(.cellular))
    #expect(try story.played(on: .sockets).end(of: 0) == .failed(20, .aborted))
  }
}

extension Played {
  /// The paths to which attempts moved during their name lookup.
  fileprivate var moves: [PathIndex?] {
    facts.compactMap { if case .attemptMoved(_, let path) = $0.thing { path } else { nil } }
  }
}
