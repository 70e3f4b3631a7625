import HandoverCore

/// What a fault changes; parts that are nil change nothing.
struct FaultChange: Sendable {
  /// The settings of the client: its numbers, the switches in its machines, what it does wrong.
  var client: (@Sendable (inout PoolConfiguration) -> Void)?
  /// The rules that the client follows; its world knows which they are.
  var policy: (@Sendable (inout ClientPolicy) -> Void)?
  var dispatcher = DispatcherDefects()
  /// What the client and the platform take the scenario for; it is judged by what it says itself.
  var script: (@Sendable (inout Script) -> Void)?
  /// The transport below the client.
  var transport: (@Sendable (TransportModel) -> TransportModel)?
  /// What is told of the run.
  var report: ReportTampering?
}

extension Profile {
  /// A contract by the same name whose parts are otherwise.
  func altered(by change: FaultChange) -> Profile {
    guard change.policy != nil || change.transport != nil else { return self }
    var policy = policy
    change.policy?(&policy)
    return Profile(
      name: name, summary: summary, policy: policy,
      transport: change.transport?(transport) ?? transport,
      dispatchesRequests: dispatchesRequests, isDocumented: isDocumented, rules: rules)
  }
}

extension TransportModel {
  /// The same transport, where a path that is left means something else.
  func losing(
    cellularToWiFi: PathLossOutcome? = nil, otherwise: PathLossOutcome? = nil,
    inBackground: PathLossOutcome? = nil, outlivesItsPath: Bool? = nil
  ) -> TransportModel {
    TransportModel(
      name: name,
      pathLoss: PathLossPolicy(
        cellularToWiFi: cellularToWiFi ?? pathLoss.cellularToWiFi,
        otherwise: otherwise ?? pathLoss.otherwise,
        inBackground: inBackground ?? pathLoss.inBackground,
        outlivesItsPath: outlivesItsPath ?? pathLoss.outlivesItsPath),
      payload: payload, hasUserTimeout: hasUserTimeout, hasStreamEvents: hasStreamEvents,
      migration: migration)
  }

  /// The same transport, whose connections go to another network otherwise; one of TCP stays what
  /// it is.
  func migrating(
    followsDevice: Bool? = nil, validatesPaths: Bool? = nil, abandonsValidation: Bool? = nil
  ) -> TransportModel {
    guard let migration else { return self }
    return TransportModel(
      name: name, pathLoss: pathLoss, payload: payload, hasUserTimeout: hasUserTimeout,
      hasStreamEvents: hasStreamEvents,
      migration: MigrationPolicy(
        followsDevice: followsDevice ?? migration.followsDevice,
        validatesPaths: validatesPaths ?? migration.validatesPaths,
        abandonsValidation: abandonsValidation ?? migration.abandonsValidation))
  }
}
