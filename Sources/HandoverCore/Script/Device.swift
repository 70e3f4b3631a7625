/// The state of the device: its flags, its current path, and the state of the application.
///
/// This type alone decides how timeline entries change the device, in simulated and in kernel
/// networks.
public struct Device: BitwiseCopyable, Hashable, Sendable {
  /// The flags that the last entry set.
  public internal(set) var flags: ReachabilityFlags
  /// The current path, or `nil` if there is none.
  public internal(set) var path: PathIndex?
  /// Paths that the device left and that stay alive.
  public internal(set) var keptAlive: PathSet = []
  /// The state of the application.
  public var app: AppState
  /// The state of the application after the device wakes, or `nil` while the device is awake.
  public var stateAfterWake: AppState?
  /// The consequences of airplane mode, or `nil` while it is off.
  package var airplane: AirplaneMode?

  /// Creates the device in its state at the beginning of a run.
  public init(_ initial: InitialState) {
    flags = initial.flags
    app = initial.app
    let category = NetworkCategory(initial.flags)
    if let networks = initial.networksUp {
      path = initial.path
      keptAlive = networks
      forgetCurrentPath()
      return
    }
    path = category == .noNetwork ? nil : initial.path ?? Self.defaultPath(category)
  }

  /// Creates a device whose state follows other rules than those of this type.
  public init(
    flags: ReachabilityFlags, path: PathIndex?, keptAlive: PathSet, app: AppState
  ) {
    self.flags = flags
    self.path = path
    self.keptAlive = keptAlive
    self.app = app
  }

  /// The category of the flags.
  public var category: NetworkCategory { NetworkCategory(flags) }

  /// A change of the device from one path to another.
  public struct Move: BitwiseCopyable, Hashable, Sendable {
    /// The path that the device left, or `nil` if there was none.
    public var from: PathIndex?
    /// The path that the device is on now, or `nil` if there is none.
    public var to: PathIndex?
    /// The category before.
    public var oldCategory: NetworkCategory
    /// The category now.
    public var newCategory: NetworkCategory
    /// Paths that were kept alive and die with this network change.
    public var endingPaths: PathSet
  }

  /// Returns the network change that leads from an earlier state to this one.
  public func move(from old: Device) -> Move {
    // A path that the device returned to is no longer in `keptAlive`, but it is alive.
    let current = path.map { PathSet($0) } ?? []
    return Move(
      from: old.path, to: path, oldCategory: old.category, newCategory: category,
      endingPaths: old.keptAlive.subtracting(keptAlive).subtracting(current))
  }

  /// Applies a change of flags, which may change the path.
  public mutating func apply(
    _ next: ReachabilityFlags, path named: PathIndex?, up: PathSet, down: PathSet
  ) -> Move {
    let old = self
    flags = next
    if category == .noNetwork {
      path = nil
    } else if let named {
      path = named
    } else if category != old.category || path == nil {
      path = Self.defaultPath(category)
    }
    keptAlive = keptAlive.union(up).subtracting(down)
    forgetCurrentPath()
    return move(from: old)
  }

  /// Moves the device to a path without a change of flags; does nothing if there is no network.
  public mutating func move(to next: PathIndex) -> Move {
    let old = self
    if category != .noNetwork { path = next }
    forgetCurrentPath()
    return move(from: old)
  }

  /// A path is kept alive only until the device returns to it.
  private mutating func forgetCurrentPath() {
    if let path { keptAlive.remove(PathSet(path)) }
  }

  private static func defaultPath(_ category: NetworkCategory) -> PathIndex? {
    switch category {
    case .wifi: Script.wifiPath
    case .cellular: Script.cellularPath
    case .noNetwork, .unknown: nil
    }
  }
}

// MARK: - Digest

extension Device {
  /// Adds the state to a digest.
  package func combine(into digest: inout StateDigest) {
    // Several numbers share one 64-bit word, each with its own bits.
    let standard = Self.number(of: path)
    digest.combine(UInt64(flags.rawValue) << 32 | standard << 8 | Self.number(of: app))
    digest.combine(keptAlive.rawValue)
    if let stateAfterWake { digest.combine(Self.number(of: stateAfterWake)) }
    guard let airplane else { return }
    digest.combine(1 << 32 | Self.number(of: airplane.standard))
    digest.combine(airplane.networks.rawValue)
  }

  /// Returns a path as a nine-bit number.
  ///
  /// The last number means that there is no path.
  package static func number(of path: PathIndex?) -> UInt64 {
    path.map { UInt64($0.index) } ?? 0x1FF
  }

  private static func number(of app: AppState) -> UInt64 {
    switch app {
    case .foreground: 0
    case .background: 1
    case .backgroundRunning: 2
    }
  }
}

extension PathLossPolicy {
  /// Returns what happens to a connection when the device changes its network.
  ///
  /// - Parameters:
  ///   - path: the path on which the connection was made.
  ///   - move: the network change.
  ///   - device: the device after the change.
  /// - Returns: the outcome, or `nil` if the connection continues, for example because the device
  ///   is back on its path.
  public func outcome(
    of path: PathIndex, when move: Device.Move, on device: Device
  ) -> PathLossOutcome? {
    guard path != move.to else { return nil }
    let lingers = outlivesItsPath && device.keptAlive.contains(path)
    guard move.endingPaths.contains(path) || path == move.from && !lingers else { return nil }
    return outcome(device.app, from: move.oldCategory, to: move.newCategory)
  }
}
