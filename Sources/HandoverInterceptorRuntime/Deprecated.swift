public import HandoverInterceptors

extension TransportAttempt {
  /// The former name of ``receive(_:)``.
  @available(*, deprecated, renamed: "receive(_:)")
  public func tell(_ event: TransportEvent) { receive(event) }
}
