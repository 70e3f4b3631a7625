import HandoverCore

/// The changes of an injected bug.
///
/// Parts that are `nil` change nothing.
struct FaultChange: Sendable {
  /// Changes the settings of the client: its numbers, the switches of its state machines, and its
  /// defects.
  var client: (@Sendable (inout PoolConfiguration) -> Void)?
  /// Changes the policy of the client.
  ///
  /// The simulated world uses the changed policy too.
  var policy: (@Sendable (inout ClientPolicy) -> Void)?
  var dispatcher = DispatcherDefects()
  /// Changes the script that the client and the platform receive.
  ///
  /// The checker uses the original script.
  var script: (@Sendable (inout Script) -> Void)?
  /// Changes the transport below the client.
  var transport: (@Sendable (TransportModel) -> TransportModel)?
  /// Changes the report of the run.
  var report: ReportTampering?
}

extension Profile {
  /// Returns a profile with the same name whose parts are changed.
  func altered(by change: FaultChange) -> Profile {
    guard change.policy != nil || change.transport != nil else { return self }
    var policy = policy
    change.policy?(&policy)
    return Profile(
      name: name, summary: summary, policy: policy,
      transport: change.transport?(transport) ?? transport,
      client: client, isDocumented: isDocumented, rules: rules)
  }
}

extension TransportModel {
  /// Returns the same transport with a different behavior when the device leaves a path.
  func losing(
    cellularToWiFi: PathLossOutcome? = nil, otherChanges: PathLossOutcome? = nil,
    inBackground: PathLossOutcome? = nil, outlivesItsPath: Bool? = nil
  ) -> TransportModel {
    TransportModel(
      name: name,
      pathLoss: PathLossPolicy(
        cellularToWiFi: cellularToWiFi ?? pathLoss.cellularToWiFi,
        otherChanges: otherChanges ?? pathLoss.otherChanges,
        inBackground: inBackground ?? pathLoss.inBackground,
        outlivesItsPath: outlivesItsPath ?? pathLoss.outlivesItsPath),
      hasUserTimeout: hasUserTimeout, hasStreamEvents: hasStreamEvents,
      migration: migration)
  }

  /// Returns the same transport with a different migration of its connections.
  ///
  /// TCP transports do not change.
  func migrating(
    followsDevice: Bool? = nil, validatesPaths: Bool? = nil, abandonsValidation: Bool? = nil
  ) -> TransportModel {
    guard let migration else { return self }
    return TransportModel(
      name: name, pathLoss: pathLoss, hasUserTimeout: hasUserTimeout,
      hasStreamEvents: hasStreamEvents,
      migration: MigrationPolicy(
        followsDevice: followsDevice ?? migration.followsDevice,
        validatesPaths: validatesPaths ?? migration.validatesPaths,
        abandonsValidation: abandonsValidation ?? migration.abandonsValidation))
  }
}
