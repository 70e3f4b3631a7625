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
}

/// Whether servers let connections migrate.
@frozen
public enum ServerMigration: String, Hashable, Sendable, CaseIterable {
  /// Servers allow migration.
  case allowed
  /// Servers refuse migration with `disable_active_migration`.
  case refused
}
