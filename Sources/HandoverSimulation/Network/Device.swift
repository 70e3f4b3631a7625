import HandoverCore

/// The device: its flags, the path it is on, and whether the application runs.
struct Device: Hashable, Sendable {
  private(set) var flags: ReachabilityFlags
  private(set) var path: PathIndex?
  /// Paths that were left and stay alive all the same.
  private(set) var keptAlive: PathSet = []
  var app: AppState

  init(_ initial: InitialState) {
    flags = initial.flags
    app = initial.app
    let category = NetworkCategory(initial.flags)
    path = category == .noNetwork ? nil : initial.path ?? Self.usualPath(category)
  }

  var category: NetworkCategory { NetworkCategory(flags) }

  /// A move of the device from path to path.
  struct Move: Hashable {
    var from: PathIndex?
    var to: PathIndex?
    var oldCategory: NetworkCategory
    var newCategory: NetworkCategory
    /// Paths that were kept alive and die with this move.
    var dying: PathSet
  }

  /// The flags change, and with them perhaps the path.
  mutating func take(
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
  mutating func move(to next: PathIndex) -> Move {
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
