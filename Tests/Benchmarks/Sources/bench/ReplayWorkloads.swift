import HandoverBackend
import HandoverCore
@_spi(Measuring) import HandoverEngine
import HandoverScenario
@_spi(Measuring) import HandoverSimulation

/// Returns the parsed scenario, with eight entries, that the replay, fork and digest workloads use.
func replayedScenario() -> Scenario {
  let text = """
    {
      "format": 1, "id": "bench/replay", "profiles": ["sockets-monitor"],
      "initial": { "flags": ["Reachable"] },
      "hosts": { "api.example:443": { "connect": "50ms" } },
      "timeline": [
        { "at": "0s", "call": { "id": "a", "host": "api.example:443", "kind": "streaming" } },
        { "at": "1s", "call": { "id": "b", "host": "api.example:443" } },
        { "at": "2s", "flags": ["Reachable", "IsWWAN"] },
        { "at": "3s", "call": { "id": "c", "host": "api.example:443", "kind": "streaming", "deadline": "20s" } },
        { "at": "4s", "flags": [] },
        { "at": "5s", "call": { "id": "d", "host": "api.example:443" } },
        { "at": "6s", "flags": ["Reachable"] },
        { "at": "7s", "call": { "id": "e", "host": "api.example:443" } }
      ],
      "expect": [
        { "call": "a", "status": "UNAVAILABLE", "at": "2s" },
        { "call": "b", "status": "OK" },
        { "call": "c", "status": "UNAVAILABLE", "at": "4s" },
        { "call": "d", "status": "UNAVAILABLE", "at": "5s" },
        { "call": "e", "status": "OK", "channel": "new" }
      ]
    }
    """
  let reading = ScenarioReader.read(file: "bench.json", bytes: Array(text.utf8))
  guard let scenario = reading.scenario else {
    fatalError("\(reading.diagnostics)")
  }
  return scenario
}

/// Measures replays of the scenario with invariants and trace on, and nothing rendered.
func replays(count: Int) -> Measurement {
  let scenario = replayedScenario()
  var worker = Worker(SimulatedBackend())
  return measure("replay 8") {
    var order = OrderSum()
    for _ in 0..<count {
      let result = worker.run(scenario)
      for one in result.cases {
        precondition(one.verdict == .passed, "\(one.findings)")
        order.add(UInt64(one.endedAt.microseconds))
      }
    }
    return (UInt64(count), order.value)
  }
}

/// Measures replays of the scenario as a search over many runs does them.
///
/// Each entry is checked when it is replayed, no trace is kept, and the state at the end is
/// digested once.
func judgedReplays(count: Int) -> Measurement {
  let scenario = replayedScenario()
  let backend = SimulatedBackend().description
  let profile = scenario.profiles[0]
  var world = MeasuredWorld()
  var judge = MeasuredJudge()
  return measure("judged 8") {
    var order = OrderSum()
    for _ in 0..<count {
      world.open(scenario.script, profile: profile)
      judge.begin(scenario, on: profile, of: backend, world.trace)
      world.takeRecords { judge.handle($0) }
      for entry in scenario.script.entries.indices {
        world.play(entry)
        world.takeRecords { judge.handle($0) }
      }
      world.finish(through: .zero + .seconds(3_600))
      world.takeRecords { judge.handle($0) }
      precondition(judge.finish(), "the scenario passes")
      order.add(world.digest())
    }
    return (UInt64(count), order.value)
  }
}

/// Returns a world in the middle of the scenario, with a call in progress.
private func worldUnderWay() -> MeasuredWorld {
  let scenario = replayedScenario()
  var world = MeasuredWorld()
  world.open(scenario.script, profile: scenario.profiles[0])
  for entry in 0..<4 { world.play(entry) }
  world.takeRecords { _ in }
  return world
}

/// Measures forks of a world in the middle of the scenario; each fork is dropped.
func forks(count: Int) -> Measurement {
  let world = worldUnderWay()
  return measure("fork") {
    for _ in 0..<count { _ = world.fork() }
    return (UInt64(count), world.digest())
  }
}

/// Measures digests of a world in the middle of the scenario.
func digests(count: Int) -> Measurement {
  let world = worldUnderWay()
  return measure("digest") {
    var order = OrderSum()
    for _ in 0..<count { order.add(world.digest()) }
    return (UInt64(count), order.value)
  }
}

/// Reports the memory of a copy of the simulation in the middle of the scenario: while it is kept,
/// and after it has run another entry.
func forkMemory(count: Int) -> String {
  let world = worldUnderWay()
  let before = bytesInUse()
  let kept = Forks(of: world, count: count)
  let after = bytesInUse()
  kept.play(4)
  return "fork memory: \((after - before) / count) bytes per copy, "
    + "\((bytesInUse() - before) / count) after the copy runs an entry"
}

/// A linked list of kept forks, because worlds are noncopyable and an array cannot store them.
private final class Forks {
  private let next: Forks?
  private var world: MeasuredWorld

  init(of world: borrowing MeasuredWorld, count: Int) {
    self.world = world.fork()
    next = count > 1 ? Forks(of: world, count: count - 1) : nil
  }

  func play(_ entry: Int) {
    world.play(entry)
    next?.play(entry)
  }
}

/// Replays a call with a thousand messages from the server through interceptors that only forward,
/// with the trace of each interceptor.
///
/// Each forwarded message counts as one operation.
///
/// - Parameters:
///   - links: The number of interceptors.
///   - count: The number of replays.
/// - Returns: The cost of one message in one interceptor, including its share of the rest of the
///   replay.
func chainReplays(links: Int, count: Int) -> Measurement {
  let names = (0..<links).map { #"{ "kind": "forward", "name": "link \#($0)" }"# }
  let text = """
    {
      "format": 1, "id": "bench/chain", "profiles": ["sockets-monitor"],
      "initial": { "flags": ["Reachable"] },
      "hosts": { "api.example:443": { "connect": "50ms" } },
      "config": { "interceptors": [\(names.joined(separator: ", "))] },
      "timeline": [
        { "at": "0s", "call": {
            "id": "a", "host": "api.example:443", "kind": "bidi", "every": "10ms" } },
        { "at": "10.055s", "flags": ["Reachable", "IsWWAN"] }
      ],
      "expect": [ { "call": "a", "status": "UNAVAILABLE", "at": "10.055s" } ]
    }
    """
  let reading = ScenarioReader.read(file: "bench.json", bytes: Array(text.utf8))
  guard let scenario = reading.scenario else { fatalError("\(reading.diagnostics)") }
  var worker = Worker(SimulatedBackend())
  return measure("chain-replay \(links)") {
    var order = OrderSum()
    for _ in 0..<count {
      for one in worker.run(scenario).cases {
        precondition(one.verdict == .passed, "\(one.findings)")
        order.add(UInt64(one.endedAt.microseconds))
      }
    }
    return (UInt64(count * links * 1_000), order.value)
  }
}

/// Measures repeated reads of one megabyte of scenario.
func reading(bytes: [UInt8], count: Int) -> Measurement {
  measure("read \(bytes.count)") {
    var order = OrderSum()
    for _ in 0..<count {
      let reading = ScenarioReader.read(file: "bench.json", bytes: bytes)
      order.add(UInt64(reading.scenario?.script.entries.count ?? 0))
    }
    return (UInt64(count), order.value)
  }
}
