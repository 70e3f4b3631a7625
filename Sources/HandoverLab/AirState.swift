import HandoverBackend
import HandoverCore
import HandoverLinux

/// Which way a frame goes.
enum AirWay: Hashable, Sendable {
  /// From the device.
  case up
  /// To it.
  case down

  /// Where its lane stands.
  fileprivate var place: Int { self == .up ? 0 : 1 }
}

/// What becomes of the frames of one network.
struct NetworkAir {
  /// Whether the device hears it.
  var isJoined = false
  /// Whether another network takes all traffic, so that nothing passes here.
  var isTakenOver = false
  /// Whether frames pass between the device and its router.
  var carries: Bool { isJoined && !isTakenOver }
  /// What is lost in one direction.
  var loss = LossWord.none
  /// What its router makes of addresses; nil does nothing, and knows nothing.
  var translation: AddressTranslation?
  /// What its router makes of packets of one family for the other; nil carries each as it is.
  var families: FamilyTranslation?
  /// Who stands in front of its servers.
  var box = Middlebox()
  private var lanes: [AirLane]
  /// The router's address of Ethernet, as far as it was seen.
  private(set) var router: [UInt8] = []

  init(_ network: AccessNetwork, generator: SeededGenerator) {
    families = network.translates ? FamilyTranslation(network) : nil
    lanes = [0, 1].map { AirLane(generator: generator.forked(label: $0)) }
  }

  subscript(way: AirWay) -> AirLane {
    // Lanes hold the frames that wait, which are not to be copied.
    _read { yield lanes[way.place] }
    _modify { yield &lanes[way.place] }
  }

  /// Sets how good it is, in the directions that are meant; everything else stays.
  mutating func set(_ quality: LinkQuality, at now: Int64) {
    for way in Self.ways(quality.direction) {
      var conditions = self[way].conditions
      conditions.quality = quality
      self[way].set(conditions, at: now)
    }
  }

  /// Sets what it does to frames, in the directions that are meant.
  mutating func set(_ conditions: LinkConditions, at now: Int64) {
    for way in Self.ways(conditions.quality.direction) { self[way].set(conditions, at: now) }
    if let idle = conditions.idle {
      if translation == nil { translation = AddressTranslation() }
      translation?.idle = idle.microseconds
    }
  }

  private static func ways(_ direction: LinkDirection) -> [AirWay] {
    switch direction {
    case .both: [.up, .down]
    case .up: [.up]
    case .down: [.down]
    }
  }

  /// Lets its router do to every flow what an entry says.
  mutating func translate(_ word: NATWord, _ unknown: UnknownFlows) {
    if translation == nil { translation = AddressTranslation() }
    translation?.apply(word, unknown)
  }

  /// Takes note of where a frame of the router comes from.
  mutating func learn(_ frame: ArraySlice<UInt8>) {
    guard router.isEmpty, frame.count >= PacketSocket.segmentHeaderLength + 14 else { return }
    router = Array(frame.dropFirst(PacketSocket.segmentHeaderLength + 6).prefix(6))
  }

  /// Whether a packet is lost by its direction; those by which they find each other are not.
  func loses(_ frame: ArraySlice<UInt8>, _ way: AirWay) -> Bool {
    guard loss == (way == .up ? .requests : .answers), let layout = FrameLayout(frame) else {
      return false
    }
    return !layout.isDiscovery(frame)
  }
}

/// What the air knows of frames and of whom they reach.
struct AirState {
  var networks: [NetworkAir]
  /// Whether the device's radio is on.
  var isRadioOn = true
  /// What has gone through the NAT since it forgot; nil where it never did.
  var mappings: Mappings?
  /// Where the device sent datagrams; nil if answers keep the address that they have.
  var asked: AskedAddresses?
  /// First packets of connections that take their time, in no order.
  private(set) var handshakes: [AirLane.Frame] = []
  var isClosed = false

  init(_ networks: [AccessNetwork], seed: UInt64) {
    let generator = SeededGenerator(seed: seed)
    self.networks = networks.indices.map {
      NetworkAir(networks[$0], generator: generator.forked(label: UInt64($0)))
    }
  }

  /// The networks whose routers hear a frame of the device: the one that it is sent to where that
  /// is known, else all of the medium that were joined.
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
}
