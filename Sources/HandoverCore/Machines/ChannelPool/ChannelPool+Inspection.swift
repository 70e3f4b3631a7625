// Values that people inspect and that no invariant needs.
extension ChannelPool {
  /// Returns the earliest start of the next connection attempt on a pooled channel.
  ///
  /// - Parameter endpoint: A registered pooled channel.
  /// - Returns: The instant, or zero if the real channel has made no attempt yet.
  public func earliestAttempt(on endpoint: EndpointID) -> Instant {
    endpoints[index(of: endpoint)].notBefore
  }
}
