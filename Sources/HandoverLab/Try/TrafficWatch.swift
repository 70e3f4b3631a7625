import Glibc
import HandoverCore
import HandoverLinux
import HandoverTry
import Synchronization

/// Observes a program in a lab: the packets of the device and of the servers, the device's table of
/// sockets, and its kernel counters.
final class TrafficWatch: Sendable {
  private let lab: DeviceLab
  private let device: Side
  private let servers: Side
  private let counters: NamespaceCounters
  private let ticks: StandstillWatch
  private let wakeup: WakeupPipe
  /// Signaled when application data has arrived.
  let news: WakeupPipe
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)
  private let start: Int64

  /// The socket that captures the packets of a namespace.
  private final class Side: Sendable {
    let socket: PacketSocket
    let loopback: Int32

    init(_ namespace: NetworkNamespace) throws(LinuxError) {
      loopback = try NetworkController(in: namespace).link("lo")?.index ?? 0
      socket = try PacketSocket(in: namespace, .both, keepsSegments: false)
    }
  }

  /// The observations so far.
  struct State: Sendable {
    var device: FlowTable
    var servers: FlowTable
    var sockets = SocketHistory()
    var unframedAttempts: [UnframedAttempts] = []
    /// The latest counters of packets without a route.
    fileprivate var unrouted = Unrouted()
    /// The latest table of connections.
    fileprivate var connections: [TCPConnection] = []
    /// The packets that connections sent most recently and that no counter showed yet.
    fileprivate var early = Unrouted()
    fileprivate(set) var standstills: [Standstill] = []
    var isClosed = false
  }

  /// Starts to observe.
  ///
  /// Instants count from here.
  init(_ lab: DeviceLab) throws(LinuxError) {
    self.lab = lab
    start = monotonicMicroseconds()
    device = try Side(lab.device)
    servers = try Side(lab.servers)
    counters = try NamespaceCounters(in: lab.device)
    wakeup = try WakeupPipe()
    news = try WakeupPipe()
    let uplinks = lab.networks.compactMap { $0 }.flatMap {
      [$0.uplinkOfServers, $0.uplinkOfServers6]
    }
    var state = State(
      device: FlowTable(isLocal: Self.isDevice),
      servers: FlowTable(
        ownAddresses: uplinks.compactMap { HostAddress($0.bytes) }, isLocal: Self.isDevice))
    state.unrouted = Unrouted(try counters.read())
    self.state = Mutex(state)
    ticks = try StandstillWatch(shortest: 500_000)
    let thread = try OSThread.start { self.watch() }
    self.thread.withLock { $0 = thread }
  }

  /// The time since the start of the observation.
  var now: Instant { instant(of: monotonicMicroseconds()) }

  /// Converts a time on the monotonic clock to an instant of this observation.
  func instant(of microseconds: Int64) -> Instant { Instant(microseconds: microseconds - start) }

  /// The observations until now.
  ///
  /// Frames that have arrived are included, even if the thread has not handled them yet. On a busy
  /// machine it may be late, and the last answer before the end of the program would be missing.
  var seen: State {
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    // If this fails, it has also ended the thread, and what was observed before remains.
    try? takeFrames(&room)
    var seen = state.withLock { $0 }
    seen.standstills = ticks.spans.map {
      Standstill(from: instant(of: $0.from), to: instant(of: $0.to))
    }
    return seen
  }

  /// Stops observing.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
    ticks.close()
  }

  @Sendable private static func isDevice(_ address: HostAddress) -> Bool {
    guard let address = IPAddress(address.bytes) else { return false }
    return DeviceLab.isDeviceAddress(address.unmapped)
  }

  private func watch() {
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    var schedule = CheckSchedule()
    while !state.withLock({ $0.isClosed }) {
      let clock = monotonicMicroseconds()
      if clock >= schedule.next {
        check(readsCounters: schedule.begin(at: clock))
        schedule.end(at: monotonicMicroseconds(), began: clock)
      }
      do throws(LinuxError) {
        _ = try waitReadable(
          [wakeup.descriptor, device.socket.number, servers.socket.number],
          atMost: schedule.next - clock)
        try takeFrames(&room)
      } catch {
        return
      }
    }
  }

  /// Records the open connections, and the attempts that the kernel rejected since the counters
  /// were last read because it had no route.
  ///
  /// No frame shows such attempts. What cannot be read now is read the next time.
  private func check(readsCounters: Bool) {
    let counters = readsCounters ? try? counters.read() : nil
    guard let connections = try? lab.connections() else { return }
    let at = now
    let held = connections.filter(\.isHeld).compactMap(\.ends)
    state.withLock { state in
      state.sockets.note(held: held, at: at)
      guard let unrouted = counters.map(Unrouted.init) else { return }
      let sent = Unrouted(sentBetween: state.connections, connections)
      let attempts = state.unrouted.attempts(until: unrouted, sent, early: &state.early)
      (state.unrouted, state.connections) = (unrouted, connections)
      guard attempts > 0 else { return }
      state.unframedAttempts.append(UnframedAttempts(at: at, count: attempts))
    }
  }

  /// The number of packets for which the kernel had no route, per family.
  struct Unrouted: Hashable, Sendable {
    var v4: Int64 = 0
    var v6: Int64 = 0

    init() {}

    init(_ counters: [String: Int64]) {
      v4 = counters["Ip.OutNoRoutes"] ?? 0
      v6 = counters["Ip6OutNoRoutes"] ?? 0
    }

    /// Counts the packets that known connections tried to send between two checks.
    ///
    /// Without a route the kernel counts each of them: data of the program, the end of the
    /// connection, and what the kernel repeats.
    init(sentBetween earlier: [TCPConnection], _ now: [TCPConnection]) {
      let known = Dictionary(earlier.map { ($0.ends, $0) }) { first, _ in first }  // lookup only
      for connection in now {
        guard let before = known[connection.ends] else { continue }
        let isNew = connection.unacknowledged > before.unacknowledged
        let count =
          Int64(max(0, connection.repetitions - before.repetitions)) + (isNew ? 1 : 0)
          + (before.isHeld && !connection.isHeld ? 1 : 0)
        if connection.localAddress.bytes.count == 4 { v4 += count } else { v6 += count }
      }
    }

    /// Returns the minimum number of connection attempts that explain the packets until a later
    /// count.
    ///
    /// An attempt may use both families, and the resolver of the C library queries each name server
    /// twice. Therefore two packets of one family count as one attempt.
    ///
    /// - Parameters:
    ///   - later: The later count.
    ///   - sent: The packets that known connections tried to send meanwhile.
    ///   - early: The packets in `sent` that this count, or the previous one, did not contain yet.
    /// - Returns: The number of attempts.
    func attempts(until later: Unrouted, _ sent: Unrouted, early: inout Unrouted) -> Int {
      func rest(_ count: Int64, _ sent: Int64, _ early: inout Int64) -> Int64 {
        let known = sent + early
        // A packet counts at most one check later than the connection shows it.
        early = min(sent, max(0, known - count))
        return max(0, count - known)
      }
      let rests = (
        rest(later.v4 - v4, sent.v4, &early.v4), rest(later.v6 - v6, sent.v6, &early.v6)
      )
      return Int((max(rests.0, rests.1) + 1) / 2)
    }
  }

  private func takeFrames(_ room: inout [UInt8]) throws(LinuxError) {
    let isNews = try state.withLock { state throws(LinuxError) -> Bool in
      let before = state.device.payloadCount
      while let packet = try Self.receive(device, &room) {
        switch packet {
        case .packet(let packet): state.device.handle(packet, at: now)
        case .error(let error): state.device.handle(error, at: now)
        case .other: break
        }
      }
      while let packet = try Self.receive(servers, &room) {
        if case .packet(let packet) = packet { state.servers.handle(packet, at: now) }
      }
      return state.device.payloadCount > before
    }
    if isNews { news.signal() }
  }

  private enum Received {
    case packet(ObservedPacket)
    case error(ObservedError)
    /// A frame that is not evaluated.
    case other
  }

  private static func receive(
    _ side: Side, _ room: inout [UInt8]
  ) throws(LinuxError) -> Received? {
    guard let frame = try side.socket.receive(into: &room) else { return nil }
    guard frame.interface != side.loopback else { return .other }
    let bytes = room[..<frame.length]
    if let packet = ObservedPacket(frame: bytes) { return .packet(packet) }
    return ObservedError(frame: bytes).map(Received.error) ?? .other
  }
}
