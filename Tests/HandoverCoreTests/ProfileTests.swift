import HandoverCore
import Testing

@Suite("The lists of profiles, transports, mutants and invariants")
struct ProfileTests {
  @Test("The lists contain each name once")
  func names() {
    #expect(Set(Profile.known.map(\.name)).count == Profile.known.count)
    #expect(Set(TransportModel.known.map(\.name)).count == TransportModel.known.count)
    #expect(Set(KnownDefects.names).count == KnownDefects.names.count)
    #expect(
      KnownDefects.names.count == Defect.allCases.count + DispatcherDefect.allCases.count)
    #expect(Set(RuleIdentifier.allCases.map(\.sentence)).count == RuleIdentifier.allCases.count)
  }

  @Test("Every transport that a profile uses is listed", arguments: Profile.known.map(\.name))
  func transports(_ name: String) throws {
    #expect(TransportModel.known.contains(try #require(Profile.named(name)).transport))
  }

  @Test("The invariants are numbered without a gap")
  func rules() {
    #expect(RuleIdentifier.allCases.map(\.rawValue) == Array(1...11))
  }

  @Test(
    "Invariants of monitors, and those of calls, apply only to profiles that have them"
  )
  func chosen() throws {
    for profile in Profile.known {
      let hasMonitor = profile.policy.monitorsReachability
      #expect(profile.rules.contains(.categoryChange) == hasMonitor, "\(profile.name)")
      #expect(profile.rules.contains(.sameCategory) == hasMonitor, "\(profile.name)")
      #expect(profile.rules.contains(.aliveness), "\(profile.name)")
      let ofClient: [RuleIdentifier] = [.callEndsOnce, .requestLimits, .connectionPool]
      #expect(ofClient.count(where: profile.rules.contains) == 1, "\(profile.name)")
    }
  }

  @Test("Only the documented call profiles run on scenarios that name no profile")
  func unnamed() {
    #expect(Profile.all.allSatisfy { $0.isDocumented && !$0.rules.contains(.requestLimits) })
  }

  @Test("These profiles follow no specification")
  func undocumented() {
    #expect(
      Profile.known.filter { !$0.isDocumented }.map(\.name) == [
        "linux-sockets", "linux-sockets-monitor", "quic", "quic-stays", "okhttp-pool",
      ])
  }

  @Test("A profile keeps unused channels for 30 s (P6), or for as long as they live")
  func unusedChannels() {
    let lifetimes = Profile.known.map(\.policy.unusedChannelLifetime)
    #expect(Set(lifetimes) == [nil, .seconds(30)])
  }

  @Test("Two profiles are equal if all their parts are equal", arguments: Profile.known)
  func equality(_ profile: Profile) {
    func made(
      _ name: String? = nil, summary: String? = nil, isDocumented: Bool? = nil,
      rules: [RuleIdentifier]? = nil
    ) -> Profile {
      Profile(
        name: name ?? profile.name, summary: summary ?? profile.summary, policy: profile.policy,
        transport: profile.transport, client: profile.client,
        isDocumented: isDocumented ?? profile.isDocumented, rules: rules ?? profile.rules)
    }
    #expect(made() == profile)
    #expect(made("other") != profile)
    #expect(made(summary: "other") != profile)
    #expect(made(isDocumented: !profile.isDocumented) != profile)
    #expect(made(rules: []) != profile)
  }

  @Test("A survey that another one is assigned to lists the same rows")
  func assigned() {
    func call(_ row: UInt32) -> ClientSurvey.Call {
      ClientSurvey.Call(id: CallID(index: row, generation: 0), host: 0)
    }
    var survey = ClientSurvey()
    var other = ClientSurvey()
    survey.append(call(9))
    other.append(call(3))
    other.append(awaiting: call(5))
    other.append(
      ClientSurvey.Connection(
        id: ConnectionID(index: 2, generation: 0), host: 0, phase: .connecting))
    survey.assign(from: &other)
    #expect(
      [survey.callRows, survey.awaitingRows, survey.connectionRows] == [1 << 3, 1 << 5, 1 << 2])
    #expect([survey.calls[0].id, survey.awaitingTokens[0].id].map(\.index) == [3, 5])
  }

  @Test("An emptied survey contains nothing of its earlier content")
  func emptied() {
    var survey = ClientSurvey()
    survey.category = .wifi
    survey.hosts.append(ClientSurvey.Host())
    survey.calls.append(ClientSurvey.Call(id: CallID(index: 0, generation: 0), host: 0))
    survey.awaitingTokens.append(survey.calls[0])
    (survey.callsInUse, survey.connectionsInUse) = (2, 1)
    survey.removeAll()
    #expect(survey.category == .unknown)
    #expect([survey.hosts.count, survey.calls.count, survey.awaitingTokens.count] == [0, 0, 0])
    #expect([survey.callsInUse, survey.connectionsInUse] == [0, 0])
  }
}
