import HandoverCore
import Testing

@testable import HandoverSimulation

/// The order at one instant: entries, callbacks, transport events, deadlines.
@Suite("The order of events at one instant")
struct InstantOrderTests {
  @Test("A callback comes before the transport's own event, which is then dropped")
  func callbackBeforeTransport() throws {
    let story = Story().call().at(1_000, .flags(.none))
    #expect(try story.played().end(of: 0) == .failed(1_000, .aborted))
    let monitored = try story.played(on: .socketsMonitor)
    #expect(monitored.end(of: 0) == .ended(1_000, .connectivityLost))
    #expect(
      !monitored.events.contains {
        if case .pool(.connectionBroken) = $0.thing { true } else { false }
      })
  }

  @Test(
    "Entries come before callbacks, whatever their order in the file", arguments: [false, true])
  func entriesBeforeCallbacks(callIsLast: Bool) throws {
    let story =
      callIsLast
      ? Story().at(1_000, .flags(.none)).call(at: 1_000)
      : Story().call(at: 1_000).at(1_000, .flags(.none))
    let played = try story.played(on: .socketsMonitor)
    #expect(played.end(of: 0) == .ended(1_000, .connectivityLost))
  }

  @Test("An answer that will never come does not delay what a deadline causes")
  func staleAnswer() throws {
    // The answer to the first call is due in a minute, when its connection is already closed. The
    // last call waits for a backoff, and connects long before that.
    let played = try Story(connect: .milliseconds(10)).call(.unary, takes: .seconds(60))
      .at(1_000, .flags(.cellular)).at(1_000, .server(0, .refuse))
      .unary(at: 1_100).unary(at: 1_200).at(1_200, .server(0, .accept))
      .played(on: .socketsMonitor)
    #expect(played.end(of: 2) == .ok(2_110))
  }

  @Test("An answer comes before a deadline at the same instant")
  func answerBeforeDeadline() throws {
    let played = try Story().call(.unary, takes: .seconds(1), deadline: .seconds(1)).played()
    #expect(played.end(of: 0) == .ok(1_000))
  }

  @Test("A loss comes before a deadline at the same instant")
  func lossBeforeDeadline() throws {
    let played = try Story().call(deadline: .seconds(1)).at(1_000, .server(0, .close)).played()
    #expect(played.end(of: 0) == .failed(1_000, .closed))
  }

  @Test("An entry comes before an answer at the same instant")
  func entryBeforeAnswer() throws {
    let played = try Story().call(.unary, takes: .seconds(1)).at(1_000, .cancel(0)).played()
    #expect(played.end(of: 0) == .ended(1_000, .cancelled))
  }

  @Test("Simultaneous deadlines are due in the order in which their calls started")
  func deadlinesInOrder() throws {
    let played = try Story().call(deadline: .seconds(3)).call(at: 1_000, deadline: .seconds(2))
      .call(at: 2_000, deadline: .seconds(1)).played()
    let ended: [UInt32] = played.effects.compactMap {
      guard case .endCall(let call, .deadlineExceeded) = $0.thing else { return nil }
      return call.index
    }
    #expect(ended == [0, 1, 2])
  }

  @Test("Time never decreases, and an effect follows its event")
  func timeIncreases() throws {
    let records = try Self.eventful.played(on: .socketsMonitor).trace.records
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.at <= $1.at })
  }

  /// An eventful scenario.
  static let eventful = Story(flags: .cellular, connect: .milliseconds(20))
    .call(every: .milliseconds(400), deadline: .seconds(30)).call(at: 100, .bidi, host: 1)
    .at(1_000, .flags(.wifi)).unary(at: 1_500).at(2_000, .server(0, .refuse))
    .at(2_500, .transport(.all, .reset)).unary(at: 3_000).unary(at: 3_100).unary(at: 4_200)
    .at(6_000, .app(.background)).at(7_000, .flags(.none)).at(8_000, .flags(.wifi))
    .at(9_000, .app(.foreground)).at(10_000, .server(0, .accept)).unary(at: 11_000)
    .at(12_000, .transport(.all, .stall)).unary(at: 12_500, host: 1)
    .at(13_000, .monitor(.miss, by: .zero)).at(14_000, .flags(.cellular))
    .at(15_000, .transport(.all, .resume)).unary(at: 16_000)

  @Test("Two runs of one script are equal, record by record", arguments: Profile.all)
  func runsAreEqual(profile: Profile) throws {
    let jittered = Self.eventful.with { $0.configuration.backoff.jitter = Ratio(2, outOf: 10) }
    let first = try jittered.played(on: profile).trace
    #expect(try jittered.played(on: profile).trace == first)
    #expect(first.records.count > 60)
  }

  @Test("The events of a run give the same effects in a new client", arguments: Profile.all)
  func runsCanBeReplayed(profile: Profile) throws {
    let script = Self.eventful.script
    var core = ClientCore(
      PoolConfiguration(policy: profile.policy, backoff: script.configuration.backoff))
    for call in script.calls {
      _ = core.register(ChannelKey(host: script.hosts[call.host].name, options: call.options))
    }
    var expected = EffectLog<ClientEffect>()
    var reported: [ClientEffect] = []
    for record in try Self.eventful.played(on: profile).trace.records {
      switch record.body {
      case .event(let event): core.step(event, at: record.at, into: &expected)
      case .effect(let effect): reported.append(effect)
      case .world, .chain, .request: break
      }
    }
    #expect(reported == expected.elements)
  }

  @Test("Another seed changes the times of attempts, except the first ones")
  func seedsDiffer() throws {
    func attempts(seed: UInt64) throws -> [Int64] {
      var story = Story().with {
        $0.configuration.seed = seed
        $0.configuration.backoff.jitter = Ratio(2, outOf: 10)
        $0.hosts[0].server = .refuse
      }
      for second in 0..<20 { story = story.unary(at: Int64(second) * 500) }
      return try story.played().attempts
    }
    let (one, two) = (try attempts(seed: 1), try attempts(seed: 2))
    #expect(try attempts(seed: 1) == one)
    #expect(one.prefix(2) == [0, 1_000] && two.prefix(2) == [0, 1_000])
    #expect(one != two)
  }
}
