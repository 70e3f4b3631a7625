/// A network of a script, identified by its index in the script's paths.
@frozen
public struct PathIndex: Hashable, Sendable {
  /// The index, counted from zero.
  public var index: UInt8

  /// Creates an identifier from an index in the paths of a script.
  public init(_ index: UInt8) {
    self.index = index
  }
}

/// A set of networks.
@frozen
public struct PathSet: OptionSet, Hashable, Sendable {
  /// One bit per network.
  public let rawValue: UInt64

  /// Creates a set from one bit per network.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a set with one network.
  public init(_ path: PathIndex) {
    rawValue = 1 << UInt64(path.index)
  }

  /// Returns whether the set contains a network.
  public func contains(_ path: PathIndex) -> Bool {
    contains(PathSet(path))
  }
}
