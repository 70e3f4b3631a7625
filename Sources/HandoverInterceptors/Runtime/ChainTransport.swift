/// A transport that executes the orders of chains and reports the results.
public protocol ChainTransport: Sendable {
  /// Executes an order, and returns without waiting.
  ///
  /// The orders of one attempt arrive one at a time and in order. The orders of different attempts
  /// may arrive in parallel. The transport reports events with ``TransportAttempt/receive(_:)``
  /// from any thread, even before this method returns.
  func carryOut(_ order: TransportOrder, for attempt: TransportAttempt)
}

/// An attempt of a call, as passed to a transport.
///
/// The attempt retains its client, so the transport must release it when the attempt has ended.
public struct TransportAttempt: Sendable {
  let call: ChainID
  let number: UInt32
  let line: any ChainExecutor
  let runner: ChainRunner

  /// Reports an event of the attempt; events after its end are ignored.
  public func receive(_ event: TransportEvent) {
    line.execute { runner.handle(event, of: self) }
  }
}

extension TransportAttempt: Hashable {
  /// Returns whether both are the same attempt of the same call.
  public static func == (left: TransportAttempt, right: TransportAttempt) -> Bool {
    left.call == right.call && left.number == right.number && left.runner === right.runner
  }

  /// Hashes the call and the attempt number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(call)
    hasher.combine(number)
  }
}
