import Glibc

// bench WORKLOAD SIZE COUNT: runs one workload and prints one line.
let arguments = CommandLine.arguments
guard arguments.count > 1 else {
  print(
    """
    usage: bench WORKLOAD SIZE COUNT
    workloads: w1 w2 w3 w3-single dispatcher dispatcher-cancel forward memory replay judged fork
      digest fork-memory replay-chain replay-quality read
    """)
  exit(2)
}
let size = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 1_000
let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 1_000_000
switch arguments[1] {
case "w1": print(AgendaWorkload.churn(pending: size, events: UInt64(count)).line)
case "w2": print(AgendaWorkload.cancelHeavy(pending: size, events: UInt64(count)).line)
case "w3": print(transitionStorm(channels: size, transitions: count, startsTogether: true).line)
case "w3-single":
  print(transitionStorm(channels: size, transitions: count, startsTogether: false).line)
case "dispatcher":
  if let measured = DispatcherWorkload.admissionAndRelease(queued: size, operations: count) {
    print(measured.line)
  }
case "dispatcher-cancel":
  if let measured = DispatcherWorkload.cancelInQueue(queued: size, operations: count) {
    print(measured.line)
  }
case "forward": print(forwarding(links: size, messages: count).line)
case "memory": print(unfinishedCalls(channels: size, callsEach: count))
case "replay": print(replays(count: size).line)
case "judged": print(judgedReplays(count: size).line)
case "fork": print(forks(count: size).line)
case "digest": print(digests(count: size).line)
case "fork-memory": print(forkMemory(count: size))
case "replay-chain": print(chainReplays(links: size, count: count).line)
// The size is 1 for a network with a quality, and 0 for one without.
case "replay-quality": print(qualityReplays(hasQuality: size > 0, count: count).line)
case "read":
  let file = arguments[2]
  guard let handle = fopen(file, "r") else { exit(2) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let got = fread(&chunk, 1, chunk.count, handle)
    if got == 0 { break }
    bytes += chunk[..<got]
  }
  print(reading(bytes: bytes, count: count).line)
default: exit(2)
}
