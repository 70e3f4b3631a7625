/// A path by its place in the paths of a script: the identity of one network the device can be on.
@frozen
public struct PathIndex: Hashable, Sendable {
  /// The place, counted from zero.
  public var index: UInt8

  /// Takes a place in the paths of a script.
  public init(_ index: UInt8) {
    self.index = index
  }
}

/// A set of paths.
@frozen
public struct PathSet: OptionSet, Hashable, Sendable {
  /// One bit for each path.
  public let rawValue: UInt64

  /// Takes one bit for each path.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The set of one path.
  public init(_ path: PathIndex) {
    rawValue = 1 << UInt64(path.index)
  }

  /// Whether the path is in the set.
  public func contains(_ path: PathIndex) -> Bool {
    contains(PathSet(path))
  }
}
