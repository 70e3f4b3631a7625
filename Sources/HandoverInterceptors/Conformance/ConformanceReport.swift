/// A rule that an interceptor must follow.
public enum InterceptorRule: Hashable, Sendable, CustomStringConvertible {
  /// The manager rejected an operation; see ``ChainFinding``.
  case manager(ChainFinding.Kind)
  /// Messages were forwarded in a different order.
  case reordered
  /// A message was never forwarded, although the call ended without it.
  case messageHeld
  /// Initial metadata was never forwarded, although the call ended without it.
  case metadataHeld
  /// The caller was never notified of a sent message, although the call ended.
  case writeDoneHeld
  /// The caller waits for a message, but with flow control the next interceptor received no request
  /// for one.
  case demandHeld
  /// The caller waits, nothing else is pending, and the call makes no progress.
  case callStuck

  /// The violation as a sentence about the interceptor.
  public var description: String {
    switch self {
    case .manager(let kind): ChainFinding(link: "the interceptor", kind).description
    case .reordered: "the interceptor changes the order of messages"
    case .messageHeld: "the interceptor holds a message forever"
    case .metadataHeld: "the interceptor holds the initial metadata forever"
    case .writeDoneHeld: "the interceptor never reports that a message was sent"
    case .demandHeld: "the interceptor does not request the message that the user waits for"
    case .callStuck: "the interceptor waits for nothing, and the call makes no progress"
    }
  }
}

/// The result of a conformance test.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// A violated rule, and the shortest order of events that violates it.
  public struct Violation: Hashable, Sendable {
    /// The rule.
    public var rule: InterceptorRule
    /// The descriptions of the events, in order.
    public var order: [String]
  }

  /// The name of the interceptor.
  public var name: String
  /// The number of orders of events that were tried; `UInt64.max` means that number or more.
  ///
  /// Orders that lead to the same state are continued together, so that each order is tried and
  /// none is tried twice. Interceptors that share state are never in the same state.
  public var orders: UInt64 = 0
  /// The number of different states that were checked.
  public var states = 0
  /// The maximum length up to which all orders were tried.
  public var length = 0
  /// Whether all orders of the requested length were tried, unless a violation was found earlier.
  public var isComplete = true
  /// The violation, or `nil` if none was found.
  public var violation: Violation?

  /// Whether the interceptor follows all rules: all orders were tried, at least one, without a
  /// violation.
  public var passes: Bool { violation == nil && isComplete && states > 0 }

  /// The report in readable form.
  public var description: String {
    if let violation {
      var text =
        "\(name): \(violation.rule)\n  the shortest order (\(violation.order.count) events):"
      for (position, event) in violation.order.enumerated() {
        text += "\n  \(position + 1). \(event)"
      }
      return text
    }
    guard states > 0 else {
      return "\(name): its factory creates no interceptor for this call, so nothing was checked"
    }
    let tried = "\(orders) orders of up to \(length) events through \(states) states"
    return isComplete
      ? "\(name): correct in \(tried)"
      : "\(name): no violation so far; there are more orders than the \(tried)"
  }
}
