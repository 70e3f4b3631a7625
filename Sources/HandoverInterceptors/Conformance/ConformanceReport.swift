/// What an interceptor must not do, or must do in the end.
public enum InterceptorRule: Hashable, Sendable, CustomStringConvertible {
  /// Something the manager refuses; see ``ChainFinding``.
  case manager(ChainFinding.Kind)
  /// Messages were forwarded in another order than they came in.
  case reordered
  /// A message was never forwarded, although the call went on to its end without it.
  case messageHeld
  /// Initial metadata was never forwarded, although the call went on to its end without it.
  case metadataHeld
  /// The user was never told that a message was sent, although the call went on to its end.
  case writeDoneHeld
  /// The user waits for a message, and with flow control the next link is not asked for one.
  case demandHeld
  /// The user waits, nothing else is waited for, and the call goes nowhere.
  case callStuck

  /// The rule as a sentence about the interceptor.
  public var description: String {
    switch self {
    case .manager(let kind): ChainFinding(link: "the interceptor", kind).description
    case .reordered: "the interceptor forwards messages in another order than they came in"
    case .messageHeld: "the interceptor holds a message for ever"
    case .metadataHeld: "the interceptor holds the initial metadata for ever"
    case .writeDoneHeld: "the interceptor never tells that a message was sent"
    case .demandHeld: "the interceptor does not ask for the message that the user waits for"
    case .callStuck: "the interceptor waits for nothing, and the call goes nowhere"
    }
  }
}

/// What became of a conformance test.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// A rule that was broken, and the shortest order of events that breaks it.
  public struct Breach: Hashable, Sendable {
    /// The rule.
    public var rule: InterceptorRule
    /// The events in words, in order.
    public var order: [String]
  }

  /// The name of the interceptor.
  public var name: String
  /// How many orders of events were tried; `UInt64.max` stands for as many or more.
  ///
  /// Those that lead to the same state go on from there together, so that each is tried, and none
  /// twice; links that share what they know are never in the same state.
  public var orders: UInt64 = 0
  /// How many different states were looked at.
  public var states = 0
  /// The length of the longest orders of which all were tried.
  public var length = 0
  /// Whether all orders of the length asked for were tried, unless a breach came first.
  public var isComplete = true
  /// The breach; nil where none was found.
  public var breach: Breach?

  /// Whether the interceptor is as it should be in every order: all were tried, and there are some.
  public var passes: Bool { breach == nil && isComplete && states > 0 }

  /// The report as a person reads it.
  public var description: String {
    if let breach {
      var text = "\(name): \(breach.rule)\n  the shortest order (\(breach.order.count) events):"
      for (position, event) in breach.order.enumerated() { text += "\n  \(position + 1). \(event)" }
      return text
    }
    guard states > 0 else {
      return "\(name): its factory makes no interceptor for this call, so nothing was tried"
    }
    let tried = "\(orders) orders of up to \(length) events through \(states) states"
    return isComplete
      ? "\(name): as it should be in \(tried)"
      : "\(name): no breach so far; there are more orders than the \(tried)"
  }
}
