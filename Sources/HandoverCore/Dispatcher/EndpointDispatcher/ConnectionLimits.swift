/// The limits on concurrent requests to one endpoint.
///
/// Long requests count toward the total. The difference between the two numbers is therefore always
/// reserved for short requests. Short requests may use the whole total while no long request runs
/// (U13).
public struct ConnectionLimits: Hashable, Sendable, BitwiseCopyable {
  /// The maximum number of concurrent requests, at least one.
  public let total: UInt32
  /// The maximum number of concurrent long requests, at most `total`.
  public let long: UInt32

  /// Creates limits.
  ///
  /// - Throws: ``ConnectionLimitsError/noConnections``, ``ConnectionLimitsError/longAboveTotal``.
  public init(total: UInt32, long: UInt32) throws(ConnectionLimitsError) {
    guard total > 0 else { throw .noConnections }
    guard long <= total else { throw .longAboveTotal }
    self.init(validTotal: total, long: long)
  }

  /// Creates limits that allow half of the total, rounded down, for long requests (U7).
  ///
  /// - Throws: ``ConnectionLimitsError/noConnections``.
  public init(halfOf total: UInt32) throws(ConnectionLimitsError) {
    try self.init(total: total, long: total / 2)
  }

  /// Creates limits that reserve a quarter of the total, rounded up, for short requests.
  ///
  /// The article on iOS URL connections recommends "typically 1 out of 4".
  ///
  /// - Throws: ``ConnectionLimitsError/noConnections``.
  public init(reservingQuarterOf total: UInt32) throws(ConnectionLimitsError) {
    try self.init(total: total, long: total - (total / 4 + (total % 4 == 0 ? 0 : 1)))
  }

  fileprivate init(validTotal total: UInt32, long: UInt32) {
    self.total = total
    self.long = long
  }

  /// The number of slots that long requests never take.
  public var reservedForShort: UInt32 { total - long }

  /// Returns limits with the same total and a different limit for long requests (U10).
  ///
  /// - Throws: ``ConnectionLimitsError/longAboveTotal``.
  public func settingLong(_ long: UInt32) throws(ConnectionLimitsError) -> ConnectionLimits {
    try ConnectionLimits(total: total, long: long)
  }
}

/// The reason why two numbers are not valid limits.
public enum ConnectionLimitsError: Error, Hashable, Sendable {
  /// The total is zero, so every request would wait forever (U11).
  case noConnections
  /// The limit for long requests exceeds the total (U8, U10).
  case longAboveTotal
}

/// The limits in the versions of the original dispatcher, by name.
public enum ConnectionLimitsPreset: String, Hashable, Sendable, CaseIterable {
  /// The first standalone version, for iOS 6 (January 2013).
  case iOS6 = "ios-6"
  /// The figures of the article on iOS URL connections, for iOS 7 (June 2014).
  case iOS7 = "ios-7"
  /// Version 1.5.0 and later (August 2015).
  case version1_5 = "1.5"
  /// Version 1.7.0 and later on iOS (November 2016): long requests may use half of what iOS allows.
  case version1_7 = "1.7"
  /// Version 1.7.0 and later on macOS: long requests may use half of what macOS allows.
  case version1_7OnMacOS = "1.7-macos"

  /// The limits of this version.
  public var limits: ConnectionLimits {
    switch self {
    case .iOS6: ConnectionLimits(validTotal: 5, long: 3)
    case .iOS7: ConnectionLimits(validTotal: 4, long: 3)
    case .version1_5, .version1_7: ConnectionLimits(validTotal: 4, long: 2)
    case .version1_7OnMacOS: ConnectionLimits(validTotal: 6, long: 3)
    }
  }
}
