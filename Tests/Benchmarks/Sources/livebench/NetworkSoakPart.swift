import Glibc
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux

/// The timelines that one process runs one after the other, with itself as the device.
struct NetworkSoakPart {
  var first: Int
  var step: Int
  var count: Int
  var seconds: ClosedRange<Int>
  var seed: UInt64

  /// The first argument of a worker's command line, which `init` reads.
  static let word = "networks-part"
  var arguments: [String] {
    [Self.word]
      + [first, step, count, seconds.lowerBound, seconds.upperBound, Int(seed)].map(String.init)
  }

  init(first: Int, step: Int, count: Int, seconds: ClosedRange<Int>, seed: UInt64) {
    (self.first, self.step, self.count) = (first, step, count)
    (self.seconds, self.seed) = (seconds, seed)
  }

  init(_ numbers: [Int]) throws {
    guard numbers.count == 6, numbers[3] <= numbers[4] else {
      throw Failed("\(Self.word) is for internal use only")
    }
    self.init(
      first: numbers[0], step: numbers[1], count: numbers[2], seconds: numbers[3]...numbers[4],
      seed: UInt64(numbers[5]))
  }

  /// The maximum delay of the end of a run after its timeline, in microseconds.
  private static let tolerance: Int64 = 1_000_000
  /// The maximum number of simultaneous network namespaces.
  ///
  /// The limit allows for the namespaces of one lab, those of the lab before, which the kernel
  /// removes with a delay, and half as many again.
  private static let namespaceLimit = 18
  /// The maximum growth of the heap in all timelines after the first.
  private static let toleratedBytes = 256 << 10

  func run() throws {
    try limitNamespaces()
    // The first run creates everything that is created once and kept, before anything is counted.
    try report(play(first))
    let before = try Census.settled(atMost: nil)
    for number in 1..<max(1, count) { try report(play(first + number * step)) }
    let after = try Census.settled(atMost: before)
    var leaks: [String] = []
    if after.descriptors > before.descriptors { leaks.append("file descriptors") }
    if after.threads > before.threads { leaks.append("threads") }
    if after.heapBytes - before.heapBytes > Self.toleratedBytes { leaks.append("memory") }
    if waitpid(-1, nil, WNOHANG) >= 0 { leaks.append("processes") }
    guard leaks.isEmpty else {
      throw Failed("\(leaks.joined(separator: ", ")) are left behind: \(before); \(after)")
    }
  }

  /// Makes the kernel refuse a namespace if earlier ones have not been removed.
  private func limitNamespaces() throws {
    let file = open("/proc/sys/user/max_net_namespaces", O_WRONLY)
    guard file >= 0 else { throw Failed("max_net_namespaces: \(errno)") }
    defer { close(file) }
    let text = String(Self.namespaceLimit)
    guard write(file, text, text.utf8.count) == text.utf8.count else {
      throw Failed("max_net_namespaces: \(errno)")
    }
  }

  private func report(_ late: Int64) {
    print(late)
    fflush(nil)
  }

  /// Runs one timeline.
  ///
  /// - Returns: The delay of the end of the run after its timeline, in microseconds.
  private func play(_ number: Int) throws -> Int64 {
    var drawn = DrawnNetworks(seed: seed &+ UInt64(number), seconds: seconds)
    let script = drawn.script()
    let loop = "while :; do curl -sN --max-time 2 http://$HANDOVER_SERVER/stream; done"
    var run = ProgramRun(
      script, command: ["sh", "-c", "(\(loop)) >/dev/null 2>&1"],
      environment: Environment.forOtherPrograms)
    let end = Instant.zero + .seconds(Int64(drawn.seconds))
    run.until = end
    var started = monotonicMicroseconds()
    let outcome = try run.run(LivePlan(script), interruption: try WakeupPipe()) { _, event in
      if event == .started { started = monotonicMicroseconds() }
    }
    let late = monotonicMicroseconds() - started - end.microseconds
    let name = "timeline \(number) of seed \(seed)"
    guard outcome.timedOut, outcome.leaks.isEmpty else {
      throw Failed("\(name): \(outcome.end) \(outcome.leaks)")
    }
    guard late <= Self.tolerance else { throw Failed("\(name) ended \(late / 1_000) ms late") }
    let left = try leftSockets()
    guard left.isEmpty else { throw Failed("\(name) left sockets behind: \(left)") }
    return late
  }

  /// Returns the TCP sockets of the device, except those in TIME_WAIT.
  private func leftSockets() throws -> [String] {
    guard let file = fopen("/proc/self/net/tcp", "r") else { throw Failed("no /proc/self/net/tcp") }
    defer { fclose(file) }
    var room = [CChar](repeating: 0, count: 512)
    var left: [String] = []
    while fgets(&room, Int32(room.count), file) != nil {
      let line = String(
        decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let words = line.split(separator: " ")
      guard words.count > 3, words[0] != "sl", words[3] != "06" else { continue }
      left.append("\(words[1])-\(words[2]) in state \(words[3])")
    }
    return left
  }
}
