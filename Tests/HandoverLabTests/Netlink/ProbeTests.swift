import HandoverCore
import HandoverLinux
import HandoverNetlink
import Synchronization
import Testing

@Suite("Reading reachability", .enabled(if: namespacesAreMissing == nil))
struct ProbeTests {
  let network: DeviceNetwork
  let probe: ReachabilityProbe

  init() throws {
    network = try DeviceNetwork()
    probe = try ReachabilityProbe(in: network.device.namespace)
  }

  /// Returns the flags as text, and the route of packets.
  private func state() throws -> String {
    let reading = try probe.read()
    let way = reading.path.map { " \($0.interface) \($0.gateway?.description ?? "-")" }
    return reading.flags.logText + (way ?? "")
  }

  private static let cellular = "WR ------- wwan0 10.64.0.1"
  private static let wifi = "-R ------- wlan0 192.168.1.1"

  @Test("The state follows the networks: none, cellular, WiFi, both, and back")
  func transitions() throws {
    #expect(try state() == "-- -------")
    try network.join(.cellular)
    #expect(try state() == Self.cellular)
    // With both networks, the metric decides.
    try network.join(.wifi)
    #expect(try state() == Self.wifi)
    try network.leave(.cellular)
    #expect(try state() == Self.wifi)
    try network.leave(.wifi)
    #expect(try state() == "-- -------")
  }

  @Test("A device that changes between two networks always has one")
  func moves() throws {
    try network.join(.cellular)
    #expect(try readingsOfMoves() == ["-R ------- wlan0", "WR ------- wwan0"])
  }

  @Test("A network that comes and goes is never read as a route without its interface")
  func comingAndGoing() throws {
    #expect(try readingsOfMoves() == ["-- ------- -", "-R ------- wlan0"])
  }

  /// Returns the different readings of a thread that reads while the device joins and leaves WiFi.
  private func readingsOfMoves() throws -> [String] {
    // At least this many changes, and more until two readings were seen: on a busy machine the
    // thread may start late.
    let moves = 100
    let mostMoves = 10_000
    let (network, probe) = (network, probe)
    let isOver = Atomic(false)
    let seen = Mutex<[String: Int]>([:])
    let reader = try OSThread.start {
      while !isOver.load(ordering: .acquiring) {
        let reading = (try? probe.read()).map { "\($0.flags.logText) \($0.path?.interface ?? "-")" }
        seen.withLock { $0[reading ?? "failed", default: 0] += 1 }
      }
    }
    let moved = Result {
      for move in 0..<mostMoves {
        if move >= moves, seen.withLock({ $0.count }) >= 2 { break }
        try network.join(.wifi)
        try network.leave(.wifi)
      }
    }
    isOver.store(true, ordering: .releasing)
    reader.join()
    try moved.get()
    return seen.withLock { $0.keys.sorted() }
  }

  @Test("A route is read again if its interface went down and came back between the queries")
  func interfaceBetweenQueries() throws {
    let hop = NetworkController.NextHop(interface: 2, gateway: IPAddress(192, 168, 1, 1))
    let down = NetworkInterface(index: 2, name: "wlan0", isUp: false, hasCarrier: false)
    let up = NetworkInterface(index: 2, name: "wlan0")
    var links = [down, down, up]
    let route = try NetworkController.consistentRoute(
      nextHop: { () throws(LinuxError) in hop },
      link: { (_) throws(LinuxError) in links.removeFirst() })
    #expect(route == Route(interface: up, gateway: hop.gateway, source: nil))
    #expect(links.isEmpty)
  }

  @Test("The number of attempts to read a route is limited")
  func attempts() throws {
    let hop = NetworkController.NextHop(interface: 2)
    let down = NetworkInterface(index: 2, name: "wlan0", isUp: false, hasCarrier: false)
    var queryCount = 0
    let route = try NetworkController.consistentRoute(
      nextHop: { () throws(LinuxError) in hop },
      link: { (_) throws(LinuxError) in
        queryCount += 1
        return down
      })
    #expect(route == Route(interface: down, gateway: nil, source: nil))
    #expect(queryCount == NetworkController.mostReadings)
  }

