import HandoverLinux

/// Something that the kernel told of its network.
enum ObservedEvent: Hashable, Sendable {
  /// An interface is there, or has changed.
  case link(NetworkInterface)
  /// An interface is gone.
  case linkGone(name: String)
  /// An interface has an address.
  case address(IPAddress, name: String)
  /// An interface has an address no more.
  case addressGone(IPAddress, name: String)
  /// A route of the main table is there.
  case route(ObservedRoute)
  /// A route of the main table is gone.
  case routeGone(ObservedRoute)
}

/// A route of the main table as the kernel told of it.
struct ObservedRoute: Hashable, Sendable {
  var destination: IPNetwork
  /// Whether packets pass; otherwise the route forbids them.
  var isPassable = true
  var interface: String?
  var gateway: IPAddress?
  /// The lowest wins.
  var metric: UInt32 = 0
}

/// Puts together from events how an address could be reached, as the kernel would have.
///
/// What the kernel does without a word is done here too: an interface that goes down takes its
/// routes with it, and so does its last address. Only what concerns the address is kept.
struct NetworkObserver {
  private let target: IPAddress
  private let cellular: CellularRule
  private var links: [NetworkInterface] = []
  private var addresses: [Address] = []
  private var routes: [ObservedRoute] = []

  private struct Address: Hashable {
    var address: IPAddress
    var name: String
  }

  /// How many interfaces, addresses and routes are kept of each; far more than any device has.
  static let limit = 4_096

  init(target: IPAddress, cellular: CellularRule) {
    self.target = target
    self.cellular = cellular
  }

  /// Whether there is more than can be kept.
  var isOverfull: Bool { max(links.count, addresses.count, routes.count) > Self.limit }

  /// The name that an interface had when it was last told of.
  func name(of index: Int32) -> String? { links.first { $0.index == index }?.name }

  /// Takes an event.
  mutating func handle(_ event: ObservedEvent) {
    switch event {
    case .link(let link): set(link)
    case .linkGone(let name):
      links.removeAll { $0.name == name }
      addresses.removeAll { $0.name == name }
      routes.removeAll { $0.interface == name }
    case .address(let address, let name):
      let new = Address(address: address, name: name)
      if address.family == target.family, !addresses.contains(new) { addresses.append(new) }
    case .addressGone(let address, let name):
      let old = Address(address: address, name: name)
      guard let index = addresses.firstIndex(of: old) else { return }
      addresses.remove(at: index)
      if !addresses.contains(where: { $0.name == name }) {
        routes.removeAll { $0.interface == name }
      }
    case .route(let route):
      guard route.destination.contains(target) else { return }
      remove(route)
      routes.append(route)
    case .routeGone(let route): remove(route)
    }
  }

  /// How the address can be reached now.
  var reading: ReachabilityReading {
    // The longest prefix wins, then the lowest metric.
    let best = routes.min {
      ($1.destination.prefixLength, $0.metric) < ($0.destination.prefixLength, $1.metric)
    }
    guard let best, best.isPassable, let name = best.interface else {
      return ReachabilityReading(flags: [])
    }
    // A route to an interface that nobody told of shows that it is up.
    let link = links.first { $0.name == name } ?? NetworkInterface(index: 0, name: name)
    return ReachabilityReading(
      route: Route(interface: link, gateway: best.gateway), rule: cellular)
  }

  private mutating func set(_ link: NetworkInterface) {
    if let index = links.firstIndex(where: { $0.index == link.index }) {
      rename(links[index].name, to: link.name)
      links[index] = link
    } else {
      links.removeAll { $0.name == link.name }
      links.append(link)
    }
    if !link.isUp { routes.removeAll { $0.interface == link.name } }
  }

  private mutating func rename(_ old: String, to new: String) {
    guard old != new else { return }
    for index in routes.indices where routes[index].interface == old {
      routes[index].interface = new
    }
    for index in addresses.indices where addresses[index].name == old {
      addresses[index].name = new
    }
  }

  /// Two routes to one destination with one metric are the same.
  private mutating func remove(_ route: ObservedRoute) {
    routes.removeAll { $0.destination == route.destination && $0.metric == route.metric }
  }
}

extension IPNetwork {
  /// Whether an address belongs to the network.
  func contains(_ other: IPAddress) -> Bool {
    guard other.family == address.family else { return false }
    var rest = prefixLength
    for (own, other) in zip(address.bytes, other.bytes) where rest > 0 {
      let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> rest)
      if (own ^ other) & mask != 0 { return false }
      rest -= 8
    }
    return true
  }
}

/// Makes a recording of what an observer sees over time.
struct ObservedRecording {
  private(set) var recording = Recording()
  private var beginning: Int64?
  private var latest: Int64 = 0

  /// How far a clock may be set back without anybody asking why, in microseconds.
  private static let toleratedStep: Int64 = 1_000_000

  private static let longest = 366 * Timestamp.day

  /// Why something cannot be noted.
  enum Problem: Error {
    /// The time lies well before the one noted last.
    case timeGoesBack
    /// The time lies so far from the beginning that it cannot be meant.
    case tooLong
    /// The recording is full.
    case full

    /// The problem in words.
    var message: String {
      switch self {
      case .timeGoesBack: "the time is before that of what stands above"
      case .tooLong: "the time is more than a year after the beginning"
      case .full: "there are more than \(Recording.maximumMomentCount) changes"
      }
    }

    /// What to do about it.
    var hint: String {
      switch self {
      case .timeGoesBack: "import what was written in one go; a clock may have been set meanwhile"
      case .tooLong, .full: "import a part of the file"
      }
    }
  }

  /// Notes how things stand at a time of the file's clock.
  mutating func note(at time: Int64, _ reading: ReachabilityReading) throws(Problem) {
    guard time >= latest - Self.toleratedStep || beginning == nil else {
      throw .timeGoesBack
    }
    guard !recording.isFull else { throw .full }
    let beginning = beginning ?? time
    self.beginning = beginning
    latest = time
    guard time - beginning <= Self.longest else { throw .tooLong }
    recording.note(at: time - beginning, reading.flags, way: reading.way)
  }

  mutating func remark(_ text: String) { recording.remarks.append(text) }
}
