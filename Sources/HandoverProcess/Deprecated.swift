public import HandoverBackend
public import HandoverCore

extension AdapterCheck {
  /// The former name of ``init(_:timeout:)``.
  @available(*, deprecated, renamed: "init(_:timeout:)")
  public init(_ command: String, patience: Interval) {
    self.init(command, timeout: patience)
  }
}

extension ProcessBackend {
  /// The former name of ``init(_:timeout:)``.
  @available(*, deprecated, renamed: "init(_:timeout:)")
  public init(_ command: String, patience: Interval) throws(BackendError) {
    try self.init(command, timeout: patience)
  }
}

extension ProcessClients {
  /// The former name of ``init(_:timeout:)``.
  @available(*, deprecated, renamed: "init(_:timeout:)")
  public init(_ command: String, patience: Interval) throws(BackendError) {
    try self.init(command, timeout: patience)
  }
}

extension LiveProcesses {
  /// The former name of ``init(client:server:timeout:time:)``.
  @available(*, deprecated, renamed: "init(client:server:timeout:time:)")
  public init(
    client: String, server: String, patience: Interval, time: RealTime
  ) throws(BackendError) {
    try self.init(client: client, server: server, timeout: patience, time: time)
  }
}
