import Glibc
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverNetlink
import Synchronization

/// Measures the time from an interface change to the callback with the new category, compared with
/// `ip -ts monitor link` in the same namespace.
///
/// The WiFi interface goes down, and the kernel removes its routes, so that only the cellular route
/// is left. Then the interface comes up again and gets its route back.
struct CategoryBench {
  private let lab: DeviceLab
  private let links: NetworkController
  private let wifi: NetworkController.RouteSettings
  private let wifiInterface: String

  init() throws {
    var script = Script(beginning: .cellular, hostCount: 1)
    script.move(.wifi)
    let plan = try LivePlan(script)
    lab = try DeviceLab(plan)
    links = try NetworkController(in: lab.device)
    let cellular = try Self.defaultRoute(of: lab, metric: 700)
    var device = plan.device
    _ = device.apply(.wifi, path: nil, up: [], down: [])
    try lab.apply(device)
    wifi = try Self.defaultRoute(of: lab, metric: 600)
    wifiInterface = wifi.interface ?? ""
    // Cellular stays up next to WiFi. Its route has a higher metric, so it is used only when WiFi
    // is down.
    try links.addRoute(cellular)
  }

  private static func defaultRoute(
    of lab: DeviceLab, metric: UInt32
  ) throws -> NetworkController.RouteSettings {
    guard let route = try lab.route(to: DeviceLab.watchedAddress) else {
      throw Failed("the lab has no default route")
    }
    return NetworkController.RouteSettings(
      to: .allAddresses(of: .v4), by: route.interface.name, via: route.gateway, metric: metric)
  }

  func run(flips: Int) throws {
    let probe = try ReachabilityProbe(target: DeviceLab.watchedAddress, in: lab.device)
    let ear = try Ear(probe)
    let peer = try MonitorPeer(in: lab.device)
    // The peer is listening once it has written something. Some machines do not have the program.
    for _ in 0..<100 where try !peer.hasWritten {
      _ = try goDown(ear)
      _ = try comeUp(ear)
    }
    var (down, up, theirs) = (Times(), Times(), [Int64]())
    for _ in 0..<flips {
      theirs.append(MonitorPeer.timeOfDay)
      down.append(try goDown(ear))
      up.append(try comeUp(ear))
    }
    print(down.line("category-down"))
    if let times = try peer.end(linkDown: wifiInterface, after: theirs) {
      print(times.line("ip-monitor-down"))
    }
    print(up.line("category-up"))
  }

  private func goDown(_ ear: Ear) throws -> Int64 {
    let before = monotonicMicroseconds()
    try links.setLink(wifiInterface, up: false)
    return try ear.wait(for: .cellular) - before
  }

  private func comeUp(_ ear: Ear) throws -> Int64 {
    let before = monotonicMicroseconds()
    try links.setLink(wifiInterface, up: true)
    try links.setRoute(wifi)
    return try ear.wait(for: .wifi) - before
  }
}

/// Records the categories of callbacks, with their times.
private final class Ear: Sendable {
  private let received: ObservedChanges
  private let watcher: ReachabilityWatcher

  private final class ObservedChanges: Sendable {
    let last = Mutex<(category: NetworkCategory, at: Int64)?>(nil)
    let wakeup: WakeupPipe

    init() throws(LinuxError) { wakeup = try WakeupPipe() }
  }

  init(_ probe: ReachabilityProbe) throws {
    let received = try ObservedChanges()
    self.received = received
    watcher = try ReachabilityWatcher(probe) { change in
      let now = monotonicMicroseconds()
      guard case .success(let change) = change else { return }
      let category = change.reading.category
      received.last.withLock { last in
        if last?.category != category { last = (category, now) }
      }
      received.wakeup.signal()
    }
  }

