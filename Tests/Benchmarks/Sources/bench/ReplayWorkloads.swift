import HandoverEngine
import HandoverScenario
import HandoverSimulation

/// Replays of one parsed scenario with eight entries, invariants and trace on, nothing rendered.
func replays(count: Int) -> Measurement {
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

/// Replays of a call through links that only forward, with a thousand messages of the server, and
/// with the trace of what each link took; each forwarded message counts.
///
/// - Parameters:
///   - links: how many links there are.
///   - count: how often the scenario is replayed.
/// - Returns: what a message costs for each link, the rest of the replay included.
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

/// Reads one megabyte of scenario again and again.
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
