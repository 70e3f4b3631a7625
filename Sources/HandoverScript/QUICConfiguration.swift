public import HandoverMachines

/// What connections of QUIC may do, with the numbers of RFC 9000 and of Cronet as defaults.
public struct QUICConfiguration: Hashable, Sendable {
  /// Whether servers let connections migrate.
  public var migration = ServerMigration.allowed
  /// How long a connection lives on which nothing is received (RFC 9000, 10.1).
  ///
  /// Default 30 s.
  public var idleTimeout = Interval.seconds(30)
  /// How many connection identifiers the server gives beside the one in use; each path that is
  /// tried takes one.
  ///
  /// Default 1: an `active_connection_id_limit` of 2 (RFC 9000, 18.2) counts the one in use.
  public var connectionIDs = 1
  /// How often a connection migrates to one network.
  ///
  /// Default 5.
  public var maximumMigrations = 5

  /// The defaults.
  public init() {}

  /// How long the answer to a challenge is waited for where the way there and back takes no longer:
  /// three times the first probe time-out (RFC 9000, 8.2.4; RFC 9002, 6.2.2).
  public static let validationTimeout = Interval.seconds(3)
}

/// Whether servers let connections migrate.
@frozen
public enum ServerMigration: String, Hashable, Sendable, CaseIterable {
  /// They do.
  case allowed
  /// They say that they do not, by `disable_active_migration`.
  case refused
}
