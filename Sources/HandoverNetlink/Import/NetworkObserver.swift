import HandoverLinux

/// A network event that the kernel reported.
enum ObservedEvent: Hashable, Sendable {
  /// An interface was added or changed.
  case link(NetworkInterface)
  /// An interface was removed.
  case linkGone(name: String)
  /// An address was added to an interface.
  case address(IPAddress, name: String)
  /// An address was removed from an interface.
  case addressGone(IPAddress, name: String)
  /// A route was added to the main table.
  case route(ObservedRoute)
  /// A route was removed from the main table.
  case routeGone(ObservedRoute)
}

/// A route of the main table as the kernel reported it.
struct ObservedRoute: Hashable, Sendable {
  var destination: IPNetwork
  /// Whether packets pass; if not, the route rejects or drops them.
  var isPassable = true
  var interface: String?
  var gateway: IPAddress?
  /// The metric; the route with the lowest metric wins.
  var metric: UInt32 = 0
}

/// Derives from kernel events how an address can be reached.
///
/// The kernel makes some changes without an event, and the observer repeats them. For example, when
/// an interface goes down or loses its last address, the kernel removes its routes. The observer
/// keeps only state that concerns the target address.
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

  /// The maximum number of interfaces, of addresses and of routes, far more than any device has.
  static let limit = 4_096

  init(target: IPAddress, cellular: CellularRule) {
    self.target = target
    self.cellular = cellular
  }

  /// Whether the maximum is exceeded.
  var isOverfull: Bool { max(links.count, addresses.count, routes.count) > Self.limit }

  /// Returns the last reported name of an interface, or `nil` if the interface is unknown.
  func name(of index: Int32) -> String? { links.first { $0.index == index }?.name }

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

  /// The current reachability of the address.
  var reading: ReachabilityReading {
    // The longest prefix wins, then the lowest metric.
    let best = routes.min {
      ($1.destination.prefixLength, $0.metric) < ($0.destination.prefixLength, $1.metric)
    }
    guard let best, best.isPassable, let name = best.interface else {
      return ReachabilityReading(flags: [])
    }
    // If the interface was never reported, the existing route shows that it is up.
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

  /// Removes the route with the same destination and metric, because the kernel treats both as one.
  private mutating func remove(_ route: ObservedRoute) {
    routes.removeAll { $0.destination == route.destination && $0.metric == route.metric }
  }
}

/// Builds a recording from the readings of an observer.
struct ObservedRecording {
  private(set) var recording = Recording()
  private var beginning: Int64?
  private var latest: Int64 = 0

  /// The maximum step backward of the clock that is tolerated, in microseconds.
  private static let toleratedStep: Int64 = 1_000_000

  private static let longest = 366 * Timestamp.day

  /// The reason why a reading cannot be recorded.
  enum Problem: Error {
    /// The time is well before the previous one.
    case timeGoesBack
    /// The time is implausibly far from the beginning.
    case tooLong
    /// The recording has reached its maximum size.
    case full

    /// A description of the problem.
    var message: String {
      switch self {
      case .timeGoesBack: "the time is earlier than on the line above"
      case .tooLong: "the time is more than a year after the start"
      case .full: "there are more than \(Recording.maximumMomentCount) changes"
      }
    }

    /// An instruction for fixing the problem.
    var hint: String {
      switch self {
      case .timeGoesBack: "import the output of a single run; the clock may have been changed"
      case .tooLong, .full: "import a part of the file"
      }
    }
  }

  /// Records a reading at a time of the file's clock.
  mutating func note(at time: Int64, _ reading: ReachabilityReading) throws(Problem) {
    guard time >= latest - Self.toleratedStep || beginning == nil else {
      throw .timeGoesBack
    }
    guard !recording.isFull else { throw .full }
    let beginning = beginning ?? time
    self.beginning = beginning
    latest = time
    guard time - beginning <= Self.longest else { throw .tooLong }
    recording.note(at: time - beginning, reading.flags, path: reading.path)
  }

  mutating func remark(_ text: String) { recording.remarks.append(text) }
}
