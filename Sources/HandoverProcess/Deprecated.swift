public import HandoverBackend
public import HandoverCore

extension AdapterCheck {
  /// What ``init(_:timeout:)`` was called before.
  @available(*, deprecated, renamed: "init(_:timeout:)")
  public init(_ command: String, patience: Interval) {
    self.init(command, timeout: patience)
  }
}

extension ProcessBackend {
  /// What ``init(_:timeout:)`` was called before.
  @available(*, deprecated, renamed: "init(_:timeout:)")
  public init(_ command: String, patience: Interval) throws(BackendError) {
    try self.init(command, timeout: patience)
  }
}

extension ProcessClients {
  /// What ``init(_:timeout:)`` was called before.
  @available(*, deprecated, renamed: "init(_:timeout:)")
  public init(_ command: String, patience: Interval) throws(BackendError) {
    try self.init(command, timeout: patience)
  }
}

extension LiveProcesses {
  /// What ``init(client:server:timeout:time:)`` was called before.
  @available(*, deprecated, renamed: "init(client:server:timeout:time:)")
  public init(
    client: String, server: String, patience: Interval, time: RealTime
  ) throws(BackendError) {
    try self.init(client: client, server: server, timeout: patience, time: time)
  }
}
