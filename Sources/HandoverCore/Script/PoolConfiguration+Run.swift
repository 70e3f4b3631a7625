extension PoolConfiguration {
  /// Creates the pool settings of a run for a client policy.
  public init(_ run: RunConfiguration, policy: ClientPolicy) {
    var policy = policy
    if let idle = run.idle { policy.unusedChannelLifetime = idle }
    self.init(
      policy: policy, backoff: run.backoff, keepalive: run.keepalive, seed: run.seed)
    observers = run.order.observers
  }
}
