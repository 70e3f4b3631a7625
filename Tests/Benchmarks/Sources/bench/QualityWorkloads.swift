import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation

/// Replays a call with a thousand messages from the server and a hundred from the client.
///
/// Each message counts as one operation.
///
/// - Parameters:
///   - hasQuality: Whether the network is slow, narrow and lossy.
///   - count: The number of replays.
/// - Returns: The cost of one message, including its share of the rest of the replay.
func qualityReplays(hasQuality: Bool, count: Int) -> Measurement {
  let quality = #"{ "delay": "40ms", "rate": "10Mbit", "loss": "1%" }"#
  let change = #"{ "at": "0s", "network": { "id": "home", "quality": \#(quality) } },"#
  let sends = (1...100).map {
    #"{ "at": "\#($0 * 100)ms", "send": { "call": "a", "bytes": 100 } },"#
  }.joined(separator: "\n")
  let text = """
    {
      "format": 1, "id": "bench/quality", "profiles": ["sockets-monitor"],
      "initial": {}, "networks": { "home": { "kind": "wifi", "state": "default" } },
      "hosts": { "api.example:443": { "connect": "50ms" } },
      "timeline": [
        \(hasQuality ? change : "")
        { "at": "0s", "call": {
            "id": "a", "host": "api.example:443", "kind": "bidi", "every": "10ms" } },
        \(sends)
        { "at": "10.055s", "cancel": "a" }
      ],
      "expect": [ { "call": "a", "status": "CANCELLED", "at": "10.055s" } ]
    }
    """
  let reading = ScenarioReader.read(file: "bench.json", bytes: Array(text.utf8))
  guard let scenario = reading.scenario else { fatalError("\(reading.diagnostics)") }
  var worker = Worker(SimulatedBackend())
  return measure(hasQuality ? "replay with quality" : "replay without quality") {
    var order = OrderSum()
    for _ in 0..<count {
      for one in worker.run(scenario).cases {
        precondition(one.verdict == .passed, "\(one.findings)")
        order.add(UInt64(one.endedAt.microseconds))
      }
    }
    return (UInt64(count * 1_100), order.value)
  }
}
