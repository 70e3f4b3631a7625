public import HandoverInterceptors

extension TransportAttempt {
  /// What ``receive(_:)`` was called before.
  @available(*, deprecated, renamed: "receive(_:)")
  public func tell(_ event: TransportEvent) { receive(event) }
}
