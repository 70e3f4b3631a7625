import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization

/// The link emulator: forwards frames between the far end of each device interface and the routers
/// that it has joined.
///
/// When the device changes access points, only the joined router changes here. The device's
/// interfaces do not notice. One thread forwards all frames. A change applies to the next frame,
/// because its caller waits until the thread has finished with earlier frames.
final class LinkEmulator: Sendable {
  /// The far end of an interface, where frames enter and leave.
  struct Port {
    /// The number of the interface.
    var interface: Int32
    /// The medium of the frames.
    var medium: LivePlan.Medium
    /// The index of the network whose router is at the port, or `nil` if the device is.
    var network: Int?
  }

  let ports: [Port]
  let networks: [AccessNetwork]
  private let handshakes: Handshakes
  // A single socket for all ports, because the kernel needs as long to close one socket as to close
  // many simultaneously.
  let socket: PacketSocket
  private let wakeup: WakeupPipe
  private let state: Mutex<LinkEmulatorState>
  private let thread = Mutex<OSThread?>(nil)

  /// The number of frames that are forwarded before waiting frames are checked again.
  private static let batch = 64

  /// Returns the name of the far end of a router's interface.
  static func farEnd(of network: AccessNetwork) -> String { "ap\(network.number)" }

  /// Creates a link emulator for a namespace that contains the far ends of the device's and of each
  /// router's interfaces.
  init(
    _ controller: NetworkController, _ networks: [AccessNetwork], handshakes: Handshakes,
    seed: UInt64
  ) throws(LinuxError) {
    self.handshakes = handshakes
    self.networks = networks
    var ports: [Port] = []
    func add(_ name: String, _ medium: LivePlan.Medium, _ network: Int?) throws(LinuxError) {
      guard let link = try controller.link(name) else {
        throw LinuxError(call: "get link \(name)", errno: ENODEV)
      }
      ports.append(Port(interface: link.index, medium: medium, network: network))
    }
    for medium in networks.media { try add(medium.interface, medium, nil) }
    for (position, network) in networks.enumerated() {
      try add(Self.farEnd(of: network), network.medium, position)
    }
    self.ports = ports
    // Large segments and partial checksums are preserved, because every byte would have to be
    // copied twice without them.
    socket = try PacketSocket(in: controller.namespace, .incoming, keepsSegments: true)
    wakeup = try WakeupPipe()
    state = Mutex(LinkEmulatorState(networks, seed: seed))
    let thread = try OSThread.start {
      OSThread.name("lab-air")
      self.carry()
    }
    self.thread.withLock { $0 = thread }
  }

  /// Connects the device to the given networks of a medium, and disconnects it from all others.
  func join(_ medium: LivePlan.Medium, _ joined: [AccessNetwork]) {
    let numbers = joined.map(\.number)
    change { state in
      for position in networks.indices where networks[position].medium == medium {
        state.networks[position].isJoined = numbers.contains(networks[position].number)
      }
    }
  }

  /// Passes the frames of one network and drops those of all others.
  ///
  /// `nil` passes all frames.
  func takeOver(_ network: AccessNetwork?) {
    change { state in
      for position in networks.indices {
        state.networks[position].isTakenOver =
          network.map { $0.number != networks[position].number } ?? false
      }
    }
  }

  /// Sets the conditions of a medium on each of its networks.
  func setConditions(_ conditions: LinkConditions, of medium: LivePlan.Medium) {
    change { state in
      for position in networks.indices where networks[position].medium == medium {
        state.networks[position].set(conditions, at: monotonicMicroseconds())
      }
    }
  }

  /// Changes the state of a network.
  func change(
    _ network: AccessNetwork, _ body: @Sendable (inout EmulatedLink) -> Void
  ) {
    change { state in
      for position in networks.indices where networks[position].number == network.number {
        body(&state.networks[position])
      }
    }
  }

  /// Changes the state of every network, and sends the resulting frames to the device.
  func changeAll(_ body: (inout EmulatedLink) -> [[UInt8]]) {
    change { state in
      for position in networks.indices {
        for frame in body(&state.networks[position]) { sendToDevice(frame[...], position) }
      }
    }
  }

  /// Turns the device's radio on or off.
  ///
  /// While it is off, the device neither sends nor receives.
  func setRadio(isOn: Bool) {
    change { $0.isRadioOn = isOn }
  }

  /// Makes the NAT forget all datagram mappings.
  ///
  /// Datagrams to the device are dropped until it has sent a datagram to their source.
  func forgetDatagrams() {
    state.withLock { $0.mappings = Mappings() }
  }

