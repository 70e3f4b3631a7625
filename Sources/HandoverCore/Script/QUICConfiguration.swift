/// The settings of QUIC connections, with the values of RFC 9000 and of Cronet as defaults.
public struct QUICConfiguration: Hashable, Sendable {
  /// Whether servers let connections migrate.
  public var migration = ServerMigration.allowed
  /// The time after which a connection that receives nothing is closed (RFC 9000, 10.1).
  ///
  /// Default 30 s.
  public var idleTimeout = Interval.seconds(30)
  /// The number of connection IDs that the server provides in addition to the one in use.
  ///
  /// Each path validation uses one. Default 1: an `active_connection_id_limit` of 2 (RFC 9000,
  /// 18.2) includes the one in use.
  public var connectionIDs = 1
  /// The maximum number of times that a connection migrates to one network.
  ///
  /// Default 5.
  public var maximumMigrations = 5

  /// Creates the default settings.
  public init() {}

  /// The time to wait for the answer to a path challenge.
  ///
  /// It is three times the initial probe timeout, which applies unless the current probe timeout is
  /// longer (RFC 9000, 8.2.4; RFC 9002, 6.2.2).
  public static let validationTimeout = Interval.seconds(3)
}

/// Whether servers let connections migrate.
@frozen
public enum ServerMigration: String, Hashable, Sendable, CaseIterable {
  /// Servers allow migration.
  case allowed
  /// Servers refuse migration with `disable_active_migration`.
  case refused
}
