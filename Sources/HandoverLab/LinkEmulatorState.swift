import HandoverBackend
import HandoverCore
import HandoverLinux

/// The direction of a frame.
enum FrameDirection: Hashable, Sendable {
  /// From the device.
  case up
  /// To the device.
  case down

  /// The index of the direction's lane.
  fileprivate var position: Int { self == .up ? 0 : 1 }
}

/// The link emulator's state of one network.
struct EmulatedLink {
  /// Whether the device is connected to the network.
  var isJoined = false
  /// Whether another network takes all traffic, so that this network is blocked.
  var isTakenOver = false
  /// Whether frames pass between the device and the router of the network.
  var carries: Bool { isJoined && !isTakenOver }
  /// The direction in which packets are lost.
  var loss = DirectionalLoss.none
  /// The address translation of the router, or `nil` if the router does not translate and keeps no
  /// state.
  var translation: AddressTranslation?
  /// The translation between address families in the router, or `nil` if there is none.
  var families: FamilyTranslation?
  /// The middlebox in front of the servers.
  var box = Middlebox()
  private var lanes: [LinkEmulatorLane]
  /// The router's Ethernet address, or empty if it is not known yet.
  private(set) var router: [UInt8] = []

  init(_ network: AccessNetwork, generator: SeededGenerator) {
    families = network.translates ? FamilyTranslation(network) : nil
    lanes = [0, 1].map { LinkEmulatorLane(generator: generator.forked(label: $0)) }
  }

  subscript(way: FrameDirection) -> LinkEmulatorLane {
    // Lanes contain the waiting frames, which must not be copied.
    _read { yield lanes[way.position] }
    _modify { yield &lanes[way.position] }
  }

  /// Starts to lose packets in one direction only, or stops losing them in that direction.
  mutating func set(_ change: DirectionalLoss, isLost: Bool) {
    if isLost {
      loss = change
    } else if loss == change {
      loss = .none
    }
  }

  /// Sets the quality in its directions.
  ///
  /// Other conditions do not change.
  mutating func set(_ quality: LinkQuality, at now: Int64) {
    for way in Self.ways(quality.direction) {
      var conditions = self[way].conditions
      conditions.quality = quality
      self[way].set(conditions, at: now)
    }
  }

  /// Sets the conditions in the directions of their quality.
  mutating func set(_ conditions: LinkConditions, at now: Int64) {
    for way in Self.ways(conditions.quality.direction) { self[way].set(conditions, at: now) }
    if let behavior = conditions.routerBehavior {
      if translation == nil { translation = AddressTranslation() }
      translation?.behavior = behavior
    }
  }

  private static func ways(_ direction: LinkDirection) -> [FrameDirection] {
    switch direction {
    case .both: [.up, .down]
    case .up: [.up]
    case .down: [.down]
    }
  }

  /// Makes the router apply a NAT action to every flow.
  mutating func translate(_ change: NATChange, _ unknown: UnknownFlows) {
    if translation == nil { translation = AddressTranslation() }
    translation?.apply(change, unknown)
  }

  /// Learns the router's Ethernet address from a frame.
  mutating func learn(_ frame: ArraySlice<UInt8>) {
    guard router.isEmpty, frame.count >= PacketSocket.segmentHeaderLength + 14 else { return }
    router = Array(frame.dropFirst(PacketSocket.segmentHeaderLength + 6).prefix(6))
  }

  /// Returns whether a packet is lost in its direction.
  ///
  /// Neighbor discovery is never lost.
  func loses(_ frame: ArraySlice<UInt8>, _ way: FrameDirection) -> Bool {
    guard loss == (way == .up ? .requests : .answers), let layout = FrameLayout(frame) else {
      return false
    }
    return !layout.isDiscovery(frame)
  }
}

/// The link emulator's state of frames and their receivers.
struct LinkEmulatorState {
  var networks: [EmulatedLink]
  /// Whether the device's radio is on.
  var isRadioOn = true
  /// The NAT mappings since they were last forgotten, or `nil` if they were never forgotten.
  var mappings: Mappings?
  /// The addresses to which the device sent datagrams, or `nil` if responses keep their source
  /// address.
  var asked: QueriedAddresses?
  /// The delayed first packets of connections, unordered.
  private(set) var handshakes: [LinkEmulatorLane.Frame] = []
  var isClosed = false

  init(_ networks: [AccessNetwork], seed: UInt64) {
    let generator = SeededGenerator(seed: seed)
    self.networks = networks.indices.map {
      EmulatedLink(networks[$0], generator: generator.forked(label: UInt64($0)))
    }
  }

  /// Returns the networks whose routers receive a frame of the device: the addressee if known, and
  /// otherwise all joined networks of the medium.
  func targets(
    of frame: ArraySlice<UInt8>, _ known: [AccessNetwork], _ medium: LivePlan.Medium
  ) -> [Int] {
    let joined = networks.indices.filter {
      networks[$0].carries && known[$0].medium == medium
    }
    guard joined.count > 1 else { return joined }
    let address = frame.dropFirst(PacketSocket.segmentHeaderLength).prefix(6)
    let addressed = joined.first { !address.isEmpty && networks[$0].router.elementsEqual(address) }
    return addressed.map { [$0] } ?? joined
  }

  /// Keeps the first packet of a connection.
  ///
  /// Packets beyond the limit of a lane are lost.
  mutating func keep(handshake frame: LinkEmulatorLane.Frame) {
    if handshakes.count < LinkEmulatorLane.maximumFrameCount { handshakes.append(frame) }
  }

  /// Removes and returns the first packets whose delay is over, in the order in which they entered.
  mutating func takeHandshakes(at now: Int64) -> [LinkEmulatorLane.Frame] {
    guard handshakes.contains(where: { $0.due <= now }) else { return [] }
    let taken = handshakes.filter { $0.due <= now }
    handshakes.removeAll { $0.due <= now }
    return taken
  }
}