  /// Makes responses come from the address that the device sent its query to, even if the server is
  /// bound to every address.
  func answerFromQueriedAddresses() {
    change { $0.asked = $0.asked ?? QueriedAddresses() }
  }

  private func change(_ body: (inout LinkEmulatorState) -> Void) {
    state.withLock { body(&$0) }
    // Frames that were held may now pass.
    wakeup.signal()
  }

  /// Stops the thread.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
  }

  // MARK: The thread

  private func carry() {
    let descriptors = [wakeup.descriptor, socket.number]
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    do throws(LinuxError) {
      while let wait = deliver() {
        let ready = try waitReadable(descriptors, atMost: wait.microseconds)
        if ready[0] { wakeup.clear() }
        if ready[1] { try takeFrames(&room) }
      }
    } catch {
      // After a socket error, no frames are forwarded, and the connections of the device stall.
      state.withLock { $0.isClosed = true }
    }
  }

  /// The maximum wait of the thread: the time until the next frame arrives, if there is one.
  private struct Wait {
    var microseconds: Int64?
  }

  /// Delivers every frame that has arrived.
  ///
  /// Returns `nil` after the link emulator was closed.
  private func deliver() -> Wait? {
    state.withLock { state in
      if state.isClosed { return nil }
      let now = monotonicMicroseconds()
      for frame in state.takeHandshakes(at: now) {
        take(frame.bytes[...], by: frame.port, at: now, &state)
      }
      var due = state.handshakes.map(\.due).min()
      for position in networks.indices {
        for way in [FrameDirection.up, .down] {
          while let frame = state.networks[position][way].takeArrived(at: now) {
            hand(frame.bytes[...], position, way, at: now, &state)
          }
          if let next = state.networks[position][way].nextDue { due = min(due ?? next, next) }
        }
      }
      return Wait(microseconds: due.map { max(0, $0 - now) })
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
        switch ports[index].network == nil ? handshakes.fate(of: bytes) : nil {
        case .isLate(let delay):
          state.keep(handshake: .init(bytes: Array(bytes), port: index, due: now + delay))
        case .vanishes: continue
        case nil: take(bytes, by: index, at: now, &state)
        }
      }
    }
  }

  /// Processes a frame that entered at a port.
  private func take(
    _ frame: ArraySlice<UInt8>, by port: Int, at now: Int64, _ state: inout LinkEmulatorState
  ) {
    guard state.isRadioOn else { return }
    if let network = ports[port].network {
      var frame = frame
      if let answer = state.asked?.answer(frame, on: networks[network]) { frame = answer[...] }
      let translated = state.networks[network].families?.takeDown(frame)
      switch translated {
      case .device(let other): frame = other[...]
      case .router(let answer):
        _ = socket.send(answer[...], by: ports[port].interface)
        return
      case .vanishes: return
      case nil: break
      }
      let content = frame.dropFirst(PacketSocket.segmentHeaderLength)
      guard state.mappings?.takes(content, toDevice: true) ?? true else { return }
      state.networks[network].learn(frame)
      return take(frame, of: network, .down, at: now, &state)
    }
    if state.mappings != nil {
      _ = state.mappings?.takes(
        frame.dropFirst(PacketSocket.segmentHeaderLength), toDevice: false)
    }
    for network in state.targets(of: frame, networks, ports[port].medium) {
      take(frame, of: network, .up, at: now, &state)
    }
  }
}

// MARK: - Processing of frames

extension LinkEmulator {
  /// Processes a frame of a network.
  ///
  /// If the conditions apply per packet, large segments are split first.
  private func take(
    _ frame: ArraySlice<UInt8>, of network: Int, _ way: FrameDirection, at now: Int64,
    _ state: inout LinkEmulatorState
  ) {
    let looksAtPackets = state.networks[network][way].conditions.quality.looksAtPackets
    guard looksAtPackets, FrameSegments.holdsSeveralPackets(frame) else {
      return takePacket(frame, of: network, way, at: now, &state)
    }
    for packet in FrameSegments.split(frame, areWhole: false) {
      takePacket(packet[...], of: network, way, at: now, &state)
    }
  }

