import HandoverCore
import Testing

@testable import HandoverSimulation

extension WorldDigestTests {
  /// QUIC connections, with two networks between which they migrate.
  private static let quicStory: Story = {
    var story = QUICTests.story {
      $0.configuration.quic.idleTimeout = .seconds(6)
      $0.configuration.quic.maximumMigrations = 2
    }
    .call(.bidi, deadline: .seconds(20)).call(at: 0, every: .milliseconds(700))
    .unary(at: 0, host: 0)
    let actions: [ScriptAction] =
      [NetworkTests.home, NetworkTests.lte].flatMap { path in
        [
          QUICTests.does(path, .makeDefault), QUICTests.does(path, .down(nil)),
          QUICTests.does(path, .up), QUICTests.does(path, .nat(.forget, .drop, every: nil)),
          QUICTests.does(path, .uplink(isUp: false, lasts: .seconds(2), every: nil)),
          QUICTests.does(path, .roam(.newAddress, .drop)),
        ]
      } + [
        .send(0, bytes: 10), .send(0, bytes: 10), .finish(0), .cancel(1), .app(.background),
        .app(.foreground), .server(0, .silent), .server(0, .accept),
      ]
    for action in actions { story = story.at(0, action) }
    return story
  }()

  static let quicMenu = Menu(
    name: "QUIC", script: quicStory.script, profiles: [.quic, .quicStays],
    parts: [.connections])

  // Random walks seldom reach one state with different numbers of migrations.

  @Test("The digest includes how often a connection has migrated, and how often it still may")
  func migrations() {
    // There and back, or back before the path was validated; a message comes after both.
    func digests(back: Int64, ids: Int = 1) -> (whole: StateDigest, partly: StateDigest) {
      let story = QUICTests.story { $0.configuration.quic.connectionIDs = ids }
        .call(every: .seconds(3)).at(1_000, QUICTests.does(QUICTests.lte, .makeDefault))
        .at(back, QUICTests.does(QUICTests.home, .makeDefault))
      var world = World()
      world.open(story.script, profile: .quic)
      world.playEntries()
      world.advance(until: .milliseconds(4_000), inclusive: true)
      return (world.digest(), world.digest(leavingOut: .migrations))
    }
    let (there, before, more) = (
      digests(back: 2_000), digests(back: 1_020), digests(back: 1_020, ids: 2)
    )
    #expect(Set([there.partly, before.partly, more.partly]).count == 1)
    #expect(Set([there.whole, before.whole, more.whole]).count == 3)
  }
}
