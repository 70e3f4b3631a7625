import Glibc
import HandoverBackend
import HandoverCore
import HandoverProcess

// processbench steps|batch CALLS COMMAND: measures how long it takes to send started calls to a
// process, one per line or many in one line. It prints the wall-clock time and this process's own
// share.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]),
  ["steps", "batch"].contains(arguments[1])
else {
  print("usage: processbench steps|batch CALLS COMMAND")
  exit(2)
}

/// The number of calls in a run.
///
/// Unfinished calls cost the client time, so runs stay short.
let callsOfRun = 200

func nanoseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

var script = Script()
script.name = "bench/process"
script.initial.flags = [.reachable]
script.hosts = [ScriptHost(written: "api.example:443")]
script.calls = (0..<callsOfRun).map { index in
  ScriptCall(id: "call-\(index)", host: 0, kind: .unary, takes: .zero)
}

let clients = try ProcessClientFactory(arguments[3])
let client = try clients.makeClient()
let endpoint = RemoteEndpoint(host: "api.example:443", options: ChannelOptions())
var lines: UInt64 = 0
var events: UInt64 = 0
var orders: UInt64 = 0
let began = nanoseconds(CLOCK_MONOTONIC)
let ownBegan = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
for _ in 0..<max(1, count / callsOfRun) {
  try client.open(script, profile: .socketsMonitor, endpoints: [endpoint])
  var effects = EffectLog<ClientEffect>()
  let starts = (0..<callsOfRun).map { call in
    let id = CallID(index: UInt32(call), generation: 0)
    client.introduce(call, as: id)
    return ClientCore.Event.pool(
      .callStarted(id, EndpointID(index: 0), CallSettings(requestIsComplete: true)))
  }
  if arguments[1] == "batch" {
    guard client.acceptsBatches else { fatalError("it declares no \"batch\"") }
    _ = try client.send(starts, at: .zero, into: &effects)
    lines += 1
  } else {
    for start in starts { try client.send(start, at: .zero, into: &effects) }
    lines += UInt64(callsOfRun)
  }
  try client.send(.pool(.closed), at: .zero, into: &effects)
  lines += 2
  events += UInt64(callsOfRun) + 1
  orders += UInt64(effects.count)
}
let took = nanoseconds(CLOCK_MONOTONIC) - began
let own = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - ownBegan
let counts = "lines \(lines) events \(events) orders \(orders)"
print("process-\(arguments[1]) \(counts) wall \(took) own \(own)")