  private func takePacket(
    _ frame: ArraySlice<UInt8>, of network: Int, _ way: FrameDirection, at now: Int64,
    _ state: inout LinkEmulatorState
  ) {
    if let mtu = state.networks[network][way].conditions.quality.mtu,
      let layout = FrameLayout(frame), layout.length > Int(mtu)
    {
      return takeLong(frame, layout, mtu, of: network, way, at: now, &state)
    }
    if way == .down, state.networks[network].translation != nil {
      var own = Array(frame)
      switch state.networks[network].translation?.takeDown(&own, at: now) ?? .passes {
      case .passes: return takeOwn(own[...], of: network, way, at: now, &state)
      case .vanishes: return
      case .isReset:
        if let reset = FrameAnswers.reset(answering: frame) {
          sendToRouter(reset[...], network, &state)
        }
        return
      }
    }
    takeOwn(frame, of: network, way, at: now, &state)
  }

  /// Processes a packet that exceeds the MTU.
  private func takeLong(
    _ frame: ArraySlice<UInt8>, _ layout: FrameLayout, _ mtu: UInt16, of network: Int,
    _ way: FrameDirection, at now: Int64, _ state: inout LinkEmulatorState
  ) {
    if !layout.mustNotBeFragmented {
      for piece in FrameSegments.pieces(of: frame, mtu: Int(mtu)) {
        takePacket(piece[...], of: network, way, at: now, &state)
      }
      return
    }
    guard state.networks[network][way].conditions.quality.mtuSignal == .icmp else { return }
    let source = networks[network].router(isIPv6: layout.isIPv6, toDevice: way == .up)
    // The sender expects the beginning of its packet as it would be on a wire.
    guard let whole = FrameSegments.split(frame, areWhole: true).first,
      let answer = FrameAnswers.tooBig(whole[...], mtu: mtu, from: source)
    else { return }
    switch way {
    case .up: sendToDevice(answer[...], network)
    case .down: sendToRouter(answer[...], network, &state)
    }
  }

  /// Processes a packet with the device's own endpoints.
  private func takeOwn(
    _ frame: ArraySlice<UInt8>, of network: Int, _ way: FrameDirection, at now: Int64,
    _ state: inout LinkEmulatorState
  ) {
    if state.networks[network].loses(frame, way) { return }
    if state.networks[network].box.isPresent {
      let outcome =
        way == .up
        ? state.networks[network].box.takeUp(frame) : state.networks[network].box.takeDown(frame)
      for answer in outcome.answers {
        if way == .up {
          sendToDevice(answer[...], network)
        } else {
          hand(answer[...], network, .up, at: now, &state)
        }
      }
      guard outcome.passes else { return }
    }
    // Neighbor discovery is exempt, because the router is adjacent to the device and bad conditions
    // apply only behind it.
    if state.networks[network][way].changesFrames, FrameLayout.isDiscovery(frame) {
      return hand(frame, network, way, at: now, &state)
    }
    let length = frame.count - PacketSocket.segmentHeaderLength
    switch state.networks[network][way].fate(ofLength: length, at: now) {
    case .lost: return
    case .arrived: hand(frame, network, way, at: now, &state)
    case .waits(let due):
      state.networks[network][way].keep(.init(bytes: Array(frame), port: network, due: due))
    case .isLate(let due):
      state.networks[network][way].keepReordered(
        .init(bytes: Array(frame), port: network, due: due))
    }
  }

  /// Sends a frame to its current receiver.
  private func hand(
    _ frame: ArraySlice<UInt8>, _ network: Int, _ way: FrameDirection, at now: Int64,
    _ state: inout LinkEmulatorState
  ) {
    guard state.networks[network].carries, state.isRadioOn else { return }
    if way == .down { return sendToDevice(frame, network) }
    guard state.networks[network].translation != nil else {
      return sendToRouter(frame, network, &state)
    }
    var other = Array(frame)
    switch state.networks[network].translation?.takeUp(&other, at: now) ?? .passes {
    case .passes: sendToRouter(other[...], network, &state)
    case .vanishes: return
    case .isReset:
      if let reset = FrameAnswers.reset(answering: frame) { sendToDevice(reset[...], network) }
    }
  }

  private func sendToRouter(
    _ frame: ArraySlice<UInt8>, _ network: Int, _ state: inout LinkEmulatorState
  ) {
    var frame = frame
    if state.networks[network].families != nil {
      guard let other = state.networks[network].families?.takeUp(frame) else { return }
      frame = other[...]
    }
    state.asked?.note(frame)
    for port in ports where port.network == network {
      socket.send(frame, by: port.interface)
    }
  }

  private func sendToDevice(_ frame: ArraySlice<UInt8>, _ network: Int) {
    for port in ports where port.network == nil && port.medium == networks[network].medium {
      socket.send(frame, by: port.interface)
    }
  }
}
