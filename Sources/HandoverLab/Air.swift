import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization

/// The air between the device and the routers: carries frames from the far end of each device
/// interface to the routers it has joined, and back.
///
/// To be on another access point is to have joined another router here; the device's interfaces
/// hear nothing of it. One thread carries everything. What is asked of the air holds for the next
/// frame: whoever asks waits until the thread has the frames of before out of its hands.
final class Air: Sendable {
  /// Where frames come in and go out: the far end of an interface.
  private struct Port {
    /// The number of the interface.
    var interface: Int32
    /// What the frames run over.
    var medium: LivePlan.Medium
    /// The network whose router is there; nil where the device is.
    var network: AccessNetwork?
  }

  private let ports: [Port]
  private let handshakes: Handshakes
  // One socket for all of them: closing one takes the kernel as long as closing many at once.
  private let socket: PacketSocket
  private let wakening: Wakening
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)

  /// How many frames are carried before those that have waited are looked at again.
  private static let batch = 64

  /// The name of the far end of a router's interface.
  static func farEnd(of network: AccessNetwork) -> String { "ap\(network.number)" }

  /// Takes the interfaces of a namespace: the far ends of the device's and of each router's.
  init(
    _ controller: NetworkController, _ networks: [AccessNetwork], handshakes: Handshakes,
    seed: UInt64
  ) throws(LinuxError) {
    self.handshakes = handshakes
    var ports: [Port] = []
    func add(
      _ name: String, _ medium: LivePlan.Medium, _ network: AccessNetwork?
    ) throws(LinuxError) {
      guard let link = try controller.link(name) else {
        throw LinuxError(call: "get link \(name)", errno: ENODEV)
      }
      ports.append(Port(interface: link.index, medium: medium, network: network))
    }
    for medium in LivePlan.Medium.allCases { try add(medium.interface, medium, nil) }
    for network in networks { try add(Self.farEnd(of: network), network.medium, network) }
    self.ports = ports
    // Large segments and partial checksums must survive, or every byte would be copied twice.
    socket = try PacketSocket(in: controller.namespace, .incoming, keepsSegments: true)
    wakening = try Wakening()
    state = Mutex(State(seed: seed))
    let thread = try OSThread.start {
      OSThread.name("lab-air")
      self.carry()
    }
    self.thread.withLock { $0 = thread }
  }

  /// Lets the frames of these networks, and no others, reach the device over a medium.
  func join(_ medium: LivePlan.Medium, _ networks: [AccessNetwork]) {
    state.withLock { state in
      state.joined.removeAll { $0.medium == medium }
      state.joined += networks
    }
  }

  /// Sets what a medium does to frames.
  func setConditions(_ conditions: LinkConditions, of medium: LivePlan.Medium) {
    state.withLock { $0.set(conditions, of: medium) }
    // Frames that were held may go on now.
    wakening.signal()
  }

  /// Lets datagrams to the device vanish until it has sent some to where they come from, as a NAT
  /// does that has forgotten.
  func forgetDatagrams() {
    state.withLock { $0.mappings = Mappings() }
  }

  /// Ends the thread.
  func close() {
    state.withLock { $0.isClosed = true }
    wakening.signal()
    thread.withLock { $0.take() }?.join()
  }

  // MARK: The thread

  private func carry() {
    let descriptors = [wakening.descriptor, socket.number]
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    do throws(LinuxError) {
      while let wait = deliver() {
        let ready = try waitReadable(descriptors, atMost: wait.microseconds)
        if ready[0] { wakening.clear() }
        if ready[1] { try takeFrames(&room) }
      }
    } catch {
      // Without a socket nothing is carried any more; connections show it.
      state.withLock { $0.isClosed = true }
    }
  }

  /// How long the thread may wait: until the next frame arrives, if one does.
  private struct Wait {
    var microseconds: Int64?
  }

  /// Delivers every frame that has arrived; nil once the air is closed.
  private func deliver() -> Wait? {
    state.withLock { state in
      if state.isClosed { return nil }
      let now = monotonicMicroseconds()
      for frame in state.takeHandshakes(at: now) {
        carry(frame.bytes[...], from: frame.port, at: now, &state)
      }
      for index in state.lanes.indices {
        while let frame = state.lanes[index].takeArrived(at: now) {
          send(frame.bytes[...], from: frame.port, state.joined)
        }
      }
      let due = state.lanes.compactMap(\.nextDue) + state.handshakes.map(\.due)
      return Wait(microseconds: due.min().map { max(0, $0 - now) })
    }
  }

  private func takeFrames(_ room: inout [UInt8]) throws(LinuxError) {
    try state.withLock { state throws(LinuxError) in
      let now = monotonicMicroseconds()
      for _ in 0..<Self.batch {
        guard let frame = try socket.receive(into: &room) else { return }
        guard let index = ports.firstIndex(where: { $0.interface == frame.interface }) else {
          continue
        }
        let bytes = room[..<frame.length]
        if ports[index].network == nil,
          let delay = handshakes.delay(of: bytes, from: PacketSocket.segmentHeaderLength)
        {
          state.keep(handshake: .init(bytes: Array(bytes), port: index, due: now + delay))
        } else {
          carry(bytes, from: index, at: now, &state)
        }
      }
    }
  }

  /// Lets the medium do to a frame what it does to all.
  private func carry(
    _ frame: ArraySlice<UInt8>, from index: Int, at now: Int64, _ state: inout State
  ) {
    let content = frame.dropFirst(PacketSocket.segmentHeaderLength)
    let toDevice = ports[index].network != nil
    guard state.mappings?.takes(content, toDevice: toDevice) ?? true else { return }
    let lane = State.lane(ports[index].medium, toDevice: toDevice)
    switch state.lanes[lane].fate(ofLength: frame.count, at: now) {
    case .lost:
      return
    case .arrived:
      send(frame, from: index, state.joined)
    case .waits(let due):
      state.lanes[lane].keep(.init(bytes: Array(frame), port: index, due: due))
    }
  }

  /// Hands a frame over to whoever hears it now.
  private func send(_ frame: ArraySlice<UInt8>, from index: Int, _ joined: [AccessNetwork]) {
    let source = ports[index]
    if let network = source.network, !joined.contains(network) { return }
    for port in ports where port.medium == source.medium {
      switch (source.network, port.network) {
      case (.some, nil): socket.send(frame, by: port.interface)
      case (nil, let network?) where joined.contains(network):
        socket.send(frame, by: port.interface)
      case (nil, _), (.some, .some): continue
      }
    }
  }

  private struct State {
    var joined: [AccessNetwork] = []
    /// What has gone through the NAT since it forgot; nil where it never did.
    var mappings: Mappings?
    var lanes: [AirLane]
    /// First packets of connections that take their time, in no order.
    private(set) var handshakes: [AirLane.Frame] = []
    var isClosed = false

    init(seed: UInt64) {
      let generator = SeededGenerator(seed: seed)
      lanes = (0..<4).map { AirLane(generator: generator.forked(label: UInt64($0))) }
    }

    /// Keeps the first packet of a connection; what comes in beyond the limit of a lane is lost.
    mutating func keep(handshake frame: AirLane.Frame) {
      if handshakes.count < AirLane.maximumFrameCount { handshakes.append(frame) }
    }

    /// Takes those whose time is over, in the order in which they came.
    mutating func takeHandshakes(at now: Int64) -> [AirLane.Frame] {
      guard handshakes.contains(where: { $0.due <= now }) else { return [] }
      let taken = handshakes.filter { $0.due <= now }
      handshakes.removeAll { $0.due <= now }
      return taken
    }

    static func lane(_ medium: LivePlan.Medium, toDevice: Bool) -> Int {
      (medium == .wifi ? 0 : 2) + (toDevice ? 1 : 0)
    }

    mutating func set(_ conditions: LinkConditions, of medium: LivePlan.Medium) {
      for toDevice in [false, true] {
        lanes[Self.lane(medium, toDevice: toDevice)].conditions = conditions
      }
    }
  }
}