  @Test("A network on a documentation range is no route to other addresses")
  func documentationRange() throws {
    let own = IPNetwork(IPAddress(192, 0, 2, 7), prefixLength: 24)
    try network.device.addAddress(own, to: "wlan0")
    try network.device.setLink("wlan0", up: true)
    #expect(try state() == "-- -------")
    try network.device.addRoute(
      .init(to: .allAddresses(of: .v4), by: "wlan0", via: IPAddress(192, 0, 2, 1)))
    #expect(try state() == "-R ------- wlan0 192.0.2.1")
  }

  @Test("A dormant interface needs a connection first")
  func dormancy() throws {
    try network.join(.cellular)
    try network.device.setLink("wwan0", dormant: true)
    #expect(try state() == "WR -c----- wwan0 10.64.0.1")
    #expect(try probe.read().category == .noNetwork)
    try network.device.setLink("wwan0", dormant: false)
    #expect(try state() == Self.cellular)
  }

  @Test("A lost carrier means no network, although the kernel still has a route")
  func carrier() throws {
    try network.join(.wifi)
    try network.far.setLink("wlan0-far", up: false)
    #expect(try state() == "-- ------- wlan0 192.168.1.1")
    try network.far.setLink("wlan0-far", up: true)
    #expect(try state() == Self.wifi)
  }

  @Test("If a route or the last address is removed, the network is gone")
  func removal() throws {
    try network.join(.wifi)
    try network.device.removeRoute(network.route(.wifi))
    #expect(try state() == "-- -------")
    try network.device.addRoute(network.route(.wifi))
    #expect(try state() == Self.wifi)
    try network.device.removeAddress(DeviceNetwork.Medium.wifi.own, from: "wlan0")
    #expect(try state() == "-- -------")
  }

  @Test("IPv6 is read separately")
  func version6() throws {
    let target = try #require(IPAddress("2001:db8::1"))
    let own = try #require(IPAddress("fd00::2"))
    let gateway = try #require(IPAddress("fd00::1"))
    let probe = try ReachabilityProbe(target: target, in: network.device.namespace)
    try network.join(.wifi)
    #expect(try probe.read() == ReachabilityReading(flags: []))
    try network.device.setLink("wwan0", up: true)
    try network.device.addAddress(IPNetwork(own, prefixLength: 64), to: "wwan0")
    _ = try probe.drain()
    try network.device.addRoute(
      .init(to: .allAddresses(of: .v6), by: "wwan0", via: gateway, metric: 9))
    #expect(try waitReadable([probe.descriptor], atMost: 60_000_000) == [true])
    let reading = try probe.read()
    #expect(reading.flags == [.reachable, .isWWAN])
    #expect(reading.path?.gateway == gateway)
    try network.device.setLink("wwan0", up: false)
    #expect(try probe.read().category == .noNetwork)
  }

  @Test("Lost events are reported as lost, with one new reading")
  func overrun() throws {
    try network.join(.cellular)
    let ending = try WakeupPipe()
    var causes: [ReachabilityChange.Cause] = []
    try probe.follow(until: ending, deadline: monotonicMicroseconds() + 600_000_000) { change in
      causes.append(change.cause)
      // The events overflow, because none is read during this loop.
      if change.cause == .initial { for _ in 0..<4_000 { flip() } }
      return change.cause == .initial
    }
    #expect(causes == [.initial, .resynchronized])
  }

  /// Makes a change and reverses it.
  private func flip() {
    do {
      try network.join(.wifi)
      try network.leave(.wifi)
    } catch {
      Issue.record(error)
    }
  }

  @Test("The watch ends at its deadline, and immediately when requested")
  func ends() throws {
    let ending = try WakeupPipe()
    var count = 0
    let start = monotonicMicroseconds()
    try probe.follow(until: ending, deadline: start + 10_000) { _ in
      count += 1
      return true
    }
    #expect(count == 1 && monotonicMicroseconds() - start >= 10_000)
    ending.signal()
    try probe.follow(until: ending) { _ in true }
  }
}
