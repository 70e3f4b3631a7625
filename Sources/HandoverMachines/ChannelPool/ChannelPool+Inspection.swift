// What people want to see of a pool and no rule asks for.
extension ChannelPool {
  /// The earliest start of the next attempt to connect on a pooled channel.
  ///
  /// - Parameter endpoint: a pooled channel that was registered.
  /// - Returns: the instant; zero where the real channel has made no attempt yet.
  public func earliestAttempt(on endpoint: EndpointID) -> Instant {
    endpoints[index(of: endpoint)].notBefore
  }
}
