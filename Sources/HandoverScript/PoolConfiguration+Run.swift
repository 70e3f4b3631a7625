public import HandoverMachines

extension PoolConfiguration {
  /// The settings of a run under a policy.
  public init(_ run: RunConfiguration, policy: ClientPolicy, defects: Defects = []) {
    var policy = policy
    if let idle = run.idle { policy.unusedChannelLifetime = idle }
    self.init(
      policy: policy, backoff: run.backoff, keepalive: run.keepalive, seed: run.seed,
      defects: defects)
    observers = run.order.observers
  }
}
