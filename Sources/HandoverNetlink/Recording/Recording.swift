public import HandoverCore
import HandoverLinux
import HandoverScenario

/// What a host lived through: how its network stood, moment by moment.
public struct Recording: Hashable, Sendable {
  /// How the network stood from one moment on.
  public struct Moment: Hashable, Sendable {
    /// Microseconds since the beginning of the recording.
    public var microseconds: Int64
    /// The flags.
    public var flags: ReachabilityFlags
    /// The network the host was on; nil where it had none, or nobody knows which.
    public var network: Network?

    /// The category of the flags.
    public var category: NetworkCategory { NetworkCategory(flags) }
  }

  /// What tells one network from another: another gateway by the same interface is another network.
  public struct Network: Hashable, Sendable {
    /// The name of the interface.
    public var interface: String
    /// The next hop, as usually written; nil where there is none.
    public var gateway: String?

    /// The network that a way leads through.
    public init(_ way: ReachabilityReading.Way) {
      interface = way.interface
      gateway = way.gateway?.description
    }
  }

  /// The moments, the first at zero; none is like the one before.
  public private(set) var moments: [Moment] = []
  /// What a reader of the recording should know of it.
  public var remarks: [String] = []

  /// How many moments a recording can have: with a call, what a scenario can hold.
  public static let maximumMomentCount = ScenarioLimits.entries

  /// A recording of nothing yet.
  public init() {}

  /// Whether it holds all it can.
  public var isFull: Bool { moments.count >= Self.maximumMomentCount }

  /// Notes how the network stands, if that is not how it stood before.
  ///
  /// - Parameters:
  ///   - microseconds: when, since the beginning; no earlier than the moment before counts.
  ///   - flags: the flags.
  ///   - way: the way that packets take, where it is known.
  /// - Precondition: it is not full.
  public mutating func note(
    at microseconds: Int64, _ flags: ReachabilityFlags, way: ReachabilityReading.Way? = nil
  ) {
    precondition(!isFull, "a full recording takes nothing more")
    // A way that leads nowhere is no network.
    let hasNetwork = NetworkCategory(flags) != .noNetwork
    let moment = Moment(
      microseconds: max(microseconds, moments.last?.microseconds ?? 0), flags: flags,
      network: hasNetwork ? way.map(Network.init) : nil)
    if let last = moments.last, last.flags == flags, last.network == moment.network { return }
    moments.append(moment)
  }

  /// The name of the path that the host was on at each moment, as scenarios name it; nil where no
  /// network is known.
  ///
  /// The first network of a category has its usual name, the second is `wifi-2`, and so on.
  var paths: [String?] {
    var known: [NetworkCategory: [Network]] = [:]
    return moments.map { moment in
      guard let network = moment.network, let usual = Self.usualPath(of: moment.category) else {
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

  /// The path that a device is on by its category alone.
  static func usualPath(of category: NetworkCategory) -> String? {
    switch category {
    case .wifi: "wifi"
    case .cellular: "cellular"
    case .noNetwork, .unknown: nil
    }
  }
}
