public import HandoverMachines

/// How good a path is when a run begins, whatever its scenario says of it later.
public struct PathQuality: Hashable, Sendable {
  /// The path, an index into ``Script/paths``.
  public var path: PathIndex
  /// How good it is.
  public var quality: LinkQuality

  /// Makes a path as good as this.
  public init(_ path: PathIndex, _ quality: LinkQuality) {
    self.path = path
    self.quality = quality
  }
}

extension Script {
  /// The paths over a carrier's network, or all that are over another one.
  ///
  /// Where the script has networks, their kinds say it; else the flags with which the device comes
  /// to a path first.
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
