import HandoverCore
import Testing

@testable import HandoverSimulation

@Suite("A host of the simulated network")
struct HostTests {
  private static let script = ScriptHost(
    written: "a.example:443", connect: .milliseconds(5), server: .refuse, names: .fail)

  /// All that a run can leave in a host, one after the other.
  private static let leftovers: [@Sendable (inout Host) -> Void] = [
    { $0.connect = .milliseconds(7) }, { $0.server = .silent }, { $0.names = .hang },
    { $0.isBlackhole = true }, { $0.serverCause = 3 }, { $0.namesCause = 0 },
    { $0.blackholeCause = 9 }, { $0.rows.append(4) }, { $0.established = 2 },
    { $0.disturbed = 1 }, { $0.dueAnswers.append(6) },
  ]

  @Test(
    "begins a run as a new one, whatever the run before left in it", arguments: leftovers.indices)
  func begins(_ place: Int) {
    var host = Host(Self.script)
    Self.leftovers[place](&host)
    #expect(host != Host(Self.script))
    host.begin(as: Self.script)
    #expect(host == Host(Self.script))
  }
}

@Suite("The survey of a world")
struct WorldSurveyTests {
  /// What two calls can differ in, a bit each.
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

  /// Two calls with some of these differences each, in the order of a survey.
  private static func sorted(_ calls: [Int]) -> [Call] {
    var survey = WorldSurvey()
    var host = ClientSurvey.Host()
    host.calls = 0..<calls.count
    survey.client.hosts.append(host)
    for (place, traits) in calls.enumerated() {
      survey.client.calls.append(ClientSurvey.Call(id: CallID(index: 0, generation: 0), host: 0))
      survey.calls.append(WorldSurvey.Call())
      for (bit, differ) in differences.enumerated() where traits & 1 << bit != 0 {
        differ(&survey, place)
      }
    }
    survey.sortCalls()
    return calls.indices.map { Call(known: survey.client.calls[$0], one: survey.calls[$0]) }
  }

  @Test("of a call that no server knows has nothing under way")
  func unknown() {
    let call = WorldSurvey.Call()
    #expect(call.request == .none && call.finish == .none)
    #expect(!call.isOpen && !call.answerIsScheduled && !call.answerIsDue)
    #expect(!call.tokenIsScheduled)
  }

  @Test("has the calls of a host in one order, whichever started first")
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
