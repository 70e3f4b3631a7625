import HandoverCore
import HandoverTrace
import Testing

/// A name lookup has no socket: only the end of its channel or a timeout ends it.
@Suite("A look-up while the device moves")
struct LookUpTests {
  private static let profiles: [Profile] = [.sockets, .cfStream, .linuxSockets]

  /// Returns a scenario whose name lookup starts on WiFi, with an entry at 1 s and the answer at 2
  /// s.
  private static func story(_ move: ScriptAction) -> Story {
    Story(connect: .milliseconds(50)).with { $0.hosts[0].names = .hang }
      .unary(at: 0).at(1_000, move).at(2_000, .names(0, .resolve))
  }

  @Test("goes on, and the attempt connects from where the device is", arguments: profiles)
  func goesOn(profile: Profile) throws {
    let cellular = try Self.story(.flags(.cellular)).played(on: profile)
    #expect(cellular.end(of: 0) == .ok(2_050))
    #expect(cellular.moves == [Script.cellularPath])
    let hotspot = try Self.story(.path(Story.hotspot)).played(on: profile)
    #expect(hotspot.end(of: 0) == .ok(2_050))
    #expect(hotspot.moves == [Story.hotspot])
  }

  @Test("goes on in the background too", arguments: profiles)
  func inBackground(profile: Profile) throws {
    let story = Story(connect: .milliseconds(50)).with { $0.hosts[0].names = .hang }
      .unary(at: 0).at(500, .app(.background)).at(1_000, .path(Story.hotspot))
      .at(2_000, .names(0, .resolve)).at(3_000, .app(.foreground))
    #expect(try story.played(on: profile).end(of: 0) == .ok(3_000))
  }

  @Test("says nothing where the device is back on its path", arguments: profiles)
  func isBack(profile: Profile) throws {
    let story = Story(connect: .milliseconds(50)).with { $0.hosts[0].names = .hang }
      .unary(at: 0).at(1_000, .flags(.cellular)).at(1_500, .flags(.wifi))
      .at(2_000, .names(0, .resolve))
    let played = try story.played(on: profile)
    #expect(played.end(of: 0) == .ok(2_050))
    #expect(played.moves == [])
  }

  @Test("ends in a failed attempt where the name is known without a network", arguments: profiles)
  func withoutNetwork(profile: Profile) throws {
    let played = try Self.story(.flags(.none)).played(on: profile)
    #expect(played.end(of: 0) == .failed(2_000, .networkUnreachable))
  }

  @Test("is given up with its channel where a monitor sees another category")
  func withMonitor() throws {
    let played = try Self.story(.flags(.cellular)).played(on: .socketsMonitor)
    #expect(played.end(of: 0) == .ended(1_000, .connectivityLost))
    #expect(played.moves == [])
  }

  @Test("that is over leaves an attempt that belongs to its path")
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
