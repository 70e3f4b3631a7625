public import HandoverMachines

/// The device: its flags, the path it is on, and whether the application runs.
///
/// The one place that says where entries of a timeline put the device, whether its networks are
/// simulated or the kernel's.
public struct Device: Hashable, Sendable {
  /// The flags as the last entry set them.
  public internal(set) var flags: ReachabilityFlags
  /// The path it is on; nil has none.
  public internal(set) var path: PathIndex?
  /// Paths that were left and stay alive all the same.
  public internal(set) var keptAlive: PathSet = []
  /// Whether the application runs.
  public var app: AppState
  /// Where the application is when the device wakes; nil where it is awake.
  public var wakesTo: AppState?

  /// The device as a run begins.
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
    path = category == .noNetwork ? nil : initial.path ?? Self.usualPath(category)
  }

  /// The device where another's rules have brought it.
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

  /// A move of the device from path to path.
  public struct Move: Hashable, Sendable {
    /// The path that was left; nil where it had none.
    public var from: PathIndex?
    /// The path it is on now.
    public var to: PathIndex?
    /// The category before.
    public var oldCategory: NetworkCategory
    /// The category now.
    public var newCategory: NetworkCategory
    /// Paths that were kept alive and die with this move.
    public var dying: PathSet
  }

  /// The move that brought the device here from where it stood before.
  public func move(from old: Device) -> Move {
    // A path that it is back on is not kept alive any more, and lives all the same.
    let current = path.map { PathSet($0) } ?? []
    return Move(
      from: old.path, to: path, oldCategory: old.category, newCategory: category,
      dying: old.keptAlive.subtracting(keptAlive).subtracting(current))
  }

  /// The flags change, and with them perhaps the path.
  public mutating func apply(
    _ next: ReachabilityFlags, path named: PathIndex?, up: PathSet, down: PathSet
  ) -> Move {
    let old = (path, category)
    flags = next
    if category == .noNetwork {
      path = nil
    } else if let named {
      path = named
    } else if category != old.1 || path == nil {
      path = Self.usualPath(category)
    }
    let dying = down.intersection(keptAlive)
    keptAlive = keptAlive.union(up).subtracting(down)
    forgetCurrentPath()
    return Move(
      from: old.0, to: path, oldCategory: old.1, newCategory: category, dying: dying)
  }

  /// The device moves without any change of flags; nothing where it has no network.
  public mutating func move(to next: PathIndex) -> Move {
    let old = path
    if category != .noNetwork { path = next }
    forgetCurrentPath()
    return Move(
      from: old, to: path, oldCategory: category, newCategory: category, dying: [])
  }

  /// What was said of a path that was left holds until the device is back on it.
  private mutating func forgetCurrentPath() {
    if let path { keptAlive.remove(PathSet(path)) }
  }

  private static func usualPath(_ category: NetworkCategory) -> PathIndex? {
    switch category {
    case .wifi: Script.wifiPath
    case .cellular: Script.cellularPath
    case .noNetwork, .unknown: nil
    }
  }
}

extension PathLossPolicy {
  /// What becomes of a connection that was made on a path when the device moves; nil where it goes
  /// on.
  ///
  /// - Parameters:
  ///   - path: the path that it was made on.
  ///   - move: the move.
  ///   - device: the device after the move.
  /// - Returns: the outcome; nil as well where the device is back on the path.
  public func outcome(
    of path: PathIndex, when move: Device.Move, on device: Device
  ) -> PathLossOutcome? {
    guard path != move.to else { return nil }
    let lingers = outlivesItsPath && device.keptAlive.contains(path)
    guard move.dying.contains(path) || path == move.from && !lingers else { return nil }
    return outcome(device.app, from: move.oldCategory, to: move.newCategory)
  }
}
