import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux

/// Measures how long it takes to create a whole lab, with two access points and a carrier, and how
/// long to remove it completely.
struct LabBench {
  func run(count: Int) throws {
    let plan = try Self.plan()
    let witness = try Witness()
    var (creation, closing, removal) = (Times(), Times(), Times())
    for _ in 0..<count {
      let begin = monotonicMicroseconds()
      let end = try {
        let lab = try DeviceLab(plan)
        creation.append(monotonicMicroseconds() - begin)
        try witness.join(lab.device, lab.servers)
        let end = monotonicMicroseconds()
        let leaks = lab.close()
        guard leaks.isEmpty else { throw Failed(leaks.joined(separator: "; ")) }
        return end
      }()
      // The lab has no more owner.
      closing.append(monotonicMicroseconds() - end)
      try witness.waitUntilAlone()
      removal.append(monotonicMicroseconds() - end)
    }
    print(creation.line("lab-creation"))
    print(closing.line("lab-close"))
    print(removal.line("lab-removal"))
  }

  private static func plan() throws -> LivePlan {
    var script = Script(beginning: .wifi, hostCount: 1)
    script.move(.cellular)
    script.move(.wifi, path: Script.otherWifiPath)
    return try LivePlan(script)
  }
}

/// A namespace outside the lab that notices when the lab's namespaces are gone: an interface
/// disappears with its far end.
private struct Witness {
  private let links: NetworkController
  private let events: NetworkEvents
  private static let names = ["device", "servers"]

  init() throws {
    links = try NetworkController(in: NetworkNamespace(name: "witness"))
    events = try NetworkEvents(in: links.namespace)
  }

  func join(_ device: NetworkNamespace, _ servers: NetworkNamespace) throws {
    for (name, namespace) in zip(Self.names, [device, servers]) {
      try links.addPair(name, peer: "witness", in: namespace)
    }
  }

  func waitUntilAlone() throws {
    let deadline = monotonicMicroseconds() + 5_000_000
    while try Self.names.contains(where: { try links.link($0) != nil }) {
      let rest = deadline - monotonicMicroseconds()
      guard rest > 0 else { throw Failed("the namespaces of a lab were not removed") }
      _ = try waitReadable([events.descriptor], atMost: rest)
      _ = try events.drain()
    }
  }
}
