import HandoverCore
import Testing

/// The later generation of the CFStream code, which is a setting of the run (S7).
@Suite("The event-engine generation of CFStream")
struct GenerationTests {
  private func story(connect: Interval = .zero) -> Story {
    Story(connect: connect).with { $0.configuration.cfstream = .eventEngine }
  }

  @Test(
    "A lost connection is reported without a status",
    arguments: [
      (ScriptAction.transport(.all, .reset), ConnectionFailure.streamReset),
      (.server(0, .reset), .streamReset), (.transport(.all, .kill), .streamAborted),
      (.flags(.cellular), .streamAborted), (.flags(.none), .streamAborted),
    ])
  func errors(action: ScriptAction, failure: ConnectionFailure) throws {
    let played = try story().call().at(1_000, action).played(on: .cfStream)
    #expect(played.end(of: 0) == .failed(1_000, failure))
  }

  @Test("A loss in the background is reported without a status on return")
  func background() throws {
    let played = try story().call().at(1_000, .app(.background)).at(2_000, .flags(.cellular))
      .at(3_000, .app(.foreground)).played(on: .cfStream)
    #expect(played.end(of: 0) == .failed(3_000, .streamAborted))
  }

  @Test("A TCP timeout, and a stall that delayed the report, end without a status")
  func stalls() throws {
    let timedOut = try story().call(.bidi).at(1_000, .transport(.all, .stall))
      .at(2_000, .send(0, bytes: 1)).played(on: .cfStream)
    #expect(timedOut.end(of: 0) == .failed(12_000, .streamTimedOut))
    let reset = try story().call().at(1_000, .transport(.all, .stall))
      .at(2_000, .transport(.all, .reset)).at(5_000, .transport(.all, .resume))
      .played(on: .cfStream)
    #expect(reset.end(of: 0) == .failed(5_000, .streamReset))
  }

  @Test("Connection attempts behave as before")
  func attempts() throws {
    let played = try story(connect: .seconds(1)).unary(at: 0).at(500, .flags(.cellular))
      .played(on: .cfStream)
    #expect(played.end(of: 0) == .failed(500, .aborted))
  }

  @Test(
    "The client does not notice the end of a stream until it writes",
    arguments: [
      ScriptAction.transport(.all, .fin), .server(0, .close),
    ])
  func unnoticed(action: ScriptAction) throws {
    let listening = try story().call(takes: .seconds(5), every: .seconds(1)).at(1_500, action)
      .played(on: .cfStream)
    #expect(listening.end(of: 0) == nil)
    #expect(listening.deliveries == [1_000])
    let writing = try story().call().at(1_500, action).unary(at: 3_000).played(on: .cfStream)
    #expect(writing.end(of: 0) == .failed(3_000, .streamReset))
    #expect(writing.end(of: 1) == .failed(3_000, .streamReset))
    #expect(writing.reads == [.init(0, 0)])
  }

  @Test("The client continues to write into a half-closed stream, and never gets an answer")
  func halfClosed() throws {
    let played = try story().call().at(1_000, .transport(.all, .halfClose))
      .unary(at: 2_000, deadline: .seconds(3)).played(on: .cfStream)
    #expect(played.end(of: 0) == nil)
    #expect(played.end(of: 1) == .ended(5_000, .deadlineExceeded))
    #expect(played.reads == [.init(0, 0)])
  }

  @Test("Keepalive detects the end")
  func keepalive() throws {
    let pinged = story().with {
      $0.configuration.keepalive = KeepaliveConfiguration(
        time: .seconds(10), timeout: .seconds(5))
    }
    let half = try pinged.call().at(1_000, .transport(.all, .halfClose)).played(on: .cfStream)
    #expect(half.end(of: 0) == .failed(15_000, .keepaliveTimeout))
    let whole = try pinged.call().at(1_000, .transport(.all, .fin)).played(on: .cfStream)
    #expect(whole.end(of: 0) == .failed(10_000, .streamReset))
  }

  @Test("A server that wakes after its end reads nothing")
  func silentServer() throws {
    let played = try story().call().at(1_000, .server(0, .silent)).unary(at: 2_000)
      .at(3_000, .server(0, .close)).at(4_000, .server(0, .accept)).played(on: .cfStream)
    #expect(played.end(of: 1) == nil)
    #expect(played.reads == [.init(0, 0)])
  }

  @Test(
    "The generation has no effect on other transports",
    arguments: [Profile.sockets, .socketsMonitor, .sockets2017])
  func elsewhere(_ profile: Profile) throws {
    let reset = try story().call().at(1_000, .transport(.all, .reset)).played(on: profile)
    #expect(reset.end(of: 0) == .failed(1_000, .reset))
    let ended = try story().call().at(1_000, .transport(.all, .fin)).played(on: profile)
    #expect(ended.end(of: 0) == .failed(1_000, .closed))
  }
}
