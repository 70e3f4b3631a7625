/// How many requests of one endpoint may run at once, and how many of them may be long.
///
/// Long ones are a part of the total, so that what lies between the two numbers is always kept for
/// short ones; these may use all of the total while no long one runs (U13).
public struct ConnectionLimits: Hashable, Sendable, BitwiseCopyable {
  /// The most requests that run at once; at least one.
  public let total: UInt32
  /// The most long requests among them; at most the total.
  public let long: UInt32

  /// Makes limits.
  ///
  /// - Throws: ``ConnectionLimitsError/noConnections``, ``ConnectionLimitsError/longAboveTotal``.
  public init(total: UInt32, long: UInt32) throws(ConnectionLimitsError) {
    guard total > 0 else { throw .noConnections }
    guard long <= total else { throw .longAboveTotal }
    self.init(validTotal: total, long: long)
  }

  /// Makes limits of which half, rounded down, is for long requests (U7).
  ///
  /// - Throws: ``ConnectionLimitsError/noConnections``.
  public init(halfOf total: UInt32) throws(ConnectionLimitsError) {
    try self.init(total: total, long: total / 2)
  }

  /// Makes limits of which a quarter, rounded up, is kept for short requests.
  ///
  /// The article has "typically 1 out of 4".
  ///
  /// - Throws: ``ConnectionLimitsError/noConnections``.
  public init(keepingQuarterOf total: UInt32) throws(ConnectionLimitsError) {
    try self.init(total: total, long: total - (total / 4 + (total % 4 == 0 ? 0 : 1)))
  }

  fileprivate init(validTotal total: UInt32, long: UInt32) {
    self.total = total
    self.long = long
  }

  /// How many of the total no long request ever takes.
  public var keptForShort: UInt32 { total - long }

  /// The same total with another number of long requests (U10).
  ///
  /// - Throws: ``ConnectionLimitsError/longAboveTotal``.
  public func settingLong(_ long: UInt32) throws(ConnectionLimitsError) -> ConnectionLimits {
    try ConnectionLimits(total: total, long: long)
  }
}

/// Why two numbers are no limits.
public enum ConnectionLimitsError: Error, Hashable, Sendable {
  /// The total is zero: every request would wait for ever (U11).
  case noConnections
  /// More long requests are allowed than requests (U8, U10).
  case longAboveTotal
}

/// The limits of the original's versions, by name.
public enum ConnectionLimitsPreset: String, Hashable, Sendable, CaseIterable {
  /// The first version of its own, for iOS 6 (January 2013).
  case iOS6 = "ios-6"
  /// The figures of the article, for iOS 7 (June 2014).
  case iOS7 = "ios-7"
  /// From version 1.5.0 (August 2015).
  case version1_5 = "1.5"
  /// From version 1.7.0 (November 2016): half of what iOS allows.
  case version1_7 = "1.7"
  /// The same for macOS.
  case version1_7OnMacOS = "1.7-macos"

  /// The limits.
  public var limits: ConnectionLimits {
    switch self {
    case .iOS6: ConnectionLimits(validTotal: 5, long: 3)
    case .iOS7: ConnectionLimits(validTotal: 4, long: 3)
    case .version1_5, .version1_7: ConnectionLimits(validTotal: 4, long: 2)
    case .version1_7OnMacOS: ConnectionLimits(validTotal: 6, long: 3)
    }
  }
}
