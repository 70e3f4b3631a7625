public import HandoverCore
import HandoverLinux
import HandoverScenario

/// The recorded network state of a host over time.
public struct Recording: Hashable, Sendable {
  /// The network state from one moment on.
  public struct Moment: Hashable, Sendable {
    /// Microseconds since the beginning of the recording.
    public var microseconds: Int64
    /// The flags.
    public var flags: ReachabilityFlags
    /// The network of the host, or `nil` if there is none or it is unknown.
    public var network: Network?

    /// The category of the flags.
    public var category: NetworkCategory { NetworkCategory(flags) }
  }

  /// The identity of a network: another gateway on the same interface is another network.
  public struct Network: Hashable, Sendable {
    /// The name of the interface.
    public var interface: String
    /// The text form of the next hop, or `nil` if there is none.
    public var gateway: String?

    /// Creates the network of a path.
    public init(_ path: ReachabilityReading.RoutePath) {
      interface = path.interface
      gateway = path.gateway?.description
    }
  }

  /// The moments, of which the first is at zero; consecutive moments differ.
  public private(set) var moments: [Moment] = []
  /// Notes for the reader of the recording.
  public var remarks: [String] = []

  /// The maximum number of moments: together with one call, they fit into a scenario.
  public static let maximumMomentCount = ScenarioLimits.entries

  /// Creates an empty recording.
  public init() {}

  /// Whether the recording has reached its maximum size.
  public var isFull: Bool { moments.count >= Self.maximumMomentCount }

  /// Records the state of the network, unless it is unchanged.
  ///
  /// - Parameters:
  ///   - microseconds: The time since the beginning; an earlier time than that of the previous
  ///     moment is replaced by the latter.
  ///   - flags: The flags.
  ///   - path: The path of packets, or `nil` if it is unknown.
  /// - Precondition: The recording is not full.
  public mutating func note(
    at microseconds: Int64, _ flags: ReachabilityFlags, path: ReachabilityReading.RoutePath? = nil
  ) {
    precondition(!isFull, "the recording is full")
    // A route without reachability is not a network.
    let hasNetwork = NetworkCategory(flags) != .noNetwork
    let moment = Moment(
      microseconds: max(microseconds, moments.last?.microseconds ?? 0), flags: flags,
      network: hasNetwork ? path.map(Network.init) : nil)
    if let last = moments.last, last.flags == flags, last.network == moment.network { return }
    moments.append(moment)
  }

  /// The name of the host's path at each moment as used in scenarios, or `nil` if no network is
  /// known.
  ///
  /// The first network of a category has its usual name, the second one is named `wifi-2`, and so
  /// on.
  var paths: [String?] {
    var known: [NetworkCategory: [Network]] = [:]
    return moments.map { moment in
      guard let network = moment.network, let usual = Self.defaultPath(of: moment.category) else {
        return nil
      }
      let index: Int
      if let known = known[moment.category]?.firstIndex(of: network) {
        index = known
      } else {
        index = known[moment.category]?.count ?? 0
        known[moment.category, default: []].append(network)
      }
      return index == 0 ? usual : "\(usual)-\(index + 1)"
    }
  }

  /// Returns the default path of a device with this category.
  static func defaultPath(of category: NetworkCategory) -> String? {
    switch category {
    case .wifi: "wifi"
    case .cellular: "cellular"
    case .noNetwork, .unknown: nil
    }
  }
}
