import HandoverCore
import Testing

@testable import HandoverSimulation

@Suite("A host of the simulated network")
struct HostTests {
  private static let script = ScriptHost(
    written: "a.example:443", connect: .milliseconds(5), server: .refuse, names: .fail)

  /// The state that a run can leave in a host, one item each.
  private static let leftovers: [@Sendable (inout Host) -> Void] = [
    { $0.connect = .milliseconds(7) }, { $0.server = .silent }, { $0.names = .hang },
    { $0.isBlackhole = true }, { $0.serverCause = 3 }, { $0.namesCause = 0 },
    { $0.answerCause = 2 }, { _ = $0.setReachable(false, 1, from: .zero, cause: 4) },
    { $0.blackholeCause = 9 }, { $0.rows.append(4) }, { $0.established = 2 },
    { $0.disturbed = 1 }, { $0.dueAnswers.append(6) },
  ]

  @Test(
    "A host starts a run like a new one, whatever the run before left in it",
    arguments: leftovers.indices)
  func begins(_ position: Int) {
    var host = Host(Self.script)
    Self.leftovers[position](&host)
    #expect(host != Host(Self.script))
    host.begin(as: Self.script)
    #expect(host == Host(Self.script))
  }
}

@Suite("The streams of a simulated network")
struct StreamsTests {
  @Test("A stream is found by its call, even if another call has taken its row")
  func found() {
    var story = Story()
    for second in 0..<3 { story = story.unary(at: Int64(1_000 * second)) }
    var world = World()
    world.open(story.call(at: 3_000).script, profile: .sockets)
    world.playEntries()
    world.runUntilIdle(through: .milliseconds(4_000))
    let calls: [(index: UInt32, id: CallID)] = world.context.trace.records.compactMap { record in
      guard case .world(.callIntroduced(let index, let id)) = record.body else { return nil }
      return (index, id)
    }
    #expect(calls.count == 4)
    #expect(Set(calls.map(\.id.index)).count == 1)
    for (index, id) in calls { #expect(world.network.streams.index(of: id) == index) }
  }
}

@Suite("The threads of a run")
struct ThreadHostTests {
  @Test("At every instant the number of threads is that of created minus ended ones")
  func count() {
    var script = Story().script
    script.requests = (0..<6).map {
      ScriptRequest(
        id: "r\($0)", host: $0 % 2, kind: .short, takes: .milliseconds(300 + 100 * Int64($0)))
    }
    script.configuration.requests.threads = ThreadConfiguration(
      idle: .seconds(1), collect: .milliseconds(700))
    for index in 0..<6 {
      script.entries.append(
        ScriptEntry(at: .milliseconds(index < 4 ? 0 : 3_000), action: .request(index)))
    }
    var world = World()
    world.open(script, profile: .urlDispatcher)
    var counts: Set<Int> = []
    for index in script.entries.indices {
      world.advance(until: script.entries[index].at, inclusive: false)
      world.play(index)
    }
    for step in 1...80 {
      world.advance(until: .milliseconds(3_000 + 100 * Int64(step)), inclusive: true)
      var alive = 0
      for record in world.context.trace.records {
        guard case .request(.thread(let change, _, _, _)) = record.body else { continue }
        switch change {
        case .made: alive += 1
        case .ended, .collected: alive -= 1
        case .rests: break
        }
      }
      #expect(world.client.requests?.threads?.count == alive)
      #expect(world.leaks().contains("a thread remains") == (alive > 0))
      counts.insert(alive)
    }
    #expect(counts.count > 2)
  }
}

@Suite("The survey of a world")
struct WorldSurveyTests {
  /// The properties in which two calls can differ, one bit each.
  private static let differences: [@Sendable (inout WorldSurvey, Int) -> Void] = [
    { $0.client.calls[$1].failsFast = true }, { $0.client.calls[$1].isJustStarted = true },
    { $0.client.calls[$1].deadline = .zero }, { $0.client.calls[$1].requestIsComplete = false },
    { $0.calls[$1].isOpen = true }, { $0.calls[$1].answerIsScheduled = true },
    { $0.calls[$1].answerIsDue = true }, { $0.calls[$1].request = .buffered },
    { $0.calls[$1].finish = .buffered }, { $0.client.calls[$1].queuedMessages = 1 },
  ]

  private struct Call: Equatable {
    var known: ClientSurvey.Call
    var one: WorldSurvey.Call
  }

  /// Returns calls with the given differences, in the order of a survey.
  private static func sorted(_ calls: [Int]) -> [Call] {
    var survey = WorldSurvey()
    var host = ClientSurvey.Host()
    host.calls = 0..<calls.count
    survey.client.hosts.append(host)
    for (position, traits) in calls.enumerated() {
      survey.client.calls.append(ClientSurvey.Call(id: CallID(index: 0, generation: 0), host: 0))
      survey.calls.append(WorldSurvey.Call())
      for (bit, differ) in differences.enumerated() where traits & 1 << bit != 0 {
        differ(&survey, position)
      }
    }
    survey.sortCalls()
    return calls.indices.map { Call(known: survey.client.calls[$0], one: survey.calls[$0]) }
  }

  @Test("A call that no server knows has nothing pending")
  func unknown() {
    let call = WorldSurvey.Call()
    #expect(call.request == .none && call.finish == .none)
    #expect(!call.isOpen && !call.answerIsScheduled && !call.answerIsDue)
    #expect(!call.tokenIsScheduled)
  }

  @Test("The calls of a host are in canonical order, whichever started first")
  func order() {
    for one in 0..<(1 << Self.differences.count) {
      for bit in Self.differences.indices {
        let other = one ^ 1 << bit
        let (first, second) = (Self.sorted([one, other]), Self.sorted([other, one]))
        #expect(first == second, "\(one) and \(other)")
      }
    }
  }
}