  /// Waits for a category and returns the time of its callback.
  ///
  /// The category must differ from the one before.
  func wait(for category: NetworkCategory) throws -> Int64 {
    let deadline = monotonicMicroseconds() + 5_000_000
    while true {
      if let last = received.last.withLock({ $0 }), last.category == category { return last.at }
      let rest = deadline - monotonicMicroseconds()
      guard rest > 0 else { throw Failed("no callback with \(category)") }
      _ = try waitReadable([received.wakeup.descriptor], atMost: rest)
      received.wakeup.clear()
    }
  }
}

/// `ip -ts monitor link` in the device's namespace, with the times at which it received events.
private struct MonitorPeer: ~Copyable {
  private let process: ChildProcess?
  private let output: Descriptor

  private static let microsecondsOfDay: Int64 = 86_400_000_000

  init(in namespace: NetworkNamespace) throws {
    guard let file = tmpfile() else { throw Failed("cannot create a temporary file") }
    defer { fclose(file) }
    output = Descriptor(owning: dup(fileno(file)))
    // The peer prints wall-clock times.
    let environment = Environment.current.filter { !$0.hasPrefix("TZ=") } + ["TZ=UTC"]
    process = try? ChildProcess.start(
      ["ip", "-ts", "-o", "monitor", "link"], environment: environment, in: namespace,
      output: output.number)
  }

  deinit { process?.signal(SIGKILL) }

  /// The wall-clock time since midnight, UTC.
  static var timeOfDay: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) % 86_400 * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }

  /// Whether the peer has written anything.
  ///
  /// Also true if there is no peer, so that no caller waits for it.
  var hasWritten: Bool {
    get throws {
      guard let process else { return true }
      if try process.checkForEnd() != nil { throw Failed("ip monitor ended by itself") }
      return lseek(output.number, 0, SEEK_END) > 0
    }
  }

  /// Ends the peer and returns how long after each of the given times it received the link-down
  /// event, or `nil` if the program does not exist.
  func end(linkDown interface: String, after times: [Int64]) throws -> Times? {
    guard let process, let last = times.last else { return nil }
    let deadline = monotonicMicroseconds() + 2_000_000
    var received: [Int64] = []
    repeat {
      received = text.split(separator: "\n").compactMap { Self.timeOfDown(interface, $0) }
      if let latest = received.last, Self.since(last, latest) >= 0 { break }
      _ = try waitReadable([], atMost: 1_000)
    } while monotonicMicroseconds() < deadline
    process.signal(SIGTERM)
    _ = try process.wait()
    // Each time has one event. Earlier events, from rounds that are not measured, come first.
    guard received.count >= times.count else { throw Failed("ip monitor has missed events") }
    var found = Times()
    for (time, news) in zip(times, received.suffix(times.count)) {
      found.append(Self.since(time, news))
    }
    return found
  }

  private static func since(_ start: Int64, _ end: Int64) -> Int64 {
    let difference = end - start
    return difference < -microsecondsOfDay / 2 ? difference + microsecondsOfDay : difference
  }

  /// Returns the time of a line such as `[2026-11-21T23:28:28.410675] 3: wlan0@if2: <BROADCAST>
  /// ...` if it reports the interface without the flag UP.
  private static func timeOfDown(_ interface: String, _ line: Substring) -> Int64? {
    // The parts are the text before the flags, the flags, and the text after them.
    let parts = line.split(whereSeparator: { $0 == "<" || $0 == ">" })
    guard parts.count > 1, parts[0].contains(": \(interface)@"),
      !parts[1].split(separator: ",").contains("UP")
    else { return nil }
    let digits = line.dropFirst(12).prefix(15)
      .split(whereSeparator: { $0 == ":" || $0 == "." }).compactMap { Int64($0) }
    guard digits.count == 4 else { return nil }
    return ((digits[0] * 60 + digits[1]) * 60 + digits[2]) * 1_000_000 + digits[3]
  }

  private var text: String {
    lseek(output.number, 0, SEEK_SET)
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(output.number, &room, room.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += room[..<count]
    }
  }
}
