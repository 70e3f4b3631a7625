import HandoverCore
import Testing

@testable import HandoverSimulation

/// The app does not run: the world continues, and nothing reaches the client.
@Suite("An app in the background")
struct BackgroundTests {
  /// Returns a scenario with the app in the background from 1 s to 9 s, during which `events`
  /// happen.
  func away(
    _ story: Story, _ events: (Story) -> Story
  ) -> Story {
    events(story.at(1_000, .app(.background))).at(9_000, .app(.foreground))
  }

  /// Returns the events that the client received from the return on.
  func reportedOnReturn(_ played: Played) -> [ClientCore.Event] {
    let silence = played.events.filter { (1_001...8_999).contains($0.milliseconds) }
    #expect(silence.isEmpty)
    return played.events.filter { $0.milliseconds == 9_000 }.map(\.thing)
  }

  @Test("An app that runs in the background is notified at each instant")
  func runs() throws {
    let played = try Story().call(deadline: .seconds(3)).call(host: 1)
      .at(1_000, .app(.backgroundRunning)).at(2_000, .server(1, .close))
      .at(2_500, .flags([.reachable, .isDirect])).played(on: .socketsMonitor)
    #expect(played.end(of: 0) == .ended(3_000, .deadlineExceeded))
    #expect(played.end(of: 1) == .failed(2_000, .closed))
    #expect(!played.facts.contains { if case .deferred = $0.thing { true } else { false } })
    let reported = played.events.filter {
      $0.thing == .reachability(.callback([.reachable, .isDirect]))
    }
    #expect(reported.map(\.milliseconds) == [2_500])
  }

  @Test("An app that is woken receives the missed events, and a later return repeats nothing")
  func woken() throws {
    let story = Story().call().at(1_000, .app(.background)).at(2_000, .flags(.cellular))
      .at(3_000, .app(.backgroundRunning)).at(4_000, .app(.foreground))
    let played = try story.played(on: .socketsMonitor)
    #expect(played.end(of: 0) == .ended(3_000, .connectivityLost))
    let reported = played.events.filter { $0.thing == .reachability(.callback(.cellular)) }
    #expect(reported.map(\.milliseconds) == [3_000])
  }

  @Test("The connection stalls on sockets, whether the app runs in the background or not (D8b)")
  func stalls() throws {
    let story = Story().call(deadline: .seconds(5)).at(1_000, .app(.backgroundRunning))
      .at(2_000, .path(Story.hotspot))
    #expect(try story.played(on: .sockets).end(of: 0) == .ended(5_000, .deadlineExceeded))
    #expect(try story.played(on: .cfStream).end(of: 0) == .failed(2_000, .aborted))
  }

  @Test("On return the app receives one callback, the transports' events and the deadlines")
  func receivesInOrder() throws {
    let story = away(Story().call(deadline: .seconds(3)).call(host: 1, deadline: .seconds(4))) {
      $0.at(2_000, .server(1, .close)).at(3_000, .flags(.wifi))
        .at(4_000, .flags([.reachable, .isDirect]))
    }
    let played = try story.played(on: .socketsMonitor)
    let connection = ConnectionID(index: 1, generation: 0)
    #expect(
      reportedOnReturn(played) == [
        .reachability(.callback([.reachable, .isDirect])),
        .pool(.connectionBroken(connection, .closed)), .pool(.timeElapsed),
      ])
    #expect(played.end(of: 0) == .ended(9_000, .deadlineExceeded))
    #expect(played.end(of: 1) == .failed(9_000, .closed))
    #expect(played.instants { $0 == .deferred(.callback) } == [3_000, 4_000])
    #expect(played.instants { $0 == .deferred(.transportEvent) } == [2_000])
  }

  @Test("The callback on return has the current flags, so a round trip is not seen (M12)")
  func doesNotSeeRoundTrips() throws {
    let story = away(Story().call()) { $0.at(2_000, .flags(.none)).at(3_000, .flags(.wifi)) }
    let played = try story.played(on: .socketsMonitor)
    #expect(reportedOnReturn(played) == [.reachability(.callback(.wifi))])
    #expect(played.notifications.isEmpty)
    #expect(played.end(of: 0) == nil)
  }

  @Test("A category change comes before everything else")
  func receivesCallbackFirst() throws {
    let story = away(Story().call(deadline: .seconds(3))) {
      $0.at(2_000, .server(0, .close)).at(3_000, .flags(.none))
    }
    let monitored = try story.played(on: .socketsMonitor)
    #expect(monitored.end(of: 0) == .ended(9_000, .connectivityLost))
    #expect(try story.played(on: .sockets).end(of: 0) == .failed(9_000, .closed))
  }

  @Test("An answer comes before the deadline that passed in the meantime")
  func seesTheAnswerFirst() throws {
    let story = away(Story().call(.unary, takes: .seconds(5), deadline: .seconds(6))) { $0 }
    #expect(try story.played().end(of: 0) == .ok(9_000))
  }

  @Test("Deferred transport events come in the order in which they happened")
  func keepsTheOrder() throws {
    let story = away(
      Story().call(.unary, takes: .seconds(3)).call(host: 1, every: .seconds(2))
        .call(.unary, takes: .seconds(4))
    ) { $0 }
    let played = try story.at(9_500, .cancel(1)).played()
    let reported = reportedOnReturn(played).compactMap { event -> UInt32? in
      switch event {
      case .pool(.streamEnded(let call, _)), .pool(.messageReceived(let call)): call.index
      default: nil
      }
    }
    #expect(reported == [1, 0, 1, 2, 1, 1])
  }

  @Test("Without events the return delivers nothing")
  func receivesNothing() throws {
    #expect(try reportedOnReturn(away(Story().call()) { $0 }.played(on: .socketsMonitor)) == [])
  }

  @Test("The initial flags are read even in the background (M7)")
  func readsInTheBackground() throws {
    let story = Story().with { $0.initial.app = .background }.at(1_000, .app(.foreground))
    let played = try story.played(on: .socketsMonitor)
    #expect(played.events == [.init(0, .reachability(.initialRead(.wifi)))])
  }
}
