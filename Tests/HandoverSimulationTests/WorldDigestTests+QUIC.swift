import HandoverCore

@testable import HandoverSimulation

extension WorldDigestTests {
  /// Connections of QUIC, with two networks to go to and fro.
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
    parts: [.quic, .connections, .paths])
}
