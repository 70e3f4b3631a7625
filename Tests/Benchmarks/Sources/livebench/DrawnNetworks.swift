import HandoverBackend
import HandoverCore

/// Generates random changes of three networks that never contradict the state before them.
struct DrawnNetworks {
  private static let paths = (lte: PathIndex(1), home: PathIndex(2), cafe: PathIndex(3))

  private var generator: SeededGenerator
  /// The length of the timeline.
  let seconds: Int
  private var device: Device
  private var base = Script()
  private var captive = PathSet()

  init(seed: UInt64, seconds: ClosedRange<Int>) {
    generator = SeededGenerator(seed: seed)
    let more = generator.next(upToAndIncluding: UInt64(seconds.upperBound - seconds.lowerBound))
    self.seconds = seconds.lowerBound + Int(more)
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

  /// Returns a timeline of ten to thirty entries.
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
    if device.stateAfterWake != nil {
      device.stateAfterWake = nil
      return .power(.wake(newAddress: below(2) == 0))
    }
    if below(12) == 0 {
      device.stateAfterWake = .foreground
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
    case 3: return .nat(NATChange.allCases[below(3)], UnknownFlows.allCases[below(2)], every: nil)
    case 4: return .roam(RoamChange.allCases[below(3)], .drop)
    case 5: return .uplink(isUp: false, lasts: .milliseconds(200), every: nil)
    case 6: return .loss(DirectionalLoss.allCases[below(3)])
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
