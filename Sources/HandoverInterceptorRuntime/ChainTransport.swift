public import HandoverInterceptors

/// Carries out what chains order, and tells what becomes of it.
public protocol ChainTransport: Sendable {
  /// Carries an order out, and returns without waiting for anything.
  ///
  /// The orders of one attempt come one at a time and in order; those of different attempts side by
  /// side. What becomes of them is told by ``TransportAttempt/receive(_:)``, from any thread, also
  /// before this returns.
  func carryOut(_ order: TransportOrder, for attempt: TransportAttempt)
}

/// One attempt of a call, as its transport knows it.
///
/// It holds its client, so a transport lets go of it when the attempt has ended.
public struct TransportAttempt: Sendable {
  let call: ChainID
  let number: UInt32
  let line: any ChainExecutor
  let runner: ChainRunner

  /// Tells something of the attempt; what comes after its end is ignored.
  public func receive(_ event: TransportEvent) {
    line.execute { runner.handle(event, of: self) }
  }
}

extension TransportAttempt: Hashable {
  /// Whether both are the same attempt of the same call.
  public static func == (left: TransportAttempt, right: TransportAttempt) -> Bool {
    left.call == right.call && left.number == right.number && left.runner === right.runner
  }

  /// Takes the call and the number in.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(call)
    hasher.combine(number)
  }
}
