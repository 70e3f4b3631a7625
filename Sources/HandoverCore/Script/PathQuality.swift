/// The quality of a path at the beginning of a run, before any entry of the scenario changes it.
public struct PathQuality: Hashable, Sendable {
  /// The path, an index into ``Script/paths``.
  public var path: PathIndex
  /// The quality.
  public var quality: LinkQuality

  /// Creates the initial quality of a path.
  public init(_ path: PathIndex, _ quality: LinkQuality) {
    self.path = path
    self.quality = quality
  }
}

extension Script {
  /// Returns the paths over cellular networks, or all paths over other networks.
  ///
  /// If the script has networks, their kinds decide. If it has none, the flags with which the
  /// device first moves to a path decide.
  public func paths(overCellular: Bool) -> [PathIndex] {
    guard networks.isEmpty else {
      return networks.filter { ($0.kind == .cellular) == overCellular }.map(\.path)
    }
    var isCellular = ContiguousArray<Bool?>(repeating: nil, count: paths.count)
    var flags = initial.flags
    func note(_ path: PathIndex?) {
      guard let path, isCellular[Int(path.index)] == nil else { return }
      isCellular[Int(path.index)] = flags.contains(.isWWAN)
    }
    isCellular[Int(Self.wifiPath.index)] = false
    isCellular[Int(Self.cellularPath.index)] = true
    note(initial.path)
    for entry in entries {
      if case .flags(let next, let path, _, _) = entry.action {
        flags = next
        note(path)
      } else if case .path(let path) = entry.action {
        note(path)
      }
    }
    return paths.indices.filter { isCellular[$0] == overCellular }.map {
      PathIndex(UInt8(truncatingIfNeeded: $0))
    }
  }
}
