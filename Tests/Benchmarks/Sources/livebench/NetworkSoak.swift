import Glibc
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux

/// Plays random time lines of networks around a program that has traffic all the time; each must
/// end in time, and leave nothing behind.
struct NetworkSoak {
  var count: Int
  var seconds: Int
  var seed: UInt64

  /// How much later than its time line a run may end, in microseconds.
  private static let tolerance: Int64 = 1_000_000

  func run() throws {
    print("seed \(seed)")
    // What is made once and kept is made before anything is counted.
    try play(0)
    let before = try Census.settled(atMost: nil)
    print("before            \(before)")
    var longest: Int64 = 0
    for number in 1...count { longest = max(longest, try play(number)) }
    let after = try Census.settled(atMost: before)
    print("after \(count) time lines \(after)")
    print("the longest ended \(longest / 1_000) ms after its time line")
    guard after.descriptors <= before.descriptors, after.threads <= before.threads else {
      throw Failed("there is a leak")
    }
    print("nothing is left behind")
  }

  /// Plays one.
  ///
  /// - Returns: how much later than its time line it ended, in microseconds.
  @discardableResult
  private func play(_ number: Int) throws -> Int64 {
    var drawn = DrawnNetworks(seed: seed &+ UInt64(number), seconds: seconds)
    let script = drawn.script()
    let loop = "while :; do curl -sN --max-time 2 http://$HANDOVER_SERVER/stream; done"
    var run = ForeignRun(
      script, command: ["sh", "-c", "(\(loop)) >/dev/null 2>&1"],
      environment: Environment.current)
    let end = Instant.zero + .seconds(Int64(seconds))
    run.until = end
    let begin = monotonicMicroseconds()
    var started = begin
    let outcome = try run.run(LivePlan(script), interruption: try Wakening()) { _, event in
      if event == .started { started = monotonicMicroseconds() }
    }
    let late = monotonicMicroseconds() - started - end.microseconds
    guard outcome.timeWasOver, outcome.leaks.isEmpty else {
      throw Failed("time line \(number) of seed \(seed): \(outcome.end) \(outcome.leaks)")
    }
    guard late <= Self.tolerance else {
      throw Failed("time line \(number) of seed \(seed) ended \(late / 1_000) ms late")
    }
    return late
  }
}

/// Draws what becomes of three networks, never anything that contradicts what was before.
private struct DrawnNetworks {
  private static let paths = (lte: PathIndex(1), home: PathIndex(2), cafe: PathIndex(3))

  private var generator: SeededGenerator
  private let seconds: Int
  private var device: Device
  private var base = Script()
  private var captive = PathSet()

  init(seed: UInt64, seconds: Int) {
    generator = SeededGenerator(seed: seed)
    self.seconds = seconds
    base.paths = ["wifi", "cellular", "home", "cafe"]
    base.hosts = [ScriptHost(written: "host.example:443")]
    base.networks = [
      ScriptNetwork(Self.paths.home, .wifi), ScriptNetwork(Self.paths.cafe, .wifi),
      ScriptNetwork(Self.paths.lte, .cellular),
    ]
    base.initial.networksUp = PathSet(Self.paths.home)
    base.initial.path = Self.paths.home
    device = Device(base.initial)
  }

  /// A time line of ten to thirty entries.
  mutating func script() -> Script {
    var script = base
    let count = 10 + below(21)
    let times = (0..<count).map { _ in Int64(below(seconds * 1_000)) }.sorted()
    for time in times {
      script.entries.append(
        ScriptEntry(at: .zero + .milliseconds(time), action: action()))
    }
    return script
  }

  private mutating func below(_ limit: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(limit - 1)))
  }

  private mutating func action() -> ScriptAction {
    if device.wakesTo != nil {
      device.wakesTo = nil
      return .power(.wake(newAddress: below(2) == 0))
    }
    if below(12) == 0 {
      device.wakesTo = .foreground
      return .power(.sleep)
    }
    let all = [Self.paths.home, Self.paths.cafe, Self.paths.lte]
    let path = all[below(all.count)]
    guard path == device.path || device.keptAlive.contains(path) else {
      _ = device.bringUp(path)
      return .network(path, .up, signal: nil)
    }
    return .network(path, change(of: path), signal: nil)
  }

  private mutating func change(of path: PathIndex) -> NetworkAction {
    switch below(10) {
    case 0 where path != device.path, 1 where path != device.path:
      _ = device.makeDefault(path, base.network(of: path)?.flags ?? [])
      return .makeDefault
    case 2:
      _ = device.takeDown(path)
      return .down([nil, .silent, .reset][below(3)])
    case 3: return .nat(NATWord.allCases[below(3)], UnknownFlows.allCases[below(2)], every: nil)
    case 4: return .roam(RoamWord.allCases[below(3)], .drop)
    case 5: return .uplink(isUp: false, lasts: .milliseconds(200), every: nil)
    case 6: return .loss(LossWord.allCases[below(3)])
    case 7 where captive.contains(path):
      captive.remove(PathSet(path))
      return .validated
    case 7:
      captive.insert(PathSet(path))
      return .captive
    default: return .quality(quality())
    }
  }

  private mutating func quality() -> LinkQuality {
    var quality = LinkQuality()
    quality.delay = .milliseconds(Int64(below(60)))
    if below(2) == 0 { quality.bitsPerSecond = Int64(1 + below(20)) * 1_000_000 }
    if below(2) == 0 {
      quality.lossPerMillion = UInt32(below(100_000))
      quality.burst = UInt32(1 + below(5))
    }
    if below(3) == 0 { quality.reorderPerMillion = UInt32(below(50_000)) }
    if below(3) == 0 { quality.mtu = UInt16(576 + below(900)) }
    quality.mtuSignal = MTUSignal.allCases[below(2)]
    quality.direction = LinkDirection.allCases[below(3)]
    return quality
  }
}
