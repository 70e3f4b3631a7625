import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Traces of the bundled scenarios")
struct TraceTests {
  private func bytes(_ scenario: Scenario, _ result: CaseResult) throws -> [UInt8] {
    TraceWriter.lines(
      of: try #require(result.trace), script: scenario.script,
      header: TraceHeader(scenario: result.id, profile: result.profile))
  }

  @Test("Traces are equal to the byte from run to run and from worker to worker")
  func bytes() throws {
    let kept: Worker.RetainedData = [.traces, .digests]
    var first = Worker(SimulatedBackend(), retaining: kept)
    var second = Worker(SimulatedBackend(), retaining: kept)
    // The second worker runs the scenarios and the profiles in reverse order.
    let backwards = Bundled.scenarios.reversed().map { scenario in
      second.run(scenario, on: scenario.profiles.reversed())
    }
    for (scenario, other) in zip(Bundled.scenarios, backwards.reversed()) {
      let once = first.run(scenario).cases
      let again = first.run(scenario).cases
      #expect(once.count == scenario.profiles.count)
      for (index, result) in once.enumerated() {
        let lines = try bytes(scenario, result)
        #expect(!lines.isEmpty && lines.last == UInt8(ascii: "\n"))
        let sameProfile = other.cases[once.count - 1 - index]
        #expect(sameProfile.profile == result.profile)
        #expect(try bytes(scenario, again[index]) == lines, "\(scenario.id) \(result.profile)")
        #expect(try bytes(scenario, sameProfile) == lines, "\(scenario.id) \(result.profile)")
        #expect(result.digest == again[index].digest && result.digest == sameProfile.digest)
      }
    }
  }

  @Test("Different traces have different digests")
  func digests() throws {
    var worker = Worker(SimulatedBackend(), retaining: .digests)
    let cases = Bundled.scenarios.flatMap { worker.run($0).cases }
    let digests = Set(try cases.map { try #require($0.digest) })
    #expect(digests.count == cases.count)
    #expect(cases.allSatisfy { ($0.trace == nil) == ($0.verdict == .passed) })
  }

  @Test(
    "A trace replayed with another policy gives different effects"
  )
  func replayWithAnotherPolicy() throws {
    let scenario = try Sample.scenario(timeline: [EndOfRunTests.stream(), EndOfRunTests.wifi])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario, on: [.socketsMonitor]).cases.first)
    let trace = try #require(result.trace)
    #expect(Self.replayed(trace, scenario.script, .socketsMonitor) == trace.records)
    #expect(Self.replayed(trace, scenario.script, .sockets) != trace.records)
  }

  @Test(
    "A trace replayed through a new client gives the same effects", arguments: NamedScenario.bundled
  )
  func replay(_ named: NamedScenario) throws {
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    for (profile, result) in zip(named.scenario.profiles, worker.run(named.scenario).cases) {
      let trace = try #require(result.trace)
      let records = trace.records
      let replayed = Self.replayed(trace, named.scenario.script, profile)
      let difference = zip(records, replayed).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        records == replayed,
        "\(profile.name): record \(difference.map { "\($0.offset): \($0.element)" } ?? "count")")
    }
  }

  /// Returns the records with the effects of a new client in place of the recorded ones.
  static func replayed(
    _ trace: Trace, _ script: Script, _ profile: Profile
  ) -> ContiguousArray<TraceRecord> {
    var client = ClientCore(PoolConfiguration(script.configuration, policy: profile.policy))
    var registered = 0
    for call in script.calls {
      let key = ChannelKey(host: script.hosts[call.host].name, options: call.options)
      registered = max(registered, Int(client.register(key).index) + 1)
    }
    // Interceptors may have sent calls to hosts, or with options, that the script does not name.
    let usual = script.calls.first?.options ?? ChannelOptions()
    for (endpoint, host) in trace.endpointHosts.enumerated().dropFirst(registered) {
      let changed = trace.changedOptions.first { $0.endpoint == UInt32(endpoint) }
      _ = client.register(
        ChannelKey(host: script.hosts[Int(host)].name, options: changed?.options ?? usual))
    }
    var effects = EffectLog<ClientEffect>()
    var given: [ClientEffect] = []
    var next = 0
    var replayed: ContiguousArray<TraceRecord> = []
    for record in trace.records {
      switch record.body {
      case .event(let event):
        // Effects of the client that the trace does not have are kept as differences.
        for effect in given[next...] {
          replayed.append(TraceRecord(at: record.at, body: .effect(effect)))
        }
        effects.removeAll()
        client.step(event, at: record.at, into: &effects)
        (given, next) = (effects.elements, 0)
        replayed.append(record)
      case .effect:
        guard next < given.count else { continue }
        replayed.append(TraceRecord(at: record.at, body: .effect(given[next])))
        next += 1
      case .world, .chain, .request:
        replayed.append(record)
      }
    }
    for effect in given[next...] {
      replayed.append(TraceRecord(at: .never, body: .effect(effect)))
    }
    return replayed
  }
}
