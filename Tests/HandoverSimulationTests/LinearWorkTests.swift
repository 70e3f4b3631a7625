import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Twice the input takes twice the steps and twice the visits of connections, and leaves twice the
/// records.
@Suite("Work that grows linearly with the length of a scenario")
struct LinearWorkTests {
  private struct Work {
    var steps: Int
    var looks: Int
    var records: Int
  }

  private func work(_ story: Story, on profile: Profile = .sockets) throws -> Work {
    let session = try #require(try SimulatedBackend().makeSession() as? SimulatedSession)
    var trace = Trace()
    try session.open(story.script, profile: profile, into: &trace)
    for (index, entry) in story.script.entries.enumerated() {
      try session.advance(before: entry.at, into: &trace)
      try session.play(index, into: &trace)
    }
    _ = try session.runUntilIdle(through: .milliseconds(1_000_000), into: &trace)
    let (steps, looks) = session.work
    return Work(steps: steps, looks: looks, records: trace.count)
  }

  private func expectLinear(
    on profile: Profile = .sockets, sourceLocation: SourceLocation = #_sourceLocation,
    _ story: (Int) -> Story
  ) throws {
    let (once, twice) = (try work(story(500), on: profile), try work(story(1_000), on: profile))
    #expect(twice.steps * 10 <= once.steps * 21, sourceLocation: sourceLocation)
    #expect(twice.looks * 10 <= once.looks * 21, sourceLocation: sourceLocation)
    #expect(twice.records * 10 <= once.records * 21, sourceLocation: sourceLocation)
  }

  /// Returns a scenario with a connection for each call.
  private func connections(_ count: Int, hosts: Int = 2) -> Story {
    var story = Story(connect: .milliseconds(1)).with { script in
      script.hosts = (0..<hosts).map { ScriptHost(written: "h\($0).example:443") }
    }
    for number in 0..<count {
      story = story.call(.bidi, host: number % hosts)
      story = story.with { script in
        script.calls[number].options = ChannelOptions(others: ["logContext=\(number)"])
      }
    }
    return story
  }

  @Test("Stalls of connections with pending data, resumed host by host, take linear work")
  func stalls() throws {
    try expectLinear { count in
      var story = connections(count, hosts: count)
        .at(100, .transport(.all, .stall))
      for call in 0..<count { story = story.at(200, .send(call, bytes: 1)) }
      for host in 0..<count { story = story.at(300, .transport(.one(host), .resume)) }
      return story.at(400, .transport(.all, .kill))
    }
  }

  @Test("Faults on hosts without connections take linear work")
  func idleHosts() throws {
    func story(_ count: Int) -> Story {
      var story = connections(10, hosts: count)
      for time in 0..<100 { story = story.at(Int64(100 + time), .transport(.all, .resume)) }
      return story
    }
    try expectLinear(story)
    #expect(try work(story(1_000)).looks == 100 * 10)
  }

  @Test("Servers that fall silent and wake one after the other take linear work")
  func silence() throws {
    try expectLinear { count in
      var story = connections(count, hosts: count)
      for host in 0..<count { story = story.at(100, .server(host, .silent)) }
      for call in 0..<count { story = story.at(200, .send(call, bytes: 1)) }
      for host in 0..<count { story = story.at(300, .server(host, .accept)) }
      for host in 0..<count { story = story.at(400, .server(host, .reset)) }
      return story
    }
  }

  @Test("Network changes between paths with few connections take linear work")
  func moves() throws {
    func story(_ count: Int) -> Story {
      var story = connections(count).at(100, .flags(.cellular))
      for time in 0..<100 {
        story = story.at(Int64(200 + time), .flags(time % 2 == 0 ? .none : .cellular))
      }
      return story
    }
    try expectLinear(story)
    #expect(try work(story(1_000)).looks <= 2 * 1_000)
  }

  @Test("A fault examines each connection of its host, and no other connection")
  func looks() throws {
    let connected = try work(connections(300))
    var story = connections(300)
    for _ in 0..<20 { story = story.at(100, .names(0, .hang)).at(100, .names(0, .resolve)) }
    let disturbed = try work(story)
    #expect(disturbed.records == connected.records + 40)
    #expect(connected.looks == 0 && disturbed.looks == 40 * 150)
  }

  @Test("Sleep and waking examine every connection")
  func sleep() throws {
    var story = connections(300)
    for time in 1...10 {
      story = story.at(Int64(100 * time), .power(.sleep))
        .at(Int64(100 * time + 50), .power(.wake(newAddress: false)))
    }
    #expect(try work(story).looks >= 20 * 300)
  }

  @Test("Packets that may be lost or late count as work", arguments: [true, false])
  func packets(areLost: Bool) throws {
    let quality = QualityTests.becomes {
      if areLost { $0.lossPerMillion = 1 } else { $0.reorderPerMillion = 1 }
    }
    let story = NetworkTests.story().at(0, quality).call(.bidi).at(100, .send(0, bytes: 146_000))
    #expect(try work(story).looks >= 100)
  }

  @Test("A repeated end waits only once in a stall")
  func ends() throws {
    func steps(_ count: Int) throws -> Int {
      var story = connections(10).at(100, .transport(.all, .stall))
      for time in 0..<count { story = story.at(Int64(200 + time), .transport(.all, .reset)) }
      return try work(story.at(5_000, .transport(.all, .resume))).steps
    }
    let (once, twice) = (try steps(100), try steps(200))
    #expect(twice - once <= 200)
  }

  @Test("Visits count a little toward the limit, so that they cannot continue forever")
  func looksAreLimited() {
    var context = Context()
    context.looks = RunLimits.maximumSteps * RunLimits.checksPerStep - 1
    let isWithin = context.isWithinLimits
    context.looks += 1
    let isStillWithin = context.isWithinLimits
    #expect(isWithin && !isStillWithin)
    #expect(RunTooLong.steps.message.contains("use fewer faults, network changes or connections"))
  }
}
