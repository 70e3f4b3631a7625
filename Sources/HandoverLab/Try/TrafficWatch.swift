import Glibc
import HandoverCore
import HandoverLinux
import HandoverTry
import Synchronization

/// Looks at the packets of a lab's device and of its servers, and at the device's table of sockets,
/// while a program lives there.
final class TrafficWatch: Sendable {
  private let lab: DeviceLab
  private let device: Side
  private let servers: Side
  private let wakening: Wakening
  /// Woken whenever payload has come.
  let news: Wakening
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)
  private let start: Int64

  /// How far apart two looks at the table of sockets are, in microseconds.
  private static let period: Int64 = 100_000

  /// Where packets are seen.
  private final class Side: Sendable {
    let socket: PacketSocket
    let loopback: Int32

    init(_ namespace: NetworkNamespace) throws(LinuxError) {
      loopback = try NetworkController(in: namespace).link("lo")?.index ?? 0
      socket = try PacketSocket(in: namespace, .both, keepsSegments: false)
    }
  }

  /// What was seen so far.
  struct State: Sendable {
    var device: FlowTable
    var servers: FlowTable
    var sockets = SocketHistory()
    var isClosed = false
  }

  /// Begins to look; instants count from here.
  init(_ lab: DeviceLab) throws(LinuxError) {
    self.lab = lab
    start = monotonicMicroseconds()
    device = try Side(lab.device)
    servers = try Side(lab.servers)
    wakening = try Wakening()
    news = try Wakening()
    state = Mutex(
      State(device: FlowTable(isLocal: Self.isDevice), servers: FlowTable(isLocal: Self.isDevice)))
    let thread = try OSThread.start { self.look() }
    self.thread.withLock { $0 = thread }
  }

  /// Time since the watch began.
  var now: Instant { instant(of: monotonicMicroseconds()) }

  /// The time on the monotonic clock, as this watch counts it.
  func instant(of microseconds: Int64) -> Instant { Instant(microseconds: microseconds - start) }

  /// What was seen until now.
  var seen: State { state.withLock { $0 } }

  /// Ends the looking.
  func close() {
    state.withLock { $0.isClosed = true }
    wakening.signal()
    thread.withLock { $0.take() }?.join()
  }

  @Sendable private static func isDevice(_ address: HostAddress) -> Bool {
    guard let address = IPAddress(address.bytes) else { return false }
    return DeviceLab.isOfDevice(address.unmapped)
  }

  private func look() {
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    var nextLook: Int64 = 0
    while !state.withLock({ $0.isClosed }) {
      let clock = monotonicMicroseconds()
      if clock >= nextLook {
        lookAtSockets()
        nextLook = clock + Self.period
      }
      do throws(LinuxError) {
        _ = try waitReadable(
          [wakening.descriptor, device.socket.number, servers.socket.number],
          atMost: nextLook - clock)
        try takeFrames(&room)
      } catch {
        return
      }
    }
  }

  private func lookAtSockets() {
    // A table that cannot be read now is read the next time.
    guard let connections = try? lab.connections() else { return }
    let at = now
    let ports = connections.filter(\.isHeld).map(\.localPort)
    state.withLock { $0.sockets.note(heldPorts: ports, at: at) }
  }

  private func takeFrames(_ room: inout [UInt8]) throws(LinuxError) {
    let isNews = try state.withLock { state throws(LinuxError) -> Bool in
      let before = state.device.payloadCount
      while let packet = try Self.receive(device, &room) {
        if let packet = packet.packet { state.device.handle(packet, at: now) }
      }
      while let packet = try Self.receive(servers, &room) {
        if let packet = packet.packet { state.servers.handle(packet, at: now) }
      }
      return state.device.payloadCount > before
    }
    if isNews { news.signal() }
  }

  private struct Received {
    /// Nil where the frame holds nothing that is looked at.
    var packet: ObservedPacket?
  }

  private static func receive(
    _ side: Side, _ room: inout [UInt8]
  ) throws(LinuxError) -> Received? {
    guard let frame = try side.socket.receive(into: &room) else { return nil }
    guard frame.interface != side.loopback else { return Received(packet: nil) }
    return Received(packet: ObservedPacket(frame: room[..<frame.length]))
  }
}
